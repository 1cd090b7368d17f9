//! The words of two memories that tell one thing: all of them, so that a mistake about what is one thing loses nothing.

use crate::LONGEST_CONTENT;

/// The words of a text without signs and capitals.
fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
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
