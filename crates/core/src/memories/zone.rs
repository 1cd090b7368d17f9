//! Zones: closeness of memories to working memory, and their capacity.

use crate::primitives::word_enum::word_enum;
use crate::{Part, Score, Span, Timestamp, Unit, ZonePolicy};

word_enum! {
    /// The five zones, from the centre outward.
    Zone "zone" {
        /// Matches the current conversation.
        Core = "core",
        /// Close.
        Inner = "inner",
        /// Ordinary.
        Outer = "outer",
        /// Distant.
        Belt = "belt",
        /// About to be forgotten.
        Cloud = "cloud",
    }
}

impl Zone {
    /// Returns the minimum score of the zone; `None` for the cloud.
    const fn from(self, policy: &ZonePolicy) -> Option<f32> {
        match self {
            Self::Core => Some(policy.core_from),
            Self::Inner => Some(policy.inner_from),
            Self::Outer => Some(policy.outer_from),
            Self::Belt => Some(policy.belt_from),
            Self::Cloud => None,
        }
    }

    /// Returns the capacity; `None` for the belt and the cloud, which are unlimited.
    pub const fn room(self, policy: &ZonePolicy) -> Option<usize> {
        match self {
            Self::Core => Some(policy.core_room),
            Self::Inner => Some(policy.inner_room),
            Self::Outer => Some(policy.outer_room),
            Self::Belt | Self::Cloud => None,
        }
    }

    /// Returns the zone for a score, regardless of capacity.
    pub fn of(score: f32, policy: &ZonePolicy) -> Self {
        if score >= policy.core_from {
            Self::Core
        } else if score >= policy.inner_from {
            Self::Inner
        } else if score >= policy.outer_from {
            Self::Outer
        } else if score >= policy.belt_from {
            Self::Belt
        } else {
            Self::Cloud
        }
    }
}

/// Inputs of the memory function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearness {
    /// Number of recalls.
    pub recalls: u32,
    /// Time of the last recall, or of creation.
    pub freshened: Timestamp,
    /// Appraisal A(m).
    pub appraisal: Unit,
    /// Calibrated similarity to the mind's context; zero without a context.
    pub context: Unit,
}

impl Nearness {
    /// R: `ln(1 + recalls) / ln(1 + cap)`, with recalls clamped below the cap so that it never reaches one.
    pub fn recall_score(&self, policy: &ZonePolicy) -> f32 {
        let recalls = self.recalls.min(policy.recall_cap - 1);
        (f64::from(recalls).ln_1p() / f64::from(policy.recall_cap).ln_1p()) as f32
    }

    /// F: zero at the time of recall or creation, falling linearly to -1 at the floor.
    pub fn freshness(&self, now: Timestamp, policy: &ZonePolicy) -> f32 {
        -((now.since(self.freshened).as_days() / policy.floor_days).min(1.0) as f32)
    }

    /// I(m) = 0.25 R + 0.30 F + 0.25 A + 0.20 C.
    pub fn score(&self, now: Timestamp, policy: &ZonePolicy) -> f32 {
        policy.recall_weight * self.recall_score(policy)
            + policy.freshness_weight * self.freshness(now, policy)
            + policy.appraisal_weight * self.appraisal.get()
            + policy.context_weight * self.context.get()
    }

    /// Returns when the score falls below `border` without a recall and with an unchanged context: the first time at which `0.25
    /// R + 0.25 A + 0.20 C - 0.30 * days / floor` is below it. `None` if it stays above even at the floor.
    pub fn falls_below(&self, border: f32, policy: &ZonePolicy) -> Option<Timestamp> {
        let fresh = self.score(self.freshened, policy);
        if fresh < border {
            return Some(self.freshened);
        }
        let share = f64::from(fresh - border) / f64::from(policy.freshness_weight);
        let days = share * policy.floor_days;
        (share < 1.0).then(|| self.freshened.plus(Span::millis((days * 86_400_000.0) as i64 + 1)))
    }

    /// Returns when it leaves the zone of its score at `now`, without a recall and with an unchanged context.
    pub fn leaves_at(&self, now: Timestamp, policy: &ZonePolicy) -> Option<Timestamp> {
        let border = Zone::of(self.score(now, policy), policy).from(policy)?;
        self.falls_below(border, policy)
    }

