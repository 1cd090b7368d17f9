//! The tables of imaginations, their source memories, and the weights of triggers and themes.

use rusqlite::Connection;
use saegim_core::{Emotions, Imagination, ImaginationId, MemoryId, Timestamp, Trigger, Weight, phrase};

use super::apply::broken;
use crate::StoreError;

pub(super) fn put(connection: &Connection, mind: i64, imagination: &Imagination) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("put.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": imagination.id.bytes(), ":origin": imagination.trigger.as_str(), ":theme": imagination.theme,
        ":scenario": imagination.scenario, ":action": imagination.action, ":emotions": imagination.emotions.bits(),
        ":at": imagination.at.millis(), ":memory": imagination.memory.map(|memory| *memory.bytes()), ":liked": imagination.liked,
        ":ignored": imagination.ignored,
    })?;
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO imagination_memory (mind, imagination, memory, place) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, memory) in imagination.memories.iter().enumerate() {
        insert.execute((mind, imagination.id.bytes(), memory.bytes(), place as i64))?;
    }
    Ok(())
}

/// Clears the text of imaginations based on a purged memory; the row and its feedback stay.
pub(super) fn blank(connection: &Connection, mind: i64, memory: MemoryId) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("blank.sql"))?.execute((mind, memory.bytes()))?;
    Ok(())
}

pub(super) fn latest(connection: &Connection, mind: i64, limit: usize) -> Result<Vec<Imagination>, StoreError> {
    let sql = "SELECT id, origin, theme, scenario, action, emotions, at, memory, liked, ignored FROM imagination
               WHERE mind = ?1 ORDER BY at DESC, id DESC LIMIT ?2";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query((mind, limit as i64))?;
    let mut imaginations = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, origin): ([u8; 16], String) = (row.get(0)?, row.get(1)?);
        let mut memories =
            connection.prepare_cached("SELECT memory FROM imagination_memory WHERE mind = ?1 AND imagination = ?2 ORDER BY place")?;
        let memories = memories.query_map((mind, id), |row| row.get(0).map(MemoryId::from_bytes))?.collect::<Result<_, _>>()?;
        imaginations.push(Imagination {
            id: ImaginationId::from_bytes(id),
            trigger: trigger(&origin)?,
            theme: row.get(2)?,
            memories,
            scenario: row.get(3)?,
            action: row.get(4)?,
            emotions: Emotions::from_bits(row.get(5)?),
            at: Timestamp::from_millis(row.get(6)?),
            memory: row.get::<_, Option<[u8; 16]>>(7)?.map(MemoryId::from_bytes),
            liked: row.get(8)?,
            ignored: row.get(9)?,
        });
    }
    Ok(imaginations)
}

fn trigger(word: &str) -> Result<Trigger, StoreError> {
    Trigger::parse(word).map_err(|_| broken(phrase!("store.imagination.unknown_trigger")))
}

pub(super) fn put_weight(connection: &Connection, mind: i64, weight: &Weight) -> Result<(), StoreError> {
    let sql = "INSERT INTO imagination_weight (mind, origin, theme, weight) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (mind, origin, theme) DO UPDATE SET weight = excluded.weight";
    let (origin, theme) = (weight.trigger.map_or("", Trigger::as_str), weight.theme.as_deref().unwrap_or_default());
    connection.prepare_cached(sql)?.execute((mind, origin, theme, weight.weight))?;
    Ok(())
}

pub(super) fn weights(connection: &Connection, mind: i64) -> Result<Vec<Weight>, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT origin, theme, weight FROM imagination_weight WHERE mind = ?1 ORDER BY origin, theme")?;
    let mut rows = select.query([mind])?;
    let mut weights = Vec::new();
    while let Some(row) = rows.next()? {
        let (origin, theme): (String, String) = (row.get(0)?, row.get(1)?);
        let trigger = if origin.is_empty() { None } else { Some(trigger(&origin)?) };
        weights.push(Weight { trigger, theme: Some(theme).filter(|theme| !theme.is_empty()), weight: row.get::<_, f64>(2)? as f32 });
    }
    Ok(weights)
}
