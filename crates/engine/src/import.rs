//! Memories from elsewhere.

use saegim_core::{Change, Memory, MemoryId, Op, Principal, Standing, Strength, Tier, Unit, content};

use crate::mind::Deed;
use crate::{EngineError, MindHandle};

/// What became of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many were added.
    pub added: usize,
    /// How many were here already, by id.
    pub known: usize,
}

impl MindHandle {
    /// Adds memories written out by a mind, in one commit. Those already here, by id, are left as they are.
    ///
    /// Ids, times, feelings and terms stay; turns, islands and places belong to the mind they came from and do not.
    /// Only the owner brings core memories along.
    pub async fn import(&self, memories: Vec<Memory>) -> Result<Imported, EngineError> {
        self.owner_only(Deed::Import)?;
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let here: Vec<MemoryId> = self.store().memories(self.id, &ids).await?.iter().map(|memory| memory.id).collect();
        let mut nursery = self.nursery().await?;
        let mut fresh: Vec<Memory> = Vec::new();
        for mut memory in memories {
            if here.contains(&memory.id) || fresh.iter().any(|other| other.id == memory.id) {
                continue;
            }
            memory.content = content(&memory.content)?;
            memory.standing = Standing::Alive;
            memory.revision = 0;
            memory.turns.clear();
            memory.island = None;
            memory.strength = Strength { as_of_turn: nursery.turns, ..memory.strength };
            if memory.tier != Tier::M0 && memory.expires_at.is_none() {
                memory.expires_at = memory.tier.expires(self.now(), &self.policy().tier);
            }
            let score = memory.nearness(Unit::ZERO).score(self.now(), &self.policy().zone);
            memory.zone_score = score;
            memory.zone = nursery.zone(saegim_core::Zone::of(score, &self.policy().zone), &self.policy().zone);
            nursery.born(memory.zone);
            fresh.push(memory);
        }
        let imported = Imported { added: fresh.len(), known: ids.len() - fresh.len() };
        if fresh.is_empty() {
            return Ok(imported);
        }
        let about: Vec<&Memory> = fresh.iter().collect();
        let mut commit = self.commit_as(Principal::Owner, Op::Import, &about);
        let vectors = self.vectors_of(&fresh).await;
        commit.changes.extend(fresh.into_iter().map(|memory| Change::MemoryAdded(Box::new(memory))));
        commit.changes.extend(vectors);
        self.write(commit).await?;
        self.inner.births.unknown(self.id);
        Ok(imported)
    }

    /// The vectors of memories, where the embedder knows their script; a tick makes what is missing.
    async fn vectors_of(&self, memories: &[Memory]) -> Vec<Change> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else { return Vec::new() };
        let known: Vec<&Memory> = memories.iter().filter(|memory| embedder.knows(&memory.content)).collect();
        let texts: Vec<&str> = known.iter().map(|memory| memory.content.as_str()).collect();
        match self.inner.vectors(&texts).await {
            Ok(vectors) => known.iter().zip(vectors).map(|(memory, vector)| self.embedded(memory.id, vector)).collect(),
            Err(_) => Vec::new(),
        }
    }
}
