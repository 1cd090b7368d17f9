//! The ledger's table: entries as canonical JSON, chained by their hashes.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{Hash, LedgerEntry, MemoryId, MindId, Verdict, Verifier};

use super::apply::broken;
use crate::StoreError;

/// The last sequence and hash of a mind's chain; zero and nothing before the first entry.
pub(super) fn head(connection: &Connection, mind: i64) -> Result<(u64, Hash), StoreError> {
    let mut select = connection.prepare_cached("SELECT sequence, hash FROM ledger WHERE mind = ?1 ORDER BY sequence DESC LIMIT 1")?;
    let head = select.query_row([mind], |row| Ok((row.get(0)?, Hash::from_bytes(row.get(1)?)))).optional()?;
    Ok(head.unwrap_or((0, Hash::NONE)))
}

pub(super) fn append(connection: &Connection, mind: i64, entry: &LedgerEntry) -> Result<Hash, StoreError> {
    let (text, hash) = entry.sealed();
    let mut insert =
        connection.prepare_cached("INSERT INTO ledger (mind, sequence, at, operation, entry, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    insert.execute((mind, entry.sequence, entry.at.millis(), entry.operation.as_str(), text, hash.bytes()))?;
    let mut index = connection.prepare_cached("INSERT OR IGNORE INTO ledger_memory (memory, mind, sequence) VALUES (?1, ?2, ?3)")?;
    for reference in &entry.memories {
        index.execute((reference.memory.bytes(), mind, entry.sequence))?;
    }
    Ok(hash)
}

pub(super) fn entry(connection: &Connection, mind: i64, sequence: u64) -> Result<(LedgerEntry, Hash), StoreError> {
    let mut select = connection.prepare_cached("SELECT entry, hash FROM ledger WHERE mind = ?1 AND sequence = ?2")?;
    let found = select.query_row((mind, sequence), |row| Ok(read(row))).optional()?;
    found.ok_or_else(|| broken("a ledger entry is missing"))?
}

pub(super) fn after(connection: &Connection, mind: i64, sequence: u64, limit: usize) -> Result<Vec<(LedgerEntry, Hash)>, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT entry, hash FROM ledger WHERE mind = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3")?;
    let mut rows = select.query((mind, sequence, limit as i64))?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(read(row)?);
    }
    Ok(entries)
}

/// Entries that speak of a memory.
pub(super) fn of(connection: &Connection, mind: i64, memory: MemoryId) -> Result<Vec<LedgerEntry>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("of.sql"))?;
    let mut rows = select.query((memory.bytes(), mind))?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(read(row)?.0);
    }
    Ok(entries)
}

/// Reads the whole chain in order and checks every link of it.
pub(super) fn verify(connection: &Connection, mind: i64) -> Result<Verdict, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT entry, hash, sequence, at, operation FROM ledger WHERE mind = ?1 ORDER BY sequence")?;
    let mut rows = select.query([mind])?;
    let mut verifier = Verifier::default();
    let owner = MindId::from_bytes(connection.query_row("SELECT id FROM mind WHERE key = ?1", [mind], |row| row.get(0))?);
    while let Some(row) = rows.next()? {
        let sequence: u64 = row.get(2)?;
        let Ok((entry, hash)) = read(row) else {
            return Ok(Verdict::Broken { sequence, problem: "it cannot be read".into() });
        };
        let (text, at, operation): (String, i64, String) = (row.get(0)?, row.get(3)?, row.get(4)?);
        // The text itself is what was hashed: a field nobody reads or a blank between two is an alteration too.
        if serde_json::to_string(&entry).ok().as_deref() != Some(&text) || entry.mind != owner {
            return Ok(Verdict::Broken { sequence, problem: "it was altered".into() });
        }
        if entry.sequence != sequence || entry.at.millis() != at || entry.operation.as_str() != operation {
            return Ok(Verdict::Broken { sequence, problem: "it was altered".into() });
        }
        if let Err(verdict) = verifier.take(&entry, hash) {
            return Ok(verdict);
        }
    }
    match verifier.finish() {
        // Every mind begins with an entry.
        Verdict::Whole { entries: 0, .. } => Ok(Verdict::Broken { sequence: 1, problem: "an entry is missing here".into() }),
        verdict => Ok(verdict),
    }
}

fn read(row: &Row<'_>) -> Result<(LedgerEntry, Hash), StoreError> {
    let text: String = row.get(0)?;
    let entry = serde_json::from_str(&text).map_err(|_| broken("a ledger entry cannot be read"))?;
    Ok((entry, Hash::from_bytes(row.get(1)?)))
}
