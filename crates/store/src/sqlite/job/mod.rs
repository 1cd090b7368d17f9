//! The table of jobs.

use rusqlite::Connection;
use saegim_core::{Cause, Job, JobKind, Timestamp, TurnId, phrase};

use super::apply::broken;
use crate::StoreError;

fn written(turns: &[TurnId]) -> String {
    turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

pub(super) fn put(connection: &Connection, mind: i64, job: &Job) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("put.sql"))?.execute((
        mind,
        job.kind.as_str(),
        written(&job.turns),
        job.made_at.millis(),
        job.due_at.map(Timestamp::millis),
        job.attempts,
        job.cause.map(Cause::as_str),
    ))?;
    Ok(())
}

/// Deletes a completed job. Fails with a conflict if another worker already completed it.
pub(super) fn delete(connection: &Connection, mind: i64, kind: JobKind, turns: &[TurnId]) -> Result<(), StoreError> {
    let sql = "DELETE FROM job WHERE mind = ?1 AND kind = ?2 AND turns = ?3";
    let gone = connection.prepare_cached(sql)?.execute((mind, kind.as_str(), written(turns)))?;
    if gone == 0 {
        return Err(StoreError::Conflict(phrase!("store.job.already_done")));
    }
    Ok(())
}

/// Returns every job of a mind, oldest first.
pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Job>, StoreError> {
    let sql = "SELECT kind, turns, made_at, due_at, attempts, cause FROM job WHERE mind = ?1 ORDER BY made_at, kind, turns";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([mind])?;
    let mut jobs = Vec::new();
    let unknown = || broken(phrase!("store.job.not_readable"));
    while let Some(row) = rows.next()? {
        let (kind, turns, cause): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(5)?);
        let turns = turns.split(',').filter(|id| !id.is_empty()).map(TurnId::parse).collect::<Result<_, _>>();
        jobs.push(Job {
            kind: JobKind::parse(&kind).map_err(|_| unknown())?,
            turns: turns.map_err(|_| unknown())?,
            made_at: Timestamp::from_millis(row.get(2)?),
            due_at: row.get::<_, Option<i64>>(3)?.map(Timestamp::from_millis),
            attempts: row.get(4)?,
            cause: cause.map(|cause| Cause::parse(&cause)).transpose().map_err(|_| unknown())?,
        });
    }
    Ok(jobs)
}
