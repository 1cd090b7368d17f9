//! Policy for language models: cost limits, retries and timeouts.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Cost and timeouts of models.
    ThinkingPolicy "thinking" {
        /// Maximum number of tokens of all models and minds per day; above it rules are used. 0 sets no limit.
        daily_tokens: u64 = 0, 0 => 2_000_000_000;
        /// Exchanges between two analyses of the conversation. 0 disables them.
        analyse_every: u32 = 1, 0 => 10_000;
        /// Number of messages an analysis reads.
        analyse_turns: usize = 12, 1 => 200;
        /// Exchanges between two reflections on the user. 0 disables them.
        reflect_every: u32 = 20, 0 => 100_000;
        /// Number of memories a reflection reads.
        reflect_memories: usize = 30, 1 => 1000;
        /// Maximum movement of a relationship axis by all analyses of one exchange, in addition to what the messages state openly.
        analysis_moves: f32 = 3.0, 0.0 => 5.0;
        /// Number of essences written by rules that a model rewrites in one run.
        distil_at_once: usize = 5, 1 => 1000;
        /// Number of attempts after which a job for a model is abandoned; it stays listed.
        attempts: u32 = 20, 1 => 1000;
        /// Seconds until the second attempt; the delay doubles with each further attempt.
        retry_seconds: u32 = 60, 1 => 86_400;
        /// Milliseconds to wait for a remote embedder; after that only keywords are used.
        search_milliseconds: u32 = 2000, 1 => 600_000;
    }
}
