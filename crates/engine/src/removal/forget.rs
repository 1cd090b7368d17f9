//! Forgetting and restoring memories.

use saegim_core::{Change, CliffEntry, CliffReason, Commit, Deed, Fall, Memory, MemoryId, Op, Principal, Span, Standing, Tier, phrase};
use saegim_store::Fallen;

use crate::engine::retrying;
use crate::identity::proposals::Ask;
use crate::{EngineError, MindHandle};

/// Whether a core memory may be forgotten too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// Core memories are kept.
    Kept,
    /// The owner confirmed it.
    Too,
}

/// Note for a memory that fell because it says the same as another.
fn let_go_with(id: MemoryId) -> String {
    format!("let go with {id}, which says the same")
}

impl MindHandle {
    /// Moves a memory to the cliff, where it can be restored for seven days. A core memory needs confirmation: the error names the
    /// islands that would shake, and a proposal waits for the owner. An agent may forget a few memories per day; further requests
    /// become proposals.
    pub async fn forget(&self, id: MemoryId, core: Core) -> Result<CliffEntry, EngineError> {
        self.may(Deed::Forget).await?;
        let forgotten = retrying(|| async {
            let memory = self.fetch_anywhere(id).await?;
            self.may_touch(&memory, Deed::Forget).await?;
            self.is_meant(&memory)?;
            if memory.standing == Standing::OnCliff {
                return Err(EngineError::NotFound(phrase!("engine.forget.already_on_cliff", id)));
            }
            if memory.tier == Tier::M0 && core == Core::Kept {
                return Err(self.ask_about(&memory).await?);
            }
            if self.principal() == Principal::Agent && self.left_to_let_go().await? == 0 {
                let filed = self.propose(Ask::Forget(id)).await?;
                return Err(EngineError::Proposed(phrase!("engine.forget.daily_limit", id = filed.id)));
            }
            let fall = Fall { at: self.now(), reason: CliffReason::Manual, note: format!("let go by the {}", self.principal()) };
            let core = memory.tier == Tier::M0;
            let companions = self.companions(&memory).await?;
            let (entry, commit) = self.falling(memory, fall, self.commit(Op::Forget, &[]));
            let ids: Vec<MemoryId> = companions.iter().map(|companion| companion.id).collect();
            self.write(self.falling_with(id, companions, commit)).await?;
            Ok((entry, core, ids))
        })
        .await?;
        let (entry, mut core, companions) = forgotten;
        for id in std::iter::once(id).chain(companions) {
            self.answer_for(id).await?;
            core |= self.founds(id).await?;
        }
        if core {
            self.core_changed().await?;
        }
        Ok(entry)
    }

    /// Adds to a commit the fall of the memories that say only what `id` says; otherwise they would still reveal it.
    pub(crate) fn falling_with(&self, id: MemoryId, companions: Vec<Memory>, mut commit: Commit) -> Commit {
        for companion in companions {
            let fall = Fall { at: self.now(), reason: CliffReason::Manual, note: let_go_with(id) };
            commit = self.falling(companion, fall, commit).1;
        }
        commit
    }

    /// Returns the memories that fell together with this one.
    pub(crate) async fn fell_with(&self, id: MemoryId) -> Result<Vec<MemoryId>, EngineError> {
        let cliff = self.store().cliff(self.id).await?;
        let own = cliff.iter().find(|fallen| fallen.memory.id == id).map(|fallen| fallen.entry.note.clone()).unwrap_or_default();
        let root = cliff.iter().map(|fallen| fallen.memory.id).find(|root| let_go_with(*root) == own).unwrap_or(id);
        let same = |fallen: &&Fallen| fallen.memory.id == root || fallen.entry.note == let_go_with(root);
        Ok(cliff.iter().filter(same).map(|fallen| fallen.memory.id).filter(|other| *other != id).collect())
    }

