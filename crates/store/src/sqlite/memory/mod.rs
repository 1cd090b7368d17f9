//! The table of memories.

use super::IndexPage;
use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, params_from_iter};
use saegim_core::{Essence, Memory, MemoryId, MemoryState, Tier, Timestamp, TurnId, Zone, phrase, terms};

mod row;

pub(super) use row::{INDEX_STAMP, index_row, memory, zone_row};

use super::apply::{Place, broken};
use super::filter::Where;
use super::{vector, words};
use crate::{Filter, IndexMark, IndexRows, Page, StoreError, ZoneRow};

const SELECT: &str = include_str!("select.sql");

/// Aggregates all turn ids of a memory into one blob.
const TURNS: &str = "CAST(group_concat(CAST(turn AS TEXT), '') AS BLOB)";

/// Returns the row key of a memory.
pub(super) fn key(connection: &Connection, mind: i64, id: MemoryId) -> Result<i64, StoreError> {
    let mut select = connection.prepare_cached("SELECT key FROM memory WHERE id = ?1 AND mind = ?2")?;
    select.query_row((id.bytes(), mind), |row| row.get(0)).optional()?.ok_or_else(|| unknown(id))
}

fn unknown(id: MemoryId) -> StoreError {
    StoreError::NotFound(phrase!("store.memory.not_found", id))
}

pub(super) fn insert(connection: &Connection, place: Place, memory: &Memory) -> Result<(), StoreError> {
    let mind = place.mind;
    if memory.standing == MemoryState::Alive {
        named_alone(connection, mind, memory)?;
    }
    row::execute(connection.prepare_cached(include_str!("insert.sql"))?, place, memory)?;
    let key = connection.last_insert_rowid();
    put_lists(connection, key, memory, &Held::default())?;
    if memory.standing == MemoryState::Alive {
        words::insert(connection, mind, key, &terms(&memory.content))?;
        count(connection, mind, 1)?;
    }
    Ok(())
}

/// Fills in the subject and the count of essences stored before these were columns.
pub(super) fn fill_essences(connection: &Connection) -> Result<(), StoreError> {
    let mut select = connection.prepare("SELECT key, content FROM memory WHERE source = 'distillation'")?;
    let mut update = connection.prepare("UPDATE memory SET essence_subject = ?2, essence_times = ?3 WHERE key = ?1")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(essence) = Essence::of_stored_text(&row.get::<_, String>(1)?) {
            update.execute((row.get::<_, i64>(0)?, essence.subject, essence.times))?;
        }
    }
    Ok(())
}

/// Updates a memory if its revision matches the stored one.
pub(super) fn update(connection: &Connection, place: Place, memory: &Memory) -> Result<(), StoreError> {
    let mind = place.mind;
    let mut select =
        connection.prepare_cached("SELECT key, content, standing, revision, external_id FROM memory WHERE id = ?1 AND mind = ?2")?;
    let before = select.query_row((memory.id.bytes(), mind), |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, row.get::<_, u32>(3)?, row.get(4)?))
    });
    let (key, content, standing, revision, name): (_, _, _, _, Option<String>) = before.optional()?.ok_or_else(|| unknown(memory.id))?;
    if revision != memory.revision {
        return Err(StoreError::Conflict(phrase!("store.memory.changed", id = memory.id)));
    }
    let (was_alive, alive) = (standing == "alive", memory.standing == MemoryState::Alive);
    if alive && (!was_alive || name != memory.external_id) {
        named_alone(connection, mind, memory)?;
    }
    row::execute(connection.prepare_cached(include_str!("update.sql"))?, place, memory)?;
    if was_alive && (!alive || content != memory.content) {
        words::delete(connection, mind, key, &terms(&content))?;
    }
    if alive && (!was_alive || content != memory.content) {
        words::insert(connection, mind, key, &terms(&memory.content))?;
    }
    if was_alive != alive {
        count(connection, mind, if alive { 1 } else { -1 })?;
    }
    put_lists(connection, key, memory, &Held::by(connection, key)?)
}

