//! Admission by surprise: whether something is new enough to be kept, and how much it then matters.

use crate::{AdmissionPolicy, Unit};

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

/// How much a candidate weighs by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// It matters this much.
    Ordinary(Unit),
    /// It matters this much, and it moved somebody strongly or turned a life: nobody could have expected it.
    Great(Unit),
}

impl Worth {
    /// How much it matters.
    pub fn importance(self) -> Unit {
        let (Self::Ordinary(importance) | Self::Great(importance)) = self;
        importance
    }
}

/// Judges by the calibrated `similarity` to the nearest memory and the candidate's own weight:
/// from 0.85 it is not new; from 0.60 it is kept only if it matters (0.7) or is great, less important by 0.7; below that it is
/// kept with `importance + (1 - similarity) * 0.3`.
pub fn admit(similarity: Unit, weight: Worth, policy: &AdmissionPolicy) -> Admission {
    let (similarity, importance) = (similarity.get(), weight.importance());
    if similarity >= policy.known_from {
        return Admission::NotNew;
    }
    if similarity >= policy.predictable_from {
        return if importance.get() >= policy.predictable_keeps_from || matches!(weight, Worth::Great(_)) {
            Admission::Predictable(Unit::clamped(importance.get() * policy.predictable_share))
        } else {
            Admission::Expected
        };
    }
    Admission::Surprising(Unit::clamped(importance.get() + (1.0 - similarity) * policy.surprise_share))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(similarity: f32, importance: f32, admission: Admission) {
        let judged = admit(Unit::clamped(similarity), Worth::Ordinary(Unit::clamped(importance)), &AdmissionPolicy::default());
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
    fn what_is_great_is_never_to_be_expected() {
        let great = |similarity| admit(Unit::clamped(similarity), Worth::Great(Unit::clamped(0.4)), &AdmissionPolicy::default());
        assert_eq!(great(0.75), Admission::Predictable(Unit::clamped(0.4 * 0.7)));
        assert_eq!(great(0.9), Admission::NotNew);
        assert!(matches!(great(0.2), Admission::Surprising(_)));
    }

    proptest! {
        #[test]
        fn what_is_less_alike_never_matters_less(importance in 0.0f32..1.0, near in 0.0f32..0.6, further in 0.0f32..0.6) {
            let policy = AdmissionPolicy::default();
            let worth = |similarity: f32| match admit(Unit::clamped(similarity), Worth::Ordinary(Unit::clamped(importance)), &policy) {
                Admission::Surprising(importance) => importance,
                other => panic!("{other:?}"),
            };
            let (low, high) = if near < further { (near, further) } else { (further, near) };
            prop_assert!(worth(low) >= worth(high));
        }
    }
}
