//! Watching a mind: everything that changed since a place in its ledger, whoever changed it.

use saegim_core::{Deed, LedgerEntry, MemoryId, Zone};
use saegim_store::{IndexMark, IndexSearch};
use serde::Serialize;

use crate::{EngineError, MindHandle};

/// A memory that is different.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Changed {
    /// Which memory.
    pub memory: MemoryId,
    /// Whether it is there to be recalled; on the cliff otherwise.
    pub alive: bool,
    /// How near to mind it is.
    pub zone: Zone,
}

/// What happened since a place in the ledger.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    /// What was done, in order.
    pub entries: Vec<LedgerEntry>,
    /// The memories that are different because of it, in the order they last changed. What is gone is only in the entries.
    pub memories: Vec<Changed>,
}

impl MindHandle {
    /// What happened after `sequence`, at most `limit` entries of it.
    pub async fn news(&self, sequence: u64, limit: usize) -> Result<News, EngineError> {
        self.may(Deed::ReadLedger).await?;
        self.settle_tally().await?;
        let entries = self.store().ledger(self.id, sequence, limit).await?;
        let entries: Vec<LedgerEntry> = entries.into_iter().map(|(entry, _)| entry).collect();
        let Some(last) = entries.last().map(|entry| entry.sequence) else { return Ok(News::default()) };
        let mut memories = Vec::new();
        let mut after = IndexMark { stamp: sequence, row: i64::MAX };
        loop {
            let page = self.store().index_rows(IndexSearch { mind: self.id, embedder: "", after, limit: PAGE }).await?;
            memories.extend(page.rows.iter().map(|row| Changed { memory: row.memory, alive: row.alive, zone: row.zone }));
            if page.rows.len() < PAGE || page.seen.stamp > last {
                return Ok(News { entries, memories });
            }
            after = page.seen;
        }
    }

    /// Where the ledger ends now: what is written later lies beyond it.
    pub async fn head(&self) -> Result<u64, EngineError> {
        Ok(self.store().head(self.id).await?)
    }
}

/// How many memories are read at a time.
const PAGE: usize = 1000;
