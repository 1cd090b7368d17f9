//! The self and what it grows from: islands, beliefs, and the proposals that wait for the owner's word.

use serde::{Deserialize, Serialize};

use crate::word_enum::word_enum;
use crate::{BeliefId, Emotions, ImaginationId, IslandId, MemoryId, ProposalId, Timestamp, Unit};

word_enum! {
    /// How an island stands.
    IslandStatus "status" {
        /// Its founding memories are there.
        Active = "active",
        /// They are all gone; the owner is warned.
        Shaking = "shaking",
        /// They did not come back in time.
        Collapsed = "collapsed",
        /// New core memories on the same theme are gathering.
        Rebuilding = "rebuilding",
    }
}

/// A side of the personality founded on core memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Island {
    /// Its identity.
    pub id: IslandId,
    /// Its name.
    pub name: String,
    /// Its sign.
    pub emoji: String,
    /// What it means.
    pub description: String,
    /// The memories it was founded on.
    pub founding: Vec<MemoryId>,
    /// How it stands.
    pub status: IslandStatus,
    /// Since when it stands so.
    pub status_since: Timestamp,
    /// How strong it is.
    pub strength: Unit,
}

/// "I am someone who ...".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Its identity.
    pub id: BeliefId,
    /// The statement.
    pub statement: String,
    /// How sure it is.
    pub confidence: Unit,
    /// The memories it rests on.
    pub supporting: Vec<MemoryId>,
    /// The island it belongs to.
    pub island: Option<IslandId>,
    /// When it formed.
    pub formed_at: Timestamp,
}

word_enum! {
    /// What a proposal would change.
    ProposalKind "proposal" {
        /// A memory would become core.
        CorePromotion = "core_promotion",
        /// A core memory would be rewritten.
        CoreEdit = "core_edit",
        /// A core memory would go.
        CoreDeletion = "core_deletion",
        /// Beliefs would be added, changed or dropped.
        Belief = "belief",
        /// An island would rise.
        Island = "island",
        /// A message that tried to command the memory waits here.
        HeldMessage = "held_message",
    }
}

word_enum! {
    /// How a proposal stands.
    ProposalStatus "status" {
        /// It waits.
        Pending = "pending",
        /// The owner said yes.
        Approved = "approved",
        /// The owner said no.
        Rejected = "rejected",
        /// Nobody said anything in time.
        Lapsed = "lapsed",
    }
}

/// A change that waits for the owner's word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its identity.
    pub id: ProposalId,
    /// What it would change.
    pub kind: ProposalKind,
    /// The exact change, before and after.
    pub diff: String,
    /// Why.
    pub reasons: Vec<String>,
    /// The memories that speak for it.
    pub evidence: Vec<MemoryId>,
    /// How it stands.
    pub status: ProposalStatus,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it lapses.
    pub lapses_at: Timestamp,
}

word_enum! {
    /// What set an imagination off.
    Trigger "trigger" {
        /// Nothing happened for a while.
        Idle = "idle",
        /// The host told of something.
        Context = "context",
        /// A time of day came.
        Time = "time",
    }
}

/// Something the character thought of by itself. Never a fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imagination {
    /// Its identity.
    pub id: ImaginationId,
    /// What set it off.
    pub trigger: Trigger,
    /// What it turns around.
    pub theme: String,
    /// The memories it was made of.
    pub memories: Vec<MemoryId>,
    /// What was imagined.
    pub scenario: String,
    /// What the character could do.
    pub action: Option<String>,
    /// What it feels.
    pub emotions: Emotions,
    /// When.
    pub at: Timestamp,
    /// Whether it was liked; nothing when nobody said.
    pub liked: Option<bool>,
}
