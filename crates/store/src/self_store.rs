//! What a backend tells of the self: islands, beliefs, proposals, grants, imaginations.

use async_trait::async_trait;
use saegim_core::{
    Candidate, CandidateId, Grant, Imagination, Island, MindId, Principal, Proposal, ProposalId, ProposalStatus, Rejection, SelfVersion,
    Timestamp, Weight,
};

use crate::StoreError;

/// Which proposals are wanted, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalPage {
    /// How many at most.
    pub limit: usize,
    /// Only those that stand so.
    pub status: Option<ProposalStatus>,
}

/// When somebody has to look at the proposals that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waiting {
    /// When the first of them lapses.
    pub lapses_at: Option<Timestamp>,
    /// Whether one of them doubts a fact, and is void once the facts are others.
    pub doubts: bool,
}

/// The part of a [`Store`](crate::Store) that keeps the self. Everything is written by `Store::commit`.
#[async_trait]
pub trait SelfStore: Send + Sync {
    /// Every island, the oldest first.
    async fn islands(&self, mind: MindId) -> Result<Vec<Island>, StoreError>;

    /// The self as it is now, if it has formed.
    async fn current_self(&self, mind: MindId) -> Result<Option<SelfVersion>, StoreError>;

    /// Every version of the self, the oldest first.
    async fn self_versions(&self, mind: MindId) -> Result<Vec<SelfVersion>, StoreError>;

    /// What the owner said no to.
    async fn rejections(&self, mind: MindId) -> Result<Vec<Rejection>, StoreError>;

    /// Proposals, newest first.
    async fn proposals(&self, mind: MindId, page: ProposalPage) -> Result<Vec<Proposal>, StoreError>;

    /// When the proposals that wait have to be looked at.
    async fn waiting(&self, mind: MindId) -> Result<Waiting, StoreError>;

    /// One proposal.
    async fn proposal(&self, mind: MindId, id: ProposalId) -> Result<Option<Proposal>, StoreError>;

    /// Every grant, the newest first.
    async fn grants(&self, mind: MindId) -> Result<Vec<Grant>, StoreError>;

    /// Imaginations, newest first.
    async fn imaginations(&self, mind: MindId, limit: usize) -> Result<Vec<Imagination>, StoreError>;

    /// What triggers and themes weigh, where anybody said something.
    async fn weights(&self, mind: MindId) -> Result<Vec<Weight>, StoreError>;

    /// One candidate.
    async fn candidate(&self, mind: MindId, id: CandidateId) -> Result<Option<Candidate>, StoreError>;

    /// How many memories `principal` has let go at or after `since`, by hand or with what was said.
    async fn forgets(&self, mind: MindId, principal: Principal, since: Timestamp) -> Result<u64, StoreError>;
}
