//! How long memories are kept, and what the caretaker may do.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// How long each tier keeps a memory.
    TierPolicy "tier" {
        /// Days of M30.
        m30_days: u32 = 30, 1 => 36_500;
        /// Days of M90.
        m90_days: u32 = 90, 1 => 36_500;
        /// Days of M365.
        m365_days: u32 = 365, 1 => 36_500;
    }
}

policy! {
    /// When a memory is kept longer.
    PromotionPolicy "promotion" {
        /// Memories of M30 on one topic at which it has come up often enough for M90.
        m30_topic: u32 = 3, 2 => 1000;
        /// Recalls at which M30 becomes M90.
        m30_recalls: u32 = 3, 1 => 1000;
        /// Intensity above which M30 becomes M90.
        m30_intensity: f32 = 0.7, 0.0 => 1.0;
        /// Recalls within its ninety days at which M90 becomes M365.
        m90_recalls: u32 = 5, 1 => 1000;
        /// Intensity above which M90 with several emotions becomes M365.
        m90_intensity: f32 = 0.8, 0.0 => 1.0;
        /// Days alive after which M365 is recommended for ever.
        m365_days: u32 = 365, 1 => 36_500;
        /// Recalls at which M365 is recommended for ever.
        m365_recalls: u32 = 10, 1 => 1000;
        /// Trust below which nothing becomes core: the character's own words do not found it.
        core_trust: f32 = 0.6, 0.0 => 1.0;
        /// Similarity from which two memories are about the same topic.
        topic_from: f32 = 0.60, 0.0 => 1.0;
        /// Similarity from which two memories that name the same person are about the same topic.
        topic_person_from: f32 = 0.30, 0.0 => 1.0;
        /// Similarity from which two memories that share only words that tell nothing are about the same topic.
        topic_common_from: f32 = 0.85, 0.0 => 1.0;
    }
}

policy! {
    /// What the caretaker may take out by itself.
    ThinningPolicy "thinning" {
        /// Turns from one consolidation to the next.
        consolidate_turns: u32 = 10, 1 => 100_000;
        /// Similarity from which events are one thing told twice.
        merge_from: f32 = 0.80, 0.0 => 1.0;
        /// Mentions at which an event has become a fact of life.
        settles_at: u32 = 3, 1 => 1000;
        /// The importance such a memory has at least.
        settled_importance: f32 = 0.8, 0.0 => 1.0;
        /// Turns from one pruning to the next.
        prune_turns: u32 = 25, 1 => 100_000;
        /// Strength below which a memory that never came up again is let go.
        prune_below: f32 = 0.15, 0.0 => 1.0;
        /// Memories a mind has room for.
        most_memories: usize = 10_000, 10 => 100_000_000;
        /// Days a memory is safe from the caretaker, whatever it is worth.
        young_days: u32 = 7, 7 => 36_500;
        /// Importance from which nothing is taken.
        important_from: f32 = 0.8, 0.0 => 1.0;
        /// Share of a mind one cycle may take at most: eager caretakers have eaten a quarter of a mind in days.
        budget_share: f32 = 0.02, 0.0 => 1.0;
        /// Memories one cycle may take at most.
        budget_at_most: usize = 50, 0 => 100_000;
        /// Memories one cycle may take of any mind larger than `budget_from`: two, so that what was told twice can be joined.
        budget_at_least: usize = 2, 0 => 100_000;
        /// Minds no larger than this lose nothing by themselves.
        budget_from: usize = 10, 0 => 100_000;
    }
}

policy! {
    /// The cliff, where forgotten memories wait.
    CliffPolicy "cliff" {
        /// Full days from entering to going for good; the owner can restore until then.
        days: u32 = 7, 7 => 3_650;
        /// Days between two looks from which the clock is doubted: what waits then waits anew, so that a wrong clock ends nothing.
        doubted_after: u32 = 30, 8 => 36_500;
    }
}

policy! {
    /// Retention by session, for hosts that want it; time and thinning alone decide otherwise.
    RetentionPolicy "retention" {
        /// Whether these limits hold at all.
        limits: bool = false, false => true;
        /// Sessions kept whole; of older ones what matters little goes.
        sessions: usize = 10, 1 => 1_000_000;
        /// Importance below which a memory of an older session goes.
        unimportant_below: f32 = 0.3, 0.0 => 1.0;
        /// Memories one session may hold.
        memories_per_session: usize = 500, 1 => 1_000_000;
        /// Megabytes all memories of a mind may take.
        megabytes: u64 = 100, 1 => 1_000_000;
        /// Days after its last message a session's memories are put away.
        archive_after_days: u32 = 30, 7 => 36_500;
        /// Days after its last message they go to the cliff, once their own term is over too.
        delete_after_days: u32 = 180, 7 => 36_500;
    }
}
