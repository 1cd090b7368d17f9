//! Admission by surprise: whether something is new enough to be kept, and how much it then matters.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::{AdmissionPolicy, Sentiment, Unit};

/// What becomes of a candidate, given its nearest memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Admission {
    /// It is known: the memory gets stronger.
    NotNew,
    /// It could have been expected, and matters enough to be kept, with this importance.
    Predictable(Unit),
    /// It could have been expected, and does not matter enough.
    Expected,
    /// It is a surprise, kept with this importance.
    Surprising(Unit),
}

/// Judges by the calibrated `similarity` to the nearest memory and the candidate's own `importance`:
/// from 0.85 it is not new; from 0.60 it is kept only if it matters (0.7), less important by 0.7; below that it is
/// kept with `importance + (1 - similarity) * 0.3`.
pub fn admit(similarity: Unit, importance: Unit, policy: &AdmissionPolicy) -> Admission {
    let similarity = similarity.get();
    if similarity >= policy.known_from {
        return Admission::NotNew;
    }
    if similarity >= policy.predictable_from {
        return if importance.get() >= policy.predictable_keeps_from {
            Admission::Predictable(Unit::clamped(importance.get() * policy.predictable_share))
        } else {
            Admission::Expected
        };
    }
    Admission::Surprising(Unit::clamped(importance.get() + (1.0 - similarity) * policy.surprise_share))
}

static NOT: LazyLock<Regex> = LazyLock::new(|| {
    let cues = [
        r"(?:^|[\s,.!?])(?:안|못)\s?[가-힣]",
        r"않|없|아니[야에지고었라]|아닌|싫|끊었|그만|말고",
        r"(?i)\b(?:not|never|no longer|without|stopped|quit|hates?|dislikes?|isn't|don't|doesn't|didn't|can't|won't|wasn't|aren't)\b",
    ];
    Regex::new(&cues.join("|")).expect("the cues are fixed")
});

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+").expect("the pattern is fixed"));

/// Whether two texts that look alike can mean the same. Vectors cannot tell: "기분이 우울해" and "기분이 좋아" lie side
/// by side. So one that denies what the other says, another number, or the opposite feeling makes them different.
pub fn can_be_same(one: (&str, Sentiment), other: (&str, Sentiment)) -> bool {
    let numbers = |text: &str| NUMBER.find_iter(text).map(|number| number.as_str().to_owned()).collect::<BTreeSet<_>>();
    let opposite = one.1.get() * other.1.get() < 0.0 && (one.1.get() - other.1.get()).abs() >= 0.5;
    NOT.is_match(one.0) == NOT.is_match(other.0) && numbers(one.0) == numbers(other.0) && !opposite
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(similarity: f32, importance: f32, admission: Admission) {
        let judged = admit(Unit::clamped(similarity), Unit::clamped(importance), &AdmissionPolicy::default());
        match (judged, admission) {
            (Admission::Predictable(a), Admission::Predictable(b)) | (Admission::Surprising(a), Admission::Surprising(b)) => {
                assert!((a.get() - b.get()).abs() < 1e-5, "{judged:?}");
            }
            (judged, expected) => assert_eq!(judged, expected),
        }
    }

    #[test]
    fn golden_borders() {
        check(0.85, 1.0, Admission::NotNew);
        check(0.849, 0.7, Admission::Predictable(Unit::clamped(0.49)));
        check(0.849, 0.699, Admission::Expected);
        check(0.60, 0.8, Admission::Predictable(Unit::clamped(0.56)));
        check(0.599, 0.5, Admission::Surprising(Unit::clamped(0.6203)));
        check(0.0, 0.9, Admission::Surprising(Unit::ONE));
    }

    #[test]
    fn opposites_are_never_the_same() {
        let felt = |value| Sentiment::clamped(value);
        for (one, other, same) in [
            (("기분이 우울해", -0.7), ("기분이 좋아", 0.8), false),
            (("커피를 마셔", 0.0), ("커피를 안 마셔", 0.0), false),
            (("나는 25살이야", 0.0), ("나는 26살이야", 0.0), false),
            (("I drink coffee", 0.0), ("I don't drink coffee", 0.0), false),
            (("떡볶이를 좋아해", 0.6), ("떡볶이가 제일 좋아", 0.7), true),
            (("I live in Seoul", 0.0), ("My home is in Seoul", 0.1), true),
        ] {
            assert_eq!(can_be_same((one.0, felt(one.1)), (other.0, felt(other.1))), same, "{one:?} {other:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_less_alike_never_matters_less(importance in 0.0f32..1.0, near in 0.0f32..0.6, further in 0.0f32..0.6) {
            let policy = AdmissionPolicy::default();
            let worth = |similarity: f32| match admit(Unit::clamped(similarity), Unit::clamped(importance), &policy) {
                Admission::Surprising(importance) => importance,
                other => panic!("{other:?}"),
            };
            let (low, high) = if near < further { (near, further) } else { (further, near) };
            prop_assert!(worth(low) >= worth(high));
        }
    }
}
