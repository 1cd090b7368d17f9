//! The tables of islands and their founding memories.

use rusqlite::Connection;
use saegim_core::{Island, IslandId, IslandStatus, MemoryId, Timestamp, Unit, phrase};

use super::apply::broken;
use crate::StoreError;

/// Inserts an island, or updates it if its revision matches.
pub(super) fn put(connection: &Connection, mind: i64, island: &Island) -> Result<(), StoreError> {
    let written = connection.prepare_cached(include_str!("put.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": island.id.bytes(), ":revision": island.revision, ":name": island.name, ":emoji": island.emoji,
        ":description": island.description, ":status": island.status.as_str(), ":status_since": island.status_since.millis(),
        ":strength": island.strength.get(), ":made_at": island.made_at.millis(),
    })?;
    if written == 0 {
        return Err(StoreError::Conflict(phrase!("store.island.changed")));
    }
    connection.prepare_cached("DELETE FROM island_memory WHERE mind = ?1 AND island = ?2")?.execute((mind, island.id.bytes()))?;
    let mut insert = connection
        .prepare_cached("INSERT OR IGNORE INTO island_memory (mind, island, memory, rebuilding, place) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    let founding = island.founding.iter().map(|memory| (memory, false));
    for (place, (memory, rebuilding)) in founding.chain(island.rebuilding.iter().map(|memory| (memory, true))).enumerate() {
        insert.execute((mind, island.id.bytes(), memory.bytes(), rebuilding, place as i64))?;
    }
    Ok(())
}

pub(super) fn delete(connection: &Connection, mind: i64, id: IslandId) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM island_memory WHERE mind = ?1 AND island = ?2")?.execute((mind, id.bytes()))?;
    connection.prepare_cached("DELETE FROM island WHERE mind = ?1 AND id = ?2")?.execute((mind, id.bytes()))?;
    connection.prepare_cached("UPDATE memory SET island = NULL WHERE mind = ?1 AND island = ?2")?.execute((mind, id.bytes()))?;
    Ok(())
}

pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Island>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("all.sql"))?;
    let mut rows = select.query([mind])?;
    let mut islands = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, status): ([u8; 16], String) = (row.get(0)?, row.get(5)?);
        islands.push(Island {
            id: IslandId::from_bytes(id),
            revision: row.get(1)?,
            name: row.get(2)?,
            emoji: row.get(3)?,
            description: row.get(4)?,
            founding: memories(connection, mind, &id, MemoryUse::Founding)?,
            rebuilding: memories(connection, mind, &id, MemoryUse::Rebuilding)?,
            status: IslandStatus::parse(&status).map_err(|_| broken(phrase!("store.island.unknown_status")))?,
            status_since: Timestamp::from_millis(row.get(6)?),
            strength: Unit::clamped(row.get::<_, f64>(7)? as f32),
            made_at: Timestamp::from_millis(row.get(8)?),
        });
    }
    Ok(islands)
}

/// What a memory is for an island.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemoryUse {
    Founding,
    Rebuilding,
}

fn memories(connection: &Connection, mind: i64, island: &[u8; 16], purpose: MemoryUse) -> Result<Vec<MemoryId>, StoreError> {
    let sql = "SELECT memory FROM island_memory WHERE mind = ?1 AND island = ?2 AND rebuilding = ?3 ORDER BY place";
    let mut select = connection.prepare_cached(sql)?;
    let ids = select.query_map((mind, island, purpose == MemoryUse::Rebuilding), |row| row.get(0).map(MemoryId::from_bytes))?;
    Ok(ids.collect::<Result<_, _>>()?)
}
