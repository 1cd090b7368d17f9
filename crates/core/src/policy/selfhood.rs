//! Policies for the self: islands, beliefs, proposals, imagination, and the limits of agents.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Islands: aspects of the personality.
    IslandPolicy "island" {
        /// Number of core memories on one theme from which an island is proposed.
        founded_by: usize = 2, 1 => 100;
        /// Days an island without founding memories shakes before it collapses; until then the owner can restore them.
        shaking_days: u32 = 7, 7 => 3_650;
        /// Number of new core memories on its theme that rebuild an island.
        rebuilt_by: usize = 3, 1 => 100;
        /// Share of an island's strength that comes from its founding memories; the rest comes from recalls.
        standing_share: f32 = 0.5, 0.0 => 1.0;
        /// Number of recalls at which the recall share of the strength is complete.
        full_recalls: u32 = 30, 1 => 100_000;
        /// Similarity from which a new core memory belongs to the theme of an island.
        theme_from: f32 = 0.55, 0.0 => 1.0;
    }
}

policy! {
    /// Beliefs of the character about itself.
    BeliefPolicy "belief" {
        /// Confidence of a belief supported by one ordinary memory.
        base: f32 = 0.6, 0.0 => 1.0;
        /// Confidence that each further memory adds.
        per_support: f32 = 0.1, 0.0 => 1.0;
        /// Confidence that the strongest emotion among them adds.
        feeling: f32 = 0.2, 0.0 => 1.0;
        /// Maximum confidence of a belief.
        surest: f32 = 0.95, 0.0 => 1.0;
        /// Confidence below which a belief is not proposed.
        least_confidence: f32 = 0.3, 0.0 => 1.0;
        /// Minimum gain of confidence before an update is proposed.
        surer_by: f32 = 0.1, 0.0 => 1.0;
        /// Confidence that a rejection subtracts.
        rejection_costs: f32 = 0.2, 0.0 => 1.0;
        /// Trust below which a memory does not support a belief.
        least_trust: f32 = 0.6, 0.0 => 1.0;
        /// Share of the self from which a change at once (within one burst of changes) is blocked.
        sitting_share: f32 = 0.30, 0.01 => 0.30;
        /// Share of the self from which the changes of one day are blocked.
        day_share: f32 = 0.30, 0.01 => 0.30;
        /// Share of last month's self from which rewording and removing is blocked.
        month_share: f32 = 0.50, 0.01 => 0.50;
        /// Minimum number of beliefs the shares are computed over, so that a young self can grow.
        counted_over: usize = 4, 1 => 4;
        /// Minutes without a change after which a new burst of changes starts.
        sitting_minutes: u32 = 180, 1 => 100_000;
    }
}

policy! {
    /// Inbox of the owner.
    ProposalPolicy "proposal" {
        /// Maximum number of pending proposals of one kind; an owner who is asked too often stops reading.
        pending_per_kind: usize = 5, 1 => 1000;
        /// Maximum number of proposals per day.
        per_day: usize = 20, 1 => 10_000;
        /// Maximum number of proposals per day by an agent.
        agent_per_day: usize = 5, 0 => 1000;
        /// Days after which an undecided proposal lapses.
        lapse_days: u32 = 30, 1 => 3_650;
        /// Factor of recalls since the last rejection from which a memory is proposed again without a new reason.
        again_at: u32 = 2, 1 => 1000;
    }
}

policy! {
    /// Imaginations of the character.
    ImaginationPolicy "imagination" {
        /// Maximum number of imaginations per day; more would annoy the user.
        per_day: usize = 3, 0 => 100;
        /// Minimum minutes between two imaginations.
        cooldown_minutes: u32 = 60, 0 => 100_000;
        /// Minutes of silence after which the character is idle.
        idle_minutes: u32 = 30, 1 => 100_000;
        /// Hour at which the morning starts.
        morning_from: u32 = 7, 0 => 23;
        /// Hour at which the morning ends.
        morning_to: u32 = 10, 1 => 24;
        /// Hour at which the evening starts.
        evening_from: u32 = 18, 0 => 23;
        /// Hour at which the evening ends.
        evening_to: u32 = 22, 1 => 24;
        /// Factor for the weight of a trigger and a theme after a like.
        liked: f32 = 1.25, 1.0 => 10.0;
        /// Factor for the weight after a dislike.
        disliked: f32 = 0.8, 0.0 => 1.0;
        /// Factor for the weight after no reaction.
        ignored: f32 = 0.95, 0.0 => 1.0;
        /// Minimum weight that missing reactions can lead to, because they say less than a dislike.
        ignored_to: f32 = 0.5, 0.0 => 1.0;
        /// Maximum weight.
        heaviest: f32 = 5.0, 1.0 => 100.0;
        /// Minimum weight, so that everything is tried again at some time.
        lightest: f32 = 0.05, 0.0 => 1.0;
        /// Maximum number of source memories of an imagination.
        memories: usize = 3, 1 => 20;
    }
}

policy! {
    /// Limits of an agent, and how refused requests are recorded.
    AgentPolicy "agent" {
        /// Number of memories an agent may forget per day; further requests become proposals.
        forgets_a_day: usize = 3, 0 => 1000;
        /// Share of a mind an agent may forget per day, if that is fewer memories.
        forget_share: f32 = 0.01, 0.0 => 1.0;
        /// Minutes for which an agent may retract or edit user messages of the current session; later requests count as forgetting.
        reroll_minutes: u32 = 180, 0 => 10_080;
        /// Number of refusals of one kind recorded as one ledger entry, so that repeated attempts do not fill the disk.
        refusals_gathered: u64 = 100, 1 => 1_000_000;
        /// Seconds after which the next refusal writes the collected count, even if it is small.
        refusals_seconds: u32 = 60, 0 => 86_400;
    }
}
