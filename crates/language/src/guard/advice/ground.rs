//! The texts a model was given, as the vocabulary its own sentences may use.

use std::collections::HashSet;

use saegim_core::{Language, cut};

use super::stems;
use super::vocabulary::{self, Known};
use crate::guard::instruction::is_instruction;
use crate::tokenize::split::sentence_texts;

/// Words of the given texts. Sentences that command the memory or the character are excluded.
pub struct SourceVocabulary {
    stems: HashSet<String>,
    /// Runs of Korean syllables.
    runs: HashSet<String>,
    sentences: HashSet<String>,
    folded: String,
    user: String,
    character: String,
}

impl SourceVocabulary {
    /// Builds the vocabulary from the given texts and the names of the user and the character.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>, user: &str, character: &str) -> Self {
        let texts: Vec<&str> = texts.into_iter().collect();
        let kept: Vec<String> = texts.iter().flat_map(|text| sentence_texts(text)).filter(|sentence| !is_instruction(sentence)).collect();
        let folded = kept.join("\n").to_lowercase();
        let runs = folded.split(|letter| !is_hangul(letter)).filter(|run| !run.is_empty()).map(str::to_owned).collect();
        let whole = texts.iter().filter(|text| !is_instruction(text)).map(|text| bare(text));
        let sentences = kept.iter().map(|sentence| bare(sentence)).chain(whole).collect();
        Self {
            stems: cut(&folded).words.into_iter().collect(),
            runs,
            sentences,
            folded,
            user: user.to_lowercase(),
            character: character.to_lowercase(),
        }
    }

    /// Checks whether a sentence was given verbatim.
    pub(super) fn has_sentence(&self, sentence: &str) -> bool {
        self.sentences.contains(&bare(sentence))
    }

    /// Checks whether a non-Korean word was given: by its stem if it is ASCII, otherwise as a substring, because no stemmer
    /// exists for its script.
    pub(super) fn holds(&self, word: &str) -> bool {
        if word.is_ascii() {
            return self.names(word) || cut(word).words.iter().any(|stem| self.stems.contains(stem));
        }
        self.folded.contains(word)
    }

    /// Checks whether a Korean word was given, ignoring particles and endings.
    pub(super) fn holds_korean(&self, word: &str) -> bool {
        let ends = |rest: &str| stems::follows_noun(rest) || stems::follows_verb(rest);
        let named =
            [&self.user, &self.character].into_iter().any(|name| !name.is_empty() && word.strip_prefix(name.as_str()).is_some_and(ends));
        let stem = |word: &str| cut(word).words.into_iter().next();
        named
            || self.runs.iter().any(|run| {
                let shared: usize = run.chars().zip(word.chars()).take_while(|(one, other)| one == other).count();
                let rest: String = word.chars().skip(shared).collect();
                shared >= 2 && ends(&rest) || stem(run).is_some() && stem(run) == stem(word)
            })
    }

    /// Returns the given topics a sentence mentions, in order: nouns in Korean, content words in English. At most `most`.
    pub(super) fn topics(&self, sentence: &str, language: Language, most: usize) -> Vec<String> {
        let words: Vec<String> = sentence
            .replace('’', "'")
            .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let mut topics: Vec<String> = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let topic = match language {
                Language::Korean => self.korean_topic(word, words.get(place + 1).map_or("", String::as_str)),
                Language::English => self.english_topic(word),
            };
            topics.extend(topic.filter(|topic| !topics.contains(topic)));
        }
        topics.truncate(most);
        topics
    }

    /// Detects a noun by its particle or by a following word such as 이야기 ("story").
    fn korean_topic(&self, word: &str, next: &str) -> Option<String> {
        let noun: String = if word.chars().all(is_hangul) { cut(word).words.into_iter().next()? } else { return self.english_topic(word) };
        let known = stems::known(&noun);
        let given = self.runs.iter().any(|run| run.strip_prefix(noun.as_str()).is_some_and(stems::follows_noun));
        let told = ["이야기", "얘기", "때문", "준비", "소식"].iter().any(|tale| next.starts_with(tale));
        let particles = word.strip_prefix(noun.as_str()).is_some_and(|rest| stems::is_particle(rest) && (!rest.is_empty() || told));
        let named = noun == self.user || noun == self.character;
        (noun.chars().count() > 1 && given && particles && !known.never && !is_hollow(&noun) && !named).then_some(noun)
    }

    fn english_topic(&self, word: &str) -> Option<String> {
        let small = word.to_lowercase();
        let base = small.strip_suffix("'s").unwrap_or(&small);
        let weighs = base.chars().count() > 2 && base.chars().all(char::is_alphabetic) && !is_hollow(base) && !self.names(base);
        let given = weighs && vocabulary::known(base) != Some(Known::Never) && self.holds(base);
        given.then(|| word.strip_suffix("'s").unwrap_or(word).to_owned())
    }

    /// Checks whether a sentence starts with the user's name, a word for the user, or the first person.
    pub(super) fn is_about_user(&self, sentence: &str) -> bool {
        let begins = |word: &str| {
            let word = word.to_lowercase();
            !self.user.is_empty() && word.starts_with(&self.user)
                || word.starts_with("사용자")
                || matches!(word.as_str(), "user" | "i" | "나는" | "내가" | "나에게" | "someone")
        };
        sentence.split(|letter: char| !letter.is_alphanumeric()).take(3).any(begins)
    }

    /// Checks whether a word is the name of the user or the character.
    fn names(&self, word: &str) -> bool {
        word == self.user || word == self.character
    }
}

fn bare(text: &str) -> String {
    text.trim().trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}

/// Checks for words that carry no topic of their own, even if they were given.
fn is_hollow(word: &str) -> bool {
    static HOLLOW: std::sync::LazyLock<HashSet<&str>> = std::sync::LazyLock::new(|| {
        include_str!("../../../data/guard/hollow.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(str::split_whitespace)
            .collect()
    });
    HOLLOW.contains(word) || HOLLOW.contains(cut(word).words.first().map_or("", String::as_str))
}

/// Checks whether a character is a Korean syllable.
pub(super) const fn is_hangul(letter: char) -> bool {
    matches!(letter, '가'..='힣')
}
