//! Vectors, quantised to 8 bits per component.

use super::filter::Selection;
use rusqlite::{Connection, OptionalExtension, ToSql, params_from_iter};
use saegim_core::{Embedding, Memory, MemoryId, phrase};

use super::apply::{Place, broken};
use super::filter::Where;
use super::memory;
use crate::{StoreError, VectorHit};

/// A vector to write, and its embedder.
pub(super) struct Written<'a> {
    pub(super) embedder: &'a str,
    pub(super) vector: &'a Embedding,
}

pub(super) fn bytes(vector: &[i8]) -> Vec<u8> {
    vector.iter().map(|&component| component as u8).collect()
}

/// Returns the row key of an embedder, if it has written vectors to this file.
pub(super) fn embedder(connection: &Connection, id: &str) -> Result<Option<i64>, StoreError> {
    let mut select = connection.prepare_cached("SELECT key FROM embedder WHERE id = ?1")?;
    Ok(select.query_row([id], |row| row.get(0)).optional()?)
}

/// Returns the row key of the embedder, and inserts it if needed. Fails if its dimensions changed; such an embedder needs a new
/// id.
pub(super) fn embedder_for(connection: &Connection, written: &Written<'_>) -> Result<i64, StoreError> {
    let dims = written.vector.dims();
    let mut select = connection.prepare_cached("SELECT key, dims FROM embedder WHERE id = ?1")?;
    let found = select.query_row([written.embedder], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (embedder, known): (i64, usize) = match found {
        Some(found) => found,
        None => {
            connection.prepare_cached("INSERT INTO embedder (id, dims) VALUES (?1, ?2)")?.execute((written.embedder, dims))?;
            (connection.last_insert_rowid(), dims)
        }
    };
    if known != dims {
        return Err(broken(phrase!("store.vector.dimensions_differ", embedder = written.embedder, known, dims)));
    }
    Ok(embedder)
}

/// Inserts or replaces the vector of a memory for an embedder.
pub(super) fn put(connection: &Connection, place: Place, memory: MemoryId, written: Written<'_>) -> Result<(), StoreError> {
    let embedder = embedder_for(connection, &written)?;
    let memory = memory::key(connection, place.mind, memory)?;
    let mut insert = connection.prepare_cached(include_str!("put.sql"))?;
    insert.execute((place.mind, embedder, memory, bytes(&written.vector.quantised())))?;
    // A memory created in the same commit already has this stamp; skip rewriting its row.
    connection.prepare_cached("UPDATE memory SET stamp = ?2 WHERE key = ?1 AND stamp <> ?2")?.execute((memory, place.sequence))?;
    Ok(())
}

/// Deletes the vectors of a memory for every embedder. The subquery lets SQLite use the full primary key.
pub(super) fn delete(connection: &Connection, mind: i64, memory: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM memory_vector WHERE mind = ?1 AND embedder IN (SELECT key FROM embedder) AND memory = ?2";
    connection.prepare_cached(sql)?.execute((mind, memory))?;
    Ok(())
}

/// The vectors of one mind from one embedder, by their keys.
#[derive(Clone, Copy)]
pub(super) struct VectorSpace {
    pub(super) mind: i64,
    pub(super) embedder: i64,
}

/// Finds the nearest vectors with a full scan, using sqlite-vec.
pub(super) fn search(
    connection: &Connection,
    space: VectorSpace,
    vector: &[i8],
    selection: Selection<'_>,
) -> Result<Vec<VectorHit>, StoreError> {
    let (VectorSpace { mind, embedder }, Selection { filter, limit }) = (space, selection);
    let mut passes = Where::alive(mind);
    passes.filter(filter);
    passes.and("memory_vector.mind = ?", mind);
    passes.and("memory_vector.embedder = ?", embedder);
    let sql = format!(
        "SELECT memory.id, vec_distance_cosine(vec_int8(memory_vector.vector), vec_int8(?)) AS distance
         FROM memory_vector JOIN memory ON memory.key = memory_vector.memory
         WHERE {} ORDER BY distance, memory.id LIMIT {limit}",
        passes.sql(),
    );
    let vector = bytes(vector);
    let params = std::iter::once(&vector as &dyn ToSql).chain(passes.params());
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query(params_from_iter(params))?;
    let mut hits = Vec::new();
    while let Some(row) = rows.next()? {
        let distance: f32 = row.get(1)?;
        hits.push(VectorHit { memory: MemoryId::from_bytes(row.get(0)?), cosine: (1.0 - distance).clamp(-1.0, 1.0) });
    }
    Ok(hits)
}

/// Returns the vectors of these memories; skips memories without one.
pub(super) fn of(connection: &Connection, space: VectorSpace, ids: &[MemoryId]) -> Result<Vec<(MemoryId, Vec<i8>)>, StoreError> {
    let sql = "SELECT vector FROM memory_vector WHERE mind = ?1 AND embedder = ?2
               AND memory = (SELECT key FROM memory WHERE mind = ?1 AND id = ?3)";
    let mut select = connection.prepare_cached(sql)?;
    let mut vectors = Vec::new();
    for id in ids {
        let found: Option<Vec<u8>> = select.query_row((space.mind, space.embedder, id.bytes()), |row| row.get(0)).optional()?;
        vectors.extend(found.map(|bytes| (*id, bytes.into_iter().map(|byte| byte as i8).collect())));
    }
    Ok(vectors)
}

/// Counts the memories of all minds, and those with a vector of this embedder.
pub(super) fn progress(connection: &Connection, id: &str) -> Result<(u64, u64), StoreError> {
    let mut select = connection.prepare_cached(include_str!("progress.sql"))?;
    Ok(select.query_row([embedder(connection, id)?], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Returns alive memories without a vector of this embedder, oldest first.
pub(super) fn missing(connection: &Connection, mind: i64, id: &str, limit: usize) -> Result<Vec<Memory>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("missing.sql"))?;
    let mut rows = select.query((mind, embedder(connection, id)?, limit as i64))?;
    let mut memories = Vec::new();
    while let Some(row) = rows.next()? {
        memories.extend(memory::by_key(connection, row.get(0)?)?);
    }
    Ok(memories)
}
