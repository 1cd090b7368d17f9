//! The words of two memories that tell one thing: all of them, so that a mistake about what is one thing loses nothing.

use unicode_normalization::UnicodeNormalization;

use crate::LONGEST_CONTENT;
use crate::text::sentence_parse::{fits_sound, is_whole_noun};

/// The words of a text without signs and capitals, and Korean ones without what only links them or closes the sentence: "송편을
/// 빚었다" says what "송편 빚었어" does.
fn words(text: &str) -> Vec<String> {
    let plain = |word: &str| word.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    text.split_whitespace().map(plain).filter(|word| !word.is_empty()).map(key).collect()
}

/// Endings that close a plain statement about what is over, in one manner of speaking or another.
const CLOSES: [&str; 7] = ["어", "다", "어요", "습니다", "음", "지", "네"];

fn key(word: String) -> String {
    let over = |end: &&str| word.strip_suffix(*end).filter(|front| front.nfd().last() == Some('\u{11BB}'));
    if let Some(front) = CLOSES.iter().find_map(over) {
        return front.to_owned();
    }
    // Who does it and to whom must not be lost: only the mark of what is done something with may go unsaid.
    match ["을", "를"].iter().find_map(|mark| word.strip_suffix(mark).filter(|front| fits_sound(front, mark) && front.chars().count() > 1))
    {
        Some(front) if !is_whole_noun(&word) => front.to_owned(),
        _ => word,
    }
}

/// Whether every word of `one` stands in `other`, in the same order: then nothing is lost when only `other` is kept.
fn stands_in(one: &[String], other: &[String]) -> bool {
    let mut rest = other.iter();
    one.iter().all(|word| rest.any(|other| other == word))
}

/// What several tellings of one thing say together: each that is not wholly contained in another, in their order. Nothing when
/// that would be longer than a memory may be.
pub fn joined(texts: &[&str]) -> Option<String> {
    let cut: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let contained = |place: usize| {
        (0..texts.len()).any(|other| {
            // Of two that say the same words the first is kept.
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
            assert_eq!(joined(texts).as_deref(), Some(together));
        }
        let long = "가 ".repeat(LONGEST_CONTENT / 2);
        assert_eq!(joined(&[&long, "나"]), None);
    }

    proptest! {
        #[test]
        fn no_word_is_ever_lost(texts in prop::collection::vec("[가-다a-c]{1,2}( [가-다a-c]{1,2}){0,4}", 1..5)) {
            let all: Vec<&str> = texts.iter().map(String::as_str).collect();
            let together = words(&joined(&all).unwrap());
            for text in &texts {
                prop_assert!(stands_in(&words(text), &together), "{:?} in {:?}", text, together);
            }
        }
    }
}
