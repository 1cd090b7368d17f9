//! Policies for ingesting turns: candidates, admission, the relationship and the context.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Scoring of candidates extracted from a turn.
    CandidatePolicy "candidate" {
        /// Weight of the candidate's type.
        type_share: f32 = 0.30, 0.0 => 1.0;
        /// Weight of the extraction's confidence.
        confidence_share: f32 = 0.20, 0.0 => 1.0;
        /// Weight of the expected future impact.
        future_impact_share: f32 = 0.20, 0.0 => 1.0;
        /// Weight of the emotional intensity.
        emotion_intensity_share: f32 = 0.15, 0.0 => 1.0;
        /// Weight of the recurrence.
        recurrence_share: f32 = 0.10, 0.0 => 1.0;
        /// Weight of the novelty.
        novelty_share: f32 = 0.05, 0.0 => 1.0;
        /// Score from which a candidate proceeds to admission.
        promoted_from: f32 = 0.65, 0.0 => 1.0;
        /// Occurrences at which recurrence is at its maximum.
        seen_fully: u32 = 3, 1 => 1000;
        /// Novelty of a new value for a known subject.
        changed_novelty: f32 = 0.4, 0.0 => 1.0;
        /// Type score of a promise: something is owed.
        promise: f32 = 1.0, 0.0 => 1.0;
        /// Type score of a boundary: something must not be done.
        boundary: f32 = 0.95, 0.0 => 1.0;
        /// Type score of a fact: it is lasting.
        fact: f32 = 0.85, 0.0 => 1.0;
        /// Type score of a statement about the relationship.
        relationship: f32 = 0.80, 0.0 => 1.0;
        /// Type score of a plan: it becomes due.
        plan: f32 = 0.75, 0.0 => 1.0;
        /// Type score of a preference: useful to know.
        preference: f32 = 0.65, 0.0 => 1.0;
        /// Type score of an emotion: it passes.
        feeling: f32 = 0.55, 0.0 => 1.0;
        /// Type score of an event: one of many.
        event: f32 = 0.50, 0.0 => 1.0;
        /// Type score of small talk: almost worthless.
        small_talk: f32 = 0.10, 0.0 => 1.0;
        /// Confidence below which a statement does not become a fact.
        fact_confidence: f32 = 0.5, 0.0 => 1.0;
    }
}

policy! {
    /// Novelty check: whether a candidate is new enough to store.
    AdmissionPolicy "admission" {
        /// Similarity from which it counts as already known.
        known_from: f32 = 0.85, 0.0 => 1.0;
        /// Similarity from which it counts as predictable.
        predictable_from: f32 = 0.60, 0.0 => 1.0;
        /// Importance from which a predictable candidate is stored anyway.
        predictable_keeps_from: f32 = 0.7, 0.0 => 1.0;
        /// Intensity above which no candidate is skipped as predictable.
        great_intensity: f32 = 0.7, 0.0 => 1.0;
        /// Share of its importance a predictable candidate retains.
        predictable_share: f32 = 0.7, 0.0 => 1.0;
        /// Importance added by a full surprise.
        surprise_share: f32 = 0.3, 0.0 => 1.0;
        /// Share of the injected context a sentence of an answer may contain before it counts as an echo.
        echo_share: f32 = 0.6, 0.0 => 1.0;
    }
}

policy! {
    /// How the relationship changes.
    RelationshipPolicy "relationship" {
        /// Maximum movement of an axis by one turn.
        at_most: f32 = 5.0, 0.0 => 100.0;
        /// Familiarity added by each message of the user.
        familiarity: f32 = 0.5, 0.0 => 5.0;
        /// Familiarity added by each piece of personal information the user shares.
        told: f32 = 0.5, 0.0 => 5.0;
        /// Minutes of silence after which a new scene starts.
        scene_silence_minutes: u32 = 180, 1 => 100_000;
    }
}

policy! {
    /// Context passed to the model.
    ContextPolicy "context" {
        /// Token budget if the caller specifies none.
        budget: usize = 1200, 100 => 1_000_000;
        /// Maximum number of situation and preference facts.
        facts: usize = 10, 0 => 1000;
        /// Maximum number of relevant memories.
        memories: usize = 8, 0 => 1000;
        /// Maximum number of related past turns.
        past_turns: usize = 5, 0 => 1000;
        /// Maximum number of past examples.
        examples: usize = 2, 0 => 100;
        /// Maximum number of shared experiences.
        shared: usize = 20, 0 => 1000;
        /// Maximum number of recent turns.
        recent_turns: usize = 30, 0 => 1000;
        /// Number of latest turns loaded as the current conversation.
        window: usize = 6, 1 => 100;
        /// Share of the budget reserved for recent turns, however many memories match.
        recent_share: f32 = 0.25, 0.0 => 1.0;
    }
}
