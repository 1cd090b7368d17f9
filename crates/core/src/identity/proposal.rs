//! Proposals: changes that wait for the owner's decision. Each contains the exact change, so an approval covers only that change.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Hash, Language, MemoryId, Phrase, Principal, ProposalId, Proposed, Timestamp};

word_enum! {
    /// Kind of a proposal.
    ProposalKind "proposal" {
        /// Promotes a memory to core.
        CorePromotion = "core_promotion",
        /// Edits a core memory.
        CoreEdit = "core_edit",
        /// Deletes a core memory.
        CoreDeletion = "core_deletion",
        /// Forgets an ordinary memory, because an agent exceeded its own limit.
        Forget = "forget",
        /// Adds, changes or removes beliefs.
        Belief = "belief",
        /// Creates an island.
        Island = "island",
        /// Accepts a message that was held back because it tried to instruct the memory system.
        HeldMessage = "held_message",
        /// Ends facts that a model doubts.
        FactEnd = "fact_end",
    }
}

word_enum! {
    /// State of a proposal.
    ProposalStatus "status" {
        /// Waits for the owner.
        Pending = "pending",
        /// The owner approved it.
        Approved = "approved",
        /// The owner rejected it.
        Rejected = "rejected",
        /// It expired unanswered, or its subject no longer exists.
        Lapsed = "lapsed",
        /// The owner approved it and undid the approval.
        Undone = "undone",
    }
}

/// Reason of a proposal in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// English text.
    pub en: String,
    /// Korean text.
    pub ko: String,
}

impl From<Phrase> for Reason {
    fn from(phrase: Phrase) -> Self {
        Self { en: phrase.in_language(Language::English), ko: phrase.in_language(Language::Korean) }
    }
}

impl Reason {
    /// Returns the text in `language`.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Korean => &self.ko,
        }
    }
}

/// A change that waits for the owner's decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Id of the proposal.
    pub id: ProposalId,
    /// Revision number, incremented by each write. A change names the revision it is based on.
    pub revision: u32,
    /// Kind.
    pub kind: ProposalKind,
    /// Deduplication key: two proposals with the same kind and subject are one.
    pub subject: String,
    /// The exact change.
    pub change: Proposed,
    /// Digest that a decision is bound to.
    pub digest: Hash,
    /// Reasons.
    pub reasons: Vec<Reason>,
    /// Memories that support it.
    pub evidence: Vec<MemoryId>,
    /// Recalls of its memory at that time. A rejection holds until they have grown.
    pub recalls: u32,
    /// Principal that made it.
    pub made_by: Principal,
    /// Time it was made.
    pub made_at: Timestamp,
    /// Time it expires.
    pub lapses_at: Timestamp,
    /// State.
    pub status: ProposalStatus,
    /// Time of the decision.
    pub decided_at: Option<Timestamp>,
    /// Memory created by the approval, needed to undo it.
    pub made_memory: Option<MemoryId>,
}
