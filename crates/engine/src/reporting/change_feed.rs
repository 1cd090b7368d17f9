//! The change feed of a mind: all changes after a position in its ledger.

use saegim_core::{Deed, LedgerEntry, MemoryId, Zone};
use saegim_store::{IndexMark, IndexSearch};
use serde::Serialize;

use crate::EngineError;
use crate::reporting::Reporting;

/// A changed memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Changed {
    /// Id of the memory.
    pub memory: MemoryId,
    /// Whether it is alive; otherwise it is on the cliff.
    pub alive: bool,
    /// Zone.
    pub zone: Zone,
}

/// Changes after a position in the ledger.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    /// Ledger entries, in order.
    pub entries: Vec<LedgerEntry>,
    /// Memories changed by these entries, in the order of their last change. Deleted memories appear only in the entries.
    pub memories: Vec<Changed>,
}

impl Reporting<'_> {
    pub(crate) async fn news(&self, sequence: u64, limit: usize) -> Result<News, EngineError> {
        self.mind.may(Deed::ReadLedger).await?;
        self.mind.access().flush_attempts().await?;
        let entries = self.mind.store().ledger(self.mind.id, sequence, limit).await?;
        let entries: Vec<LedgerEntry> = entries.into_iter().map(|(entry, _)| entry).collect();
        let Some(last) = entries.last().map(|entry| entry.sequence) else { return Ok(News::default()) };
        let mut memories = Vec::new();
        let mut after = IndexMark { stamp: sequence, row: i64::MAX };
        loop {
            let page = self.mind.store().index_rows(IndexSearch { mind: self.mind.id, embedder: "", after, limit: PAGE }).await?;
            memories.extend(page.rows.iter().map(|row| Changed { memory: row.memory, alive: row.alive, zone: row.zone }));
            if page.rows.len() < PAGE || page.seen.stamp > last {
                return Ok(News { entries, memories });
            }
            after = page.seen;
        }
    }

    pub(crate) async fn head(&self) -> Result<u64, EngineError> {
        Ok(self.mind.store().head(self.mind.id).await?)
    }
}

/// Number of memories per page.
const PAGE: usize = 1000;
