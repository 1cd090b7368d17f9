//! A memory is let go, comes back, or is gone.

use saegim_core::{Change, CliffEntry, CliffReason, Commit, Facts, Fall, Memory, MemoryId, Op, Principal, Standing, Tier, TurnId, phrase};
use saegim_provider::rules::RuleValues;
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

/// What went for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Memories.
    pub memories: usize,
    /// Turns.
    pub turns: usize,
    /// Facts.
    pub facts: usize,
    /// Whether no byte of it is left in the file.
    pub swept: bool,
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
            // Whoever is saved was thought of: what had faded must not fall again at the next look.
            back.strength = back.strength.renewed(self.mind().await?.turns, &back.fading(), &self.policy().strength);
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

    /// Erases one memory at once, with no way back, and with it the turns it was learned from and all else that rests on
    /// those turns alone: what is to be gone must not be left where it was said.
    pub async fn erase_memory(&self, id: MemoryId) -> Result<Gone, EngineError> {
        self.owner_only(Deed::Erase)?;
        let memory = self.get(id).await?;
        self.erase_all(&memory.turns.clone(), vec![memory]).await
    }

    /// Erases one turn at once, with no way back, and all that rests on it alone.
    pub async fn erase_turn(&self, id: TurnId) -> Result<Gone, EngineError> {
        self.owner_only(Deed::Erase)?;
        self.erase_all(&[id], Vec::new()).await
    }

    async fn erase_all(&self, ids: &[TurnId], mut memories: Vec<Memory>) -> Result<Gone, EngineError> {
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        let turns = self.store().turns_by_id(self.id, ids).await?;
        self.open_archives_of(&turns.iter().map(|turn| turn.session.clone()).collect::<Vec<_>>()).await?;
        for turn in &turns {
            for memory in self.store().learned_from(self.id, turn.id).await? {
                let rests = memory.turns.iter().any(|other| !ids.contains(other));
                if !rests && memories.iter().all(|known| known.id != memory.id) {
                    memories.push(memory);
                }
            }
        }
        let before = Facts::known(self.store().facts(self.id).await?);
        let statements = self.store().statements(self.id).await?;
        let (gone, rest): (Vec<_>, Vec<_>) =
            statements.into_iter().partition(|statement| statement.turn.is_some_and(|turn| ids.contains(&turn)));
        let live = self.live_statements(rest).await?;
        let (changed, lost) = Facts::from_statements(&live, &RuleValues).differences(&before);
        let about: Vec<&Memory> = memories.iter().collect();
        let mut commit = self.commit(Op::Erase, &about).because("erased at the owner's word");
        commit.changes.extend(memories.iter().map(|memory| Change::MemoryGone(memory.id)));
        commit.changes.extend(gone.iter().map(|statement| Change::StatementGone(statement.id)));
        commit.changes.extend(turns.iter().flat_map(|turn| [Change::RelationshipTakenBack(turn.id), Change::TurnGone(turn.id)]));
        let facts = lost.len();
        commit.changes.extend(lost.into_iter().map(Change::FactGone));
        commit.changes.extend(changed.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        self.write(commit).await?;
        *kept = None;
        Ok(Gone { memories: memories.len(), turns: turns.len(), facts, swept: self.store().sweep().await? })
    }

    /// Erases everything of this mind but its ledger at once, with no way back, and reports what went.
    pub async fn erase(&self) -> Result<Erased, EngineError> {
        self.owner_only(Deed::Erase)?;
        let commit = self.commit(Op::Erase, &[]).because("the whole mind was erased at the owner's word");
        Ok(self.store().erase(commit).await?)
    }
}
