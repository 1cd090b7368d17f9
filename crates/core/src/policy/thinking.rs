//! Models that think: what they may cost, and how patient one is with them.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// What models may cost, and how patient one is with them.
    ThinkingPolicy "thinking" {
        /// Tokens all models together may use in a day, all minds together; beyond them rules think. 0 sets no limit.
        daily_tokens: u64 = 0, 0 => 2_000_000_000;
        /// Turns from one analysis of the conversation to the next. 0 analyses none.
        analyse_every: u32 = 1, 0 => 10_000;
        /// Turns of the conversation an analysis reads.
        analyse_turns: usize = 12, 1 => 200;
        /// Turns from one reflection on the user to the next. 0 reflects on none.
        reflect_every: u32 = 20, 0 => 100_000;
        /// Memories a reflection reads.
        reflect_memories: usize = 30, 1 => 1000;
        /// The furthest all analyses of one turn together move an axis of the relationship, beside what the turn said openly.
        analysis_moves: f32 = 3.0, 0.0 => 5.0;
        /// Essences a model words anew in one go, where rules had to word them.
        distil_at_once: usize = 5, 1 => 1000;
        /// How often a piece of work that waits for a model is tried before it is given up and stays to be seen.
        attempts: u32 = 20, 1 => 1000;
        /// Seconds until the second try; each further one waits twice as long.
        retry_seconds: u32 = 60, 1 => 86_400;
        /// Milliseconds a question, or what is to be kept, waits for a remote embedder; then words answer alone.
        search_milliseconds: u32 = 2000, 1 => 600_000;
    }
}
