//! Looking a file over: its own integrity, and whether words and vectors agree with the rows.

use rusqlite::Connection;
use saegim_core::{Verdict, terms};

use super::{ledger, words};
use crate::{Health, StoreError};

pub(super) fn check(connection: &mut Connection, vectors: bool) -> Result<Health, StoreError> {
    let mut health = Health::default();
    let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        health.problems.push(format!("the file is damaged ({sound}); restore a backup"));
    }
    if connection.query_row("PRAGMA foreign_key_check", [], |_| Ok(())).is_ok() {
        health.problems.push("a row points at one that is not there; restore a backup, or export and import".into());
    }
    check_words(connection, &mut health)?;
    check_vectors(connection, vectors, &mut health)?;
    check_counts(connection, &mut health)?;
    for (key, name) in minds(connection)? {
        if let Verdict::Broken { sequence, problem } = ledger::verify(connection, key)? {
            health.problems.push(format!("the ledger of {name}: entry {sequence}: {problem}"));
        }
    }
    Ok(health)
}

fn minds(connection: &Connection) -> Result<Vec<(i64, String)>, StoreError> {
    let mut select = connection.prepare("SELECT key, user || '/' || character FROM mind")?;
    let minds = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(minds.collect::<Result<_, _>>()?)
}

/// Cuts every memory's words anew and looks whether the index holds just those.
fn check_words(connection: &Connection, health: &mut Health) -> Result<(), StoreError> {
    if let Err(error) = connection.execute_batch("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 0)") {
        health.problems.push(format!("the index of words is damaged ({error}); `saegim doctor --repair` rebuilds it"));
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
        health.problems.push("the index of words does not agree with the memories; `saegim doctor --repair` rebuilds it".into());
    }
    Ok(())
}

fn check_vectors(connection: &Connection, vectors: bool, health: &mut Health) -> Result<(), StoreError> {
    if !vectors {
        health.notes.push("vectors are turned off; recall goes by words alone".into());
        return Ok(());
    }
    let version: Result<String, _> = connection.query_row("SELECT vec_version()", [], |row| row.get(0));
    match version {
        Ok(version) => health.notes.push(format!("vectors by sqlite-vec {version}")),
        Err(_) => health.problems.push("the vector extension is not there; recall goes by words alone. Install a complete build".into()),
    }
    let wrong: i64 = connection.query_row(include_str!("vector/wrong.sql"), [], |row| row.get(0))?;
    let stray: i64 =
        connection.query_row("SELECT count(*) FROM memory_vector WHERE memory NOT IN (SELECT key FROM memory)", [], |row| row.get(0))?;
    if stray > 0 {
        health.problems.push(format!("{stray} vectors belong to no memory; `saegim doctor --repair` removes them"));
    }
    if wrong > 0 {
        health.problems.push(format!("{wrong} vectors have the wrong size; `saegim doctor --repair` makes them anew"));
    }
    Ok(())
}

fn check_counts(connection: &Connection, health: &mut Health) -> Result<(), StoreError> {
    let sql =
        "SELECT count(*) FROM mind WHERE memories <> (SELECT count(*) FROM memory WHERE memory.mind = mind.key AND standing = 'alive')";
    let wrong: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    if wrong > 0 {
        health.problems.push(format!("{wrong} minds miscount their memories; `saegim doctor --repair` counts anew"));
    }
    Ok(())
}

/// Makes anew what can be made anew from the rows: words, counts, and vectors of the wrong size.
pub(super) fn repair(connection: &mut Connection) -> Result<(), StoreError> {
    super::open::rebuild_words(connection)?;
    connection.execute_batch(include_str!("repair.sql"))?;
    Ok(())
}
