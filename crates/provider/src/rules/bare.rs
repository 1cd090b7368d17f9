//! Bare feelings: a sentence that names nothing beside what it feels tells nothing weeks later.

use std::sync::LazyLock;

use saegim_core::{named, tells_life_event};

use super::feeling::feeling;
use super::table::{Lists, Pattern};

/// Whoever needs more words than this for a feeling tells more than it.
const LONGEST: usize = 5;
/// However many words are only felt, nobody needs more of them.
const ONLY_FELT: usize = 14;

static BARE: LazyLock<Lists> = LazyLock::new(|| Lists::read(include_str!("../../rules/bare.tsv")));
/// What is felt toward the one spoken to is about them.
static TOWARD: Pattern = Pattern::new(
    r"\b(?:you|your|you're)\b|(?:^|\s)(?:너|널|네|니|넌|당신)(?:는|은|도|를|을|가|이|랑|하고|한테|의|때문에|만|덕분에)?(?:\s|$)",
);

/// Whether a text names nothing beside what it feels: "너무 좋았어", "I'm so happy". What happened may be one of its words.
pub(super) fn is_bare(text: &str, felt: &[String]) -> bool {
    let of_feeling = |thing: &str| felt.iter().any(|word| word.contains(thing) || thing.contains(word.as_str()));
    let few = text.split_whitespace().count() <= LONGEST;
    !felt.is_empty() && few && named(text).iter().all(|thing| of_feeling(thing)) || only_feels(text)
}

/// Whether every word of a text only tells what is felt, how much, and by whom: such a text is no memory of its own.
pub(super) fn only_feels(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let laughs = |word: &str| word.chars().all(|letter| ('ㄱ'..='ㅣ').contains(&letter));
    let felt = |word: &str| {
        if word.is_ascii() { BARE.has("felt", word) } else { BARE.words("felt").any(|start| !start.is_ascii() && word.starts_with(start)) }
    };
    words.len() <= ONLY_FELT
        && words.iter().any(|word| felt(word))
        && words.iter().all(|word| felt(word) || BARE.has("around", word) || laughs(word))
        && !TOWARD.fits(&lower)
        && !tells_life_event(text)
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
        ] {
            check(text, false);
        }
    }
}