    /// Returns the same score with its breakdown.
    pub fn explain(&self, now: Timestamp, policy: &ZonePolicy) -> Score {
        Score::sum(vec![
            Part::new("recalls", policy.recall_weight, self.recall_score(policy)),
            Part::new("freshness", policy.freshness_weight, self.freshness(now, policy)),
            Part::new("appraisal", policy.appraisal_weight, self.appraisal.get()),
            Part::new("context", policy.context_weight, self.context.get()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn nearness(recalls: u32, days: f64, appraisal: f32, context: f32) -> Nearness {
        let freshened = NOW.minus(Span::millis((days * 86_400_000.0) as i64));
        Nearness { recalls, freshened, appraisal: Unit::clamped(appraisal), context: Unit::clamped(context) }
    }

    fn check(nearness: Nearness, score: f32) {
        let found = nearness.score(NOW, &ZonePolicy::default());
        assert!((found - score).abs() < 1e-4, "{nearness:?}: {found} instead of {score}");
    }

    #[test]
    fn golden_numbers() {
        check(nearness(0, 0.0, 0.0, 0.0), 0.0);
        check(nearness(0, 0.0, 1.0, 0.0), 0.25);
        check(nearness(0, 0.0, 0.0, 1.0), 0.20);
        check(nearness(100, 0.0, 0.0, 0.0), 0.16700);
        check(nearness(500, 0.0, 0.0, 0.0), 0.22491);
        check(nearness(999, 0.0, 1.0, 1.0), 0.69996);
        check(nearness(5000, 0.0, 1.0, 1.0), 0.69996);
        check(nearness(0, 15.0, 0.5, 0.0), -0.025);
        check(nearness(0, 30.0, 0.0, 0.0), -0.30);
        check(nearness(0, 3000.0, 0.0, 0.0), -0.30);
    }

    #[test]
    fn a_score_explains_itself_to_the_same_number() {
        let memory = nearness(7, 3.0, 0.6, 0.4);
        let policy = ZonePolicy::default();
        assert!((memory.explain(NOW, &policy).total() - memory.score(NOW, &policy)).abs() < 1e-6);
    }

    #[test]
    fn what_nobody_recalls_leaves_its_zone_when_its_score_says_so() {
        let policy = ZonePolicy::default();
        for (recalls, appraisal, context) in [(0, 0.5, 0.0), (3, 0.9, 0.0), (40, 0.2, 0.7), (0, 0.0, 0.0), (999, 1.0, 1.0)] {
            let memory = nearness(recalls, 0.0, appraisal, context);
            let mut at = NOW;
            while let Some(leaves) = memory.leaves_at(at, &policy) {
                let zone = |at| Zone::of(memory.score(at, &policy), &policy);
                assert!(leaves > at, "{memory:?}");
                // A hundredth of an hour on either side, because a score is an `f32`.
                assert_eq!(zone(leaves.minus(Span::seconds(36))), zone(at), "{memory:?}");
                assert!(zone(leaves.plus(Span::seconds(36))) > zone(at), "{memory:?}");
                at = leaves.plus(Span::seconds(36));
            }
            let at_last = memory.score(NOW.plus(Span::days(400)), &policy);
            assert_eq!(Zone::of(memory.score(at, &policy), &policy), Zone::of(at_last, &policy), "{memory:?}");
        }
    }

    #[test]
    fn scores_belong_to_zones_from_their_borders_on() {
        let policy = ZonePolicy::default();
        for (score, zone) in [
            (0.50, Zone::Core),
            (0.4999, Zone::Inner),
            (0.30, Zone::Inner),
            (0.2999, Zone::Outer),
            (0.10, Zone::Outer),
            (0.0999, Zone::Belt),
            (-0.10, Zone::Belt),
            (-0.1001, Zone::Cloud),
        ] {
            assert_eq!(Zone::of(score, &policy), zone, "{score}");
        }
    }

    proptest! {

        #[test]
        fn the_score_never_exceeds_seven_tenths(recalls in any::<u32>(), days in 0.0f64..10_000.0, appraisal in 0.0f32..=1.0, context in 0.0f32..=1.0) {
            let policy = ZonePolicy::default();
            let memory = nearness(recalls, days, appraisal, context);
            prop_assert!(memory.recall_score(&policy) < 1.0);
            prop_assert!(memory.score(NOW, &policy) < 0.70);
            prop_assert!(memory.score(NOW, &policy) >= -0.30);
        }

        #[test]
        fn a_memory_nobody_recalls_never_gains(recalls in 0u32..2000, appraisal in 0.0f32..=1.0, context in 0.0f32..=1.0, first in 0i64..100_000_000_000, more in 0i64..100_000_000_000) {
            let policy = ZonePolicy::default();
            let memory = nearness(recalls, 0.0, appraisal, context);
            let near = memory.score(NOW.plus(Span::millis(first)), &policy);
            let far = memory.score(NOW.plus(Span::millis(first + more)), &policy);
            prop_assert!(far <= near);
        }

        #[test]
        fn recalls_appraisal_and_context_each_bring_nearer(recalls in 0u32..2000, days in 0.0f64..100.0, appraisal in 0.0f32..=1.0, context in 0.0f32..=1.0, more in 0.0f32..=1.0) {
            let policy = ZonePolicy::default();
            let plain = nearness(recalls, days, appraisal, context).score(NOW, &policy);
            prop_assert!(nearness(recalls + 1, days, appraisal, context).score(NOW, &policy) >= plain);
            prop_assert!(nearness(recalls, days, (appraisal + more).min(1.0), context).score(NOW, &policy) >= plain);
            prop_assert!(nearness(recalls, days, appraisal, (context + more).min(1.0)).score(NOW, &policy) >= plain);
        }

        /// Without recalls, even the most important memory with the best-matching context leaves the core zone, and the inner
        /// zone once the context has moved on, by the time freshness reaches its floor.
        #[test]
        fn whatever_is_not_recalled_leaves_core_and_inner_in_bounded_time(recalls in any::<u32>(), appraisal in 0.0f32..=1.0, context in 0.0f32..=1.0, more in 0.0f64..1000.0) {
            let policy = ZonePolicy::default();
            let at_floor = nearness(recalls, policy.floor_days + more, appraisal, context);
            prop_assert!(Zone::of(at_floor.score(NOW, &policy), &policy) > Zone::Core);
            let talk_moved_on = Nearness { context: Unit::ZERO, ..at_floor };
            prop_assert!(Zone::of(talk_moved_on.score(NOW, &policy), &policy) > Zone::Inner);
        }

        #[test]
        fn a_recall_resets_freshness(recalls in 0u32..2000, days in 0.0f64..1000.0, appraisal in 0.0f32..=1.0) {
            let policy = ZonePolicy::default();
            let before = nearness(recalls, days, appraisal, 0.0);
            let after = Nearness { recalls: recalls + 1, freshened: NOW, ..before };
            prop_assert_eq!(after.freshness(NOW, &policy), 0.0);
            prop_assert!(after.score(NOW, &policy) >= before.score(NOW, &policy));
        }
    }
}
