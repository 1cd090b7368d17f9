//! Bare feelings: sentences that name nothing but a feeling, and so have no value as a memory.

use std::sync::LazyLock;

use saegim_core::CandidateType;

use crate::emotion::feeling::feeling;
use crate::emotion::life_event::is_life_event;
use crate::extract::kind;
use crate::patterns::table::{Lists, Pattern, rows};
use crate::topics::grouping::named;

/// A text with more words than this says more than a feeling.
const LONGEST: usize = 5;
/// Maximum number of words of a text that only states a feeling.
const ONLY_FELT: usize = 14;

const TABLE: &str = include_str!("../../data/emotion/bare.tsv");

static BARE: LazyLock<Lists> = LazyLock::new(|| Lists::read(TABLE));
/// What people say when a feeling overwhelms them: how strong it is, but nothing that happened.
static HELPLESS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let row = |row: Vec<&'static str>| row.first().filter(|name| **name == "helpless").and(row.get(1).copied());
    rows(TABLE).filter_map(row).map(Pattern::new).collect()
});
/// Words that address the other person: the feeling is then about that person.
static TOWARD: Pattern = Pattern::new(
    r"\b(?:you|your|you're)\b|(?:^|\s)(?:너|널|네|니|넌|당신)(?:는|은|도|를|을|가|이|랑|하고|한테|의|때문에|만|덕분에)?(?:\s|$)",
);

/// Checks whether a text names nothing but its feeling: "너무 좋았어", "I'm so happy".
pub(crate) fn is_bare(text: &str, felt: &[String]) -> bool {
    let of_feeling = |thing: &str| felt.iter().any(|word| word.contains(thing) || thing.contains(word.as_str()));
    let few = text.split_whitespace().count() <= LONGEST;
    !felt.is_empty() && few && named(text).iter().all(|thing| of_feeling(thing)) && !happened(text) || only_feels(text)
}

/// Whether a text tells what happened by the very word that speaks for a feeling: "I got the scholarship", "시험 붙었어".
fn happened(text: &str) -> bool {
    let names_feeling = |thing: &String| is_felt(thing) || BARE.has("around", thing);
    is_life_event(text) || kind::of(text) == Some(CandidateType::Event) && !named(text).iter().all(names_feeling)
}

/// Checks whether a lower-case text contains anything besides feelings, laughter and their modifiers.
pub(crate) fn says_more(text: &str) -> bool {
    let mut words = text.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.any(|word| !word.is_empty() && !is_felt(word) && !BARE.has("around", word) && !laughs(word))
}

/// Whether a word is only laughter or weeping.
fn laughs(word: &str) -> bool {
    let drawn = |letter: char| ('ㄱ'..='ㅣ').contains(&letter);
    word.chars().all(drawn) || ["lol", "lmao", "lmfao", "rofl"].contains(&word) || word.starts_with("haha") || word.starts_with("hehe")
}

/// Whether a word, in lower case, tells a feeling and nothing that happened.
fn is_felt(word: &str) -> bool {
    if word.is_ascii() { BARE.has("felt", word) } else { BARE.words("felt").any(|start| !start.is_ascii() && word.starts_with(start)) }
}

/// Checks whether every word only expresses a feeling, its degree or its holder. Such a text is not a memory.
pub(crate) fn only_feels(text: &str) -> bool {
    let said = text.to_lowercase().replace('’', "'");
    let mut lower = said.clone();
    for helpless in &*HELPLESS {
        if let Some(regex) = helpless.on(&lower) {
            lower = regex.replace_all(&lower, " ").into_owned();
        }
    }
    let helpless = lower != said;
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    words.len() <= ONLY_FELT
        && (helpless || words.iter().any(|word| is_felt(word)))
        && words.iter().all(|word| is_felt(word) || BARE.has("around", word) || laughs(word))
        && !TOWARD.fits(&said)
        && !is_life_event(text)
        && feeling(text).intensity.get() > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, only: bool) {
        assert_eq!(only_feels(text), only, "{text}");
    }

    #[test]
    fn a_feeling_without_anything_is_told_from_one_about_something() {
        for text in [
            "너무 슬퍼",
            "진짜 행복하다 ㅎㅎ",
            "기분 최고야!",
            "너무 외롭고 무서워",
            "오늘 그냥 우울해",
            "I'm so upset",
            "that felt amazing",
            "it made me really sad",
            "I'm so tired and lonely and sad",
            "ugh, so annoyed",
            "너무 무섭고 아무것도 못 하겠어",
            "슬퍼서 밥도 안 넘어가",
            "I'm so sad I can't do anything",
            "I'm heartbroken and I can't stop crying",
        ] {
            check(text, true);
        }
        for text in [
            "엄마가 보고 싶어",
            "수술이 너무 무서워",
            "합격했어",
            "친구랑 싸워서 속상해",
            "요즘 너무 힘들어",
            "너 때문에 행복해",
            "I'm scared of the surgery",
            "I'm proud of my sister",
            "you make me so happy",
            "I've been so lonely lately",
            "we lost the match, so sad",
            "무서워서 운전도 못 하겠어",
            "I'm too scared to drive",
        ] {
            check(text, false);
        }
    }
}
