//! Queries about the self: islands, beliefs, proposals, grants, imaginations.

use async_trait::async_trait;
use saegim_core::{
    Candidate, CandidateId, Grant, Imagination, Island, MindId, Principal, Proposal, ProposalId, ProposalStatus, Rejection, SelfVersion,
    Timestamp, Weight,
};

use crate::StoreError;

/// Selects a page of proposals, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalPage {
    /// Maximum number of results.
    pub limit: usize,
    /// Only with this status.
    pub status: Option<ProposalStatus>,
}

/// Summary of the pending proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waiting {
    /// Earliest expiry of a pending proposal.
    pub lapses_at: Option<Timestamp>,
    /// Whether any of them proposes to end a fact; it becomes void if the facts change.
    pub doubts: bool,
}

/// The part of a [`Store`](crate::Store) about the self. All writes go through `Store::commit`.
#[async_trait]
pub trait SelfStore: Send + Sync {
    /// Returns every island, oldest first.
    async fn islands(&self, mind: MindId) -> Result<Vec<Island>, StoreError>;

    /// Returns the current version of the self, if there is one.
    async fn current_self(&self, mind: MindId) -> Result<Option<SelfVersion>, StoreError>;

    /// Returns every version of the self, oldest first.
    async fn self_versions(&self, mind: MindId) -> Result<Vec<SelfVersion>, StoreError>;

    /// Returns the beliefs that the owner rejected.
    async fn rejections(&self, mind: MindId) -> Result<Vec<Rejection>, StoreError>;

    /// Returns proposals, newest first.
    async fn proposals(&self, mind: MindId, page: ProposalPage) -> Result<Vec<Proposal>, StoreError>;

    /// Returns a summary of the pending proposals.
    async fn waiting(&self, mind: MindId) -> Result<Waiting, StoreError>;

    /// Returns one proposal.
    async fn proposal(&self, mind: MindId, id: ProposalId) -> Result<Option<Proposal>, StoreError>;

    /// Returns every grant, newest first.
    async fn grants(&self, mind: MindId) -> Result<Vec<Grant>, StoreError>;

    /// Returns imaginations, newest first.
    async fn imaginations(&self, mind: MindId, limit: usize) -> Result<Vec<Imagination>, StoreError>;

    /// Returns the weights of triggers and themes that received feedback.
    async fn weights(&self, mind: MindId) -> Result<Vec<Weight>, StoreError>;

    /// Returns one candidate.
    async fn candidate(&self, mind: MindId, id: CandidateId) -> Result<Option<Candidate>, StoreError>;

    /// Counts the memories that `principal` has forgotten at or after `since`, directly or by retracting turns.
    async fn forgets(&self, mind: MindId, principal: Principal, since: Timestamp) -> Result<u64, StoreError>;
}
