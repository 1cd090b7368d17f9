//! How much a memory matters in itself. Time does not change it.

use serde::{Deserialize, Serialize};

use crate::{AppraisalPolicy, ImportancePolicy, Rating, Sentiment, Unit};

/// Four questions about a memory, each answered 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Appraisal {
    /// Does it hold a concrete fact or figure?
    pub factual: Unit,
    /// Does it hold a strong feeling or experience?
    pub emotional: Unit,
    /// Can something be done about it?
    pub actionable: Unit,
    /// Did someone say that it is important?
    pub explicit: Unit,
}

impl Appraisal {
    /// A(m): the weighted mean of the four answers.
    pub fn overall(&self, policy: &AppraisalPolicy) -> Unit {
        let parts = [
            (policy.factual, self.factual),
            (policy.emotional, self.emotional),
            (policy.actionable, self.actionable),
            (policy.explicit, self.explicit),
        ];
        let total: f32 = parts.iter().map(|(weight, _)| weight).sum();
        if total <= 0.0 {
            return Unit::ZERO;
        }
        Unit::clamped(parts.iter().map(|(weight, answer)| weight * answer.get()).sum::<f32>() / total)
    }
}

/// What importance is worked out from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImportanceGrounds {
    /// A(m) as judged, when it was.
    pub appraisal: Option<Unit>,
    /// What the owner stated when keeping it; stands in place of the base.
    pub stated: Option<Unit>,
    /// The owner's stars.
    pub rating: Option<Rating>,
    /// How many memories link to it.
    pub references: u32,
    /// How pleasant or unpleasant it is.
    pub sentiment: Sentiment,
}

/// `clamp(base + rating + references + feeling, 0, 1)` with
/// base = `0.3 * 2A` (0.3 unappraised), rating = `(stars / 5) * 0.3`, references = `min(links_in * 0.05, 0.2)`,
/// feeling = `|sentiment| * 0.2`.
pub fn importance(grounds: &ImportanceGrounds, policy: &ImportancePolicy) -> Unit {
    Unit::clamped(weight(grounds, policy))
}

/// The same sum before it is clamped: what two sets of grounds differ by.
pub(crate) fn weight(grounds: &ImportanceGrounds, policy: &ImportancePolicy) -> f32 {
    let base = match (grounds.stated, grounds.appraisal) {
        (Some(stated), _) => stated.get(),
        (None, Some(appraisal)) => policy.base * 2.0 * appraisal.get(),
        (None, None) => policy.base,
    };
    let rating = grounds.rating.map_or(0.0, |rating| f32::from(rating.stars()) / 5.0 * policy.rating);
    let references = (grounds.references as f32 * policy.per_reference).min(policy.references_at_most);
    let feeling = grounds.sentiment.get().abs() * policy.feeling;
    base + rating + references + feeling
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grounds(appraisal: Option<f32>, stars: Option<u8>, references: u32, sentiment: f32) -> ImportanceGrounds {
        ImportanceGrounds {
            appraisal: appraisal.map(Unit::clamped),
            stated: None,
            rating: stars.map(|stars| Rating::new(stars).unwrap()),
            references,
            sentiment: Sentiment::clamped(sentiment),
        }
    }

    fn check(grounds: ImportanceGrounds, expected: f32) {
        let found = importance(&grounds, &ImportancePolicy::default()).get();
        assert!((found - expected).abs() < 1e-6, "{grounds:?}: {found} instead of {expected}");
    }

    #[test]
    fn golden_numbers() {
        check(grounds(None, None, 0, 0.0), 0.3);
        check(grounds(Some(0.5), None, 0, 0.0), 0.3);
        check(grounds(Some(1.0), None, 0, 0.0), 0.6);
        check(grounds(Some(0.0), None, 0, 0.0), 0.0);
        check(grounds(None, Some(5), 0, 0.0), 0.6);
        check(grounds(None, Some(1), 0, 0.0), 0.36);
        check(grounds(None, None, 3, 0.0), 0.45);
        check(grounds(None, None, 40, 0.0), 0.5);
        check(grounds(None, None, 0, -0.5), 0.4);
        check(grounds(Some(1.0), Some(5), 9, 1.0), 1.0);
        check(ImportanceGrounds { stated: Some(Unit::clamped(0.8)), ..grounds(Some(0.1), None, 0, 0.0) }, 0.8);
    }

    #[test]
    fn the_four_questions_weigh_as_the_policy_says() {
        let appraisal = Appraisal { factual: Unit::ONE, explicit: Unit::ONE, ..Appraisal::default() };
        assert!((appraisal.overall(&AppraisalPolicy::default()).get() - 0.5).abs() < 1e-6);
        let silent = AppraisalPolicy { factual: 0.0, emotional: 0.0, actionable: 0.0, explicit: 0.0 };
        assert_eq!(appraisal.overall(&silent), Unit::ZERO);
    }

    proptest! {
        /// Each ground by itself can only raise importance, and a feeling counts the same whichever way it goes.
        #[test]
        fn every_ground_raises_importance(
            appraisal in 0.0f32..=1.0, more in 0.0f32..=1.0, stars in 1u8..5, references in 0u32..50, sentiment in -1.0f32..=1.0,
        ) {
            let policy = ImportancePolicy::default();
            let value = |grounds: ImportanceGrounds| importance(&grounds, &policy).get();
            let plain = value(grounds(Some(appraisal), Some(stars), references, sentiment));
            prop_assert!((0.0..=1.0).contains(&plain));
            prop_assert!(value(grounds(Some((appraisal + more).min(1.0)), Some(stars), references, sentiment)) >= plain);
            prop_assert!(value(grounds(Some(appraisal), Some(stars + 1), references, sentiment)) >= plain);
            prop_assert!(value(grounds(Some(appraisal), Some(stars), references + 1, sentiment)) >= plain);
            prop_assert!(value(grounds(Some(appraisal), Some(stars), references, sentiment.signum())) >= plain);
            prop_assert_eq!(value(grounds(Some(appraisal), Some(stars), references, -sentiment)), plain);
            prop_assert!(value(grounds(Some(appraisal), None, references, sentiment)) <= plain);
        }
    }
}
