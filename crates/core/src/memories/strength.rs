//! How vivid a memory is: it fades with conversation and is renewed by use.
//!
//! Fading is worked out when a memory is looked at, never written: a memory keeps its strength as of a
//! turn, and the steps since then follow from the number of turns.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{StrengthPolicy, Tier, Unit};

word_enum! {
    /// What kind of remembering it is.
    Kind "kind" {
        /// Something that happened.
        Episodic = "episodic",
        /// Something known.
        Semantic = "semantic",
        /// Something felt.
        Emotional = "emotional",
    }
}

/// A strength as of a turn of the mind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// How vivid it was.
    pub value: Unit,
    /// The mind's count of turns at that time.
    pub as_of_turn: u64,
}

/// What fading depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fading {
    /// The kind of remembering.
    pub kind: Kind,
    /// How strong the feeling was.
    pub intensity: Unit,
    /// How much it matters.
    pub importance: Unit,
    /// Its tier; core memories do not fade.
    pub tier: Tier,
    /// Pinned memories do not fade.
    pub pinned: bool,
}

impl Fading {
    /// What is kept at each step: `min(0.995, base + (1 - base) * (intensity * 0.4 + importance * 0.3))`,
    /// or all of it for what never fades.
    pub fn keeps(&self, policy: &StrengthPolicy) -> f32 {
        if self.pinned || self.tier == Tier::M0 {
            return 1.0;
        }
        let base = match self.kind {
            Kind::Episodic => policy.episodic,
            Kind::Emotional => policy.emotional,
            Kind::Semantic => policy.semantic,
        };
        let slowed = self.intensity.get() * policy.intensity_share + self.importance.get() * policy.importance_share;
        (base + (1.0 - base) * slowed).min(policy.keeps_at_most)
    }
}

impl Strength {
    /// The strength of a new memory: full.
    pub const fn fresh(turn: u64) -> Self {
        Self { value: Unit::ONE, as_of_turn: turn }
    }

    /// The strength at `turn`. A step falls every five turns of the mind, and only while the strength is
    /// above 0.1, so fading ends at the first value at or below it.
    pub fn at(self, turn: u64, fading: &Fading, policy: &StrengthPolicy) -> Unit {
        let every = u64::from(policy.every_turns);
        let steps = (turn / every).saturating_sub(self.as_of_turn / every);
        let keeps = f64::from(fading.keeps(policy));
        let (value, floor) = (f64::from(self.value.get()), f64::from(policy.fades_above));
        if steps == 0 || keeps >= 1.0 || value <= floor {
            return self.value;
        }
        // The number of steps after which value * keeps^n first lies at or below the floor.
        let until_floor = ((floor / value).ln() / keeps.ln()).ceil().max(0.0);
        Unit::clamped((value * keeps.powf((steps as f64).min(until_floor))) as f32)
    }

