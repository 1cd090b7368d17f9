//! The ledger table: entries as canonical JSON, chained by hash.

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior};
use saegim_core::{Flaw, Hash, LedgerEntry, MemoryId, MindId, Principal, Timestamp, Verdict, Verifier, phrase};

use super::apply::broken;
use crate::StoreError;

/// Returns the last sequence and hash of a mind's chain; zero and [`Hash::NONE`] before the first entry.
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
    index(connection, mind, entry)?;
    Ok(hash)
}

/// Removes what people named from every entry of a mind that is being erased (sessions, projects, domains, personas, plans), and
/// chains the entries again. A head that was signed before does not verify any more.
pub(super) fn remove_names(connection: &Connection, mind: i64) -> Result<(), StoreError> {
    let mut select = connection.prepare("SELECT entry, hash FROM ledger WHERE mind = ?1 ORDER BY sequence")?;
    let mut update = connection.prepare("UPDATE ledger SET entry = ?3, hash = ?4 WHERE mind = ?1 AND sequence = ?2")?;
    let mut entries = Vec::new();
    let mut rows = select.query([mind])?;
    while let Some(row) = rows.next()? {
        entries.push(read(row)?.0);
    }
    let mut previous = Hash::NONE;
    for entry in entries {
        let entry = LedgerEntry { previous, ..entry.without_names() };
        let (text, hash) = entry.sealed();
        update.execute((mind, entry.sequence, text, hash.bytes()))?;
        previous = hash;
    }
    Ok(())
}

/// Indexes the memories an entry refers to.
fn index(connection: &Connection, mind: i64, entry: &LedgerEntry) -> Result<(), StoreError> {
    let mut index = connection.prepare_cached("INSERT OR IGNORE INTO ledger_memory (memory, mind, sequence) VALUES (?1, ?2, ?3)")?;
    for reference in &entry.memories {
        index.execute((reference.memory.bytes(), mind, entry.sequence))?;
    }
    Ok(())
}

/// Rebuilds the index of entries by memory.
pub(super) fn reindex(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute("DELETE FROM ledger_memory", [])?;
    {
        let mut select = transaction.prepare("SELECT entry, hash, mind FROM ledger")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            // Skip unreadable entries here; `verify` reports them.
            if let Ok((entry, _)) = read(row) {
                index(&transaction, row.get(2)?, &entry)?;
            }
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Rows of the index by memory, compared with the chain: each entry must have exactly the rows of its memories.
struct Indexed {
    rows: std::iter::Peekable<std::vec::IntoIter<(u64, [u8; 16])>>,
}

impl Indexed {
    fn of(connection: &Connection, mind: i64) -> Result<Self, StoreError> {
        let mut select = connection.prepare("SELECT sequence, memory FROM ledger_memory WHERE mind = ?1")?;
        let rows = select.query_map([mind], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut rows: Vec<(u64, [u8; 16])> = rows.collect::<Result<_, _>>()?;
        rows.sort_unstable();
        Ok(Self { rows: rows.into_iter().peekable() })
    }

    /// Consumes the rows of the next entry. Fails if they do not match it.
    fn take(&mut self, entry: &LedgerEntry) -> Result<(), Verdict> {
        let mut spoken: Vec<[u8; 16]> = entry.memories.iter().map(|reference| *reference.memory.bytes()).collect();
        spoken.sort_unstable();
        spoken.dedup();
        let mut held = Vec::new();
        while let Some((sequence, memory)) = self.rows.next_if(|(sequence, _)| *sequence <= entry.sequence) {
            if sequence < entry.sequence {
                return Err(Flaw::Misindexed.at(sequence));
            }
            held.push(memory);
        }
        if held == spoken { Ok(()) } else { Err(Flaw::Misindexed.at(entry.sequence)) }
    }

    /// Fails if rows are left that belong to no entry.
    fn finish(mut self) -> Result<(), Verdict> {
        self.rows.next().map_or(Ok(()), |(sequence, _)| Err(Flaw::Misindexed.at(sequence)))
    }
}

pub(super) fn entry(connection: &Connection, mind: i64, sequence: u64) -> Result<(LedgerEntry, Hash), StoreError> {
    let mut select = connection.prepare_cached("SELECT entry, hash FROM ledger WHERE mind = ?1 AND sequence = ?2")?;
    let found = select.query_row((mind, sequence), |row| Ok(read(row))).optional()?;
    found.ok_or_else(|| broken(phrase!("store.ledger.entry_missing")))?
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

/// Counts the memories that `principal` has forgotten at or after `since`, directly or by retracting turns.
pub(super) fn forgets(connection: &Connection, mind: i64, principal: Principal, since: Timestamp) -> Result<u64, StoreError> {
    let mut select = connection.prepare_cached(include_str!("forgets.sql"))?;
    Ok(select.query_row((mind, since.millis(), principal.as_str()), |row| row.get(0))?)
}

/// Returns the entries that refer to a memory.
pub(super) fn of(connection: &Connection, mind: i64, memory: MemoryId) -> Result<Vec<LedgerEntry>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("of.sql"))?;
    let mut rows = select.query((memory.bytes(), mind))?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(read(row)?.0);
    }
    Ok(entries)
}

/// Verifies the complete chain in order.
pub(super) fn verify(connection: &Connection, mind: i64) -> Result<Verdict, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT entry, hash, sequence, at, operation FROM ledger WHERE mind = ?1 ORDER BY sequence")?;
    let mut rows = select.query([mind])?;
    let (mut verifier, mut indexed) = (Verifier::default(), Indexed::of(connection, mind)?);
    let owner = MindId::from_bytes(connection.query_row("SELECT id FROM mind WHERE key = ?1", [mind], |row| row.get(0))?);
    while let Some(row) = rows.next()? {
        let sequence: u64 = row.get(2)?;
        let Ok((entry, hash)) = read(row) else {
            return Ok(Flaw::Unreadable.at(sequence));
        };
        let (text, at, operation): (String, i64, String) = (row.get(0)?, row.get(3)?, row.get(4)?);
        // The stored text was hashed, so an unknown field or extra white space is an alteration too.
        if serde_json::to_string(&entry).ok().as_deref() != Some(&text) || entry.mind != owner {
            return Ok(Flaw::Altered.at(sequence));
        }
        if entry.sequence != sequence || entry.at.millis() != at || entry.operation.as_str() != operation {
            return Ok(Flaw::Altered.at(sequence));
        }
        if let Err(verdict) = verifier.take(&entry, hash).and_then(|()| indexed.take(&entry)) {
            return Ok(verdict);
        }
    }
    if let Err(verdict) = indexed.finish() {
        return Ok(verdict);
    }
    match verifier.finish() {
        // Every mind has at least the entry that created it.
        Verdict::Whole { entries: 0, .. } => Ok(Flaw::Missing.at(1)),
        verdict => Ok(verdict),
    }
}

fn read(row: &Row<'_>) -> Result<(LedgerEntry, Hash), StoreError> {
    let text: String = row.get(0)?;
    let entry = serde_json::from_str(&text).map_err(|_| broken(phrase!("store.ledger.entry_not_readable")))?;
    Ok((entry, Hash::from_bytes(row.get(1)?)))
}
