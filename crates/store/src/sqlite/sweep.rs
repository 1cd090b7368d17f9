//! Secure deletion: sweeping the file after a purge, and erasing a mind.

use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use saegim_core::{Change, Commit};

use super::open::WAITS_FOR_OTHERS;
use super::{apply, ledger, mind, pages};
use crate::{Erased, StoreError};

/// Time a sweep waits for readers; the next sweep handles what is left.
const WAITS_FOR_READERS: Duration = Duration::from_secs(1);

/// Removes every copy of deleted text: checkpoints and truncates the write-ahead log, whose pages reach the file with their unused
/// bytes cleared, and drops the pages in memory, which would bring those bytes back with the next write. Returns false while a
/// reader still needs an old page; the next sweep retries.
pub(super) fn sweep(connection: &mut Connection) -> Result<bool, StoreError> {
    let swept = truncate_log(connection)? && clear_pages_once(connection)?;
    connection.execute_batch("PRAGMA shrink_memory")?;
    Ok(swept)
}

fn truncate_log(connection: &Connection) -> Result<bool, StoreError> {
    // Other writers wait during the sweep, so limit the wait for readers.
    connection.busy_timeout(WAITS_FOR_READERS)?;
    let busy: Result<i64, _> = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    connection.busy_timeout(WAITS_FOR_OTHERS)?;
    Ok(busy? == 0)
}

/// Clears the pages that an earlier version wrote.
fn clear_pages_once(connection: &mut Connection) -> Result<bool, StoreError> {
    let cleared: String = connection.query_row("SELECT value FROM meta WHERE name = 'pages_cleared'", [], |row| row.get(0))?;
    Ok(cleared == "1" || clear_pages(connection)?.is_some())
}

/// Clears the unused bytes of every page of the file, and returns the number of pages that had some. `None` if another program
/// wrote at the same time.
pub(super) fn clear_pages(connection: &mut Connection) -> Result<Option<u64>, StoreError> {
    if !truncate_log(connection)? {
        return Ok(None);
    }
    // During this transaction nothing is written to the log, so no checkpoint writes to the file either.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let log = transaction.path().map(|path| std::fs::metadata(format!("{path}-wal")));
    if log.is_some_and(|log| log.is_ok_and(|log| log.len() > 0)) {
        return Ok(None);
    }
    let found = pages::clear_all(&transaction)?;
    transaction.execute("UPDATE meta SET value = '1' WHERE name = 'pages_cleared'", [])?;
    transaction.commit()?;
    Ok(Some(found))
}

/// Erases everything of a mind except its id and its ledger without names, in one transaction that also records it, and sweeps.
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
        "orchestration_memory",
        "orchestration",
        "job",
        "note",
        "expense",
        "idempotency",
        "answer",
    ] {
        transaction.execute(&format!("DELETE FROM {table} WHERE mind = ?1"), [key])?;
    }
    ledger::remove_names(&transaction, key)?;
    // Without its salt, the hashes in the ledger reveal nothing about the memories. The key names the user and the character, so only
    // the id stays.
    transaction.execute(
        "UPDATE mind SET user = 'erased', character = lower(hex(id)), work = 'default', salt = randomblob(32), turns = 0, turn_purges = turn_purges + 1, ticked_at = NULL, course = NULL WHERE key = ?1",
        [key],
    )?;
    transaction.commit()?;
    erased.swept = sweep(connection)?;
    Ok(erased)
}