    /// The strength after being recalled or met again at `turn`: 0.2 is added, up to full.
    pub fn renewed(self, turn: u64, fading: &Fading, policy: &StrengthPolicy) -> Self {
        Self { value: Unit::clamped(self.at(turn, fading, policy).get() + policy.renewal), as_of_turn: turn.max(self.as_of_turn) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fading(kind: Kind, intensity: f32, importance: f32) -> Fading {
        Fading { kind, intensity: Unit::clamped(intensity), importance: Unit::clamped(importance), tier: Tier::M30, pinned: false }
    }

    fn check(fading: Fading, keeps: f32) {
        assert!((fading.keeps(&StrengthPolicy::default()) - keeps).abs() < 1e-6, "{fading:?}");
    }

    #[test]
    fn golden_numbers() {
        check(fading(Kind::Episodic, 0.0, 0.0), 0.95);
        check(fading(Kind::Emotional, 0.0, 0.0), 0.97);
        check(fading(Kind::Semantic, 0.0, 0.0), 0.98);
        check(fading(Kind::Episodic, 1.0, 0.0), 0.97);
        check(fading(Kind::Episodic, 0.0, 1.0), 0.965);
        check(fading(Kind::Episodic, 0.5, 0.5), 0.9675);
        check(fading(Kind::Semantic, 1.0, 1.0), 0.994);
        check(Fading { pinned: true, ..fading(Kind::Episodic, 0.0, 0.0) }, 1.0);
        check(Fading { tier: Tier::M0, ..fading(Kind::Episodic, 0.0, 0.0) }, 1.0);
    }

    #[test]
    fn a_pinned_memory_never_fades() {
        let pinned = Fading { pinned: true, ..fading(Kind::Episodic, 0.0, 0.0) };
        assert_eq!(Strength::fresh(0).at(1_000_000, &pinned, &StrengthPolicy::default()), Unit::ONE);
    }

    /// The rule as it is written, step by step.
    fn slow(strength: Strength, turn: u64, fading: &Fading, policy: &StrengthPolicy) -> f32 {
        let mut value = f64::from(strength.value.get());
        for passing in strength.as_of_turn + 1..=turn {
            let falls = passing % u64::from(policy.every_turns) == 0;
            if falls && value > f64::from(policy.fades_above) && fading.keeps(policy) < 1.0 {
                value *= f64::from(fading.keeps(policy));
            }
        }
        value as f32
    }

    fn any_fading() -> impl Strategy<Value = Fading> {
        (prop::sample::select(Kind::ALL), 0.0f32..=1.0, 0.0f32..=1.0)
            .prop_map(|(kind, intensity, importance)| fading(kind, intensity, importance))
    }

    proptest! {
        #[test]
        fn the_quick_way_agrees_with_the_written_rule(fading in any_fading(), value in 0.0f32..=1.0, born in 0u64..40, turns in 0u64..1500) {
            let policy = StrengthPolicy::default();
            let strength = Strength { value: Unit::clamped(value), as_of_turn: born };
            let quick = strength.at(born + turns, &fading, &policy).get();
            prop_assert!((quick - slow(strength, born + turns, &fading, &policy)).abs() < 1e-4);
        }

        #[test]
        fn strength_never_rises_with_time_nor_falls_far_below_its_floor(fading in any_fading(), value in 0.0f32..=1.0, first in 0u64..5000, more in 0u64..5000) {
            let policy = StrengthPolicy::default();
            let strength = Strength { value: Unit::clamped(value), as_of_turn: 0 };
            let near = strength.at(first, &fading, &policy);
            let far = strength.at(first + more, &fading, &policy);
            prop_assert!(far <= near && near <= strength.value);
            prop_assert!(far.get() >= value.min(policy.fades_above * fading.keeps(&policy)) - 1e-5);
        }

        #[test]
        fn feeling_and_importance_slow_fading(fading in any_fading(), more in 0.0f32..=1.0, turns in 0u64..2000) {
            let policy = StrengthPolicy::default();
            let stronger = Fading { intensity: Unit::clamped(fading.intensity.get() + more), ..fading };
            let weightier = Fading { importance: Unit::clamped(fading.importance.get() + more), ..fading };
            let strength = Strength::fresh(0);
            let above_floor = |value: Unit| value.get().max(policy.fades_above);
            let plain = above_floor(strength.at(turns, &fading, &policy));
            prop_assert!(above_floor(strength.at(turns, &stronger, &policy)) >= plain - 1e-6);
            prop_assert!(above_floor(strength.at(turns, &weightier, &policy)) >= plain - 1e-6);
            prop_assert!(stronger.keeps(&policy) >= fading.keeps(&policy) && weightier.keeps(&policy) >= fading.keeps(&policy));
        }

        #[test]
        fn something_fades_at_every_step(fading in any_fading()) {
            prop_assert!(fading.keeps(&StrengthPolicy::default()) < 1.0);
        }

        #[test]
        fn use_renews(fading in any_fading(), turns in 0u64..2000) {
            let policy = StrengthPolicy::default();
            let before = Strength::fresh(0).at(turns, &fading, &policy);
            let after = Strength::fresh(0).renewed(turns, &fading, &policy).value;
            prop_assert!(after > before || after == Unit::ONE);
        }
    }
}
