//! Secure deletion: sweeping the file after a purge, erasing a mind, and backups.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use saegim_core::{Change, Commit, phrase};

use super::open::WAITS_FOR_OTHERS;
use super::{apply, mind};
use crate::{Erased, StoreError};

/// Time a sweep waits for readers; the next sweep handles what is left.
const WAITS_FOR_READERS: Duration = Duration::from_secs(1);

/// Checkpoints and truncates the write-ahead log, so that it contains no copy of deleted text. Returns false while a reader
/// still needs an old page; the next sweep retries.
pub(super) fn sweep(connection: &Connection) -> Result<bool, StoreError> {
    // Other writers wait during the sweep, so limit the wait for readers.
    connection.busy_timeout(WAITS_FOR_READERS)?;
    let busy: Result<i64, _> = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    connection.busy_timeout(WAITS_FOR_OTHERS)?;
    Ok(busy? == 0)
}

/// Erases everything of a mind except its ledger, in one transaction that also records it, and sweeps.
pub(super) fn erase(connection: &mut Connection, commit: &Commit) -> Result<Erased, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let key = mind::key(&transaction, commit.mind)?;
    let count = |sql: &str| -> Result<u64, StoreError> { Ok(transaction.query_row(sql, [key], |row| row.get(0))?) };
    let mut erased = Erased {
        memories: count(
            "SELECT (SELECT count(*) FROM memory WHERE mind = ?1) + (SELECT coalesce(sum(memories), 0) FROM archive WHERE mind = ?1)",
        )?,
        turns: count("SELECT count(*) FROM turn WHERE mind = ?1")?,
        facts: count("SELECT count(*) FROM fact WHERE mind = ?1")?,
        links: count("SELECT count(*) FROM link WHERE mind = ?1")?,
        vectors: count("SELECT count(*) FROM memory_vector WHERE mind = ?1")?,
        swept: false,
    };
    let ids = {
        let mut select = transaction.prepare("SELECT id FROM memory WHERE mind = ?1")?;
        let ids = select.query_map([key], |row| row.get(0).map(saegim_core::MemoryId::from_bytes))?;
        ids.collect::<Result<Vec<_>, _>>()?
    };
    let mut whole = commit.clone();
    whole.changes.extend(ids.into_iter().map(Change::MemoryGone));
    apply::apply(&transaction, &whole)?;
    for table in [
        "archive",
        "turn_vector",
        "turn",
        "candidate",
        "assertion",
        "statement",
        "fact",
        "relationship",
        "relationship_change",
        "scene",
        "session",
    ] {
        transaction.execute(&format!("DELETE FROM {table} WHERE mind = ?1"), [key])?;
    }
    for table in [
        "belief_rejection_memory",
        "belief_rejection",
        "belief_memory",
        "belief",
        "self_version",
        "island_memory",
        "island",
        "proposal_memory",
        "proposal",
        "access_grant",
        "webhook",
        "imagination_memory",
        "imagination",
        "imagination_weight",
        "job",
        "note",
        "expense",
        "idempotency",
        "answer",
    ] {
        transaction.execute(&format!("DELETE FROM {table} WHERE mind = ?1"), [key])?;
    }
    // Without its salt, the hashes in the ledger reveal nothing about the memories.
    transaction.execute(
        "UPDATE mind SET salt = randomblob(32), turns = 0, turn_purges = turn_purges + 1, ticked_at = NULL, course = NULL WHERE key = ?1",
        [key],
    )?;
    transaction.commit()?;
    erased.swept = sweep(connection)?;
    Ok(erased)
}

/// Copies a snapshot of the whole file to a new file.
pub(super) fn backup(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Err(StoreError::Conflict(phrase!("store.sweep.file_exists", to = to.display())));
    }
    copy(connection, to).inspect_err(|_| {
        // A partial copy must not be mistaken for a backup.
        let _ = std::fs::remove_file(to);
    })
}

fn copy(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let mut copy = Connection::open(to)?;
    let backup = rusqlite::backup::Backup::new(connection, &mut copy)?;
    backup.run_to_completion(1024, std::time::Duration::ZERO, None)?;
    Ok(())
}
