//! Merged text of memories about the same event. It keeps every word, so a wrong merge loses no information.

use saegim_core::LONGEST_CONTENT;
use unicode_normalization::UnicodeNormalization;

use crate::parse::sentence_parse::{fits_sound, is_whole_noun};

/// Normalizes the words of a text: lower case, no punctuation, and Korean words without object particles and past-tense sentence
/// endings, so that "송편을 빚었다" equals "송편 빚었어".
fn words(text: &str) -> Vec<String> {
    let plain = |word: &str| word.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    text.split_whitespace().map(plain).filter(|word| !word.is_empty()).map(key).collect()
}

/// Korean sentence endings of plain past-tense statements in different registers.
const CLOSES: [&str; 7] = ["어", "다", "어요", "습니다", "음", "지", "네"];

fn key(word: String) -> String {
    let over = |end: &&str| word.strip_suffix(*end).filter(|front| front.nfd().last() == Some('\u{11BB}'));
    if let Some(front) = CLOSES.iter().find_map(over) {
        return front.to_owned();
    }
    // Only the object particle is removed; subject and recipient particles carry meaning.
    match ["을", "를"].iter().find_map(|mark| word.strip_suffix(mark).filter(|front| fits_sound(front, mark) && front.chars().count() > 1))
    {
        Some(front) if !is_whole_noun(&word) => front.to_owned(),
        _ => word,
    }
}

/// Whether all words of `one` occur in `other` in the same order, so that keeping only `other` loses nothing.
fn stands_in(one: &[String], other: &[String]) -> bool {
    let mut rest = other.iter();
    one.iter().all(|word| rest.any(|other| other == word))
}

/// Joins the texts, in order, skipping those fully contained in another. Returns `None` if the result exceeds the maximum length
/// of a memory.
pub fn merge_texts(texts: &[&str]) -> Option<String> {
    let cut: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let contained = |place: usize| {
        (0..texts.len()).any(|other| {
            // If two texts have the same words, the first is kept.
            other != place && stands_in(&cut[place], &cut[other]) && (other < place || !stands_in(&cut[other], &cut[place]))
        })
    };
    let mut kept = String::new();
    for place in (0..texts.len()).filter(|&place| !contained(place)) {
        if !kept.is_empty() {
            kept.push_str(if kept.ends_with(['.', '!', '?', '…', '。']) { " " } else { ". " });
        }
        kept.push_str(texts[place].trim());
    }
    (kept.chars().count() <= LONGEST_CONTENT).then_some(kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_either_tells_is_kept() {
        for (texts, together) in [
            (&["민지랑 한강에서 자전거를 탔다", "어제 민지랑 한강에서 자전거를 탔다"][..], "어제 민지랑 한강에서 자전거를 탔다"),
            (&["아빠가 입원했어", "엄마가 입원했어"], "아빠가 입원했어. 엄마가 입원했어"),
            (&["I got the job!", "I finally got the job"], "I finally got the job"),
            (&["I called Mina.", "Mina called I"], "I called Mina. Mina called I"),
            (&["Same words", "same words!", "more"], "Same words. more"),
            (&["alone"], "alone"),
            (&["할머니 댁에서 송편 빚었어", "할머니 댁에서 송편을 빚었다"], "할머니 댁에서 송편 빚었어"),
            (&["송편 빚었어요", "송편을 빚을 거야"], "송편 빚었어요. 송편을 빚을 거야"),
            (&["엄마 안았어", "엄마가 안았다"], "엄마 안았어. 엄마가 안았다"),
        ] {
            assert_eq!(merge_texts(texts).as_deref(), Some(together));
        }
        let long = "가 ".repeat(LONGEST_CONTENT / 2);
        assert_eq!(merge_texts(&[&long, "나"]), None);
    }

    proptest! {
        #[test]
        fn no_word_is_ever_lost(texts in prop::collection::vec("[가-다a-c]{1,2}( [가-다a-c]{1,2}){0,4}", 1..5)) {
            let all: Vec<&str> = texts.iter().map(String::as_str).collect();
            let together = words(&merge_texts(&all).unwrap());
            for text in &texts {
                prop_assert!(stands_in(&words(text), &together), "{:?} in {:?}", text, together);
            }
        }
    }
}
