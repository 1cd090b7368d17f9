//! The tables of proposals and of the memories they refer to.

use rusqlite::{Connection, Row};
use saegim_core::{Hash, MemoryId, Principal, Proposal, ProposalId, ProposalKind, ProposalStatus, Timestamp, phrase};

use super::apply::broken;
use crate::{ProposalPage, StoreError, Waiting};

/// Inserts a proposal, or updates it if its revision matches.
pub(super) fn put(connection: &Connection, mind: i64, proposal: &Proposal) -> Result<(), StoreError> {
    let change = serde_json::to_string(&proposal.change).expect("a change is plain data");
    let reasons = serde_json::to_string(&proposal.reasons).expect("reasons are plain data");
    let written = connection.prepare_cached(include_str!("put.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": proposal.id.bytes(), ":revision": proposal.revision, ":kind": proposal.kind.as_str(),
        ":subject": proposal.subject, ":change": change, ":digest": proposal.digest.bytes(), ":reasons": reasons,
        ":recalls": proposal.recalls, ":made_by": proposal.made_by.as_str(), ":made_at": proposal.made_at.millis(),
        ":lapses_at": proposal.lapses_at.millis(), ":status": proposal.status.as_str(),
        ":decided_at": proposal.decided_at.map(Timestamp::millis), ":made_memory": proposal.made_memory.map(|memory| *memory.bytes()),
    })?;
    if written == 0 {
        return Err(StoreError::Conflict(phrase!("store.proposal.changed")));
    }
    connection.prepare_cached("DELETE FROM proposal_memory WHERE mind = ?1 AND proposal = ?2")?.execute((mind, proposal.id.bytes()))?;
    let mut insert = connection
        .prepare_cached("INSERT OR IGNORE INTO proposal_memory (mind, proposal, memory, evidence, place) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (place, memory) in proposal.evidence.iter().enumerate() {
        insert.execute((mind, proposal.id.bytes(), memory.bytes(), true, place as i64))?;
    }
    for memory in proposal.change.speaks_of() {
        insert.execute((mind, proposal.id.bytes(), memory.bytes(), false, 0))?;
    }
    Ok(())
}

/// Clears the text of proposals that refer to a purged memory; the row stays.
pub(super) fn blank(connection: &Connection, mind: i64, memory: MemoryId) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("blank.sql"))?.execute((mind, memory.bytes()))?;
    Ok(())
}

pub(super) fn page(connection: &Connection, mind: i64, page: &ProposalPage) -> Result<Vec<Proposal>, StoreError> {
    let by_time =
        concat!(include_str!("select.sql"), " WHERE mind = ?1 AND (?2 IS NULL OR status = ?2) ORDER BY made_at DESC, id DESC LIMIT ?3");
    // Few proposals are pending and they are read often, so use the partial index on them.
    let waiting = concat!(
        include_str!("select.sql"),
        " INDEXED BY proposal_pending WHERE mind = ?1 AND status = 'pending' AND status = ?2 ORDER BY made_at DESC, id DESC LIMIT ?3"
    );
    let sql = if page.status == Some(ProposalStatus::Pending) { waiting } else { by_time };
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query((mind, page.status.map(ProposalStatus::as_str), page.limit as i64))?;
    let mut proposals = Vec::new();
    while let Some(row) = rows.next()? {
        proposals.push(proposal(connection, mind, row)?);
    }
    Ok(proposals)
}

/// Returns a summary of the pending proposals.
pub(super) fn waiting(connection: &Connection, mind: i64) -> Result<Waiting, StoreError> {
    let mut select = connection.prepare_cached(include_str!("waiting.sql"))?;
    Ok(select.query_row((mind, ProposalKind::FactEnd.as_str()), |row| {
        Ok(Waiting { lapses_at: row.get::<_, Option<i64>>(0)?.map(Timestamp::from_millis), doubts: row.get(1)? })
    })?)
}

pub(super) fn by_id(connection: &Connection, mind: i64, id: ProposalId) -> Result<Option<Proposal>, StoreError> {
    let mut select = connection.prepare_cached(concat!(include_str!("select.sql"), " WHERE mind = ?1 AND id = ?2"))?;
    let mut rows = select.query((mind, id.bytes()))?;
    rows.next()?.map(|row| proposal(connection, mind, row)).transpose()
}

fn proposal(connection: &Connection, mind: i64, row: &Row<'_>) -> Result<Proposal, StoreError> {
    let unreadable = || broken(phrase!("store.proposal.not_readable"));
    let id: [u8; 16] = row.get(0)?;
    let (kind, change, reasons): (String, String, String) = (row.get(2)?, row.get(4)?, row.get(6)?);
    let (made_by, status): (String, String) = (row.get(8)?, row.get(11)?);
    let sql = "SELECT memory FROM proposal_memory WHERE mind = ?1 AND proposal = ?2 AND evidence ORDER BY place";
    let mut evidence = connection.prepare_cached(sql)?;
    let evidence = evidence.query_map((mind, id), |row| row.get(0).map(MemoryId::from_bytes))?.collect::<Result<_, _>>()?;
    Ok(Proposal {
        id: ProposalId::from_bytes(id),
        revision: row.get(1)?,
        kind: ProposalKind::parse(&kind).map_err(|_| unreadable())?,
        subject: row.get(3)?,
        change: serde_json::from_str(&change).map_err(|_| unreadable())?,
        digest: Hash::from_bytes(row.get(5)?),
        reasons: serde_json::from_str(&reasons).map_err(|_| unreadable())?,
        evidence,
        recalls: row.get(7)?,
        made_by: Principal::parse(&made_by).map_err(|_| unreadable())?,
        made_at: Timestamp::from_millis(row.get(9)?),
        lapses_at: Timestamp::from_millis(row.get(10)?),
        status: ProposalStatus::parse(&status).map_err(|_| unreadable())?,
        decided_at: row.get::<_, Option<i64>>(12)?.map(Timestamp::from_millis),
        made_memory: row.get::<_, Option<[u8; 16]>>(13)?.map(MemoryId::from_bytes),
    })
}
