//! The table of memories on the cliff.

use rusqlite::Connection;
use saegim_core::{CliffEntry, CliffReason, MemoryId, Timestamp, phrase};

use super::apply::broken;
use super::memory;
use crate::{CliffMemory, StoreError};

pub(super) fn insert(connection: &Connection, mind: i64, entry: &CliffEntry) -> Result<(), StoreError> {
    let memory = memory::key(connection, mind, entry.memory)?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO cliff (memory, mind, entered_at, gone_at, reason, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT DO UPDATE SET entered_at = excluded.entered_at, gone_at = excluded.gone_at",
    )?;
    insert.execute((memory, mind, entry.entered_at.millis(), entry.gone_at.millis(), entry.reason.as_str(), &entry.note))?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, mind: i64, memory: MemoryId) -> Result<(), StoreError> {
    let memory = memory::key(connection, mind, memory)?;
    connection.prepare_cached("DELETE FROM cliff WHERE memory = ?1")?.execute([memory])?;
    Ok(())
}

/// Returns everything on the cliff of a mind, earliest purge first.
pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<CliffMemory>, StoreError> {
    let mut select = connection
        .prepare_cached("SELECT memory, entered_at, gone_at, reason, note FROM cliff WHERE mind = ?1 ORDER BY gone_at, memory")?;
    let mut rows = select.query([mind])?;
    let mut fallen = Vec::new();
    while let Some(row) = rows.next()? {
        let memory = memory::by_key(connection, row.get(0)?)?.ok_or_else(|| broken(phrase!("store.cliff.memory_missing")))?;
        let reason: String = row.get(3)?;
        let entry = CliffEntry {
            memory: memory.id,
            entered_at: Timestamp::from_millis(row.get(1)?),
            gone_at: Timestamp::from_millis(row.get(2)?),
            reason: CliffReason::parse(&reason).map_err(|_| broken(phrase!("store.cliff.unknown_reason")))?,
            note: row.get(4)?,
        };
        fallen.push(CliffMemory { entry, memory });
    }
    Ok(fallen)
}
