//! Wording of answers: templates by occasion, language and speech style, with matching particles.

use std::collections::HashMap;
use std::sync::LazyLock;

use saegim_core::{Language, SpeechStyle};

use crate::parse::korean::closed;
use crate::patterns::table::rows;

/// Style and words, by occasion and language.
type Phrases = HashMap<(&'static str, Language), Vec<(&'static str, &'static str)>>;

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = Phrases::new();
    for row in rows(include_str!("../../data/reply/replies.tsv")) {
        if let [occasion, language, style, words, ..] = row[..]
            && let Ok(language) = Language::parse(language)
        {
            phrases.entry((occasion, language)).or_default().push((style, words));
        }
    }
    phrases
});

/// Values for the gaps of a template.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Filling<'a> {
    pub(crate) value: &'a str,
    pub(crate) user: &'a str,
    pub(crate) character: &'a str,
}

/// Language and style of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Voice {
    pub(crate) language: Language,
    pub(crate) style: SpeechStyle,
    /// Selects among several wordings; the same message always gets the same answer.
    pub(crate) turn: u64,
}

impl Voice {
    /// Checks whether there is a template for an occasion.
    pub(crate) fn knows(&self, occasion: &str) -> bool {
        PHRASES.contains_key(&(occasion, self.language))
    }

    /// Renders the template of an occasion; empty if there is none, which a test prevents.
    pub(crate) fn say(&self, occasion: &str, filling: Filling<'_>) -> String {
        let Some(all) = PHRASES.get(&(occasion, self.language)) else { return String::new() };
        let usable = |words: &str| {
            !(words.contains("{v") && filling.value.is_empty()
                || words.contains("{user}") && filling.user.is_empty()
                || words.contains("{character}") && filling.character.is_empty())
        };
        let fits: &[&[&str]] = match self.style {
            SpeechStyle::Formal => &[&["formal", "any"]],
            SpeechStyle::Casual => &[&["casual", "any"]],
            SpeechStyle::Intimate => &[&["intimate"], &["casual", "any"]],
        };
        for styles in fits {
            let ways: Vec<&str> =
                all.iter().filter(|(style, words)| styles.contains(style) && usable(words)).map(|(_, words)| *words).collect();
            if !ways.is_empty() {
                return filled(ways[(self.turn % ways.len() as u64) as usize], filling);
            }
        }
        String::new()
    }
}

/// A template with its gaps filled and its particles chosen.
fn filled(words: &str, filling: Filling<'_>) -> String {
    filled_by(words, |gap| match gap {
        "v" => filling.value.to_owned(),
        "v:a" => with_article(filling.value),
        "user" => filling.user.to_owned(),
        "character" => filling.character.to_owned(),
        _ => String::new(),
    })
}

/// Renders a template with the values from `fill`, and selects particles by the preceding sound.
pub(crate) fn filled_by(words: &str, fill: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some(at) = rest.find(['{', '(']) {
        out.push_str(&rest[..at]);
        let (gap, close) = if rest[at..].starts_with('{') { (true, '}') } else { (false, ')') };
        let Some(end) = rest[at..].find(close).map(|end| at + end) else { break };
        let inside = &rest[at + 1..end];
        if gap {
            out.push_str(&fill(inside));
        } else {
            let chosen = particle(&out, inside).to_owned();
            out.push_str(&chosen);
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

/// The one of two particles that fits what stands before it; a single one stands only after a closed syllable.
fn particle<'a>(before: &str, choice: &'a str) -> &'a str {
    let sound = final_sound(before);
    match choice.split_once('/') {
        Some(("으로", open)) if sound != Sound::Closed => open,
        Some((after_closed, open)) => {
            if sound == Sound::Open {
                open
            } else {
                after_closed
            }
        }
        None if sound == Sound::Open => "",
        None => choice,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sound {
    Open,
    /// Ends in ㄹ, which is closed but takes 로.
    Liquid,
    Closed,
}

/// How a word ends when it is read aloud in Korean.
fn final_sound(before: &str) -> Sound {
    let word = before.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let Some(last) = word.chars().next_back() else { return Sound::Open };
    if let Some(is_closed) = closed(word) {
        return match (is_closed, (last as u32 - '가' as u32) % 28) {
            (true, 8) => Sound::Liquid,
            (true, _) => Sound::Closed,
            (false, _) => Sound::Open,
        };
    }
    let lower = word.to_lowercase();
    // Short names in capitals are spelt out: MBTI ends in 아이, "LG" in 지, "PPL" in 엘.
    let spelt = word.rsplit(' ').next().is_some_and(|word| word.chars().all(|letter| letter.is_ascii_uppercase()));
    match last {
        '1' | '7' | '8' => Sound::Liquid,
        '0' | '3' | '6' => Sound::Closed,
        'L' | 'R' if spelt => Sound::Liquid,
        'M' | 'N' if spelt => Sound::Closed,
        _ if spelt => Sound::Open,
        _ if lower.ends_with('l') || lower.ends_with("le") => Sound::Liquid,
        _ if lower.ends_with(['m', 'n']) || lower.ends_with("ng") => Sound::Closed,
        _ => Sound::Open,
    }
}

fn with_article(value: &str) -> String {
    let lower = value.to_lowercase();
    let determined = ["a ", "an ", "the ", "my ", "your "].iter().any(|word| lower.starts_with(word));
    if determined || !value.is_ascii() {
        return value.to_owned();
    }
    let article = if lower.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, value: &str, said: &str) {
        assert_eq!(filled(words, Filling { value, ..Filling::default() }), said);
    }

    #[test]
    fn particles_fit_the_sound_before_them() {
        check("{v}(이)라고 했지.", "모찌", "모찌라고 했지.");
        check("{v}(이)라고 했지.", "콩", "콩이라고 했지.");
        check("{v}(을/를) 좋아한다고 하셨죠.", "떡볶이", "떡볶이를 좋아한다고 하셨죠.");
        check("{v}(은/는) 별로구나.", "당근", "당근은 별로구나.");
        check("{v}(으로/로) 다닌다고 했지.", "지하철", "지하철로 다닌다고 했지.");
        check("{v}(으로/로) 다닌다고 했지.", "자가용", "자가용으로 다닌다고 했지.");
        check("{v}(으로/로) 다닌다고 했지.", "버스", "버스로 다닌다고 했지.");
        check("{v}(이)라고 했지.", "INFP", "INFP라고 했지.");
        check("{v}(이)라고 했지.", "Portland", "Portland라고 했지.");
        check("{v}(이)라고 했지.", "Austin", "Austin이라고 했지.");
        check("{v}(과/와) 함께", "언니", "언니와 함께");
        check("You drive {v:a}.", "old truck", "You drive an old truck.");
    }

    #[test]
    fn every_occasion_is_written_in_both_languages_and_every_style() {
        for (occasion, _) in PHRASES.keys() {
            for language in [Language::Korean, Language::English] {
                for style in [SpeechStyle::Formal, SpeechStyle::Casual, SpeechStyle::Intimate] {
                    let said = Voice { language, style, turn: 7 }.say(occasion, Filling { value: "값", user: "민지", character: "하루" });
                    assert!(!said.is_empty() && !said.contains(['{', '}', '/']), "{occasion} {language} {style}: {said}");
                }
            }
        }
    }
}
