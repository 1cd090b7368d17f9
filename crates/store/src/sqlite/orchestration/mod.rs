//! The tables of runs of personas and of the memories they hold the ids of.

use rusqlite::{Connection, Row};
use saegim_core::{MemoryId, Orchestration, OrchestrationId, RunStatus, SessionId, Timestamp, phrase};

use super::apply::broken;
use crate::{OrchestrationPage, StoreError};

const SELECT: &str = "SELECT id, revision, session, status, prompt, began_at, changed_at, state FROM orchestration";

/// Inserts a run, or updates it if its revision matches. Two processes that continue the same run therefore never store a step
/// twice.
pub(super) fn put(connection: &Connection, mind: i64, run: &Orchestration) -> Result<(), StoreError> {
    let state = serde_json::to_string(&Orchestration { prompt: None, ..run.clone() }).expect("a run is plain data");
    let written = connection.prepare_cached(include_str!("put.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": run.id.bytes(), ":revision": run.revision, ":session": run.session.as_str(), ":status": run.status.as_str(),
        ":prompt": run.prompt, ":began_at": run.began_at.millis(), ":changed_at": run.changed_at.millis(), ":state": state,
    })?;
    if written == 0 {
        return Err(StoreError::Conflict(phrase!("store.orchestration.changed")));
    }
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO orchestration_memory (mind, memory, orchestration) VALUES (?1, ?2, ?3)")?;
    for step in &run.steps {
        insert.execute((mind, step.memory.bytes(), run.id.bytes()))?;
    }
    Ok(())
}

/// Deletes the prompts of the runs to which a purged memory belongs; the record of their steps stays.
pub(super) fn blank(connection: &Connection, mind: i64, memory: MemoryId) -> Result<(), StoreError> {
    let sql = "UPDATE orchestration SET prompt = NULL WHERE mind = ?1 AND prompt IS NOT NULL
               AND id IN (SELECT orchestration FROM orchestration_memory WHERE mind = ?1 AND memory = ?2)";
    connection.prepare_cached(sql)?.execute((mind, memory.bytes()))?;
    Ok(())
}

pub(super) fn page(connection: &Connection, mind: i64, page: &OrchestrationPage) -> Result<Vec<Orchestration>, StoreError> {
    let sql = format!(
        "{SELECT} WHERE mind = ?1 AND (?2 IS NULL OR session = ?2) AND (?3 IS NULL OR status = ?3) ORDER BY changed_at DESC, key DESC LIMIT ?4"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let session = page.session.as_ref().map(SessionId::as_str);
    let mut rows = select.query((mind, session, page.status.map(RunStatus::as_str), page.limit as i64))?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        runs.push(run(row)?);
    }
    Ok(runs)
}

pub(super) fn by_id(connection: &Connection, mind: i64, id: OrchestrationId) -> Result<Option<Orchestration>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} WHERE mind = ?1 AND id = ?2"))?;
    let mut rows = select.query((mind, id.bytes()))?;
    rows.next()?.map(run).transpose()
}

fn run(row: &Row<'_>) -> Result<Orchestration, StoreError> {
    let unreadable = || broken(phrase!("store.orchestration.not_readable"));
    let (session, status, state): (String, String, String) = (row.get(2)?, row.get(3)?, row.get(7)?);
    let kept: Orchestration = serde_json::from_str(&state).map_err(|_| unreadable())?;
    Ok(Orchestration {
        id: OrchestrationId::from_bytes(row.get(0)?),
        revision: row.get(1)?,
        session: SessionId::new(session).map_err(|_| unreadable())?,
        status: RunStatus::parse(&status).map_err(|_| unreadable())?,
        prompt: row.get(4)?,
        began_at: Timestamp::from_millis(row.get(5)?),
        changed_at: Timestamp::from_millis(row.get(6)?),
        ..kept
    })
}