/// Fails if another alive memory has the same external id, so that a lookup by external id is unambiguous.
fn named_alone(connection: &Connection, mind: i64, memory: &Memory) -> Result<(), StoreError> {
    let Some(name) = &memory.external_id else { return Ok(()) };
    let sql = "SELECT 1 FROM memory WHERE mind = ?1 AND external_id = ?2 AND standing = 'alive' AND id <> ?3 LIMIT 1";
    match connection.prepare_cached(sql)?.query_row((mind, name, memory.id.bytes()), |_| Ok(())).optional()? {
        None => Ok(()),
        Some(()) => Err(StoreError::Conflict(phrase!("store.memory.external_id_taken", name))),
    }
}

/// The zone of a memory and the score it was assigned by.
pub(super) struct ZonePlacement {
    pub(super) memory: MemoryId,
    pub(super) zone: Zone,
    pub(super) score: f32,
}

/// Moves a memory to another zone. Does not change its revision, because zones are recomputed continuously.
pub(super) fn set_zone(connection: &Connection, place: Place, placement: &ZonePlacement) -> Result<(), StoreError> {
    let ZonePlacement { memory: id, zone, score } = placement;
    let mut update = connection.prepare_cached("UPDATE memory SET zone = ?3, zone_score = ?4, stamp = ?5 WHERE id = ?1 AND mind = ?2")?;
    update.execute((id.bytes(), place.mind, zone.as_str(), score, place.sequence))?;
    Ok(())
}

/// Deletes a memory with its words, vectors, links and cliff entry. The caller must sweep the file afterwards.
pub(super) fn delete(connection: &Connection, mind: i64, id: MemoryId) -> Result<(), StoreError> {
    let mut select = connection.prepare_cached("SELECT key, content, standing FROM memory WHERE id = ?1 AND mind = ?2")?;
    let found = select.query_row((id.bytes(), mind), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?)));
    let (key, content, standing) = found.optional()?.ok_or_else(|| unknown(id))?;
    if standing == "alive" {
        words::delete(connection, mind, key, &terms(&content))?;
        count(connection, mind, -1)?;
    }
    vector::delete(connection, mind, key)?;
    connection.prepare_cached("DELETE FROM memory WHERE key = ?1")?.execute([key])?;
    connection.prepare_cached("UPDATE mind SET purges = purges + 1 WHERE key = ?1")?.execute([mind])?;
    Ok(())
}

/// Updates the tags and turns of a memory. Writes only the differences, because a habit has hundreds of turns and gains one at
/// a time.
fn put_lists(connection: &Connection, key: i64, memory: &Memory, held: &Held) -> Result<(), StoreError> {
    for tag in held.tags.iter().filter(|tag| !memory.tags.contains(*tag)) {
        connection.prepare_cached("DELETE FROM memory_tag WHERE memory = ?1 AND tag = ?2")?.execute((key, tag))?;
    }
    for tag in memory.tags.iter().filter(|tag| !held.tags.contains(*tag)) {
        connection.prepare_cached("INSERT OR IGNORE INTO memory_tag (memory, tag) VALUES (?1, ?2)")?.execute((key, tag))?;
    }
    let mut turns: Vec<[u8; 16]> = memory.turns.iter().map(|turn| *turn.bytes()).collect();
    turns.sort_unstable();
    turns.dedup();
    for turn in lacking(&held.turns, &turns) {
        connection.prepare_cached("DELETE FROM memory_turn WHERE memory = ?1 AND turn = ?2")?.execute((key, turn))?;
    }
    for turn in lacking(&turns, &held.turns) {
        connection.prepare_cached("INSERT INTO memory_turn (memory, turn) VALUES (?1, ?2)")?.execute((key, turn))?;
    }
    Ok(())
}

/// Returns the items of one sorted list that are missing in another.
fn lacking<'a>(one: &'a [[u8; 16]], other: &'a [[u8; 16]]) -> impl Iterator<Item = &'a [u8; 16]> {
    let mut others = other.iter().peekable();
    one.iter().filter(move |item| {
        while others.next_if(|other| other < item).is_some() {}
        others.peek() != Some(item)
    })
}

