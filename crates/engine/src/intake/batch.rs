//! Atomic operations on several memories: one commit, and every check runs before anything changes.

use saegim_core::{Change, CliffReason, Deed, Fall, Invalid, Memory, MemoryId, MemoryState, Op, Principal, Tier, content, phrase};

use crate::engine::retrying;
use crate::intake::Intake;
use crate::intake::edit::{Ends, Wanted, operation};
use crate::{Core, Draft, Edit, EngineError};

impl Intake<'_> {
    /// Stores several memories.
    pub(crate) async fn remember_all(&self, drafts: Vec<Draft>) -> Result<Vec<Memory>, EngineError> {
        self.mind.may(Deed::Remember).await?;
        if drafts.iter().any(|draft| draft.tier == Some(Tier::M0) || draft.pinned) {
            self.mind.may(Deed::MakeCore).await?;
        }
        let mut memories = Vec::with_capacity(drafts.len());
        let mut commit = self.mind.commit(Op::Remember, &[]);
        for draft in drafts {
            let ends_at = draft.ends_at;
            let memory = self.conceive(draft).await?;
            let vector = self.mind.models().vector_of(&memory.content).await.0;
            commit.memories.extend(self.mind.commit(Op::Remember, &[&memory]).memories);
            commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
            commit.changes.extend(vector.map(|vector| self.mind.models().embedded(memory.id, vector)));
            commit.changes.extend(ends_at.map(Change::CareBy));
            memories.push(memory);
        }
        if memories.is_empty() {
            return Ok(memories);
        }
        self.mind.write(commit).await?;
        for memory in &memories {
            self.mind.inner.occupancy.born(self.mind.id, memory.zone);
            if memory.tier == Tier::M0 {
                self.mind.self_model().core_added(memory).await?;
            }
        }
        Ok(memories)
    }

    /// Rewrites several memories.
    pub(crate) async fn edit_all(&self, edits: Vec<(MemoryId, Edit)>) -> Result<Vec<Memory>, EngineError> {
        let mut wanted = Vec::with_capacity(edits.len());
        let mut were_core = Vec::with_capacity(edits.len());
        for (id, edit) in edits {
            let deeds = edit.deeds();
            let deed = deeds.first().copied().unwrap_or(Deed::Edit);
            self.mind.may(deed).await?;
            let text = edit.content.as_deref().map(content).transpose()?;
            let before = self.mind.fetch(id).await?;
            self.mind.access().may_change(&before, deed).await?;
            for deed in deeds.iter().skip(1) {
                self.mind.may(*deed).await?;
            }
            if edit.tier.unwrap_or(before.tier) == Tier::M0 && matches!(edit.ends, Some(Ends::At(_))) {
                let problem = phrase!("engine.batch.core_with_expiry");
                return Err(Invalid::new("ends_at", problem).into());
            }
            were_core.push(before.tier == Tier::M0);
            let vector = match &text {
                Some(text) => self.mind.models().vector_of(text).await.0,
                None => None,
            };
            wanted.push((id, deed, Wanted { edit, text, vector }));
        }
        let wanted = &wanted;
        let edited = retrying(|| async move {
            let operation = wanted.first().map_or(Op::Edit, |(_, deed, _)| operation(*deed));
            let mut commit = self.mind.commit(operation, &[]);
            commit.note = wanted.first().and_then(|(.., wanted)| wanted.edit.note());
            let mut edited = Vec::with_capacity(wanted.len());
            for (id, deed, wanted) in wanted {
                let before = self.changeable(*id, *deed).await?;
                let (memory, more) = self.edited(before.clone(), wanted);
                let memory = self.weighed_anew(memory, &before).await?;
                commit.memories.extend(self.mind.commit(operation, &[&memory]).memories);
                commit.changes.push(Change::MemoryChanged(Box::new(memory.clone())));
                commit.changes.extend(more);
                edited.push(Memory { revision: memory.revision + 1, ..memory });
            }
            if !edited.is_empty() {
                self.mind.write(commit).await?;
            }
            Ok(edited)
        })
        .await?;
        for (memory, was_core) in edited.iter().zip(were_core) {
            if memory.tier == Tier::M0 && !was_core {
                self.mind.self_model().core_added(memory).await?;
            } else if was_core {
                self.mind.self_model().core_memories_changed().await?;
            }
        }
        Ok(edited)
    }

    /// Moves several memories to the cliff. If an agent would exceed its daily limit, the whole request is refused; it is not
    /// converted into proposals.
    pub(crate) async fn forget_all(&self, ids: &[MemoryId], core: Core) -> Result<(), EngineError> {
        self.mind.may(Deed::Forget).await?;
        let shaking = retrying(|| async {
            let mut commit = self.mind.commit(Op::Forget, &[]);
            let mut shaking = false;
            let mut falling: Vec<MemoryId> = ids.to_vec();
            for memory in self.mind.store().memories(self.mind.id, ids).await? {
                self.mind.access().may_change(&memory, Deed::Forget).await?;
                if memory.standing == MemoryState::OnCliff {
                    continue;
                }
                if memory.tier == Tier::M0 && core == Core::Kept {
                    return Err(self.mind.self_model().ask_about(&memory).await?);
                }
                shaking |= memory.tier == Tier::M0 || self.mind.self_model().founds(memory.id).await?;
                let fall =
                    Fall { at: self.mind.now(), reason: CliffReason::Manual, note: format!("let go by the {}", self.mind.principal()) };
                // Companions are forgotten too, each once: essences based only on this memory, and the only original of this
                // essence.
                let mut companions = self.mind.lifecycle().companions(&memory).await?;
                companions.retain(|companion| !falling.contains(&companion.id));
                falling.extend(companions.iter().map(|companion| companion.id));
                let id = memory.id;
                commit = self.mind.removal().move_to_cliff(memory, fall, commit).1;
                commit = self.mind.removal().with_companions(id, companions, commit);
            }
            let (going, left) = (commit.memories.len() as u64, self.mind.removal().forgets_left().await?);
            if self.mind.principal() == Principal::Agent && going > left {
                let why = phrase!("engine.batch.daily_limit", left, going);
                return Err(self.mind.access().refused_because(Deed::Forget, why).await);
            }
            if going > 0 {
                self.mind.write(commit).await?;
            }
            Ok(shaking)
        })
        .await?;
        for id in ids {
            self.mind.self_model().settle_proposals(*id).await?;
        }
        if shaking {
            self.mind.self_model().core_memories_changed().await?;
        }
        Ok(())
    }
}
