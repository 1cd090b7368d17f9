//! How much of one text another one says again.

use std::collections::HashSet;

use crate::cut;

/// The share of `text`'s different words that `other` holds too, 0..=1; 0 for a text without words.
pub fn restated(text: &str, other: &str) -> f32 {
    let words: HashSet<String> = cut(text).words.into_iter().collect();
    if words.is_empty() {
        return 0.0;
    }
    let held: HashSet<String> = cut(other).words.into_iter().collect();
    words.intersection(&held).count() as f32 / words.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restatement_holds_most_of_the_words_and_another_topic_none() {
        assert!(restated("강아지 이름은 모찌야", "아, 강아지 이름이 모찌라고 했지!") > 0.6);
        assert!(restated("My dog is called Biscuit", "Of course, your dog Biscuit!") > 0.6);
        assert_eq!(restated("강아지 이름은 모찌야", "내일 비가 온대"), 0.0);
        assert_eq!(restated("", "무엇이든"), 0.0);
    }
}
