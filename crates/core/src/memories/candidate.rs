//! Candidates extracted from a turn, with their score and verdict.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{CandidateId, CandidatePolicy, MemoryId, Part, Score, TurnId, Unit};

word_enum! {
    /// Type of a candidate.
    CandidateType "type" {
        /// A promise.
        Promise = "promise",
        /// Something that must not be done.
        Boundary = "boundary",
        /// A fact.
        Fact = "fact",
        /// A statement about the relationship.
        Relationship = "relationship",
        /// An intention.
        Plan = "plan",
        /// A like or dislike.
        Preference = "preference",
        /// An emotion.
        Feeling = "feeling",
        /// An event.
        Event = "event",
        /// Not worth storing.
        SmallTalk = "small_talk",
    }
}

word_enum! {
    /// Verdict on a candidate.
    CandidateVerdict "verdict" {
        /// It became a memory.
        Stored = "stored",
        /// It was merged into a memory.
        Merged = "merged",
        /// It reinforced a memory.
        Reinforced = "reinforced",
        /// It was not worth storing.
        Skipped = "skipped",
        /// It waits for the owner's decision.
        Held = "held",
        /// It must not be stored.
        Rejected = "rejected",
    }
}

/// An item extracted from a turn that may be worth remembering, with its score and verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Id of the candidate.
    pub id: CandidateId,
    /// Turn it was extracted from.
    pub turn: TurnId,
    /// Extracted text.
    pub content: String,
    /// Type.
    #[serde(rename = "type")]
    pub candidate_type: CandidateType,
    /// The six factors of its score.
    pub factors: Factors,
    /// The score.
    pub score: Unit,
    /// Verdict.
    pub verdict: CandidateVerdict,
    /// Reason of the verdict, in words.
    pub reason: String,
    /// Memory it became, was merged into or reinforced.
    pub memory: Option<MemoryId>,
}

/// The six factors of a candidate's score, each 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Factors {
    /// Weight of its type.
    pub type_weight: Unit,
    /// Confidence of the extraction.
    pub confidence: Unit,
    /// Expected future impact.
    pub future_impact: Unit,
    /// Emotional intensity.
    pub emotion_intensity: Unit,
    /// Recurrence.
    pub recurrence: Unit,
    /// Novelty.
    pub novelty: Unit,
}

/// Novelty of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// Nothing similar is known.
    New,
    /// A known subject has a new value.
    Changed,
    /// Already known.
    Same,
}

impl Novelty {
    /// Returns the novelty factor of the score.
    pub fn value(self, policy: &CandidatePolicy) -> Unit {
        Unit::clamped(match self {
            Self::New => 1.0,
            Self::Changed => policy.changed_novelty,
            Self::Same => 0.0,
        })
    }
}

impl CandidateType {
    /// Returns the weight of this type.
    pub const fn weight(self, policy: &CandidatePolicy) -> f32 {
        match self {
            Self::Promise => policy.promise,
            Self::Boundary => policy.boundary,
            Self::Fact => policy.fact,
            Self::Relationship => policy.relationship,
            Self::Plan => policy.plan,
            Self::Preference => policy.preference,
            Self::Feeling => policy.feeling,
            Self::Event => policy.event,
            Self::SmallTalk => policy.small_talk,
        }
    }
}

/// Returns the recurrence factor: `min(1, times / seen_fully)`.
pub fn recurrence(times: u32, policy: &CandidatePolicy) -> Unit {
    Unit::clamped(times as f32 / policy.seen_fully as f32)
}

impl Factors {
    /// Computes `0.30 type + 0.20 confidence + 0.20 future_impact + 0.15 emotion_intensity + 0.10 recurrence + 0.05 novelty`
    /// (default weights).
    pub fn score(&self, policy: &CandidatePolicy) -> Score {
        Score::sum(vec![
            Part::new("type", policy.type_share, self.type_weight.get()),
            Part::new("confidence", policy.confidence_share, self.confidence.get()),
            Part::new("future_impact", policy.future_impact_share, self.future_impact.get()),
            Part::new("emotion_intensity", policy.emotion_intensity_share, self.emotion_intensity.get()),
            Part::new("recurrence", policy.recurrence_share, self.recurrence.get()),
            Part::new("novelty", policy.novelty_share, self.novelty.get()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn factors(values: [f32; 6]) -> Factors {
        let [type_weight, confidence, future_impact, emotion_intensity, recurrence, novelty] = values.map(Unit::clamped);
        Factors { type_weight, confidence, future_impact, emotion_intensity, recurrence, novelty }
    }

    #[test]
    fn golden_scores() {
        let policy = CandidatePolicy::default();
        for (values, score) in
            [([0.0; 6], 0.0), ([1.0; 6], 1.0), ([0.85, 0.9, 0.9, 0.0, 1.0 / 3.0, 1.0], 0.6983), ([0.1, 0.7, 0.0, 0.0, 0.0, 1.0], 0.22)]
        {
            assert!((factors(values).score(&policy).total() - score).abs() < 1e-3, "{values:?}");
        }
        let order = [
            CandidateType::Promise,
            CandidateType::Boundary,
            CandidateType::Fact,
            CandidateType::Relationship,
            CandidateType::Plan,
            CandidateType::Preference,
            CandidateType::Feeling,
            CandidateType::Event,
            CandidateType::SmallTalk,
        ];
        assert!(order.windows(2).all(|pair| pair[0].weight(&policy) > pair[1].weight(&policy)));
        assert!(
            Novelty::New.value(&policy) > Novelty::Changed.value(&policy) && Novelty::Changed.value(&policy) > Novelty::Same.value(&policy)
        );
    }

    proptest! {
        #[test]
        fn no_factor_ever_counts_against(values in prop::array::uniform6(0.0f32..1.0), at in 0usize..6, more in 0.0f32..1.0) {
            let policy = CandidatePolicy::default();
            let mut raised = values;
            raised[at] = (raised[at] + more).min(1.0);
            prop_assert!(factors(raised).score(&policy).total() >= factors(values).score(&policy).total());
        }

        #[test]
        fn coming_up_again_never_lowers(times in 0u32..1000) {
            let policy = CandidatePolicy::default();
            prop_assert!(recurrence(times + 1, &policy) >= recurrence(times, &policy));
            prop_assert!(recurrence(times, &policy) <= Unit::ONE);
        }
    }
}