    /// Returns how many memories an agent may still forget today, limited by a number per day and a share of the mind.
    pub(crate) async fn left_to_let_go(&self) -> Result<u64, EngineError> {
        let policy = &self.policy().agent;
        let since = self.now().minus(Span::days(1));
        let memories: u64 = self.store().counts(self.id, "").await?.zones.iter().sum();
        let share = ((memories as f32 * policy.forget_share) as u64).max(1);
        let gone = self.store().forgets(self.id, Principal::Agent, since).await?;
        Ok(share.min(policy.forgets_a_day as u64).saturating_sub(gone))
    }

    /// Adds the fall of a memory to a commit.
    pub(crate) fn falling(&self, memory: Memory, fall: Fall, mut commit: Commit) -> (CliffEntry, Commit) {
        let about = self.commit(commit.operation, &[&memory]).memories;
        commit.memories.extend(about);
        commit.note.get_or_insert_with(|| fall.note.clone());
        let (memory, entry) = memory.to_cliff(fall, &self.policy().cliff);
        commit.changes.push(Change::CliffEntered(Box::new(memory), entry.clone()));
        (entry, commit)
    }

    /// Restores a memory from the cliff with a new term of its tier. An agent may restore only what an agent forgot, not what the
    /// owner or expiry removed.
    pub async fn restore(&self, id: MemoryId) -> Result<Memory, EngineError> {
        self.may(Deed::Restore).await?;
        if self.principal() == Principal::Agent && !self.was_let_go_by_an_agent(id).await? {
            return Err(self.refused(Deed::Restore).await);
        }
        // An archived memory is restored by its id too.
        if self.store().memories(self.id, &[id]).await?.is_empty() && self.put_away_in(id).await?.is_some() {
            return self.fetch_anywhere(id).await;
        }
        let companions = self.fell_with(id).await?;
        let back = retrying(|| self.brought_back(id, Op::Restore)).await?;
        let mut core = back.tier == Tier::M0 || self.founds(id).await?;
        for companion in companions {
            retrying(|| self.brought_back(companion, Op::Restore)).await?;
            core |= self.founds(companion).await?;
        }
        if core {
            self.core_changed().await?;
        }
        Ok(back)
    }

    /// Checks whether the last ledger operation on a memory is an agent's forget. A lapsed proposal about it does not count.
    async fn was_let_go_by_an_agent(&self, id: MemoryId) -> Result<bool, EngineError> {
        let entries = self.store().ledger_of(self.id, id).await?;
        let last = entries.iter().rev().find(|entry| entry.operation != Op::Lapse);
        Ok(last.is_some_and(|entry| entry.operation == Op::Forget && entry.principal == Principal::Agent))
    }

    pub(crate) async fn brought_back(&self, id: MemoryId, operation: Op) -> Result<Memory, EngineError> {
        let memory = self.fetch(id).await?;
        if memory.standing == Standing::Alive {
            return Err(EngineError::NotFound(phrase!("engine.forget.not_on_cliff", id)));
        }
        let mut back = self.alive_again(memory).await?;
        // Restoring renews the strength; a faded memory would otherwise be pruned again at the next tick.
        back.strength = back.strength.renewed(self.mind().await?.turns, &back.fading(), &self.policy().strength);
        let mut commit = self.commit(operation, &[&back]);
        commit.changes.push(Change::CliffLeft(Box::new(back.clone())));
        self.write(commit).await?;
        back.revision += 1;
        Ok(back)
    }

    /// Returns a memory ready to be live again: with a new term, and without its external id if another live memory has it by now.
    pub(crate) async fn alive_again(&self, memory: Memory) -> Result<Memory, EngineError> {
        let mut back = memory.with_new_term(self.now(), &self.policy().tier);
        if let Some(name) = back.external_id.clone()
            && let Some((_, id)) = self.store().by_external_id(self.id, &[name]).await?.pop()
            && id != back.id
            && self.fetch(id).await?.standing == Standing::Alive
        {
            back.external_id = None;
        }
        Ok(back)
    }

    /// Returns the memories on the cliff, the next to be purged first.
    pub async fn cliff(&self) -> Result<Vec<Fallen>, EngineError> {
        self.may(Deed::Read).await?;
        Ok(self.store().cliff(self.id).await?)
    }
}
