//! Policy for language models: cost limits, retries and timeouts.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Cost limits, retries and timeouts for models.
    ThinkingPolicy "thinking" {
        /// Daily token limit of all models and minds together; beyond it rules are used. 0 means no limit.
        daily_tokens: u64 = 0, 0 => 2_000_000_000;
        /// Turns between two analyses of the conversation. 0 disables analysis.
        analyse_every: u32 = 1, 0 => 10_000;
        /// Number of turns an analysis reads.
        analyse_turns: usize = 12, 1 => 200;
        /// Turns between two reflections on the user. 0 disables reflection.
        reflect_every: u32 = 20, 0 => 100_000;
        /// Number of memories a reflection reads.
        reflect_memories: usize = 30, 1 => 1000;
        /// Maximum movement of a relationship axis by all analyses of one turn together, in addition to what the turn stated
        /// explicitly.
        analysis_moves: f32 = 3.0, 0.0 => 5.0;
        /// Essences worded by rules that a model rewords per run.
        distil_at_once: usize = 5, 1 => 1000;
        /// Attempts of a job that waits for a model before it is marked as failed; failed jobs stay visible.
        attempts: u32 = 20, 1 => 1000;
        /// Seconds until the second attempt; the delay doubles with each further attempt.
        retry_seconds: u32 = 60, 1 => 86_400;
        /// Milliseconds a query or a new memory waits for a remote embedder; then only word search is used.
        search_milliseconds: u32 = 2000, 1 => 600_000;
    }
}
