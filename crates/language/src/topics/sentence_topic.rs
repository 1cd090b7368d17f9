//! Finds the topic of a remembered sentence in a word or two, for use in another sentence.

use saegim_core::Language;

use crate::parse::korean::{Pointer, noun_phrase, particle, pointer};
use crate::patterns::table::WORDS;

/// Returns the topic of a text, or `None` if no word is suitable.
pub(crate) fn topic(text: &str) -> Option<String> {
    match Language::of(text) {
        Language::Korean => korean(text),
        Language::English => english(text),
    }
}

/// The object of the sentence, or else its subject, or else its last noun.
fn korean(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric())).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let marked = |marks: &[&str]| {
        words.iter().position(|word| {
            let (stem, mark) = particle(word);
            let person = matches!(pointer(word), Pointer::First | Pointer::Second) || WORDS.has("first", word) || WORDS.has("second", word);
            mark.is_some_and(|mark| marks.contains(&mark) && !goes_on(stem, mark))
                && !person
                && !WORDS.has("adverb", stem)
                && !WORDS.has("time", stem)
                && !idle(stem)
        })
    };
    let place = marked(&["을", "를"])
        .or_else(|| marked(&["이", "가"]))
        .or_else(|| marked(&["은", "는"]))
        .or_else(|| marked(&["랑", "이랑", "와", "과"]))?;
    let stretch = words[..=place].join(" ");
    let phrase = noun_phrase(&stretch).map_or_else(|| particle(words[place]).0.to_owned(), |(_, phrase)| phrase);
    let phrase = phrase.trim_start_matches("우리 ").trim_start_matches("내 ").trim().to_owned();
    (phrase.chars().count() > 1 && phrase.chars().count() <= 20).then_some(phrase)
}

/// Whether a word with what looks like its particle is a deed that goes on: "보다가 울었어" names no 보다.
fn goes_on(stem: &str, mark: &str) -> bool {
    mark == "가" && stem.ends_with('다') && !matches!(stem, "바다" | "판다" | "소다" | "캐나다" | "프라다" | "혼다")
}

/// Words that only point at what was said.
fn idle(stem: &str) -> bool {
    matches!(stem, "것" | "거" | "그것" | "이것" | "수" | "때" | "말" | "일" | "마음" | "생각" | "사람" | "우리" | "그날" | "그때")
}

/// The noun phrase after a determiner or a verb of liking, or else a name.
fn english(text: &str) -> Option<String> {
    const OPENERS: [&str; 24] = [
        "my", "our", "a", "an", "the", "his", "her", "their", "your", "likes", "like", "loves", "love", "enjoys", "enjoy", "hates", "hate",
        "about", "called", "named", "to", "with", "from", "than",
    ];
    const CLOSERS: [&str; 46] = [
        "and",
        "or",
        "but",
        "because",
        "that",
        "which",
        "who",
        "whom",
        "when",
        "while",
        "is",
        "was",
        "are",
        "were",
        "has",
        "had",
        "have",
        "in",
        "on",
        "at",
        "to",
        "for",
        "with",
        "from",
        "of",
        "by",
        "about",
        "called",
        "named",
        "every",
        "again",
        "today",
        "yesterday",
        "last",
        "this",
        "always",
        "never",
        "me",
        "us",
        "it",
        "if",
        "so",
        "as",
        "after",
        "before",
        "than",
    ];
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'')).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let opens = |word: &String| OPENERS.contains(&word.as_str());
    for at in 0..words.len() {
        if !opens(&lower[at]) {
            continue;
        }
        let phrase: Vec<&str> = (at + 1..words.len())
            .take_while(|&next| !words[next].is_empty() && !CLOSERS.contains(&lower[next].as_str()) && !verbal(&lower[next]))
            .map(|next| words[next])
            .take(3)
            .collect();
        let phrase: Vec<&str> =
            phrase.into_iter().skip_while(|word| matches!(word.to_lowercase().as_str(), "my" | "a" | "an" | "the" | "your")).collect();
        if !phrase.is_empty() && !phrase.iter().all(|word| word.len() < 3) {
            let said = phrase.join(" ");
            // "my sister" is told to the person it belongs to as "your sister".
            return Some(if matches!(lower[at].as_str(), "my" | "our") { format!("your {said}") } else { said });
        }
    }
    words
        .iter()
        .skip(1)
        .find(|word| word.chars().next().is_some_and(char::is_uppercase) && word.len() > 1 && !word.starts_with("I'"))
        .map(|word| (*word).to_owned())
}

const VERBS: [&str; 30] = [
    "sings", "says", "said", "told", "gave", "gives", "made", "makes", "goes", "went", "lives", "works", "plays", "likes", "loves",
    "wants", "needs", "came", "comes", "got", "gets", "took", "takes", "runs", "ran", "sleeps", "slept", "moves", "keeps", "kept",
];

/// Whether a word only goes on telling what happens.
fn verbal(word: &str) -> bool {
    word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing") && word.len() > 6) || VERBS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sentence_is_about_can_be_taken_up() {
        for (text, expected) in [
            ("우리 강아지 모찌를 입양했어", Some("강아지 모찌")),
            ("민수는 매운 떡볶이를 좋아한다", Some("매운 떡볶이")),
            ("엄마가 보고 싶어", Some("엄마")),
            ("나는 땅콩 알레르기가 있어", Some("땅콩 알레르기")),
            ("I adopted a puppy called Mochi", Some("puppy")),
            ("My sister lives in Busan", Some("your sister")),
            ("Minsu likes spicy food", Some("spicy food")),
            ("좋았다", None),
        ] {
            assert_eq!(topic(text).as_deref(), expected, "{text}");
        }
    }
}