/// Tags and turns currently stored for a memory.
#[derive(Default)]
struct Held {
    tags: HashSet<String>,
    /// Sorted.
    turns: Vec<[u8; 16]>,
}

impl Held {
    fn by(connection: &Connection, key: i64) -> Result<Self, StoreError> {
        let mut tags = connection.prepare_cached("SELECT tag FROM memory_tag WHERE memory = ?1")?;
        let tags = tags.query_map([key], |row| row.get(0))?.collect::<Result<_, _>>()?;
        // Read all ids as one blob: a habit has thousands, and one row each would dominate the cost.
        let mut turns = connection.prepare_cached(&format!("SELECT {TURNS} FROM memory_turn WHERE memory = ?1"))?;
        let turns: Option<Vec<u8>> = turns.query_row([key], |row| row.get(0))?;
        let (turns, _) = turns.as_deref().unwrap_or_default().as_chunks();
        let mut turns = turns.to_vec();
        turns.sort_unstable();
        Ok(Self { tags, turns })
    }
}

fn count(connection: &Connection, mind: i64, by: i64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE mind SET memories = memories + ?2 WHERE key = ?1")?.execute((mind, by))?;
    Ok(())
}

pub(super) fn by_key(connection: &Connection, key: i64) -> Result<Option<Memory>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} WHERE key = ?1"))?;
    select.query_row([key], |row| Ok(memory(row))).optional()?.transpose()
}

/// Returns these memories in the given order; skips unknown ids.
pub(super) fn by_ids(connection: &Connection, mind: i64, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} WHERE id = ?1 AND mind = ?2"))?;
    let mut memories = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(found) = select.query_row((id.bytes(), mind), |row| Ok(memory(row))).optional()? {
            memories.push(found?);
        }
    }
    Ok(memories)
}

/// Returns the memories learned from a turn, alive or on the cliff.
pub(super) fn learned_from(connection: &Connection, mind: i64, turn: TurnId) -> Result<Vec<Memory>, StoreError> {
    let sql =
        format!("{SELECT} WHERE memory.mind = ?1 AND memory.key IN (SELECT memory FROM memory_turn WHERE turn = ?2) ORDER BY memory.key");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query((mind, turn.bytes()))?;
    let mut memories = Vec::new();
    while let Some(row) = rows.next()? {
        memories.push(memory(row)?);
    }
    Ok(memories)
}

/// Resolves external ids. Prefers an alive memory over those on the cliff, and newer over older.
pub(super) fn by_external_id(connection: &Connection, mind: i64, external: &[String]) -> Result<Vec<(String, MemoryId)>, StoreError> {
    let sql = "SELECT id FROM memory WHERE mind = ?1 AND external_id = ?2 ORDER BY standing = 'alive' DESC, id DESC LIMIT 1";
    let mut select = connection.prepare_cached(sql)?;
    let mut found = Vec::new();
    for name in external {
        let id = select.query_row((mind, name), |row| row.get(0).map(MemoryId::from_bytes)).optional()?;
        found.extend(id.map(|id| (name.clone(), id)));
    }
    Ok(found)
}

