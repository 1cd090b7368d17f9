//! Policies for retention: tiers, promotion, consolidation, pruning, the cliff and session limits.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Retention period of each tier.
    TierPolicy "tier" {
        /// Days a memory of tier M30 is kept.
        m30_days: u32 = 30, 1 => 36_500;
        /// Days a memory of tier M90 is kept.
        m90_days: u32 = 90, 1 => 36_500;
        /// Days a memory of tier M365 is kept.
        m365_days: u32 = 365, 1 => 36_500;
    }
}

policy! {
    /// Conditions for keeping a memory longer.
    PromotionPolicy "promotion" {
        /// Number of M30 memories on one topic that promote it to M90.
        m30_topic: u32 = 3, 2 => 1000;
        /// Number of recalls that promote M30 to M90.
        m30_recalls: u32 = 3, 1 => 1000;
        /// Intensity above which M30 is promoted to M90.
        m30_intensity: f32 = 0.7, 0.0 => 1.0;
        /// Number of recalls within its 90 days that promote M90 to M365.
        m90_recalls: u32 = 5, 1 => 1000;
        /// Intensity above which M90 with several emotions is promoted to M365.
        m90_intensity: f32 = 0.8, 0.0 => 1.0;
        /// Age in days after which M365 is proposed for permanent storage.
        m365_days: u32 = 365, 1 => 36_500;
        /// Number of recalls after which M365 is proposed for permanent storage.
        m365_recalls: u32 = 10, 1 => 1000;
        /// Trust below which a memory never becomes core; the character's own words are not enough.
        core_trust: f32 = 0.6, 0.0 => 1.0;
        /// Similarity from which two memories are on the same topic.
        topic_from: f32 = 0.60, 0.0 => 1.0;
        /// Similarity from which two memories that name the same person are on the same topic.
        topic_person_from: f32 = 0.30, 0.0 => 1.0;
        /// Similarity from which two memories that share only common words are about the same topic.
        topic_common_from: f32 = 0.85, 0.0 => 1.0;
    }
}

policy! {
    /// Limits of automatic consolidation and pruning.
    ThinningPolicy "thinning" {
        /// Exchanges between two consolidations.
        consolidate_turns: u32 = 10, 1 => 100_000;
        /// Similarity from which two memories describe the same event.
        merge_from: f32 = 0.80, 0.0 => 1.0;
        /// Number of mentions at which an event counts as settled knowledge.
        settles_at: u32 = 3, 1 => 1000;
        /// Minimum importance of such a memory.
        settled_importance: f32 = 0.8, 0.0 => 1.0;
        /// Exchanges between two prunings.
        prune_turns: u32 = 25, 1 => 100_000;
        /// Strength below which a memory that was never mentioned again is pruned.
        prune_below: f32 = 0.15, 0.0 => 1.0;
        /// Maximum number of memories of a mind.
        most_memories: usize = 10_000, 10 => 100_000_000;
        /// Days for which a new memory is protected from consolidation and pruning.
        young_days: u32 = 7, 7 => 36_500;
        /// Importance from which a memory is never pruned.
        important_from: f32 = 0.8, 0.0 => 1.0;
        /// Maximum share of a mind that one cycle may remove; without this limit, a quarter of a mind can be lost within days.
        budget_share: f32 = 0.02, 0.0 => 1.0;
        /// Maximum number of memories that one cycle may remove.
        budget_at_most: usize = 50, 0 => 100_000;
        /// Number of memories that one cycle may always remove from minds larger than `budget_from`: two, so that duplicates can be merged.
        budget_at_least: usize = 2, 0 => 100_000;
        /// Size up to which a mind loses no memory automatically.
        budget_from: usize = 10, 0 => 100_000;
    }
}

policy! {
    /// The cliff, where forgotten memories stay restorable.
    CliffPolicy "cliff" {
        /// Full days from forgetting to permanent deletion; until then the owner can restore the memory.
        days: u32 = 7, 7 => 3_650;
        /// Days between two checks from which the clock is doubted; the time on the cliff then restarts, so that a wrong clock deletes
        /// nothing.
        doubted_after: u32 = 30, 8 => 36_500;
    }
}

policy! {
    /// Retention by session, for hosts that want it; by default only tiers and pruning apply.
    RetentionPolicy "retention" {
        /// Whether these limits apply.
        limits: bool = false, false => true;
        /// Number of sessions kept complete; unimportant memories of older sessions are forgotten.
        sessions: usize = 10, 1 => 1_000_000;
        /// Importance below which a memory of an older session is forgotten.
        unimportant_below: f32 = 0.3, 0.0 => 1.0;
        /// Maximum number of memories per session.
        memories_per_session: usize = 500, 1 => 1_000_000;
        /// Maximum size of all memories of a mind in megabytes.
        megabytes: u64 = 100, 1 => 1_000_000;
        /// Days after its last message when the memories of a session are archived.
        archive_after_days: u32 = 30, 7 => 36_500;
        /// Days after its last message when they move to the cliff, but not before their own retention period ends.
        delete_after_days: u32 = 180, 7 => 36_500;
    }
}
