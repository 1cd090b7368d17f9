//! Inverse document frequency of query terms.
//!
//! A mind of three memories has no useful statistics: every known word occurs in a third of its texts, and every unknown word
//! looks rarest of all. So a small mind is padded with virtual windows in which everyday words occur with their usual frequency
//! and other words never. Real windows replace the virtual ones as the mind grows.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::RelevancePolicy;
use crate::retrieval::words::cut;

/// Document frequency (0..=1) of everyday terms, for both words and letter n-grams.
static USUAL: LazyLock<HashMap<String, f32>> = LazyLock::new(|| {
    let mut usual: HashMap<String, f32> = HashMap::new();
    let mut share = 0.0;
    for line in include_str!("../../data/everyday_words.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.parse() {
            Ok(next) => share = next,
            Err(_) => {
                let cut = cut(line);
                for term in cut.words.into_iter().chain(cut.letters) {
                    usual.entry(term).or_insert(share);
                }
            }
        }
    }
    usual
});

/// Number of windows in a mind, and how many contain a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// All windows.
    pub windows: f32,
    /// Windows that contain the term.
    pub holding: f32,
}

/// Returns the inverse document frequency of a term; never negative.
///
/// `idf = ln(1 + (windows - holding + 0.5) / (holding + 0.5))`, including the virtual windows of a small mind.
pub fn rarity(term: &str, held: Held, policy: &RelevancePolicy) -> f32 {
    let imagined = (policy.imagined_windows - held.windows).max(0.0);
    let windows = held.windows + imagined;
    let holding = if imagined > 0.0 { held.holding + imagined * USUAL.get(term).copied().unwrap_or(0.0) } else { held.holding };
    (1.0 + (windows - holding + 0.5).max(0.0) / (holding + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(term: &str, windows: f32, holding: f32) -> f32 {
        rarity(term, Held { windows, holding }, &RelevancePolicy::default())
    }

    #[test]
    fn in_a_young_mind_a_word_it_knows_tells_nearly_as_much_as_one_it_does_not() {
        assert!(of("강아지", 1.0, 1.0) > 0.75 * of("고양이", 1.0, 0.0));
        assert!(of("강아지", 3.0, 1.0) > 0.75 * of("고양이", 3.0, 0.0));
    }

    #[test]
    fn everyday_words_tell_little_until_the_mind_knows_better() {
        assert!(of("뭐야", 1.0, 0.0) < 0.5 * of("강아지", 1.0, 0.0));
        assert_eq!(of("뭐야", 10_000.0, 0.0), of("강아지", 10_000.0, 0.0));
    }

    proptest! {
        #[test]
        fn the_more_windows_hold_a_term_the_less_it_tells(windows in 1.0f32..1e6, share in 0.0f32..1.0, more in 0.0f32..1.0) {
            let (few, many) = (windows * share, windows * (share + more).min(1.0));
            for term in ["뭐야", "강아지"] {
                prop_assert!(of(term, windows, few) >= of(term, windows, many));
                prop_assert!(of(term, windows, many) >= 0.0);
            }
        }
    }
}
