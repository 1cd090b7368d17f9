//! Policies for the self: islands, beliefs, proposals, imagination, and the limits of agents.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Islands: aspects of the personality.
    IslandPolicy "island" {
        /// Core memories on one theme from which an island is proposed.
        founded_by: usize = 2, 1 => 100;
        /// Days an island without core memories is unstable before it collapses; until then the owner can restore its core
        /// memories.
        shaking_days: u32 = 7, 7 => 3_650;
        /// New core memories on its theme that rebuild a collapsed island.
        rebuilt_by: usize = 3, 1 => 100;
        /// Share of an island's strength that comes from its core memories; the rest comes from recalls.
        standing_share: f32 = 0.5, 0.0 => 1.0;
        /// Recalls of its memories at which the recall share is at its maximum.
        full_recalls: u32 = 30, 1 => 100_000;
        /// Similarity from which a new core memory matches an island's theme.
        theme_from: f32 = 0.55, 0.0 => 1.0;
    }
}

policy! {
    /// Beliefs of the character about itself.
    BeliefPolicy "belief" {
        /// Confidence of a belief supported by one neutral memory.
        base: f32 = 0.6, 0.0 => 1.0;
        /// Confidence added by each further memory.
        per_support: f32 = 0.1, 0.0 => 1.0;
        /// Confidence added by the strongest emotion among the memories.
        feeling: f32 = 0.2, 0.0 => 1.0;
        /// Maximum confidence of a belief.
        surest: f32 = 0.95, 0.0 => 1.0;
        /// Confidence below which a belief is not proposed.
        least_confidence: f32 = 0.3, 0.0 => 1.0;
        /// Increase in confidence from which an update is proposed.
        surer_by: f32 = 0.1, 0.0 => 1.0;
        /// Confidence subtracted by a rejection.
        rejection_costs: f32 = 0.2, 0.0 => 1.0;
        /// Trust below which a memory does not support a belief.
        least_trust: f32 = 0.6, 0.0 => 1.0;
        /// Share of the self from which changes within one editing session are blocked.
        sitting_share: f32 = 0.30, 0.01 => 0.30;
        /// Share of the self from which the changes of one day are blocked.
        day_share: f32 = 0.30, 0.01 => 0.30;
        /// Share of last month's self from which rewording and removing beliefs is blocked.
        month_share: f32 = 0.50, 0.01 => 0.50;
        /// Minimum number of beliefs used as the denominator of these shares, so that a new self can grow.
        counted_over: usize = 4, 1 => 4;
        /// Minutes without a change after which a new editing session starts.
        sitting_minutes: u32 = 180, 1 => 100_000;
    }
}

policy! {
    /// Limits of the owner's inbox.
    ProposalPolicy "proposal" {
        /// Maximum pending proposals per kind; an owner who is asked too often stops reading.
        pending_per_kind: usize = 5, 1 => 1000;
        /// Maximum proposals per day, all kinds together.
        per_day: usize = 20, 1 => 10_000;
        /// Maximum proposals by an agent per day.
        agent_per_day: usize = 5, 0 => 1000;
        /// Days after which an unanswered proposal expires.
        lapse_days: u32 = 30, 1 => 3_650;
        /// Factor by which recalls must have grown since the last rejection before a memory is recommended again without a new
        /// reason.
        again_at: u32 = 2, 1 => 1000;
    }
}

policy! {
    /// Imaginations: texts the character generates on its own.
    ImaginationPolicy "imagination" {
        /// Maximum imaginations per day; more would be a nuisance.
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
        /// Factor applied to the weight of a trigger and a theme after positive feedback.
        liked: f32 = 1.25, 1.0 => 10.0;
        /// Factor applied after negative feedback.
        disliked: f32 = 0.8, 0.0 => 1.0;
        /// Factor applied if the imagination was ignored.
        ignored: f32 = 0.95, 0.0 => 1.0;
        /// Lower bound of a weight reduced only by ignored imaginations; silence is weaker feedback than a dislike.
        ignored_to: f32 = 0.5, 0.0 => 1.0;
        /// Maximum weight.
        heaviest: f32 = 5.0, 1.0 => 100.0;
        /// Minimum weight, so that everything is tried again eventually.
        lightest: f32 = 0.05, 0.0 => 1.0;
        /// Maximum number of memories an imagination is based on.
        memories: usize = 3, 1 => 20;
    }
}

policy! {
    /// What an agent may do without approval, and how denied requests are recorded.
    AgentPolicy "agent" {
        /// Memories an agent may forget per day; further ones become a proposal.
        forgets_a_day: usize = 3, 0 => 1000;
        /// Share of a mind an agent may forget per day, if that is fewer.
        forget_share: f32 = 0.01, 0.0 => 1.0;
        /// Minutes within which an agent may retract or edit a user message of the current session; later it counts as
        /// forgetting.
        reroll_minutes: u32 = 180, 0 => 10_080;
        /// Denied requests of one kind recorded as one entry; each is counted, but repeated attempts cannot fill the disk.
        refusals_gathered: u64 = 100, 1 => 1_000_000;
        /// Seconds after which a smaller count is written at the next denied request.
        refusals_seconds: u32 = 60, 0 => 86_400;
    }
}
