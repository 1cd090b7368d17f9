//! What a turn is worth, and what is made of it.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// What may be worth remembering of a turn.
    CandidatePolicy "candidate" {
        /// Share of what it is.
        type_share: f32 = 0.30, 0.0 => 1.0;
        /// Share of how sure the extraction is.
        confidence_share: f32 = 0.20, 0.0 => 1.0;
        /// Share of how much it will matter later.
        future_impact_share: f32 = 0.20, 0.0 => 1.0;
        /// Share of how strong the feeling is.
        emotion_intensity_share: f32 = 0.15, 0.0 => 1.0;
        /// Share of how often it came up.
        recurrence_share: f32 = 0.10, 0.0 => 1.0;
        /// Share of how new it is.
        novelty_share: f32 = 0.05, 0.0 => 1.0;
        /// Score from which a candidate goes on to admission.
        promoted_from: f32 = 0.65, 0.0 => 1.0;
        /// Times at which it has come up as often as counts.
        seen_fully: u32 = 3, 1 => 1000;
        /// How new another value of a known subject is.
        changed_novelty: f32 = 0.4, 0.0 => 1.0;
        /// A promise is what is owed.
        promise: f32 = 1.0, 0.0 => 1.0;
        /// A boundary is what must not be done.
        boundary: f32 = 0.95, 0.0 => 1.0;
        /// A fact lasts.
        fact: f32 = 0.85, 0.0 => 1.0;
        /// How the two stand to each other.
        relationship: f32 = 0.80, 0.0 => 1.0;
        /// A plan comes due.
        plan: f32 = 0.75, 0.0 => 1.0;
        /// A taste is good to know.
        preference: f32 = 0.65, 0.0 => 1.0;
        /// A feeling passes.
        feeling: f32 = 0.55, 0.0 => 1.0;
        /// An event is one of many.
        event: f32 = 0.50, 0.0 => 1.0;
        /// Small talk is worth next to nothing.
        small_talk: f32 = 0.10, 0.0 => 1.0;
        /// Confidence below which a statement does not become a fact.
        fact_confidence: f32 = 0.5, 0.0 => 1.0;
    }
}

policy! {
    /// Whether something is new enough to be kept.
    AdmissionPolicy "admission" {
        /// Similarity from which it is the same thing in other words.
        known_from: f32 = 0.85, 0.0 => 1.0;
        /// Similarity from which it could have been expected.
        predictable_from: f32 = 0.60, 0.0 => 1.0;
        /// Importance from which even the expected is kept.
        predictable_keeps_from: f32 = 0.7, 0.0 => 1.0;
        /// Intensity above which nothing is skipped as expected: what moved somebody so much was not.
        great_intensity: f32 = 0.7, 0.0 => 1.0;
        /// What of its importance the expected keeps.
        predictable_share: f32 = 0.7, 0.0 => 1.0;
        /// What a full surprise adds to importance.
        surprise_share: f32 = 0.3, 0.0 => 1.0;
        /// Share of what was injected that an answer's sentence may hold before it counts as an echo of it.
        echo_share: f32 = 0.6, 0.0 => 1.0;
    }
}

policy! {
    /// How character and user come to stand to each other.
    RelationshipPolicy "relationship" {
        /// The most one turn moves an axis.
        at_most: f32 = 5.0, 0.0 => 100.0;
        /// What being talked to adds to familiarity.
        familiarity: f32 = 0.5, 0.0 => 5.0;
        /// What each thing told about oneself adds to familiarity.
        told: f32 = 0.5, 0.0 => 5.0;
        /// Minutes of silence after which a new scene begins.
        scene_silence_minutes: u32 = 180, 1 => 100_000;
    }
}

policy! {
    /// What is given to the model.
    ContextPolicy "context" {
        /// Tokens when the caller names no budget.
        budget: usize = 1200, 100 => 1_000_000;
        /// Situation and preference facts at most.
        facts: usize = 10, 0 => 1000;
        /// Relevant memories at most.
        memories: usize = 8, 0 => 1000;
        /// Related past turns at most.
        past_turns: usize = 5, 0 => 1000;
        /// Past examples at most.
        examples: usize = 2, 0 => 100;
        /// Shared experiences at most.
        shared: usize = 20, 0 => 1000;
        /// Recent turns at most.
        recent_turns: usize = 30, 0 => 1000;
        /// Turns kept at hand in memory.
        window: usize = 6, 1 => 100;
        /// Share of the budget the recent turns may always have, however much was remembered.
        recent_share: f32 = 0.25, 0.0 => 1.0;
    }
}
