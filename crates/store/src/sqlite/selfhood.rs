//! Implementation of [`SelfStore`].

use async_trait::async_trait;
use saegim_core::{
    Candidate, CandidateId, Grant, Imagination, Island, MindId, Principal, Proposal, ProposalId, Rejection, SelfVersion, Timestamp, Weight,
};

use super::{SqliteStore, candidate, grant, imagination, island, ledger, proposal, self_version};
use crate::{ProposalPage, SelfStore, StoreError, Waiting};

#[async_trait]
impl SelfStore for SqliteStore {
    async fn islands(&self, mind: MindId) -> Result<Vec<Island>, StoreError> {
        self.few_of_mind(mind, island::all)
    }

    async fn current_self(&self, mind: MindId) -> Result<Option<SelfVersion>, StoreError> {
        self.few_of_mind(mind, self_version::current)
    }

    async fn self_versions(&self, mind: MindId) -> Result<Vec<SelfVersion>, StoreError> {
        self.of_mind(mind, self_version::all).await
    }

    async fn rejections(&self, mind: MindId) -> Result<Vec<Rejection>, StoreError> {
        self.of_mind(mind, self_version::rejections).await
    }

    async fn proposals(&self, mind: MindId, page: ProposalPage) -> Result<Vec<Proposal>, StoreError> {
        self.few_of_mind(mind, |connection, mind| proposal::page(connection, mind, &page))
    }

    async fn waiting(&self, mind: MindId) -> Result<Waiting, StoreError> {
        self.few_of_mind(mind, proposal::waiting)
    }

    async fn proposal(&self, mind: MindId, id: ProposalId) -> Result<Option<Proposal>, StoreError> {
        self.few_of_mind(mind, |connection, mind| proposal::by_id(connection, mind, id))
    }

    async fn grants(&self, mind: MindId) -> Result<Vec<Grant>, StoreError> {
        self.few_of_mind(mind, grant::all)
    }

    async fn imaginations(&self, mind: MindId, limit: usize) -> Result<Vec<Imagination>, StoreError> {
        self.of_mind(mind, move |connection, mind| imagination::latest(connection, mind, limit)).await
    }

    async fn weights(&self, mind: MindId) -> Result<Vec<Weight>, StoreError> {
        self.few_of_mind(mind, imagination::weights)
    }

    async fn candidate(&self, mind: MindId, id: CandidateId) -> Result<Option<Candidate>, StoreError> {
        self.few_of_mind(mind, |connection, mind| candidate::by_id(connection, mind, id))
    }

    async fn forgets(&self, mind: MindId, principal: Principal, since: Timestamp) -> Result<u64, StoreError> {
        self.of_mind(mind, move |connection, mind| ledger::forgets(connection, mind, principal, since)).await
    }
}
