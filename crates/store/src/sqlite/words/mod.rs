//! The word index: FTS5 over our own terms, each prefixed with its mind.

use super::filter::Selection;
use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params_from_iter};
use saegim_core::{MemoryId, WordQuery};

use super::filter::Where;
use crate::{StoreError, WordHit, WordHits};

/// Separator between the mind key and the term. It is a private-use character that never occurs in a term.
const MARK: char = '\u{E000}';

/// Maximum number of distinct words per query; the longest ones are kept because they are the most selective.
const MOST_QUERIES: usize = 48;

/// Prefixes each term with the key of its mind, so that every mind has its own dictionary.
pub(super) fn marked(mind: i64, terms: &[String]) -> String {
    terms.iter().map(|term| format!("{mind}{MARK}{term}")).collect::<Vec<_>>().join(" ")
}

pub(super) fn insert(connection: &Connection, mind: i64, key: i64, terms: &[String]) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached("INSERT INTO memory_words (rowid, terms) VALUES (?1, ?2)")?;
    insert.execute((key, marked(mind, terms)))?;
    Ok(())
}

/// Deletes the terms of a memory. They must be identical to the inserted terms.
pub(super) fn delete(connection: &Connection, mind: i64, key: i64, terms: &[String]) -> Result<(), StoreError> {
    let mut delete = connection.prepare_cached("INSERT INTO memory_words (memory_words, rowid, terms) VALUES ('delete', ?1, ?2)")?;
    delete.execute((key, marked(mind, terms)))?;
    Ok(())
}

/// Returns alive memories that contain any of the words, those with the rarest words first.
pub(super) fn search(connection: &Connection, mind: i64, queries: &[WordQuery], selection: Selection<'_>) -> Result<WordHits, StoreError> {
    let Selection { filter, limit } = selection;
    let mut count = connection.prepare_cached("SELECT memories FROM mind WHERE key = ?1")?;
    let memories: u64 = count.query_row([mind], |row| row.get(0)).optional()?.unwrap_or_default();
    let mut chosen: Vec<usize> = (0..queries.len()).collect();
    chosen.sort_by_key(|&index| std::cmp::Reverse(queries[index].term.chars().count()));
    chosen.truncate(MOST_QUERIES);
    let mut select = connection.prepare_cached("SELECT rowid FROM memory_words WHERE memory_words MATCH ?1")?;
    let mut held_by = vec![0u32; queries.len()];
    let mut found: HashMap<i64, Vec<u16>> = HashMap::new();
    for index in chosen {
        let query = &queries[index];
        let quoted = format!("\"{mind}{MARK}{}\"{}", query.term.replace('"', ""), if query.begins { " *" } else { "" });
        let mut rows = select.query([quoted])?;
        while let Some(row) = rows.next()? {
            found.entry(row.get(0)?).or_default().push(index as u16);
            held_by[index] += 1;
        }
    }
    let rarity = |indexes: &[u16]| -> f64 {
        indexes.iter().map(|&index| (1.0 + memories as f64 / f64::from(held_by[index as usize].max(1))).ln()).sum()
    };
    let mut order: Vec<(i64, Vec<u16>)> = found.into_iter().collect();
    order.sort_by(|a, b| rarity(&b.1).total_cmp(&rarity(&a.1)).then(a.0.cmp(&b.0)));
    let mut passes = Where::alive(mind);
    passes.filter(filter);
    passes.and("memory.key = ?", 0i64);
    let sql = format!("SELECT memory.id FROM memory WHERE {}", passes.sql());
    let mut row_of = connection.prepare_cached(&sql)?;
    let mut hits = Vec::new();
    for (key, queries) in order {
        if hits.len() == limit {
            break;
        }
        passes.set_last(key);
        let mut rows = row_of.query(params_from_iter(passes.params()))?;
        if let Some(row) = rows.next()? {
            hits.push(WordHit { memory: MemoryId::from_bytes(row.get(0)?), queries });
        }
    }
    Ok(WordHits { hits, held_by, memories })
}
