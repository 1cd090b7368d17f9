//! Policies for retention: tiers, promotion, consolidation, pruning, the cliff and session limits.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Retention period of each tier.
    TierPolicy "tier" {
        /// Retention of M30 in days.
        m30_days: u32 = 30, 1 => 36_500;
        /// Retention of M90 in days.
        m90_days: u32 = 90, 1 => 36_500;
        /// Retention of M365 in days.
        m365_days: u32 = 365, 1 => 36_500;
    }
}

policy! {
    /// When a memory is promoted to a longer tier.
    PromotionPolicy "promotion" {
        /// M30 memories on one topic at which they are promoted to M90.
        m30_topic: u32 = 3, 2 => 1000;
        /// Recalls at which M30 is promoted to M90.
        m30_recalls: u32 = 3, 1 => 1000;
        /// Intensity above which M30 is promoted to M90.
        m30_intensity: f32 = 0.7, 0.0 => 1.0;
        /// Recalls within its ninety days at which M90 is promoted to M365.
        m90_recalls: u32 = 5, 1 => 1000;
        /// Intensity above which M90 with several emotions is promoted to M365.
        m90_intensity: f32 = 0.8, 0.0 => 1.0;
        /// Age in days from which an M365 memory is recommended for core (M0).
        m365_days: u32 = 365, 1 => 36_500;
        /// Recalls at which an M365 memory is recommended for core (M0).
        m365_recalls: u32 = 10, 1 => 1000;
        /// Trust below which a memory cannot become core; the character's own words do not qualify.
        core_trust: f32 = 0.6, 0.0 => 1.0;
        /// Similarity from which two memories are on the same topic.
        topic_from: f32 = 0.60, 0.0 => 1.0;
        /// Similarity from which two memories that name the same person are on the same topic.
        topic_person_from: f32 = 0.30, 0.0 => 1.0;
        /// Similarity from which two memories that share only common words are on the same topic.
        topic_common_from: f32 = 0.85, 0.0 => 1.0;
    }
}

policy! {
    /// Limits for automatic consolidation and pruning.
    ThinningPolicy "thinning" {
        /// Turns between two consolidations.
        consolidate_turns: u32 = 10, 1 => 100_000;
        /// Similarity from which two memories describe the same event.
        merge_from: f32 = 0.80, 0.0 => 1.0;
        /// Mentions at which a repeated event becomes a settled fact.
        settles_at: u32 = 3, 1 => 1000;
        /// Minimum importance of such a memory.
        settled_importance: f32 = 0.8, 0.0 => 1.0;
        /// Turns between two prunings.
        prune_turns: u32 = 25, 1 => 100_000;
        /// Strength below which a memory that was never mentioned again is forgotten.
        prune_below: f32 = 0.15, 0.0 => 1.0;
        /// Maximum number of memories in a mind.
        most_memories: usize = 10_000, 10 => 100_000_000;
        /// Age in days below which a memory is never forgotten automatically.
        young_days: u32 = 7, 7 => 36_500;
        /// Importance from which a memory is never forgotten automatically.
        important_from: f32 = 0.8, 0.0 => 1.0;
        /// Maximum share of a mind that one cycle may forget; without such a limit, cleanup can remove a quarter of a mind within
        /// days.
        budget_share: f32 = 0.02, 0.0 => 1.0;
        /// Maximum number of memories one cycle may forget.
        budget_at_most: usize = 50, 0 => 100_000;
        /// Number of memories one cycle may always forget in a mind larger than `budget_from`; two, so that duplicates can be
        /// merged.
        budget_at_least: usize = 2, 0 => 100_000;
        /// Minds of up to this size lose no memory automatically.
        budget_from: usize = 10, 0 => 100_000;
    }
}

policy! {
    /// The cliff, the soft-delete area for forgotten memories.
    CliffPolicy "cliff" {
        /// Full days from entering the cliff to permanent deletion; until then the owner can restore.
        days: u32 = 7, 7 => 3_650;
        /// Days between two worker runs from which the clock is not trusted; waiting periods then restart, so that a wrong clock
        /// deletes nothing.
        doubted_after: u32 = 30, 8 => 36_500;
    }
}

policy! {
    /// Optional retention limits per session; without them only tiers, consolidation and pruning apply.
    RetentionPolicy "retention" {
        /// Whether these limits are enabled.
        limits: bool = false, false => true;
        /// Number of latest sessions kept in full; unimportant memories of older ones are forgotten.
        sessions: usize = 10, 1 => 1_000_000;
        /// Importance below which a memory of an older session is forgotten.
        unimportant_below: f32 = 0.3, 0.0 => 1.0;
        /// Maximum number of memories per session.
        memories_per_session: usize = 500, 1 => 1_000_000;
        /// Maximum size of all memories of a mind in megabytes.
        megabytes: u64 = 100, 1 => 1_000_000;
        /// Days after its last message until a session's memories are archived.
        archive_after_days: u32 = 30, 7 => 36_500;
        /// Days after its last message until they enter the cliff, if their own term has ended too.
        delete_after_days: u32 = 180, 7 => 36_500;
    }
}
