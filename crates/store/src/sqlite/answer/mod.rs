//! The table of idempotent requests and their recorded responses.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::Under;

use super::mind;
use crate::{EarlierRequest, RecordedResponse, RequestKey, StoreError};

/// Status, revision tag and body of a response, if recorded.
type Answered = (Option<u16>, Option<String>, Option<Vec<u8>>);

/// Returns the row key of the mind, or 0 if the request is about none.
fn place(connection: &Connection, asking: &RequestKey) -> Result<i64, StoreError> {
    asking.mind.map_or(Ok(0), |id| mind::key(connection, id))
}

/// Records a request if its key is unused; otherwise returns the state of the earlier request.
pub(super) fn ask(connection: &Connection, asking: &RequestKey) -> Result<EarlierRequest, StoreError> {
    let place = place(connection, asking)?;
    connection.prepare_cached("DELETE FROM answer WHERE at < ?1")?.execute([asking.kept_since.millis()])?;
    let sql = "SELECT request, status, tag, body, first_entry, last_entry, at FROM answer WHERE mind = ?1 AND who = ?2 AND key = ?3";
    let read = |row: &Row<'_>| {
        let answer: Answered = (row.get(1)?, row.get(2)?, row.get(3)?);
        let wrote = row.get::<_, Option<u64>>(4)?.zip(row.get(5)?);
        Ok((row.get::<_, [u8; 32]>(0)?, answer, wrote, row.get::<_, i64>(6)?))
    };
    let found = connection.prepare_cached(sql)?.query_row((place, &asking.who, &asking.key), read).optional()?;
    // An old request that wrote nothing belongs to a crashed process; treat it as never made.
    let begun = found.filter(|(_, (status, ..), wrote, at)| status.is_some() || wrote.is_some() || *at >= asking.alive_since.millis());
    let Some((request, (status, tag, body), wrote, _)) = begun else {
        let sql = "INSERT OR REPLACE INTO answer (mind, who, key, request, at) VALUES (?1, ?2, ?3, ?4, ?5)";
        let row = (place, &asking.who, &asking.key, asking.request.bytes(), asking.at.millis());
        connection.prepare_cached(sql)?.execute(row)?;
        return Ok(EarlierRequest::Never);
    };
    Ok(match (request == *asking.request.bytes(), status, body) {
        (false, ..) => EarlierRequest::Another,
        (true, None, _) => wrote.map_or(EarlierRequest::Unanswered, |(first, last)| EarlierRequest::Wrote(first, last)),
        (true, Some(_), None) => EarlierRequest::Blanked,
        (true, Some(status), Some(body)) => EarlierRequest::Answered(RecordedResponse { status, tag, body }),
    })
}

/// Records the response of a request.
pub(super) fn keep(connection: &Connection, asking: &RequestKey, answer: &RecordedResponse) -> Result<(), StoreError> {
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

/// Records, in the same transaction, that a request wrote this entry: the process may exit before it sends the response.
pub(super) fn wrote(connection: &Connection, mind: i64, sequence: u64, under: &Under) -> Result<(), StoreError> {
    let sql = "UPDATE answer SET first_entry = coalesce(first_entry, ?1), last_entry = ?1 \
               WHERE mind IN (0, ?2) AND who = ?3 AND key = ?4 AND status IS NULL";
    connection.prepare_cached(sql)?.execute((sequence, mind, &under.who, &under.key))?;
    Ok(())
}

/// Frees the key of a request that had no effect.
pub(super) fn leave(connection: &Connection, asking: &RequestKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM answer WHERE mind = ?1 AND who = ?2 AND key = ?3 AND status IS NULL";
    connection.prepare_cached(sql)?.execute((place(connection, asking)?, &asking.who, &asking.key))?;
    Ok(())
}

/// Removes recorded response bodies after data of the mind was purged, including those of requests without a known mind.
pub(super) fn blank(connection: &Connection, mind: i64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE answer SET body = NULL WHERE mind IN (0, ?1) AND body IS NOT NULL")?.execute([mind])?;
    Ok(())
}