/// Returns the rows that changed after a mark, up to the limit, for an in-memory index.
pub(super) fn index_rows(connection: &Connection, mind: i64, embedder: Option<i64>, page: IndexPage) -> Result<IndexRows, StoreError> {
    let IndexPage { after, limit } = page;
    let mut counters = connection.prepare_cached("SELECT purges, turns, memories FROM mind WHERE key = ?1")?;
    let (purges, turns, memories) =
        counters.query_row([mind], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?.unwrap_or_default();
    let mut changes = IndexRows { rows: Vec::new(), seen: after, purges, turns, memories };
    let mut select = connection.prepare_cached(include_str!("index.sql"))?;
    let mut rows = select.query((mind, embedder, after.stamp, after.row, limit as i64))?;
    while let Some(row) = rows.next()? {
        changes.rows.push(index_row(row)?);
        changes.seen = IndexMark { stamp: row.get(INDEX_STAMP)?, row: row.get(INDEX_STAMP + 1)? };
    }
    Ok(changes)
}

/// Returns ids that start or end with these hexadecimal digits.
pub(super) fn ids_like(connection: &Connection, mind: i64, digits: &str) -> Result<Vec<MemoryId>, StoreError> {
    let Some(edges) = super::id_digits::Edges::of(digits) else { return Ok(Vec::new()) };
    let mut select = connection.prepare_cached(include_str!("ids_like.sql"))?;
    let ids = select.query_map((mind, edges.first, edges.last, edges.tail, &edges.digits), |row| row.get(0).map(MemoryId::from_bytes))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Returns matching alive memories, newest first.
pub(super) fn list(connection: &Connection, mind: i64, filter: &Filter, page: &Page) -> Result<Vec<Memory>, StoreError> {
    let mut passes = Where::alive(mind);
    passes.filter(filter);
    // Ids start with the creation time, so the index on ids is in order of creation.
    if let Some(before) = page.before {
        key(connection, mind, before)?;
        passes.and("memory.id < ?", *before.bytes());
    }
    let sql = format!("{SELECT} WHERE {} ORDER BY memory.id DESC LIMIT {}", passes.sql(), page.limit);
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query(params_from_iter(passes.params()))?;
    let mut memories = Vec::new();
    while let Some(row) = rows.next()? {
        memories.push(memory(row)?);
    }
    Ok(memories)
}

/// Returns the data of every alive memory that a rebalance needs.
pub(super) fn zone_rows(connection: &Connection, mind: i64) -> Result<Vec<ZoneRow>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("zones.sql"))?;
    let mut rows = select.query([mind])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(zone_row(row)?);
    }
    Ok(found)
}

/// Counts the alive memories of a zone, up to `most`.
pub(super) fn zone_holds(connection: &Connection, mind: i64, zone: Zone, most: usize) -> Result<usize, StoreError> {
    let mut select = connection
        .prepare_cached("SELECT count(*) FROM (SELECT 1 FROM memory WHERE mind = ?1 AND standing = 'alive' AND zone = ?2 LIMIT ?3)")?;
    Ok(select.query_row((mind, zone.as_str(), most as i64), |row| row.get(0))?)
}

/// Counts the alive memories of a tier, up to `most`.
pub(super) fn tier_holds(connection: &Connection, mind: i64, tier: Tier, most: usize) -> Result<usize, StoreError> {
    let mut select = connection
        .prepare_cached("SELECT count(*) FROM (SELECT 1 FROM memory WHERE mind = ?1 AND standing = 'alive' AND tier = ?2 LIMIT ?3)")?;
    Ok(select.query_row((mind, tier.as_str(), most as i64), |row| row.get(0))?)
}

/// Returns unpinned alive memories past their expiry date, earliest first.
pub(super) fn expired(connection: &Connection, mind: i64, now: Timestamp, limit: usize) -> Result<Vec<Memory>, StoreError> {
    let sql = format!(
        "{SELECT} WHERE mind = ?1 AND standing = 'alive' AND pinned = 0 AND expires_at IS NOT NULL AND expires_at <= ?2 ORDER BY expires_at, id LIMIT ?3"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query((mind, now.millis(), limit as i64))?;
    let mut memories = Vec::new();
    while let Some(row) = rows.next()? {
        memories.push(memory(row)?);
    }
    Ok(memories)
}

/// Returns alive memories with more incoming links than were counted, with the number of links.
pub(super) fn referenced(connection: &Connection, mind: i64) -> Result<Vec<(Memory, u32)>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("referenced.sql"))?;
    let counted = select.query_map([mind], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, u32>(1)?)))?;
    let mut found = Vec::new();
    for pair in counted {
        let (key, links) = pair?;
        found.push((by_key(connection, key)?.ok_or_else(|| broken(phrase!("store.memory.link_end_missing")))?, links));
    }
    Ok(found)
}
