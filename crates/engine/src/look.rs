//! Looking at a mind: one memory's life, zones, numbers.

use saegim_core::{LedgerEntry, Link, Memory, MemoryId, Mood, Score, Timestamp, Unit, Zone};
use saegim_store::{Counts, Fallen, Filter, Page};

use crate::{EngineError, MindHandle};

/// A memory with everything that explains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The memory.
    pub memory: Memory,
    /// How vivid it is now.
    pub strength: Unit,
    /// How near to mind it is now, part by part.
    pub nearness: Score,
    /// Where it waits, if it is on the cliff.
    pub fallen: Option<Fallen>,
    /// Links from and to it.
    pub links: Vec<Link>,
    /// Everything the ledger tells of it, in order.
    pub history: Vec<LedgerEntry>,
}

impl MindHandle {
    /// A memory's life: what it is, why it is where it is, what happened to it.
    pub async fn show(&self, id: MemoryId) -> Result<Shown, EngineError> {
        let memory = self.get(id).await?;
        let turns = self.mind().await?.turns;
        let fallen = self.cliff().await?.into_iter().find(|fallen| fallen.memory.id == id);
        Ok(Shown {
            strength: memory.strength_at(turns, &self.policy().strength),
            nearness: memory.nearness(self.nearness_to_context(id).await?).explain(self.now(), &self.policy().zone),
            links: self.store().links(self.id, id).await?,
            history: self.store().ledger_of(self.id, id).await?,
            fallen,
            memory,
        })
    }

    /// Alive memories that pass, newest first.
    pub async fn list(&self, filter: &Filter, page: Page) -> Result<Vec<Memory>, EngineError> {
        Ok(self.store().list(self.id, filter, page).await?)
    }

    /// The memories of a zone, newest first, at most `limit`.
    pub async fn zone(&self, zone: Zone, limit: usize) -> Result<Vec<Memory>, EngineError> {
        self.list(&Filter { zone: Some(zone), ..Filter::default() }, Page { limit, before: None }).await
    }

    /// How much there is.
    pub async fn counts(&self) -> Result<Counts, EngineError> {
        Ok(self.store().counts(self.id, self.embedder_id()).await?)
    }

    /// What the character feels now.
    pub async fn mood(&self) -> Result<Mood, EngineError> {
        Ok(self.mind().await?.mood.at(self.now(), &self.policy().mood))
    }

    /// How near to mind a memory is at `now`, context aside.
    pub fn nearness(&self, memory: &Memory, now: Timestamp) -> f32 {
        memory.nearness(Unit::ZERO).score(now, &self.policy().zone)
    }
}
