//! Integrity check: the file itself, and consistency of word index, vectors and counts with the rows.

use super::settings::VectorSupport;
use rusqlite::Connection;
use saegim_core::{Verdict, phrase, terms};

use super::{ledger, pages, sweep, words};
use crate::{Health, StoreError};

pub(super) fn check(connection: &mut Connection, vectors: VectorSupport) -> Result<Health, StoreError> {
    let mut health = Health::default();
    let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        health.problems.push(phrase!("store.health.file_damaged", sound));
    }
    if connection.query_row("PRAGMA foreign_key_check", [], |_| Ok(())).is_ok() {
        health.problems.push(phrase!("store.health.reference_missing"));
    }
    check_words(connection, &mut health)?;
    check_vectors(connection, vectors, &mut health)?;
    check_counts(connection, &mut health)?;
    check_pages(connection, &mut health)?;
    for (key, name) in minds(connection)? {
        if let Verdict::Broken { sequence, problem } = ledger::verify(connection, key)? {
            health.problems.push(phrase!("store.health.ledger_broken", name, sequence, problem));
        }
    }
    Ok(health)
}

fn minds(connection: &Connection) -> Result<Vec<(i64, String)>, StoreError> {
    let mut select = connection.prepare("SELECT key, user || '/' || character FROM mind")?;
    let minds = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(minds.collect::<Result<_, _>>()?)
}

/// Tokenises every memory again and compares the result with the word index.
fn check_words(connection: &Connection, health: &mut Health) -> Result<(), StoreError> {
    if let Err(error) = connection.execute_batch("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 0)") {
        health.problems.push(phrase!("store.health.keywords_damaged", error));
        return Ok(());
    }
    connection.execute_batch("CREATE VIRTUAL TABLE IF NOT EXISTS temp.held_words USING fts5vocab (main, memory_words, instance)")?;
    let mut expected: Vec<(i64, String)> = Vec::new();
    let mut select = connection.prepare("SELECT key, mind, content FROM memory WHERE standing = 'alive'")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (key, mind, content): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let marked = words::marked(mind, &terms(&content));
        expected.extend(marked.split_whitespace().map(|term| (key, term.to_owned())));
    }
    let mut select = connection.prepare("SELECT doc, term FROM temp.held_words")?;
    let held = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut held: Vec<(i64, String)> = held.collect::<Result<_, _>>()?;
    for list in [&mut expected, &mut held] {
        list.sort_unstable();
        list.dedup();
    }
    if expected != held {
        health.problems.push(phrase!("store.health.keywords_differ"));
    }
    Ok(())
}

fn check_vectors(connection: &Connection, vectors: VectorSupport, health: &mut Health) -> Result<(), StoreError> {
    if vectors == VectorSupport::Disabled {
        health.notes.push(phrase!("store.health.vectors_disabled"));
        return Ok(());
    }
    let version: Result<String, _> = connection.query_row("SELECT vec_version()", [], |row| row.get(0));
    match version {
        Ok(version) => health.notes.push(phrase!("store.health.vector_search", version)),
        Err(_) => health.problems.push(phrase!("store.health.extension_missing")),
    }
    let wrong: i64 = connection.query_row(include_str!("vector/wrong.sql"), [], |row| row.get(0))?;
    let stray: i64 =
        connection.query_row("SELECT count(*) FROM memory_vector WHERE memory NOT IN (SELECT key FROM memory)", [], |row| row.get(0))?;
    if stray > 0 {
        health.problems.push(phrase!("store.health.stray_vectors", stray));
    }
    if wrong > 0 {
        health.problems.push(phrase!("store.health.vector_sizes", wrong));
    }
    Ok(())
}

fn check_counts(connection: &Connection, health: &mut Health) -> Result<(), StoreError> {
    let sql =
        "SELECT count(*) FROM mind WHERE memories <> (SELECT count(*) FROM memory WHERE memory.mind = mind.key AND standing = 'alive')";
    let wrong: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    if wrong > 0 {
        health.problems.push(phrase!("store.health.memory_counts", wrong));
    }
    Ok(())
}

/// Looks for pages with bytes of deleted rows. Only another program leaves them: ours clears a page whenever it is written.
fn check_pages(connection: &Connection, health: &mut Health) -> Result<(), StoreError> {
    let old: bool = connection.query_row("SELECT value = '0' FROM meta WHERE name = 'pages_cleared'", [], |row| row.get(0))?;
    let uncleared = if old { 0 } else { pages::count_uncleared(connection)? };
    if uncleared > 0 {
        health.problems.push(phrase!("store.health.pages_uncleared", uncleared));
    }
    Ok(())
}

/// Rebuilds derived data from the rows: word index, ledger index, counts. Deletes vectors of the wrong size so that they are
/// computed again. Clears the unused bytes of all pages.
pub(super) fn repair(connection: &mut Connection) -> Result<(), StoreError> {
    super::open::rebuild_words(connection)?;
    ledger::reindex(connection)?;
    connection.execute_batch(include_str!("repair.sql"))?;
    sweep::clear_pages(connection)?;
    Ok(())
}
