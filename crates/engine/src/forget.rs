//! A memory is let go, comes back, or is gone.

use saegim_core::{Change, CliffEntry, CliffReason, Commit, Fall, Memory, MemoryId, Op, Principal, Standing, Tier, phrase};
use saegim_store::{Erased, Fallen};

use crate::engine::retrying;
use crate::mind::Deed;
use crate::{EngineError, MindHandle};

/// Whether a core memory may be let go too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// Core memories are kept.
    Kept,
    /// The owner means it.
    Too,
}

impl MindHandle {
    /// Sends a memory to the cliff, where it can be restored for seven days.
    pub async fn forget(&self, id: MemoryId, core: Core) -> Result<CliffEntry, EngineError> {
        retrying(|| async {
            let memory = self.get(id).await?;
            self.may_touch(&memory, Deed::Forget)?;
            if memory.standing == Standing::OnCliff {
                return Err(EngineError::NotFound(phrase!("memory {id} waits on the cliff already", "{id}: 이미 절벽에 있는 기억입니다")));
            }
            if memory.tier == Tier::M0 && core == Core::Kept {
                return Err(EngineError::Unsure(phrase!(
                    "this is a core memory, and what rests on it would shake",
                    "핵심 기억입니다. 이 기억에 기대는 것들이 흔들리게 됩니다"
                )));
            }
            let fall = Fall { at: self.now(), reason: CliffReason::Manual, note: format!("let go by the {}", self.principal()) };
            let (entry, commit) = self.falling(memory, fall, self.commit(Op::Forget, &[]));
            self.write(commit).await?;
            Ok(entry)
        })
        .await
    }

    /// Puts a fall into a commit.
    pub(crate) fn falling(&self, memory: Memory, fall: Fall, mut commit: Commit) -> (CliffEntry, Commit) {
        let about = self.commit(commit.operation, &[&memory]).memories;
        commit.memories.extend(about);
        commit.note.get_or_insert_with(|| fall.note.clone());
        let (memory, entry) = memory.to_cliff(fall, &self.policy().cliff);
        commit.changes.push(Change::CliffEntered(Box::new(memory), entry.clone()));
        (entry, commit)
    }

    /// Brings a memory back from the cliff, into its tier with a new term.
    pub async fn restore(&self, id: MemoryId) -> Result<Memory, EngineError> {
        if self.principal() == Principal::Agent {
            return Err(EngineError::Forbidden(phrase!("only the owner may restore a memory", "기억은 소유자만 되살릴 수 있습니다")));
        }
        retrying(|| async {
            let memory = self.get(id).await?;
            if memory.standing == Standing::Alive {
                return Err(EngineError::NotFound(phrase!(
                    "memory {id} is not on the cliff; it is alive",
                    "{id}: 절벽에 없는, 살아 있는 기억입니다"
                )));
            }
            let mut back = memory.with_new_term(self.now(), &self.policy().tier);
            let mut commit = self.commit(Op::Restore, &[&back]);
            commit.changes.push(Change::CliffLeft(Box::new(back.clone())));
            self.write(commit).await?;
            back.revision += 1;
            Ok(back)
        })
        .await
    }

    /// What waits on the cliff, soonest gone first.
    pub async fn cliff(&self) -> Result<Vec<Fallen>, EngineError> {
        Ok(self.store().cliff(self.id).await?)
    }

    /// Erases one memory at once, with no way back; true when no byte of it is left in the file.
    pub async fn erase_memory(&self, id: MemoryId) -> Result<bool, EngineError> {
        self.owner_only(Deed::Erase)?;
        let memory = self.get(id).await?;
        let mut commit = self.commit(Op::Erase, &[&memory]).because("erased at the owner's word");
        commit.changes.push(Change::MemoryGone(id));
        self.write(commit).await?;
        Ok(self.store().sweep().await?)
    }

    /// Erases everything of this mind but its ledger at once, with no way back, and reports what went.
    pub async fn erase(&self) -> Result<Erased, EngineError> {
        self.owner_only(Deed::Erase)?;
        let commit = self.commit(Op::Erase, &[]).because("the whole mind was erased at the owner's word");
        Ok(self.store().erase(commit).await?)
    }
}
