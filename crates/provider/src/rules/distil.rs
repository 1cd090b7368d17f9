//! Distilling without a model: the sentence nearest to all others, without its circumstances, and how often it came up.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use saegim_core::{Language, cut, restated};

use super::table::{Pattern, rows};

static CIRCUMSTANCES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    rows(include_str!("../../rules/circumstances.tsv"))
        .filter_map(|row| match row[..] {
            [_, pattern] => Some(Pattern::new(pattern)),
            _ => None,
        })
        .collect()
});

/// From so many memories on, what they have in common is said too.
const PATTERN_FROM: usize = 3;

/// A sentence without the day, the hour and the laughter: what stays true when they are forgotten.
pub fn essence(text: &str) -> String {
    let mut rest = text.trim().to_owned();
    for pattern in CIRCUMSTANCES.iter() {
        while let Some(shorter) = pattern.without(&rest) {
            let shorter = shorter.split_whitespace().collect::<Vec<_>>().join(" ");
            // A text that is nothing but circumstance is kept as it is.
            if shorter.chars().count() < 2 || shorter == rest {
                break;
            }
            rest = shorter;
        }
    }
    rest.trim().trim_matches(',').trim().to_owned()
}

/// The common essence of memories, in the language of most of them.
pub fn distil(texts: &[&str]) -> String {
    let Some(central) = central(texts) else { return String::new() };
    let sentence = essence(central);
    if texts.len() < PATTERN_FROM {
        return sentence;
    }
    let korean = texts.iter().filter(|text| Language::of(text) == Language::Korean).count() * 2 >= texts.len();
    let count = texts.len();
    match (common(texts, central), korean) {
        (Some(word), true) => format!("{word} 이야기가 {count}번 나왔다. {sentence}"),
        (None, true) => format!("비슷한 일이 {count}번 있었다. {sentence}"),
        (Some(word), false) => format!("{word} came up {count} times. {sentence}"),
        (None, false) => format!("Something like this came up {count} times. {sentence}"),
    }
}

/// The text that shares most with all the others; the earliest of equals.
fn central<'a>(texts: &[&'a str]) -> Option<&'a str> {
    let shared = |text: &str| texts.iter().map(|other| restated(text, other) + restated(other, text)).sum::<f32>();
    let mut best: Option<(&str, f32)> = None;
    for text in texts {
        let value = shared(text);
        if best.is_none_or(|(_, most)| value > most + 1e-6) {
            best = Some((text, value));
        }
    }
    best.map(|(text, _)| text)
}

/// The word most of the texts have in common, as the central one writes it.
fn common(texts: &[&str], central: &str) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in texts {
        let mut words = cut(text).words;
        words.sort();
        words.dedup();
        words.into_iter().filter(|word| word.chars().count() > 1).for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let written = central.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let most = |word: &str| cut(word).words.iter().filter_map(|stem| counts.get(stem)).max().copied().unwrap_or(0);
    let (word, count) = written.map(|word| (word, most(word))).max_by_key(|(word, count)| (*count, std::cmp::Reverse(word.len())))?;
    if count * 2 < texts.len() {
        return None;
    }
    let stem = super::korean::particle(word).0;
    Some(stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circumstances_are_left_out() {
        for (text, rest) in [
            ("오늘 3시에 동네 카페에서 라떼 마셨어 ㅋㅋㅋ", "동네 카페에서 라떼 마셨어"),
            ("어제 또 야근했어...", "야근했어"),
            ("Yesterday I went climbing with Jun", "I went climbing with Jun"),
            ("오늘", "오늘"),
            ("엄마가 보고 싶어", "엄마가 보고 싶어"),
        ] {
            assert_eq!(essence(text), rest);
        }
    }

    #[test]
    fn many_memories_become_one_sentence_with_their_count() {
        let cafe = ["오늘 동네 카페에서 라떼 마셨어", "퇴근하고 카페에 들렀어", "카페에서 책 읽었어", "동네 카페 사장님이랑 얘기했어"];
        let essence = distil(&cafe);
        assert!(essence.contains("카페") && essence.contains("4번") && !essence.contains("오늘"), "{essence}");
        let runs = ["I went running by the river today", "Went running again", "Running in the rain was fun"];
        let essence = distil(&runs);
        assert!(essence.contains("3 times") && essence.to_lowercase().contains("running"), "{essence}");
        assert_eq!(distil(&["오늘 첫 월급을 받았어!"]), "첫 월급을 받았어!");
        assert_eq!(distil(&[]), "");
    }
}
