//! Integrity check: the file itself, and consistency of word index, vectors and counts with the rows.

use super::settings::VectorSupport;
use rusqlite::Connection;
use saegim_core::{Language, Phrase, Verdict, phrase, terms};

use super::{ledger, words};
use crate::{Health, StoreError};

pub(super) fn check(connection: &mut Connection, vectors: VectorSupport) -> Result<Health, StoreError> {
    let mut health = Health::default();
    let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        health
            .problems
            .push(phrase!("the file is damaged ({sound}); restore a backup", "파일이 손상됐어요 ({sound}). 백업에서 복원해 주세요"));
    }
    if connection.query_row("PRAGMA foreign_key_check", [], |_| Ok(())).is_ok() {
        health.problems.push(phrase!(
            "a row refers to one that does not exist; restore a backup, or export and import the data",
            "존재하지 않는 항목을 가리키는 행이 있어요. 백업에서 복원하거나, 내보낸 뒤 다시 가져와 주세요"
        ));
    }
    check_words(connection, &mut health)?;
    check_vectors(connection, vectors, &mut health)?;
    check_counts(connection, &mut health)?;
    for (key, name) in minds(connection)? {
        if let Verdict::Broken { sequence, problem } = ledger::verify(connection, key)? {
            let korean = problem.in_language(Language::Korean);
            let english = format!("the ledger of {name}: entry {sequence}: {problem}");
            health.problems.push(Phrase::new(english, format!("{name}의 변경 기록 {sequence}번: {korean}")));
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
        health.problems.push(phrase!(
            "the keyword index is damaged ({error}); rebuild it with `saegim doctor --repair`",
            "키워드 색인이 손상됐어요 ({error}). `saegim doctor --repair`로 다시 만들어 주세요"
        ));
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
        health.problems.push(phrase!(
            "the keyword index does not match the memories; rebuild it with `saegim doctor --repair`",
            "키워드 색인이 기억과 맞지 않아요. `saegim doctor --repair`로 다시 만들어 주세요"
        ));
    }
    Ok(())
}

fn check_vectors(connection: &Connection, vectors: VectorSupport, health: &mut Health) -> Result<(), StoreError> {
    if vectors == VectorSupport::Disabled {
        health.notes.push(phrase!("vectors are disabled; search uses keywords only", "벡터가 꺼져 있어 키워드로만 검색해요"));
        return Ok(());
    }
    let version: Result<String, _> = connection.query_row("SELECT vec_version()", [], |row| row.get(0));
    match version {
        Ok(version) => health.notes.push(phrase!("vector search: sqlite-vec {version}", "벡터 검색: sqlite-vec {version}")),
        Err(_) => health.problems.push(phrase!(
            "the vector extension is missing; search uses keywords only. Install a complete build",
            "벡터 확장이 없어 키워드로만 검색해요. 벡터 확장이 포함된 빌드를 설치해 주세요"
        )),
    }
    let wrong: i64 = connection.query_row(include_str!("vector/wrong.sql"), [], |row| row.get(0))?;
    let stray: i64 =
        connection.query_row("SELECT count(*) FROM memory_vector WHERE memory NOT IN (SELECT key FROM memory)", [], |row| row.get(0))?;
    if stray > 0 {
        health.problems.push(phrase!(
            "{stray} vectors belong to no memory; remove them with `saegim doctor --repair`",
            "기억이 없는 벡터가 {stray}개 있어요. `saegim doctor --repair`로 삭제해 주세요"
        ));
    }
    if wrong > 0 {
        health.problems.push(phrase!(
            "{wrong} vectors have the wrong size; recreate them with `saegim doctor --repair`",
            "크기가 잘못된 벡터가 {wrong}개 있어요. `saegim doctor --repair`로 다시 만들어 주세요"
        ));
    }
    Ok(())
}

fn check_counts(connection: &Connection, health: &mut Health) -> Result<(), StoreError> {
    let sql =
        "SELECT count(*) FROM mind WHERE memories <> (SELECT count(*) FROM memory WHERE memory.mind = mind.key AND standing = 'alive')";
    let wrong: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    if wrong > 0 {
        health.problems.push(phrase!(
            "{wrong} minds have wrong memory counts; correct them with `saegim doctor --repair`",
            "기억 개수가 잘못된 마음이 {wrong}개 있어요. `saegim doctor --repair`로 바로잡아 주세요"
        ));
    }
    Ok(())
}

/// Rebuilds derived data from the rows: word index, ledger index, counts. Deletes vectors of the wrong size so that they are
/// computed again.
pub(super) fn repair(connection: &mut Connection) -> Result<(), StoreError> {
    super::open::rebuild_words(connection)?;
    ledger::reindex(connection)?;
    connection.execute_batch(include_str!("repair.sql"))?;
    Ok(())
}
