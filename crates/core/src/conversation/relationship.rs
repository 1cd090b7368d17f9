//! Relationship between the character and the user.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{RelationshipPolicy, SceneId, Timestamp, TurnId};

/// The five axes, each 0..=100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Relationship {
    /// How far the character relies on the user.
    pub trust: f32,
    /// How fond the character is of the user.
    pub affection: f32,
    /// How highly the character thinks of the user.
    pub respect: f32,
    /// How much the character competes with the user.
    pub rivalry: f32,
    /// How familiar the character is with the user.
    pub familiarity: f32,
}

word_enum! {
    /// One of the five axes.
    Axis "axis" {
        /// How far the character relies on the user.
        Trust = "trust",
        /// How fond the character is of the user.
        Affection = "affection",
        /// How highly the character thinks of the user.
        Respect = "respect",
        /// How much the character competes with the user.
        Rivalry = "rivalry",
        /// How familiar the character is with the user.
        Familiarity = "familiarity",
    }
}

/// Movement of one axis caused by a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationshipChange {
    /// Turn that caused it.
    pub turn: TurnId,
    /// The axis.
    pub axis: Axis,
    /// Time of the movement.
    pub at: Timestamp,
    /// Scene.
    pub scene: Option<SceneId>,
    /// Points.
    pub delta: f32,
    /// Human-readable reason.
    pub reason: String,
}

word_enum! {
    /// Level of intimacy.
    IntimacyLevel "level" {
        /// Under 20.
        Stranger = "stranger",
        /// From 20.
        Acquaintance = "acquaintance",
        /// From 40.
        Friend = "friend",
        /// From 60.
        CloseFriend = "close_friend",
        /// From 80.
        Intimate = "intimate",
    }
}

word_enum! {
    /// How they speak to each other.
    SpeechStyle "speech_style" {
        /// Polite speech (존댓말).
        Formal = "formal",
        /// Casual speech (반말).
        Casual = "casual",
        /// Private speech of close partners.
        Intimate = "intimate",
    }
}

impl Relationship {
    /// Computes `0.35 affection + 0.25 trust + 0.25 familiarity + 0.15 respect - 0.10 rivalry`, clamped to 0..=100.
    pub fn intimacy(&self) -> f32 {
        let sum = 0.35 * self.affection + 0.25 * self.trust + 0.25 * self.familiarity + 0.15 * self.respect - 0.10 * self.rivalry;
        sum.clamp(0.0, 100.0)
    }

    /// Returns the value of an axis.
    pub const fn axis(&self, axis: Axis) -> f32 {
        match axis {
            Axis::Trust => self.trust,
            Axis::Affection => self.affection,
            Axis::Respect => self.respect,
            Axis::Rivalry => self.rivalry,
            Axis::Familiarity => self.familiarity,
        }
    }

    /// Moves one axis by at most the limit per turn, within 0..=100. Returns the actual movement. Non-finite values count as 0.
    pub fn moved(&mut self, axis: Axis, points: f32, policy: &RelationshipPolicy) -> f32 {
        let points = if points.is_finite() { points.clamp(-policy.at_most, policy.at_most) } else { 0.0 };
        self.shift(axis, points)
    }

    /// Moves one axis within 0..=100 without the limit per turn, as when a change is undone. Returns the actual movement.
    pub fn shift(&mut self, axis: Axis, points: f32) -> f32 {
        let place = match axis {
            Axis::Trust => &mut self.trust,
            Axis::Affection => &mut self.affection,
            Axis::Respect => &mut self.respect,
            Axis::Rivalry => &mut self.rivalry,
            Axis::Familiarity => &mut self.familiarity,
        };
        let before = *place;
        *place = (before + points).clamp(0.0, 100.0);
        *place - before
    }

    /// Returns the level for the current intimacy.
    pub fn level(&self) -> IntimacyLevel {
        match self.intimacy() {
            80.0.. => IntimacyLevel::Intimate,
            60.0.. => IntimacyLevel::CloseFriend,
            40.0.. => IntimacyLevel::Friend,
            20.0.. => IntimacyLevel::Acquaintance,
            _ => IntimacyLevel::Stranger,
        }
    }
}

impl IntimacyLevel {
    /// Returns the speech style at this level, used unless the owner chose one.
    pub const fn speech_style(self) -> SpeechStyle {
        match self {
            Self::Stranger | Self::Acquaintance => SpeechStyle::Formal,
            Self::Friend | Self::CloseFriend => SpeechStyle::Casual,
            Self::Intimate => SpeechStyle::Intimate,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(axes: [f32; 5], intimacy: f32, level: IntimacyLevel) {
        let [trust, affection, respect, rivalry, familiarity] = axes;
        let relationship = Relationship { trust, affection, respect, rivalry, familiarity };
        assert!((relationship.intimacy() - intimacy).abs() < 1e-3, "{axes:?}");
        assert_eq!(relationship.level(), level);
    }

    #[test]
    fn golden_numbers() {
        check([0.0; 5], 0.0, IntimacyLevel::Stranger);
        check([100.0, 100.0, 100.0, 0.0, 100.0], 100.0, IntimacyLevel::Intimate);
        check([50.0, 50.0, 50.0, 0.0, 50.0], 50.0, IntimacyLevel::Friend);
        check([80.0, 80.0, 80.0, 0.0, 80.0], 80.0, IntimacyLevel::Intimate);
        check([0.0, 0.0, 0.0, 100.0, 0.0], 0.0, IntimacyLevel::Stranger);
        for (border, level) in [(20.0, IntimacyLevel::Acquaintance), (40.0, IntimacyLevel::Friend), (60.0, IntimacyLevel::CloseFriend)] {
            let below = IntimacyLevel::ALL[level as usize - 1];
            check([border + 0.01, border + 0.01, border + 0.01, 0.0, border + 0.01], border + 0.01, level);
            check([border - 0.01, border - 0.01, border - 0.01, 0.0, border - 0.01], border - 0.01, below);
        }
        check([40.0, 80.0, 20.0, 50.0, 60.0], 51.0, IntimacyLevel::Friend);
    }

    proptest! {
        #[test]
        fn no_turn_moves_an_axis_far_or_out_of_bounds(from in 0.0f32..100.0, points in prop::num::f32::ANY, axis in 0usize..5) {
            let axis = Axis::ALL[axis];
            let mut relationship = Relationship::default();
            relationship.shift(axis, from);
            let before = relationship.axis(axis);
            let moved = relationship.moved(axis, points, &RelationshipPolicy::default());
            prop_assert!((0.0..=100.0).contains(&relationship.axis(axis)) && moved.abs() <= 5.001);
            prop_assert!((relationship.axis(axis) - before - moved).abs() < 1e-3);
            prop_assert!(!points.is_finite() || moved == 0.0 || (moved > 0.0) == (points > 0.0));
        }

        #[test]
        fn warmth_brings_closer_and_rivalry_apart(axes in prop::array::uniform5(0.0f32..100.0), axis in 0usize..5, more in 0.0f32..50.0) {
            let make = |[trust, affection, respect, rivalry, familiarity]: [f32; 5]| Relationship { trust, affection, respect, rivalry, familiarity };
            let mut moved = axes;
            moved[axis] = (moved[axis] + more).min(100.0);
            let (before, after) = (make(axes).intimacy(), make(moved).intimacy());
            if axis == 3 { prop_assert!(after <= before) } else { prop_assert!(after >= before) }
            prop_assert!((0.0..=100.0).contains(&after));
        }
    }
}
