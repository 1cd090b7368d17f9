//! Public methods of [`MindHandle`] that [`Removal`] implements.

use saegim_core::{Archive, CliffEntry, Memory, MemoryId, SessionId, TurnId};
use saegim_store::{CliffMemory, Erased};

use super::Removal;
use crate::mind::boxed;
use crate::{Core, EngineError, ErasedItems, MindHandle};

impl MindHandle {
    pub(crate) const fn removal(&self) -> Removal<'_> {
        Removal { mind: self }
    }

    /// Returns the archives without their contents, the most recently active session first.
    pub async fn archives(&self) -> Result<Vec<Archive>, EngineError> {
        boxed(self.removal().archives()).await
    }

    /// Returns the number of archived memories. Like [`MindHandle::counts`], it needs no read permission, so an operator may see
    /// it.
    pub async fn archived_count(&self) -> Result<u64, EngineError> {
        boxed(self.removal().archived_count()).await
    }

    /// Archives the memories of a session on request and returns their number. Core, pinned and founding memories stay.
    pub async fn archive(&self, name: &SessionId) -> Result<usize, EngineError> {
        boxed(self.removal().archive(name)).await
    }

    /// Restores the archived memories of a session, each with a new term of its tier. Returns the number of restored memories.
    pub async fn unarchive(&self, name: &SessionId) -> Result<usize, EngineError> {
        boxed(self.removal().unarchive(name)).await
    }

    /// Erases a memory immediately and permanently. Also erases the turns it was learned from, everything that rests only on those
    /// turns, essences based only on it, imaginations made from it, and beliefs that only it supports, so that no copy or
    /// repetition of the content remains. Essences with other originals are reworded from those.
    pub async fn erase_memory(&self, id: MemoryId) -> Result<ErasedItems, EngineError> {
        boxed(self.removal().erase_memory(id)).await
    }

    /// Erases a turn immediately and permanently, with everything that rests only on it.
    pub async fn erase_turn(&self, id: TurnId) -> Result<ErasedItems, EngineError> {
        boxed(self.removal().erase_turn(id)).await
    }

    /// Erases the whole mind except its ledger immediately and permanently, and reports what was erased.
    pub async fn erase(&self) -> Result<Erased, EngineError> {
        boxed(self.removal().erase()).await
    }

    /// Moves a memory to the cliff, where it can be restored for seven days. A core memory needs confirmation: the error names the
    /// islands that would shake, and a proposal waits for the owner. An agent may forget a few memories per day; further requests
    /// become proposals.
    pub async fn forget(&self, id: MemoryId, core: Core) -> Result<CliffEntry, EngineError> {
        boxed(self.removal().forget(id, core)).await
    }

    /// Restores a memory from the cliff with a new term of its tier. An agent may restore only what an agent forgot, not what the
    /// owner or expiry removed.
    pub async fn restore(&self, id: MemoryId) -> Result<Memory, EngineError> {
        boxed(self.removal().restore(id)).await
    }

    /// Returns the memories on the cliff, the next to be purged first.
    pub async fn cliff(&self) -> Result<Vec<CliffMemory>, EngineError> {
        boxed(self.removal().cliff()).await
    }
}
