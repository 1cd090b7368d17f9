//! Public methods of [`MindHandle`] that [`SelfModel`] implements.

use std::path::Path;

use saegim_core::{
    BeliefChange, DiffLine, Hash, Imagination, ImaginationId, Island, IslandId, Phrase, Proposal, ProposalId, ProposalKind, ProposalStatus,
    SelfVersion, Weight,
};

use super::SelfModel;
use crate::mind::boxed;
use crate::{Decision, EngineError, Imagining, IslandDraft, MindHandle, Opinion, ProposalRequest};

impl MindHandle {
    pub(crate) const fn self_model(&self) -> SelfModel<'_> {
        SelfModel { mind: self }
    }

    /// Approves the change with this digest.
    pub async fn approve(&self, id: ProposalId, digest: Hash) -> Result<Decision, EngineError> {
        boxed(self.self_model().approve(id, digest)).await
    }

    /// Rejects the change with this digest.
    pub async fn reject(&self, id: ProposalId, digest: Hash) -> Result<Decision, EngineError> {
        boxed(self.self_model().reject(id, digest)).await
    }

    /// Undoes an approval as far as still possible.
    pub async fn undo(&self, id: ProposalId) -> Result<Decision, EngineError> {
        boxed(self.self_model().undo(id)).await
    }

    /// Returns the number of pending proposals.
    pub async fn waiting(&self) -> Result<usize, EngineError> {
        boxed(self.self_model().waiting()).await
    }

    /// Returns the pending proposals of one kind.
    pub async fn waiting_of(&self, kind: ProposalKind) -> Result<Vec<Proposal>, EngineError> {
        boxed(self.self_model().waiting_of(kind)).await
    }

    /// Imagines something, or returns the time from which it may. Stored for thirty days as imagined, never as a fact.
    pub async fn imagine(&self, wanted: Imagining) -> Result<Imagination, EngineError> {
        boxed(self.self_model().imagine(wanted)).await
    }

    /// Records whether an imagination was liked. Later choices are weighted by it.
    pub async fn judge_imagination(&self, id: ImaginationId, opinion: Opinion) -> Result<Imagination, EngineError> {
        boxed(self.self_model().judge_imagination(id, opinion)).await
    }

    /// Returns imaginations, the newest first.
    pub async fn imaginations(&self, limit: usize) -> Result<Vec<Imagination>, EngineError> {
        boxed(self.self_model().imaginations(limit)).await
    }

    /// Returns the weights of triggers and themes that have feedback.
    pub async fn imagination_weights(&self) -> Result<Vec<Weight>, EngineError> {
        boxed(self.self_model().imagination_weights()).await
    }

    /// Resolves an imagination from some digits of its id, or of the id of its memory.
    pub async fn resolve_imagination(&self, digits: &str) -> Result<ImaginationId, EngineError> {
        boxed(self.self_model().resolve_imagination(digits)).await
    }

    /// Returns all islands, the oldest first.
    pub async fn islands(&self) -> Result<Vec<Island>, EngineError> {
        boxed(self.self_model().islands()).await
    }

    /// Returns the current warnings for the owner: islands that shake, and the time left to stabilise them.
    pub async fn warnings(&self) -> Result<Vec<Phrase>, EngineError> {
        boxed(self.self_model().warnings()).await
    }

    /// Creates an island for the owner. It needs at least one live founding memory.
    pub async fn add_island(&self, draft: IslandDraft) -> Result<Island, EngineError> {
        boxed(self.self_model().add_island(draft)).await
    }

    /// Changes the name, emoji or description of an island.
    pub async fn change_island(&self, id: IslandId, draft: IslandDraft) -> Result<Island, EngineError> {
        boxed(self.self_model().change_island(id, draft)).await
    }

    /// Removes an island. Its founding memories stay.
    pub async fn remove_island(&self, id: IslandId) -> Result<Island, EngineError> {
        boxed(self.self_model().remove_island(id)).await
    }

    /// Resolves an island from its name or some digits of its id.
    pub async fn resolve_island(&self, text: &str) -> Result<IslandId, EngineError> {
        boxed(self.self_model().resolve_island(text)).await
    }

    /// Returns proposals with this status, or all, newest first.
    pub async fn proposals(&self, status: Option<ProposalStatus>) -> Result<Vec<Proposal>, EngineError> {
        boxed(self.self_model().proposals(status)).await
    }

    /// Returns one proposal.
    pub async fn proposal(&self, id: ProposalId) -> Result<Proposal, EngineError> {
        boxed(self.self_model().proposal(id)).await
    }

    /// Resolves a proposal by digits of its id.
    pub async fn resolve_proposal(&self, digits: &str) -> Result<ProposalId, EngineError> {
        boxed(self.self_model().resolve_proposal(digits)).await
    }

    /// Submits a proposal to the owner. Nothing changes until the owner approves it.
    pub async fn propose(&self, ask: ProposalRequest) -> Result<Proposal, EngineError> {
        boxed(self.self_model().propose(ask)).await
    }

    /// Returns the current version of the self, if there is one.
    pub async fn current_self(&self) -> Result<Option<SelfVersion>, EngineError> {
        boxed(self.self_model().current_self()).await
    }

    /// Returns all versions of the self, oldest first.
    pub async fn self_versions(&self) -> Result<Vec<SelfVersion>, EngineError> {
        boxed(self.self_model().self_versions()).await
    }

    /// Returns the differences between two versions of the self. Version 0 is the empty self.
    pub async fn self_difference(&self, from: u64, to: u64) -> Result<Vec<BeliefChange>, EngineError> {
        boxed(self.self_model().self_difference(from, to)).await
    }

    /// Restores an earlier version of the self as a new version. The versions in between stay readable.
    pub async fn return_to(&self, number: u64) -> Result<SelfVersion, EngineError> {
        boxed(self.self_model().return_to(number)).await
    }

    /// Returns the current text of the section.
    pub async fn soul(&self) -> Result<String, EngineError> {
        boxed(self.self_model().soul()).await
    }

    /// Returns the changes to the section of a file. All lines are new if the file has no section.
    pub async fn soul_difference(&self, path: &Path) -> Result<Vec<DiffLine>, EngineError> {
        boxed(self.self_model().soul_difference(path)).await
    }

    /// Writes the section to a file and creates the file if necessary. Bytes outside the markers are preserved; a file with
    /// broken markers is not changed.
    pub async fn write_soul(&self, path: &Path) -> Result<(), EngineError> {
        boxed(self.self_model().write_soul(path)).await
    }
}
