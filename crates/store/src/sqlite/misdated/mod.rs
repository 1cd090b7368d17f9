//! Memories written by a wrong clock: one far behind a time the mind had already seen, or one that was ahead.

use rusqlite::Connection;
use saegim_core::{Memory, Timestamp};

use super::apply::Place;
use super::{memory, mind};
use crate::{Misdated, StoreError};

/// Records the current clock time. Returns the latest known time if the clock is far behind it.
pub(super) fn known_at(connection: &Connection, at_mind: i64, at: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let before = mind::course(connection, at_mind)?;
    let after = before.seen(at);
    mind::put_course(connection, at_mind, &before, &after)?;
    Ok(after.latest.filter(|_| after.is_behind()))
}

/// Marks a memory written while the clock was behind.
pub(super) fn mark(connection: &Connection, place: Place, written: &Memory) -> Result<(), StoreError> {
    let Some(known_at) = place.known_at else { return Ok(()) };
    let key = memory::key(connection, place.mind, written.id)?;
    let mut insert = connection.prepare_cached("INSERT OR IGNORE INTO misdated (memory, mind, known_at) VALUES (?1, ?2, ?3)")?;
    insert.execute((key, place.mind, known_at.millis()))?;
    Ok(())
}

/// Marks a changed memory, but only if it would have expired by the latest known time.
pub(super) fn mark_changed(connection: &Connection, place: Place, changed: &Memory) -> Result<(), StoreError> {
    let over = place.known_at.is_some_and(|known_at| changed.expires_at.is_some_and(|end| end < known_at));
    if over { mark(connection, place, changed) } else { Ok(()) }
}

pub(super) fn of(connection: &Connection, mind: i64) -> Result<Vec<Misdated>, StoreError> {
    let mut select = connection.prepare_cached("SELECT memory, known_at FROM misdated WHERE mind = ?1 ORDER BY memory")?;
    let rows = select.query_map([mind], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut misdated = Vec::new();
    for row in rows {
        let (key, known_at): (i64, i64) = row?;
        let found = memory::by_key(connection, key)?;
        misdated.extend(found.map(|memory| Misdated { memory, known_at: Timestamp::from_millis(known_at) }));
    }
    Ok(misdated)
}

/// Returns memories written or referenced while the clock was ahead of `now`, first written first.
pub(super) fn ahead(connection: &Connection, mind: i64, now: Timestamp) -> Result<Vec<Memory>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("ahead.sql"))?;
    let keys = select.query_map((mind, now.millis()), |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    let mut memories = Vec::with_capacity(keys.len());
    for key in keys {
        memories.extend(memory::by_key(connection, key)?);
    }
    Ok(memories)
}

/// Moves future times of turns, assertions, statements, sessions, scenes, relationship changes, imaginations, runs of personas, jobs and notes back to `to`.
pub(super) fn date_back(connection: &Connection, place: Place, to: Timestamp) -> Result<(), StoreError> {
    let (mind, to) = (place.mind, to.millis());
    connection.prepare_cached("UPDATE turn SET at = ?2, stamp = ?3 WHERE mind = ?1 AND at > ?2")?.execute((mind, to, place.sequence))?;
    for sql in [
        "UPDATE assertion SET at = ?2 WHERE mind = ?1 AND at > ?2",
        "UPDATE statement SET at = min(at, ?2), ended_at = min(ended_at, ?2) WHERE mind = ?1 AND (at > ?2 OR ended_at > ?2)",
        "UPDATE session SET began_at = min(began_at, ?2), last_at = min(last_at, ?2) WHERE mind = ?1 AND last_at > ?2",
        "UPDATE scene SET began_at = min(began_at, ?2), ended_at = min(ended_at, ?2) WHERE mind = ?1 AND (began_at > ?2 OR ended_at > ?2)",
        "UPDATE relationship_change SET at = ?2 WHERE mind = ?1 AND at > ?2",
        "UPDATE orchestration SET began_at = min(began_at, ?2), changed_at = min(changed_at, ?2) WHERE mind = ?1 AND changed_at > ?2",
        "UPDATE imagination SET at = ?2 WHERE mind = ?1 AND at > ?2",
        "UPDATE job SET made_at = min(made_at, ?2), due_at = min(due_at, ?2) WHERE mind = ?1 AND made_at > ?2",
        "UPDATE note SET made_at = ?2 WHERE mind = ?1 AND made_at > ?2",
    ] {
        connection.prepare_cached(sql)?.execute((mind, to))?;
    }
    Ok(())
}
