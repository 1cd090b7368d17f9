//! The table of links between memories.

use rusqlite::Connection;
use saegim_core::{Link, LinkKind, MemoryId, phrase};

use super::apply::broken;
use super::memory;
use crate::StoreError;

pub(super) fn insert(connection: &Connection, mind: i64, link: &Link) -> Result<(), StoreError> {
    let (from, to) = (memory::key(connection, mind, link.from)?, memory::key(connection, mind, link.to)?);
    let mut insert = connection
        .prepare_cached("INSERT INTO link (mind, from_memory, to_memory, kind) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")?;
    insert.execute((mind, from, to, link.kind.as_str()))?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, mind: i64, link: &Link) -> Result<(), StoreError> {
    let (from, to) = (memory::key(connection, mind, link.from)?, memory::key(connection, mind, link.to)?);
    let mut delete = connection.prepare_cached("DELETE FROM link WHERE from_memory = ?1 AND to_memory = ?2 AND kind = ?3")?;
    delete.execute((from, to, link.kind.as_str()))?;
    Ok(())
}

/// Returns the links from and to a memory.
pub(super) fn of(connection: &Connection, mind: i64, memory: MemoryId) -> Result<Vec<Link>, StoreError> {
    let key = memory::key(connection, mind, memory)?;
    read(connection, include_str!("of.sql"), key)
}

/// Returns every link of a mind.
pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Link>, StoreError> {
    read(connection, include_str!("all.sql"), mind)
}

fn read(connection: &Connection, sql: &str, key: i64) -> Result<Vec<Link>, StoreError> {
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([key])?;
    let mut links = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(2)?;
        links.push(Link {
            from: MemoryId::from_bytes(row.get(0)?),
            to: MemoryId::from_bytes(row.get(1)?),
            kind: LinkKind::parse(&kind).map_err(|_| broken(phrase!("store.link.unknown_kind")))?,
        });
    }
    Ok(links)
}
