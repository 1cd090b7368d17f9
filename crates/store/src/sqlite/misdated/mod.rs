//! Memories written by a clock that was far behind what their mind had seen already.

use rusqlite::Connection;
use saegim_core::{Memory, Span, Timestamp};

use super::apply::Place;
use super::memory;
use crate::{Misdated, StoreError};

/// Clocks differ by less than this between right ones.
const FAR: Span = Span::days(1);
/// The latest moment is kept no finer than this.
const COARSE: Span = Span::hours(1);

/// Takes down how late it is; what had been known, where that is far later.
pub(super) fn known_at(connection: &Connection, mind: i64, at: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let latest: Option<i64> =
        connection.prepare_cached("SELECT latest_at FROM mind WHERE key = ?1")?.query_row([mind], |row| row.get(0))?;
    let latest = latest.map(Timestamp::from_millis);
    if latest.is_none_or(|latest| latest.plus(COARSE) < at) {
        connection.prepare_cached("UPDATE mind SET latest_at = ?2 WHERE key = ?1")?.execute((mind, at.millis()))?;
    }
    Ok(latest.filter(|latest| *latest > at.plus(FAR)))
}

/// Marks a memory that was written in such a commit.
pub(super) fn mark(connection: &Connection, place: Place, written: &Memory) -> Result<(), StoreError> {
    let Some(known_at) = place.known_at else { return Ok(()) };
    let key = memory::key(connection, place.mind, written.id)?;
    let mut insert = connection.prepare_cached("INSERT OR IGNORE INTO misdated (memory, mind, known_at) VALUES (?1, ?2, ?3)")?;
    insert.execute((key, place.mind, known_at.millis()))?;
    Ok(())
}

/// The same for one that was there before: only if by what is known its term would be over.
pub(super) fn mark_changed(connection: &Connection, place: Place, changed: &Memory) -> Result<(), StoreError> {
    let over = place.known_at.is_some_and(|known_at| changed.expires_at.is_some_and(|end| end < known_at));
    if over { mark(connection, place, changed) } else { Ok(()) }
}

pub(super) fn of(connection: &Connection, mind: i64) -> Result<Vec<Misdated>, StoreError> {
    let mut select = connection.prepare_cached("SELECT memory, known_at, looked_at FROM misdated WHERE mind = ?1 ORDER BY memory")?;
    let rows = select.query_map([mind], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<i64>>(2)?)))?;
    let mut misdated = Vec::new();
    for row in rows {
        let (key, known_at, looked_at): (i64, i64, Option<i64>) = row?;
        misdated.extend(memory::by_key(connection, key)?.map(|memory| Misdated {
            memory,
            known_at: Timestamp::from_millis(known_at),
            looked_at: looked_at.map(Timestamp::from_millis),
        }));
    }
    Ok(misdated)
}

/// A caretaker has looked: what could be put right by now is.
pub(super) fn looked(connection: &Connection, mind: i64, at: Timestamp) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM misdated WHERE mind = ?1 AND known_at <= ?2")?.execute((mind, at.millis()))?;
    connection.prepare_cached("UPDATE misdated SET looked_at = ?2 WHERE mind = ?1")?.execute((mind, at.millis()))?;
    Ok(())
}
