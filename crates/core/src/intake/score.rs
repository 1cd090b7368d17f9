//! Scores of findings.

use crate::intake::finding::IntakeFinding;
use crate::{CandidateType, Factors, Novelty, Policy, Unit, is_habit, recurrence};

/// Future impact of a habit, equal to that of other facts about a person.
const HABIT_IMPACT: f32 = 0.9;

impl IntakeFinding {
    /// Whether it is stored regardless of similar memories: it carries a strong emotion or is a life event.
    pub fn is_great(&self, policy: &Policy) -> bool {
        self.feeling.intensity.get() > policy.admission.great_intensity || self.life_event
    }

    /// Checks whether the finding can reach the promotion score in the best case: new and mentioned often. Only such findings are
    /// looked up.
    pub fn may_be_promoted(&self, policy: &Policy) -> bool {
        let best = self.after_mentions(policy.candidate.seen_fully, policy).score(Occurrence::best(policy), policy);
        self.remember_this || best.get() >= policy.candidate.promoted_from
    }

    /// Returns the finding as judged after this many mentions: an event mentioned often enough becomes a fact.
    pub(crate) fn after_mentions(&self, times: u32, policy: &Policy) -> Self {
        if !is_habit(self.candidate_type, times, &policy.candidate) {
            return self.clone();
        }
        Self {
            candidate_type: CandidateType::Fact,
            future_impact: Unit::clamped(self.future_impact.get().max(HABIT_IMPACT)),
            class: self.class_of_habit,
            ..self.clone()
        }
    }

    pub(crate) fn factors(&self, occurrence: Occurrence, policy: &Policy) -> Factors {
        // Strong emotion raises the future impact: it moves toward 1 in proportion to intensity / great_intensity.
        let moved = (self.feeling.intensity.get() / policy.admission.great_intensity.max(f32::EPSILON)).min(1.0);
        let impact = self.future_impact.get() + (1.0 - self.future_impact.get()) * moved;
        Factors {
            type_weight: Unit::clamped(self.candidate_type.weight(&policy.candidate)),
            confidence: self.confidence,
            future_impact: Unit::clamped(impact),
            emotion_intensity: self.feeling.intensity,
            recurrence: recurrence(occurrence.times, &policy.candidate),
            novelty: occurrence.novelty.value(&policy.candidate),
        }
    }

    pub(crate) fn score(&self, occurrence: Occurrence, policy: &Policy) -> Unit {
        Unit::clamped(self.factors(occurrence, policy).score(&policy.candidate).total())
    }
}

/// How new a finding is and how often it was mentioned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub(crate) novelty: Novelty,
    pub(crate) times: u32,
}

impl Occurrence {
    fn best(policy: &Policy) -> Self {
        Self { novelty: Novelty::New, times: policy.candidate.seen_fully }
    }
}
