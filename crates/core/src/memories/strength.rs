//! Strength (vividness) of a memory: it decays with the number of turns and is renewed by use.
//!
//! Decay is computed on read and never written. A memory stores its strength at a certain turn, and the decay steps since then
//! follow from the turn counter.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{StrengthPolicy, Tier, Unit};

word_enum! {
    /// Kind of memory.
    Kind "kind" {
        /// An event.
        Episodic = "episodic",
        /// Knowledge.
        Semantic = "semantic",
        /// An emotion.
        Emotional = "emotional",
    }
}

/// Strength at a certain turn of the mind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The strength.
    pub value: Unit,
    /// Turn counter at that time.
    pub as_of_turn: u64,
}

/// Inputs of the decay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fading {
    /// Kind of memory.
    pub kind: Kind,
    /// Emotional intensity.
    pub intensity: Unit,
    /// Importance.
    pub importance: Unit,
    /// Tier; core memories do not decay.
    pub tier: Tier,
    /// Whether it is pinned; pinned memories do not decay.
    pub pinned: bool,
}

impl Fading {
    /// Returns the share retained at each step: `min(0.995, base + (1 - base) * (intensity * 0.4 + importance * 0.3))` (default
    /// policy), or 1 for memories that do not decay.
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
    /// Returns the full strength of a new memory.
    pub const fn fresh(turn: u64) -> Self {
        Self { value: Unit::ONE, as_of_turn: turn }
    }

    /// Returns the strength at `turn`. With the default policy there is a decay step every five turns while the strength is above
    /// 0.1, so decay stops at the first value at or below 0.1.
    pub fn at(self, turn: u64, fading: &Fading, policy: &StrengthPolicy) -> Unit {
        let every = u64::from(policy.every_turns);
        let steps = (turn / every).saturating_sub(self.as_of_turn / every);
        let keeps = f64::from(fading.keeps(policy));
        let (value, floor) = (f64::from(self.value.get()), f64::from(policy.fades_above));
        if steps == 0 || keeps >= 1.0 || value <= floor {
            return self.value;
        }
        // Number of steps until value * keeps^n is first at or below the floor.
        let until_floor = ((floor / value).ln() / keeps.ln()).ceil().max(0.0);
        Unit::clamped((value * keeps.powf((steps as f64).min(until_floor))) as f32)
    }

    /// Returns the strength after a recall or repeated mention at `turn`: `renewal` (0.2) is added, up to 1.
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

    /// Reference implementation, step by step.
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
