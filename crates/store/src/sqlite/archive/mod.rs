//! The table of archives.

use rusqlite::{Connection, Row};
use saegim_core::{Archive, MemoryId, SessionId, Timestamp, phrase};

use super::apply::broken;
use super::memory;
use crate::StoreError;

/// Archives memories: deletes their rows and stores their text lines. The caller must sweep the file afterwards.
pub(super) fn insert(connection: &Connection, mind: i64, archive: &Archive, memories: &[MemoryId]) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("insert.sql"))?.execute((
        mind,
        archive.session.as_str(),
        archive.part,
        archive.made_at.millis(),
        archive.last_at.millis(),
        archive.memories,
        &archive.lines,
    ))?;
    memories.iter().try_for_each(|id| memory::delete(connection, mind, *id))
}

pub(super) fn delete(connection: &Connection, mind: i64, session: &SessionId, part: u32) -> Result<(), StoreError> {
    let sql = "DELETE FROM archive WHERE mind = ?1 AND session = ?2 AND part = ?3";
    let gone = connection.prepare_cached(sql)?.execute((mind, session.as_str(), part))?;
    if gone == 0 {
        return Err(StoreError::Conflict(phrase!("store.archive.restored_meanwhile", session = session.as_str())));
    }
    Ok(())
}

/// Returns all archives of a mind, most recently active first.
pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Archive>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("all.sql"))?;
    let mut rows = select.query([mind])?;
    let mut archives = Vec::new();
    while let Some(row) = rows.next()? {
        archives.push(archive(row)?);
    }
    Ok(archives)
}

fn archive(row: &Row<'_>) -> Result<Archive, StoreError> {
    let session: String = row.get(0)?;
    Ok(Archive {
        session: SessionId::new(session).map_err(|_| broken(phrase!("store.archive.name_not_valid")))?,
        part: row.get(1)?,
        made_at: Timestamp::from_millis(row.get(2)?),
        last_at: Timestamp::from_millis(row.get(3)?),
        memories: row.get(4)?,
        lines: row.get(5)?,
    })
}
