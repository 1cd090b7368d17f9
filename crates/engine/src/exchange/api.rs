//! Public methods of [`MindHandle`] that [`Transfer`] implements.

use saegim_core::Tier;

use super::{Format, ImportItem, ImportLink, SkippedItem, Transfer};
use crate::mind::boxed;
use crate::{Conversation, EngineError, ExportChunk, ExportSummary, ImportResult, ImportedConversation, MindHandle, Selfhood};

impl MindHandle {
    pub(crate) const fn transfer(&self) -> Transfer<'_> {
        Transfer { mind: self }
    }

    /// Imports a conversation into a mind without one, in one commit. Two conversations cannot be merged: a mind with its own keeps
    /// it, and the result says that this one was left out.
    pub async fn import_conversation(&self, conversation: Conversation) -> Result<ImportedConversation, EngineError> {
        boxed(self.transfer().import_conversation(conversation)).await
    }

    /// Imports a batch in one commit. Existing memories stay unchanged, so an interrupted import can be repeated.
    ///
    /// Memories of a saegim mind keep their ids, times, feelings, trust and terms, and the turns and islands that exist here; their
    /// zones are calculated again. Memories of another program get the trust of imports (0.7) and a term of `tier` from now on, and
    /// are judged here; text that tries to give instructions to the memory is skipped for the owner to review.
    pub async fn import_memories(&self, arrivals: Vec<ImportItem>, tier: Tier) -> Result<ImportResult, EngineError> {
        boxed(self.transfer().import_memories(arrivals, tier)).await
    }

    /// Creates links between imported memories. Returns the number of new links and the links that could not be created.
    pub async fn import_links(&self, bonds: &[ImportLink]) -> Result<(usize, Vec<SkippedItem>), EngineError> {
        boxed(self.transfer().import_links(bonds)).await
    }

    /// Imports a self into a mind without one, in one commit, before the memories it is based on. Two selves cannot be merged: a
    /// mind with its own keeps it, and the result says that this one was left out.
    pub async fn import_self(&self, selfhood: Selfhood) -> Result<Option<SkippedItem>, EngineError> {
        boxed(self.transfer().import_self(selfhood)).await
    }

    /// Exports this mind and passes each chunk to `put`.
    pub async fn export<E, F>(&self, format: Format, put: F) -> Result<ExportSummary, E>
    where
        E: From<EngineError>,
        F: FnMut(ExportChunk) -> Result<(), E>,
    {
        self.transfer().export(format, put).await
    }
}
