//! Forgetting and restoring memories.

use saegim_core::{Change, CliffEntry, CliffReason, Commit, Deed, Fall, Memory, MemoryId, MemoryState, Op, Principal, Span, Tier, phrase};
use saegim_store::CliffMemory;

use crate::EngineError;
use crate::engine::retrying;
use crate::identity::proposals::ProposalRequest;
use crate::removal::Removal;

/// Whether a core memory may be forgotten too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// Core memories are kept.
    Kept,
    /// The owner confirmed it.
    Too,
}

/// Note for a memory that fell because it says the same as another.
fn companion_note(id: MemoryId) -> String {
    format!("let go with {id}, which says the same")
}

impl Removal<'_> {
    pub(crate) async fn forget(&self, id: MemoryId, core: Core) -> Result<CliffEntry, EngineError> {
        self.mind.may(Deed::Forget).await?;
        let forgotten = retrying(|| async {
            let memory = self.fetch_anywhere(id).await?;
            self.mind.access().may_change(&memory, Deed::Forget).await?;
            self.mind.check_revision(&memory)?;
            if memory.standing == MemoryState::OnCliff {
                return Err(EngineError::NotFound(phrase!("engine.forget.already_on_cliff", id)));
            }
            if memory.tier == Tier::M0 && core == Core::Kept {
                return Err(self.mind.self_model().ask_about(&memory).await?);
            }
            if self.mind.principal() == Principal::Agent && self.forgets_left().await? == 0 {
                let filed = self.mind.self_model().propose(ProposalRequest::Forget(id)).await?;
                return Err(EngineError::Proposed(phrase!("engine.forget.daily_limit", id = filed.id)));
            }
            let fall = Fall { at: self.mind.now(), reason: CliffReason::Manual, note: format!("let go by the {}", self.mind.principal()) };
            let core = memory.tier == Tier::M0;
            let companions = self.mind.lifecycle().companions(&memory).await?;
            let (entry, commit) = self.move_to_cliff(memory, fall, self.mind.commit(Op::Forget, &[]));
            let ids: Vec<MemoryId> = companions.iter().map(|companion| companion.id).collect();
            self.mind.write(self.with_companions(id, companions, commit)).await?;
            Ok((entry, core, ids))
        })
        .await?;
        let (entry, mut core, companions) = forgotten;
        for id in std::iter::once(id).chain(companions) {
            self.mind.self_model().settle_proposals(id).await?;
            core |= self.mind.self_model().founds(id).await?;
        }
        if core {
            self.mind.self_model().core_memories_changed().await?;
        }
        Ok(entry)
    }

    /// Adds to a commit the fall of the memories that say only what `id` says; otherwise they would still reveal it.
    pub(crate) fn with_companions(&self, id: MemoryId, companions: Vec<Memory>, mut commit: Commit) -> Commit {
        for companion in companions {
            let fall = Fall { at: self.mind.now(), reason: CliffReason::Manual, note: companion_note(id) };
            commit = self.move_to_cliff(companion, fall, commit).1;
        }
        commit
    }

    /// Returns the memories that fell together with this one.
    pub(crate) async fn fallen_together(&self, id: MemoryId) -> Result<Vec<MemoryId>, EngineError> {
        let cliff = self.mind.store().cliff(self.mind.id).await?;
        let own = cliff.iter().find(|fallen| fallen.memory.id == id).map(|fallen| fallen.entry.note.clone()).unwrap_or_default();
        let root = cliff.iter().map(|fallen| fallen.memory.id).find(|root| companion_note(*root) == own).unwrap_or(id);
        let same = |fallen: &&CliffMemory| fallen.memory.id == root || fallen.entry.note == companion_note(root);
        Ok(cliff.iter().filter(same).map(|fallen| fallen.memory.id).filter(|other| *other != id).collect())
    }

    /// Returns how many memories an agent may still forget today, limited by a number per day and a share of the mind.
    pub(crate) async fn forgets_left(&self) -> Result<u64, EngineError> {
        let policy = &self.mind.policy().agent;
        let since = self.mind.now().minus(Span::days(1));
        let memories: u64 = self.mind.store().counts(self.mind.id, "").await?.zones.iter().sum();
        let share = ((memories as f32 * policy.forget_share) as u64).max(1);
        let gone = self.mind.store().forgets(self.mind.id, Principal::Agent, since).await?;
        Ok(share.min(policy.forgets_a_day as u64).saturating_sub(gone))
    }

    /// Adds the fall of a memory to a commit.
    pub(crate) fn move_to_cliff(&self, memory: Memory, fall: Fall, mut commit: Commit) -> (CliffEntry, Commit) {
        let about = self.mind.commit(commit.operation, &[&memory]).memories;
        commit.memories.extend(about);
        commit.note.get_or_insert_with(|| fall.note.clone());
        let (memory, entry) = memory.to_cliff(fall, &self.mind.policy().cliff);
        commit.changes.push(Change::CliffEntered(Box::new(memory), entry.clone()));
        (entry, commit)
    }

    pub(crate) async fn restore(&self, id: MemoryId) -> Result<Memory, EngineError> {
        self.mind.may(Deed::Restore).await?;
        if self.mind.principal() == Principal::Agent && !self.forgotten_by_agent(id).await? {
            return Err(self.mind.access().refused(Deed::Restore).await);
        }
        // An archived memory is restored by its id too.
        if self.mind.store().memories(self.mind.id, &[id]).await?.is_empty() && self.archive_with(id).await?.is_some() {
            return self.fetch_anywhere(id).await;
        }
        let companions = self.fallen_together(id).await?;
        let back = retrying(|| self.restored_memory(id, Op::Restore)).await?;
        let mut core = back.tier == Tier::M0 || self.mind.self_model().founds(id).await?;
        for companion in companions {
            retrying(|| self.restored_memory(companion, Op::Restore)).await?;
            core |= self.mind.self_model().founds(companion).await?;
        }
        if core {
            self.mind.self_model().core_memories_changed().await?;
        }
        Ok(back)
    }

    /// Checks whether the last ledger operation on a memory is an agent's forget. A lapsed proposal about it does not count.
    async fn forgotten_by_agent(&self, id: MemoryId) -> Result<bool, EngineError> {
        let entries = self.mind.store().ledger_of(self.mind.id, id).await?;
        let last = entries.iter().rev().find(|entry| entry.operation != Op::Lapse);
        Ok(last.is_some_and(|entry| entry.operation == Op::Forget && entry.principal == Principal::Agent))
    }

    pub(crate) async fn restored_memory(&self, id: MemoryId, operation: Op) -> Result<Memory, EngineError> {
        let memory = self.mind.fetch(id).await?;
        if memory.standing == MemoryState::Alive {
            return Err(EngineError::NotFound(phrase!("engine.forget.not_on_cliff", id)));
        }
        let mut back = self.with_restored_state(memory).await?;
        // Restoring renews the strength; a faded memory would otherwise be pruned again at the next tick.
        back.strength = back.strength.renewed(self.mind.mind().await?.turns, &back.fading(), &self.mind.policy().strength);
        let mut commit = self.mind.commit(operation, &[&back]);
        commit.changes.push(Change::CliffLeft(Box::new(back.clone())));
        self.mind.write(commit).await?;
        back.revision += 1;
        Ok(back)
    }

    /// Returns a memory ready to be live again: with a new term, and without its external id if another live memory has it by now.
    pub(crate) async fn with_restored_state(&self, memory: Memory) -> Result<Memory, EngineError> {
        let mut back = memory.with_new_term(self.mind.now(), &self.mind.policy().tier);
        if let Some(name) = back.external_id.clone()
            && let Some((_, id)) = self.mind.store().by_external_id(self.mind.id, &[name]).await?.pop()
            && id != back.id
            && self.mind.fetch(id).await?.standing == MemoryState::Alive
        {
            back.external_id = None;
        }
        Ok(back)
    }

    pub(crate) async fn cliff(&self) -> Result<Vec<CliffMemory>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().cliff(self.mind.id).await?)
    }
}
