//! The table of answers: what was asked under a key, and what was answered.

use rusqlite::{Connection, OptionalExtension};

use super::mind;
use crate::{Answer, Asking, Earlier, StoreError};

/// The mind's number in this file; 0 for what belongs to none.
fn place(connection: &Connection, asking: &Asking) -> Result<i64, StoreError> {
    asking.mind.map_or(Ok(0), |id| mind::key(connection, id))
}

/// Takes down that something is asked, if it was not before; what became of it otherwise.
pub(super) fn ask(connection: &Connection, asking: &Asking) -> Result<Earlier, StoreError> {
    let place = place(connection, asking)?;
    connection.prepare_cached("DELETE FROM answer WHERE at < ?1")?.execute([asking.kept_since.millis()])?;
    let sql = "SELECT request, status, tag, body FROM answer WHERE mind = ?1 AND who = ?2 AND key = ?3";
    type Row = ([u8; 32], Option<u16>, Option<String>, Option<Vec<u8>>);
    let found: Option<Row> = connection
        .prepare_cached(sql)?
        .query_row((place, &asking.who, &asking.key), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    let Some((request, status, tag, body)) = found else {
        let sql = "INSERT INTO answer (mind, who, key, request, at) VALUES (?1, ?2, ?3, ?4, ?5)";
        let row = (place, &asking.who, &asking.key, asking.request.bytes(), asking.at.millis());
        connection.prepare_cached(sql)?.execute(row)?;
        return Ok(Earlier::Never);
    };
    Ok(match (request == *asking.request.bytes(), status, body) {
        (false, ..) => Earlier::Another,
        (true, None, _) => Earlier::Unanswered,
        (true, Some(_), None) => Earlier::Blanked,
        (true, Some(status), Some(body)) => Earlier::Answered(Answer { status, tag, body }),
    })
}

/// Keeps what was answered.
pub(super) fn keep(connection: &Connection, asking: &Asking, answer: &Answer) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO answer (mind, who, key, request, at, status, tag, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    connection.prepare_cached(sql)?.execute((
        place(connection, asking)?,
        &asking.who,
        &asking.key,
        asking.request.bytes(),
        asking.at.millis(),
        answer.status,
        &answer.tag,
        &answer.body,
    ))?;
    Ok(())
}

/// Nothing came of it: the key is free again.
pub(super) fn leave(connection: &Connection, asking: &Asking) -> Result<(), StoreError> {
    let sql = "DELETE FROM answer WHERE mind = ?1 AND who = ?2 AND key = ?3 AND status IS NULL";
    connection.prepare_cached(sql)?.execute((place(connection, asking)?, &asking.who, &asking.key))?;
    Ok(())
}

/// Something of the mind is gone for good, and must not be left in what was answered: nor where nobody said of which mind.
pub(super) fn blank(connection: &Connection, mind: i64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE answer SET body = NULL WHERE mind IN (0, ?1) AND body IS NOT NULL")?.execute([mind])?;
    Ok(())
}
