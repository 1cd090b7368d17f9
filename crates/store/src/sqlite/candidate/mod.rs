//! The table of candidates: the audit record of admission decisions.

use rusqlite::{Connection, Row};
use saegim_core::{Candidate, CandidateId, CandidateType, CandidateVerdict, Factors, MemoryId, TurnId, Unit, phrase};

use super::apply::broken;
use crate::{CandidatePage, StoreError};

pub(super) fn insert(connection: &Connection, mind: i64, candidate: &Candidate) -> Result<(), StoreError> {
    let factors = &candidate.factors;
    connection.prepare_cached(include_str!("insert.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": candidate.id.bytes(), ":turn": candidate.turn.bytes(), ":content": candidate.content,
        ":type": candidate.candidate_type.as_str(), ":type_weight": factors.type_weight.get(), ":confidence": factors.confidence.get(),
        ":future_impact": factors.future_impact.get(), ":emotion_intensity": factors.emotion_intensity.get(),
        ":recurrence": factors.recurrence.get(), ":novelty": factors.novelty.get(), ":score": candidate.score.get(),
        ":verdict": candidate.verdict.as_str(), ":reason": candidate.reason, ":memory": candidate.memory.map(|memory| *memory.bytes()),
    })?;
    Ok(())
}

/// Clears the text of a candidate whose memory was purged; the decision stays.
pub(super) fn blank(connection: &Connection, mind: i64, memory: MemoryId) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE candidate SET content = '' WHERE mind = ?1 AND memory = ?2")?.execute((mind, memory.bytes()))?;
    Ok(())
}

/// The decision on a held candidate, and the memory it became.
pub(super) struct Settled {
    pub(super) candidate: CandidateId,
    pub(super) verdict: CandidateVerdict,
    pub(super) memory: Option<MemoryId>,
}

/// Records the decision on a held candidate. Clears its text if it did not become a memory.
pub(super) fn settle(connection: &Connection, mind: i64, settled: &Settled) -> Result<(), StoreError> {
    let Settled { candidate: id, verdict, memory } = settled;
    let sql = "UPDATE candidate SET verdict = ?3, memory = ?4, content = CASE WHEN ?4 IS NULL THEN '' ELSE content END WHERE mind = ?1 AND id = ?2";
    connection.prepare_cached(sql)?.execute((mind, id.bytes(), verdict.as_str(), memory.map(|memory| *memory.bytes())))?;
    Ok(())
}

pub(super) fn by_id(connection: &Connection, mind: i64, id: CandidateId) -> Result<Option<Candidate>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("by_id.sql"))?;
    let mut rows = select.query((mind, id.bytes()))?;
    rows.next()?.map(candidate).transpose()
}

/// Returns matching candidates, newest first.
pub(super) fn page(connection: &Connection, mind: i64, page: &CandidatePage) -> Result<Vec<Candidate>, StoreError> {
    // Held candidates have a partial index, so the query is cheap if there are none.
    let held = page.turn.is_none() && page.verdict == Some(CandidateVerdict::Held);
    let mut select = connection.prepare_cached(if held { include_str!("held.sql") } else { include_str!("page.sql") })?;
    let turn = page.turn.map(|turn| *turn.bytes());
    let verdict = page.verdict.map(CandidateVerdict::as_str);
    let mut rows = if held { select.query((mind, page.limit as i64))? } else { select.query((mind, turn, verdict, page.limit as i64))? };
    let mut candidates = Vec::new();
    while let Some(row) = rows.next()? {
        candidates.push(candidate(row)?);
    }
    Ok(candidates)
}

fn candidate(row: &Row<'_>) -> Result<Candidate, StoreError> {
    let unit = |at: usize| -> Result<Unit, StoreError> { Ok(Unit::clamped(row.get::<_, f64>(at)? as f32)) };
    let (kind, verdict): (String, String) = (row.get(3)?, row.get(11)?);
    Ok(Candidate {
        id: CandidateId::from_bytes(row.get(0)?),
        turn: TurnId::from_bytes(row.get(1)?),
        content: row.get(2)?,
        candidate_type: CandidateType::parse(&kind).map_err(|_| broken(phrase!("store.candidate.unknown_type")))?,
        factors: Factors {
            type_weight: unit(4)?,
            confidence: unit(5)?,
            future_impact: unit(6)?,
            emotion_intensity: unit(7)?,
            recurrence: unit(8)?,
            novelty: unit(9)?,
        },
        score: unit(10)?,
        verdict: CandidateVerdict::parse(&verdict).map_err(|_| broken(phrase!("store.candidate.unknown_verdict")))?,
        reason: row.get(12)?,
        memory: row.get::<_, Option<[u8; 16]>>(13)?.map(MemoryId::from_bytes),
    })
}
