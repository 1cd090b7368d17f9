//! Policies for ingesting turns: candidates, admission, the relationship and the context.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::{Invalid, Span};

policy! {
    /// Scores of candidates extracted from a message.
    CandidatePolicy "candidate" {
        /// Weight of the type.
        type_share: f32 = 0.30, 0.0 => 1.0;
        /// Weight of the confidence of the extraction.
        confidence_share: f32 = 0.20, 0.0 => 1.0;
        /// Weight of the expected future impact.
        future_impact_share: f32 = 0.20, 0.0 => 1.0;
        /// Weight of the intensity of the emotion.
        emotion_intensity_share: f32 = 0.15, 0.0 => 1.0;
        /// Weight of the number of mentions.
        recurrence_share: f32 = 0.10, 0.0 => 1.0;
        /// Weight of the novelty.
        novelty_share: f32 = 0.05, 0.0 => 1.0;
        /// Score from which a candidate proceeds to admission.
        promoted_from: f32 = 0.65, 0.0 => 1.0;
        /// Number of mentions at which recurrence is 1.
        seen_fully: u32 = 3, 1 => 1000;
        /// Novelty of a changed value of a known subject.
        changed_novelty: f32 = 0.4, 0.0 => 1.0;
        /// Type weight of a promise, because it is owed.
        promise: f32 = 1.0, 0.0 => 1.0;
        /// Type weight of a boundary, because it must not be crossed.
        boundary: f32 = 0.95, 0.0 => 1.0;
        /// Type weight of a fact, because it lasts.
        fact: f32 = 0.85, 0.0 => 1.0;
        /// Type weight of a statement about the relationship.
        relationship: f32 = 0.80, 0.0 => 1.0;
        /// Type weight of a plan, because it becomes due.
        plan: f32 = 0.75, 0.0 => 1.0;
        /// Type weight of a preference.
        preference: f32 = 0.65, 0.0 => 1.0;
        /// Type weight of a feeling, because it passes.
        feeling: f32 = 0.55, 0.0 => 1.0;
        /// Type weight of an event, because it is one of many.
        event: f32 = 0.50, 0.0 => 1.0;
        /// Type weight of small talk, which is almost worthless.
        small_talk: f32 = 0.10, 0.0 => 1.0;
        /// Confidence below which a statement does not become a fact.
        fact_confidence: f32 = 0.5, 0.0 => 1.0;
    }
}

policy! {
    /// Admission of candidates by surprise.
    AdmissionPolicy "admission" {
        /// Similarity from which a candidate is the same statement in other words.
        known_from: f32 = 0.85, 0.0 => 1.0;
        /// Similarity from which a candidate is predictable.
        predictable_from: f32 = 0.60, 0.0 => 1.0;
        /// Importance from which a predictable candidate is stored anyway.
        predictable_keeps_from: f32 = 0.7, 0.0 => 1.0;
        /// Intensity above which a candidate is never skipped as predictable.
        great_intensity: f32 = 0.7, 0.0 => 1.0;
        /// Share of its importance that a predictable candidate keeps.
        predictable_share: f32 = 0.7, 0.0 => 1.0;
        /// Importance that a complete surprise adds.
        surprise_share: f32 = 0.3, 0.0 => 1.0;
        /// Share of injected text in a sentence of the answer from which it counts as an echo.
        echo_share: f32 = 0.6, 0.0 => 1.0;
    }
}

policy! {
    /// Development of the relationship between character and user.
    RelationshipPolicy "relationship" {
        /// Maximum movement of an axis by one exchange.
        at_most: f32 = 5.0, 0.0 => 100.0;
        /// Familiarity that each exchange adds.
        familiarity: f32 = 0.5, 0.0 => 5.0;
        /// Familiarity that each statement about oneself adds.
        told: f32 = 0.5, 0.0 => 5.0;
        /// Minutes of silence after which a new scene starts.
        scene_silence_minutes: u32 = 180, 1 => 100_000;
    }
}

impl RelationshipPolicy {
    /// Returns the silence after which a new scene starts.
    pub fn scene_silence(&self) -> Span {
        Span::seconds(i64::from(self.scene_silence_minutes) * 60)
    }
}

policy! {
    /// Context for the model.
    ContextPolicy "context" {
        /// Default token budget.
        budget: usize = 1200, 100 => 1_000_000;
        /// Maximum number of situation and preference facts.
        facts: usize = 10, 0 => 1000;
        /// Maximum number of statements in the user's own words.
        statements: usize = 12, 0 => 1000;
        /// Maximum number of relevant memories.
        memories: usize = 8, 0 => 1000;
        /// Maximum number of related past messages.
        past_turns: usize = 5, 0 => 1000;
        /// Maximum number of past examples.
        examples: usize = 2, 0 => 100;
        /// Maximum number of shared experiences.
        shared: usize = 20, 0 => 1000;
        /// Maximum number of recent messages.
        recent_turns: usize = 30, 0 => 1000;
        /// Number of messages cached in memory.
        window: usize = 6, 1 => 100;
        /// Share of the budget reserved for recent messages.
        recent_share: f32 = 0.25, 0.0 => 1.0;
    }
}
