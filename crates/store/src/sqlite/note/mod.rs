//! The table of notes.

use rusqlite::Connection;
use saegim_core::{Note, NoteKind, Timestamp, phrase};

use super::apply::broken;
use crate::StoreError;

pub(super) fn put(connection: &Connection, mind: i64, note: &Note) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO note (mind, kind, text, by, made_at, turn) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let turn = note.turn as i64;
    connection.prepare_cached(sql)?.execute((mind, note.kind.as_str(), &note.text, &note.by, note.at.millis(), turn))?;
    Ok(())
}

/// Deletes every note of a mind, because a note may contain purged text.
pub(super) fn clear(connection: &Connection, mind: i64) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM note WHERE mind = ?1")?.execute([mind])?;
    Ok(())
}

/// Returns every note of a mind.
pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Note>, StoreError> {
    let mut select = connection.prepare_cached("SELECT kind, text, by, made_at, turn FROM note WHERE mind = ?1 ORDER BY kind")?;
    let mut rows = select.query([mind])?;
    let mut notes = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(0)?;
        notes.push(Note {
            kind: NoteKind::parse(&kind).map_err(|_| broken(phrase!("store.note.not_readable")))?,
            text: row.get(1)?,
            by: row.get(2)?,
            at: Timestamp::from_millis(row.get(3)?),
            turn: row.get::<_, i64>(4)? as u64,
        });
    }
    Ok(notes)
}
