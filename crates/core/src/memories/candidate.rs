//! Candidates: what may be worth remembering of a turn, and how it was judged.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{CandidateId, CandidatePolicy, MemoryId, Part, Score, TurnId, Unit};

word_enum! {
    /// What a candidate is.
    CandidateType "type" {
        /// Something promised.
        Promise = "promise",
        /// Something not to be done.
        Boundary = "boundary",
        /// Something that is so.
        Fact = "fact",
        /// How the two stand to each other.
        Relationship = "relationship",
        /// Something intended.
        Plan = "plan",
        /// Something liked or disliked.
        Preference = "preference",
        /// Something felt.
        Feeling = "feeling",
        /// Something that happened.
        Event = "event",
        /// Nothing worth keeping.
        SmallTalk = "small_talk",
    }
}

word_enum! {
    /// What became of a candidate.
    CandidateVerdict "verdict" {
        /// It became a memory.
        Stored = "stored",
        /// It was joined to a memory.
        Merged = "merged",
        /// It made a memory stronger.
        Reinforced = "reinforced",
        /// It was not worth keeping.
        Skipped = "skipped",
        /// It waits for the owner.
        Held = "held",
        /// It must not be kept.
        Rejected = "rejected",
    }
}

/// Something taken from a turn that may be worth remembering, with how it was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its identity.
    pub id: CandidateId,
    /// The turn it was taken from.
    pub turn: TurnId,
    /// What it says.
    pub content: String,
    /// What it is.
    #[serde(rename = "type")]
    pub candidate_type: CandidateType,
    /// The six factors it was scored by.
    pub factors: Factors,
    /// The score.
    pub score: Unit,
    /// What became of it.
    pub verdict: CandidateVerdict,
    /// Why, in words.
    pub reason: String,
    /// The memory it became or touched.
    pub memory: Option<MemoryId>,
}

/// The six factors of a candidate's score, each 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Factors {
    /// What its type weighs.
    pub type_weight: Unit,
    /// How sure the extraction is.
    pub confidence: Unit,
    /// How much it will matter later.
    pub future_impact: Unit,
    /// How strong the feeling is.
    pub emotion_intensity: Unit,
    /// How often it came up.
    pub recurrence: Unit,
    /// How new it is.
    pub novelty: Unit,
}

/// How new a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// Nothing like it was known.
    New,
    /// A known thing has another value now.
    Changed,
    /// It was known.
    Same,
}

impl Novelty {
    /// Its part of the score.
    pub fn value(self, policy: &CandidatePolicy) -> Unit {
        Unit::clamped(match self {
            Self::New => 1.0,
            Self::Changed => policy.changed_novelty,
            Self::Same => 0.0,
        })
    }
}

impl CandidateType {
    /// What this type weighs.
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

/// `min(1, times / 3)`: how often it came up.
pub fn recurrence(times: u32, policy: &CandidatePolicy) -> Unit {
    Unit::clamped(times as f32 / policy.seen_fully as f32)
}

impl Factors {
    /// `0.30 type + 0.20 confidence + 0.20 future_impact + 0.15 emotion_intensity + 0.10 recurrence + 0.05 novelty`.
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
