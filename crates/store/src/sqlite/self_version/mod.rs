//! The tables of the self: its versions, their beliefs and supporting memories, and rejected beliefs.

use rusqlite::{Connection, Row};
use saegim_core::{Belief, BeliefId, IslandId, MemoryId, ProposalId, Rejection, SelfReason, SelfVersion, Timestamp, Unit, phrase};

use super::apply::broken;
use crate::StoreError;

/// Inserts the next version. Fails with a conflict if another writer already inserted it.
pub(super) fn insert(connection: &Connection, mind: i64, version: &SelfVersion) -> Result<(), StoreError> {
    let sql = "INSERT INTO self_version (mind, version, made_at, reason, proposal) VALUES (?1, ?2, ?3, ?4, ?5)";
    let proposal = version.proposal.map(|proposal| *proposal.bytes());
    connection.prepare_cached(sql)?.execute((mind, version.version, version.made_at.millis(), version.reason.as_str(), proposal))?;
    let mut supports = connection
        .prepare_cached("INSERT OR IGNORE INTO belief_memory (mind, version, belief, memory, place) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (place, belief) in version.beliefs.iter().enumerate() {
        connection.prepare_cached(include_str!("belief.sql"))?.execute(rusqlite::named_params! {
            ":mind": mind, ":version": version.version, ":id": belief.id.bytes(), ":place": place as i64, ":statement": belief.statement,
            ":confidence": belief.confidence.get(), ":island": belief.island.map(|island| *island.bytes()),
            ":formed_at": belief.formed_at.millis(),
        })?;
        for (place, memory) in belief.supporting.iter().enumerate() {
            supports.execute((mind, version.version, belief.id.bytes(), memory.bytes(), place as i64))?;
        }
    }
    Ok(())
}

/// Clears the text of a belief in every version; the row stays.
pub(super) fn erase(connection: &Connection, mind: i64, id: BeliefId) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE belief SET statement = '' WHERE mind = ?1 AND id = ?2")?.execute((mind, id.bytes()))?;
    Ok(())
}

const COLUMNS: &str = "SELECT version, made_at, reason, proposal FROM self_version WHERE mind = ?1";

pub(super) fn current(connection: &Connection, mind: i64) -> Result<Option<SelfVersion>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{COLUMNS} ORDER BY version DESC LIMIT 1"))?;
    let mut rows = select.query([mind])?;
    rows.next()?.map(|row| version(connection, mind, row)).transpose()
}

pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<SelfVersion>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{COLUMNS} ORDER BY version"))?;
    let mut rows = select.query([mind])?;
    let mut versions = Vec::new();
    while let Some(row) = rows.next()? {
        versions.push(version(connection, mind, row)?);
    }
    Ok(versions)
}

fn version(connection: &Connection, mind: i64, row: &Row<'_>) -> Result<SelfVersion, StoreError> {
    let (version, reason): (u64, String) = (row.get(0)?, row.get(2)?);
    let mut select = connection.prepare_cached(include_str!("beliefs.sql"))?;
    let mut rows = select.query((mind, version))?;
    let mut beliefs = Vec::new();
    while let Some(row) = rows.next()? {
        let id: [u8; 16] = row.get(0)?;
        let sql = "SELECT memory FROM belief_memory WHERE mind = ?1 AND version = ?2 AND belief = ?3 ORDER BY place";
        let mut supporting = connection.prepare_cached(sql)?;
        let supporting = supporting.query_map((mind, version, id), |row| row.get(0).map(MemoryId::from_bytes))?;
        beliefs.push(Belief {
            id: BeliefId::from_bytes(id),
            statement: row.get(1)?,
            confidence: Unit::clamped(row.get::<_, f64>(2)? as f32),
            supporting: supporting.collect::<Result<_, _>>()?,
            island: row.get::<_, Option<[u8; 16]>>(3)?.map(IslandId::from_bytes),
            formed_at: Timestamp::from_millis(row.get(4)?),
        });
    }
    Ok(SelfVersion {
        version,
        made_at: Timestamp::from_millis(row.get(1)?),
        reason: SelfReason::parse(&reason).map_err(|_| broken(phrase!("store.self_version.unknown_reason")))?,
        proposal: row.get::<_, Option<[u8; 16]>>(3)?.map(ProposalId::from_bytes),
        beliefs,
    })
}

pub(super) fn put_rejection(connection: &Connection, mind: i64, rejection: &Rejection) -> Result<(), StoreError> {
    let sql = "INSERT INTO belief_rejection (mind, subject, times, at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (mind, subject) DO UPDATE SET times = excluded.times, at = excluded.at";
    connection.prepare_cached(sql)?.execute((mind, &rejection.subject, rejection.times, rejection.at.millis()))?;
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO belief_rejection_memory (mind, subject, memory) VALUES (?1, ?2, ?3)")?;
    for memory in &rejection.evidence {
        insert.execute((mind, &rejection.subject, memory.bytes()))?;
    }
    Ok(())
}

pub(super) fn rejections(connection: &Connection, mind: i64) -> Result<Vec<Rejection>, StoreError> {
    let mut select = connection.prepare_cached("SELECT subject, times, at FROM belief_rejection WHERE mind = ?1 ORDER BY subject")?;
    let mut rows = select.query([mind])?;
    let mut rejections = Vec::new();
    while let Some(row) = rows.next()? {
        let subject: String = row.get(0)?;
        let mut evidence =
            connection.prepare_cached("SELECT memory FROM belief_rejection_memory WHERE mind = ?1 AND subject = ?2 ORDER BY memory")?;
        let evidence = evidence.query_map((mind, &subject), |row| row.get(0).map(MemoryId::from_bytes))?.collect::<Result<_, _>>()?;
        rejections.push(Rejection { subject, evidence, times: row.get(1)?, at: Timestamp::from_millis(row.get(2)?) });
    }
    Ok(rejections)
}

/// Deletes rejections that refer to a purged memory, because their text is derived from it.
pub(super) fn forget_rejections(connection: &Connection, mind: i64, memory: MemoryId) -> Result<(), StoreError> {
    let about = "SELECT subject FROM belief_rejection_memory WHERE mind = ?1 AND memory = ?2";
    let gone = connection
        .prepare_cached(&format!("DELETE FROM belief_rejection WHERE mind = ?1 AND subject IN ({about})"))?
        .execute((mind, memory.bytes()))?;
    if gone > 0 {
        let orphans = "subject NOT IN (SELECT subject FROM belief_rejection WHERE mind = ?1)";
        connection.prepare_cached(&format!("DELETE FROM belief_rejection_memory WHERE mind = ?1 AND {orphans}"))?.execute([mind])?;
    }
    Ok(())
}
