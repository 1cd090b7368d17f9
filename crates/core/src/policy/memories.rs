//! Policies for one memory: importance, appraisal, zones, strength and mood.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Intrinsic value of a memory.
    ImportancePolicy "importance" {
        /// Importance of an ordinary memory before adjustments.
        base: f32 = 0.3, 0.0 => 1.0;
        /// Amount that a rating of five stars adds.
        rating: f32 = 0.3, 0.0 => 1.0;
        /// Amount that each incoming link adds.
        per_reference: f32 = 0.05, 0.0 => 1.0;
        /// Maximum amount that incoming links add.
        references_at_most: f32 = 0.2, 0.0 => 1.0;
        /// Amount that the strongest sentiment adds.
        feeling: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// Weights of the four questions of an appraisal; they are normalised to a sum of 1.
    AppraisalPolicy "appraisal" {
        /// Weight of the question: does it contain a concrete fact or figure?
        factual: f32 = 0.3, 0.0 => 1.0;
        /// Weight of the question: does it contain a strong emotion or experience?
        emotional: f32 = 0.2, 0.0 => 1.0;
        /// Weight of the question: can it be acted upon?
        actionable: f32 = 0.3, 0.0 => 1.0;
        /// Weight of the question: did somebody state that it is important?
        explicit: f32 = 0.2, 0.0 => 1.0;
    }
}

policy! {
    /// Zone scores: closeness of a memory to working memory.
    ZonePolicy "zone" {
        /// Weight of the number of recalls.
        recall_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of the time since the last recall; it only lowers the score.
        freshness_weight: f32 = 0.30, 0.0 => 1.0;
        /// Weight of the appraisal.
        appraisal_weight: f32 = 0.25, 0.0 => 1.0;
        /// Weight of the similarity to the current conversation.
        context_weight: f32 = 0.20, 0.0 => 1.0;
        /// Number of recalls at which the recall score would be 1; it is clamped just below, so it never reaches 1.
        recall_cap: u32 = 1000, 2 => 1_000_000;
        /// Days without a recall until freshness reaches its floor of -1.
        floor_days: f64 = 30.0, 0.01 => 36_500.0;
        /// Minimum score of the core zone.
        core_from: f32 = 0.50, -1.0 => 1.0;
        /// Minimum score of the inner zone.
        inner_from: f32 = 0.30, -1.0 => 1.0;
        /// Minimum score of the outer zone.
        outer_from: f32 = 0.10, -1.0 => 1.0;
        /// Minimum score of the belt zone; lower scores are in the cloud zone.
        belt_from: f32 = -0.10, -1.0 => 1.0;
        /// Capacity of the core zone, in memories.
        core_room: usize = 20, 1 => 100_000;
        /// Capacity of the inner zone, in memories.
        inner_room: usize = 100, 1 => 1_000_000;
        /// Capacity of the outer zone, in memories.
        outer_room: usize = 1000, 1 => 10_000_000;
        /// Days without a recall after which a memory in the cloud zone moves to the cliff.
        auto_forget_days: u32 = 90, 1 => 36_500;
        /// Seconds between two rebalances of an active mind.
        rebalance_seconds: u32 = 300, 1 => 86_400;
        /// Number of messages in the running average of the context.
        context_turns: usize = 6, 1 => 100;
        /// Weight of a message relative to the next newer one in the running average.
        context_keeps: f32 = 0.8, 0.0 => 1.0;
    }
}

policy! {
    /// Decay of strength (vividness) as the conversation continues.
    StrengthPolicy "strength" {
        /// Exchanges between two decay steps.
        every_turns: u32 = 5, 1 => 10_000;
        /// Strength at or below which a memory decays no further; pruning handles it from there.
        fades_above: f32 = 0.1, 0.0 => 1.0;
        /// Share of its strength that an episodic memory keeps at each step.
        episodic: f32 = 0.95, 0.0 => 1.0;
        /// Share of its strength that an emotional memory keeps at each step.
        emotional: f32 = 0.97, 0.0 => 1.0;
        /// Share of its strength that a semantic memory keeps at each step.
        semantic: f32 = 0.98, 0.0 => 1.0;
        /// How much intensity slows the decay.
        intensity_share: f32 = 0.4, 0.0 => 1.0;
        /// How much importance slows the decay.
        importance_share: f32 = 0.3, 0.0 => 1.0;
        /// Strength that a recall or a new mention adds, up to 1.
        renewal: f32 = 0.2, 0.0 => 1.0;
        /// Maximum share that a memory keeps at each step, so that every memory decays a little.
        keeps_at_most: f32 = 0.995, 0.0 => 1.0;
    }
}

policy! {
    /// Mood of the character and its decay.
    MoodPolicy "mood" {
        /// Half-life of a mood in minutes.
        half_life_minutes: u32 = 120, 1 => 100_000;
        /// How far recalling a memory of full intensity moves the mood towards its emotion.
        recall_pull: f32 = 0.5, 0.0 => 1.0;
        /// Level below which all emotions of a mood count as gone and the mood is neutral.
        neutral_below: f32 = 0.05, 0.0 => 1.0;
    }
}
