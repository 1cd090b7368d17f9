//! The self, what it grows from, and who may touch it.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Sides of the personality.
    IslandPolicy "island" {
        /// Core memories on one theme from which an island is proposed.
        founded_by: usize = 2, 1 => 100;
        /// Days an island without ground shakes before it collapses; the owner can restore what founded it until then.
        shaking_days: u32 = 7, 7 => 3_650;
        /// New core memories on its theme that rebuild an island.
        rebuilt_by: usize = 3, 1 => 100;
        /// Share of an island's strength that comes of its ground; the rest comes of recalls.
        standing_share: f32 = 0.5, 0.0 => 1.0;
        /// Recalls of its memories at which an island is as strong as recalls make it.
        full_recalls: u32 = 30, 1 => 100_000;
        /// Similarity from which a new core memory is on an island's theme.
        theme_from: f32 = 0.55, 0.0 => 1.0;
    }
}

policy! {
    /// What the character believes of itself.
    BeliefPolicy "belief" {
        /// Confidence of a belief that rests on one plain memory.
        base: f32 = 0.6, 0.0 => 1.0;
        /// What each further memory adds.
        per_support: f32 = 0.1, 0.0 => 1.0;
        /// What the strongest feeling among them adds.
        feeling: f32 = 0.2, 0.0 => 1.0;
        /// No belief is surer than this.
        surest: f32 = 0.95, 0.0 => 1.0;
        /// Confidence below which nothing is proposed.
        least_confidence: f32 = 0.3, 0.0 => 1.0;
        /// How much surer a belief must have become before that is proposed.
        surer_by: f32 = 0.1, 0.0 => 1.0;
        /// What a rejection takes from a belief's confidence.
        rejection_costs: f32 = 0.2, 0.0 => 1.0;
        /// Trust below which a memory supports no belief.
        least_trust: f32 = 0.6, 0.0 => 1.0;
        /// Share of the self from which a change in one sitting is blocked.
        sitting_share: f32 = 0.30, 0.01 => 0.30;
        /// Share of the self from which the changes of a day are blocked.
        day_share: f32 = 0.30, 0.01 => 0.30;
        /// Share of last month's self from which rewording and dropping is blocked.
        month_share: f32 = 0.50, 0.01 => 0.50;
        /// Shares are counted over at least so many beliefs, so that a young self can grow.
        counted_over: usize = 4, 1 => 4;
        /// Minutes without a change after which another sitting begins.
        sitting_minutes: u32 = 180, 1 => 100_000;
    }
}

policy! {
    /// The owner's inbox.
    ProposalPolicy "proposal" {
        /// Proposals of one kind that may wait at once: an owner asked too often stops reading.
        pending_per_kind: usize = 5, 1 => 1000;
        /// Proposals made in a day, all together.
        per_day: usize = 20, 1 => 10_000;
        /// Proposals an agent may make in a day.
        agent_per_day: usize = 5, 0 => 1000;
        /// Days after which a proposal nobody answered lapses.
        lapse_days: u32 = 30, 1 => 3_650;
        /// Times as many recalls as at the last no, from which a memory is recommended again without a new reason.
        again_at: u32 = 2, 1 => 1000;
    }
}

policy! {
    /// What the character thinks of by itself.
    ImaginationPolicy "imagination" {
        /// Imaginations a day at most; more would be a nuisance.
        per_day: usize = 3, 0 => 100;
        /// Minutes between two of them.
        cooldown_minutes: u32 = 60, 0 => 100_000;
        /// Minutes of silence after which the character is idle.
        idle_minutes: u32 = 30, 1 => 100_000;
        /// The hour the morning begins.
        morning_from: u32 = 7, 0 => 23;
        /// The hour the morning ends.
        morning_to: u32 = 10, 1 => 24;
        /// The hour the evening begins.
        evening_from: u32 = 18, 0 => 23;
        /// The hour the evening ends.
        evening_to: u32 = 22, 1 => 24;
        /// What being liked makes of the weight of a trigger and a theme.
        liked: f32 = 1.25, 1.0 => 10.0;
        /// What being disliked makes of it.
        disliked: f32 = 0.8, 0.0 => 1.0;
        /// What being ignored makes of it.
        ignored: f32 = 0.95, 0.0 => 1.0;
        /// Silence alone takes no weight below this: it says less than a no.
        ignored_to: f32 = 0.5, 0.0 => 1.0;
        /// The most a weight can be.
        heaviest: f32 = 5.0, 1.0 => 100.0;
        /// The least a weight can be: nothing is never tried again.
        lightest: f32 = 0.05, 0.0 => 1.0;
        /// Memories an imagination is made of at most.
        memories: usize = 3, 1 => 20;
    }
}

policy! {
    /// What an agent may do by itself, and how refusals are taken down.
    AgentPolicy "agent" {
        /// Memories an agent may let go in a day; more becomes a proposal.
        forgets_a_day: usize = 3, 0 => 1000;
        /// Share of a mind an agent may let go in a day, where that is less.
        forget_share: f32 = 0.01, 0.0 => 1.0;
        /// Minutes for which an agent may take back or reword what the user said in the sitting at hand; later it counts as letting go.
        reroll_minutes: u32 = 180, 0 => 10_080;
        /// Refusals of one kind taken down as one entry: each is counted, and nobody fills the disk by trying.
        refusals_gathered: u64 = 100, 1 => 1_000_000;
        /// Seconds after which a gathered count is written at the next refusal, however small.
        refusals_seconds: u32 = 60, 0 => 86_400;
    }
}
