//! Public methods of [`MindHandle`] that [`Intake`] implements.

use saegim_core::{Link, LinkKind, Memory, MemoryId, Rating, Role, SessionId, TurnId};
use saegim_language::Finding;

use crate::intake::Intake;
use crate::mind::boxed;
use crate::{Core, Draft, Edit, EngineError, Exchange, MindHandle, Observed, Pinned, Remembered, Withdrawn};

impl MindHandle {
    pub(crate) const fn intake(&self) -> Intake<'_> {
        Intake { mind: self }
    }

    /// Checks whether a finding of a message by `role` can become a memory at all. Other findings need no vector.
    pub fn may_be_promoted(&self, role: Role, finding: &Finding) -> bool {
        self.intake().may_be_promoted(role, finding)
    }

    /// Stores several memories.
    pub async fn remember_all(&self, drafts: Vec<Draft>) -> Result<Vec<Memory>, EngineError> {
        boxed(self.intake().remember_all(drafts)).await
    }

    /// Rewrites several memories.
    pub async fn edit_all(&self, edits: Vec<(MemoryId, Edit)>) -> Result<Vec<Memory>, EngineError> {
        boxed(self.intake().edit_all(edits)).await
    }

    /// Moves several memories to the cliff. If an agent would exceed its daily limit, the whole request is refused; it is not
    /// converted into proposals.
    pub async fn forget_all(&self, ids: &[MemoryId], core: Core) -> Result<(), EngineError> {
        boxed(self.intake().forget_all(ids, core)).await
    }

    /// Edits a memory. An agent's edit lowers the trust of the memory and keeps the previous version on the cliff.
    pub async fn edit(&self, id: MemoryId, edit: Edit) -> Result<Memory, EngineError> {
        boxed(self.intake().edit(id, edit)).await
    }

    /// Rates a memory with one to five stars.
    pub async fn rate(&self, id: MemoryId, rating: Rating) -> Result<Memory, EngineError> {
        boxed(self.intake().rate(id, rating)).await
    }

    /// Pins or unpins a memory.
    pub async fn pin(&self, id: MemoryId, pinned: Pinned) -> Result<Memory, EngineError> {
        boxed(self.intake().pin(id, pinned)).await
    }

    /// Links two memories. The importance of the target grows with its references.
    pub async fn link(&self, from: MemoryId, to: MemoryId, kind: LinkKind) -> Result<Link, EngineError> {
        boxed(self.intake().link(from, to, kind)).await
    }

    /// Removes a link.
    pub async fn unlink(&self, link: Link) -> Result<(), EngineError> {
        boxed(self.intake().unlink(link)).await
    }

    /// Returns the result of the same exchange if it was already ingested under its key. A key that was used for a different
    /// exchange is a conflict.
    pub async fn taken_before(&self, exchange: &Exchange) -> Result<Option<Observed>, EngineError> {
        boxed(self.intake().taken_before(exchange)).await
    }

    /// Removes the part of an exchange that is already stored. A user message may be stored before its answer, for example if
    /// tools are called in between; if it is the last turn of its session and unanswered, it is not stored again.
    pub async fn rest_of(&self, exchange: Exchange) -> Result<Exchange, EngineError> {
        boxed(self.intake().rest_of(exchange)).await
    }

    /// Ingests one exchange: stores it, judges it and returns the result. Exchanges of one mind are committed one at a time.
    pub async fn observe(&self, exchange: Exchange) -> Result<Observed, EngineError> {
        boxed(self.intake().observe(exchange)).await
    }

    /// Stores a memory durably and returns it.
    pub async fn remember(&self, draft: Draft) -> Result<Remembered, EngineError> {
        boxed(self.intake().remember(draft)).await
    }

    /// Withdraws turns. They stay readable as withdrawn, memories learned only from them move to the cliff, and facts that they
    /// superseded become current again.
    pub async fn withdraw(&self, turns: &[TurnId]) -> Result<Withdrawn, EngineError> {
        boxed(self.intake().withdraw(turns)).await
    }

    /// Reinstates withdrawn turns and the memories learned from them.
    pub async fn reinstate(&self, turns: &[TurnId]) -> Result<Withdrawn, EngineError> {
        boxed(self.intake().reinstate(turns)).await
    }

    /// Edits the text of a turn. Memories learned only from the old text are forgotten, and the new text is judged. Memories from
    /// an agent's edit get at most the trust of an agent's own statement.
    pub async fn reword(&self, id: TurnId, content: &str) -> Result<Withdrawn, EngineError> {
        boxed(self.intake().reword(id, content)).await
    }

    /// Branches from a turn into a new session and withdraws the turns after it.
    pub async fn branch(&self, from: TurnId, name: SessionId) -> Result<Withdrawn, EngineError> {
        boxed(self.intake().branch(from, name)).await
    }

    /// Switches to a session: reinstates its turns and those it is based on, and withdraws those of other branches.
    pub async fn follow(&self, name: &SessionId) -> Result<Withdrawn, EngineError> {
        boxed(self.intake().follow(name)).await
    }
}
