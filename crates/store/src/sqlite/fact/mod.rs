//! The tables of assertions and of the facts derived from them.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{Assertion, AssertionId, Emotions, Fact, FactCategory, FactId, Timestamp, TurnId, Unit, phrase};

use super::apply::broken;
use crate::StoreError;

pub(super) fn insert_assertion(connection: &Connection, mind: i64, assertion: &Assertion) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("assertion.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": assertion.id.bytes(), ":turn": assertion.turn.map(|turn| *turn.bytes()), ":at": assertion.at.millis(),
        ":subject": assertion.subject, ":value": assertion.value, ":canonical": assertion.canonical,
        ":category": assertion.category.as_str(), ":single": assertion.single, ":ends": assertion.ends,
        ":emotions": assertion.emotions.bits(), ":intensity": assertion.intensity.get(), ":importance": assertion.importance.get(),
        ":confidence": assertion.confidence.get(),
    })?;
    Ok(())
}

pub(super) fn delete_assertion(connection: &Connection, mind: i64, id: AssertionId) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM assertion WHERE mind = ?1 AND id = ?2")?.execute((mind, id.bytes()))?;
    Ok(())
}

/// Returns all assertions, in order of time.
pub(super) fn assertions(connection: &Connection, mind: i64) -> Result<Vec<Assertion>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("assertions.sql"))?;
    let mut rows = select.query([mind])?;
    let mut assertions = Vec::new();
    while let Some(row) = rows.next()? {
        assertions.push(Assertion {
            id: AssertionId::from_bytes(row.get(0)?),
            turn: row.get::<_, Option<[u8; 16]>>(1)?.map(TurnId::from_bytes),
            at: Timestamp::from_millis(row.get(2)?),
            subject: row.get(3)?,
            value: row.get(4)?,
            canonical: row.get(5)?,
            category: category(row, 6)?,
            single: row.get(7)?,
            ends: row.get(8)?,
            emotions: Emotions::from_bits(row.get(9)?),
            intensity: unit(row, 10)?,
            importance: unit(row, 11)?,
            confidence: unit(row, 12)?,
        });
    }
    Ok(assertions)
}

/// Inserts or replaces a fact.
pub(super) fn put(connection: &Connection, mind: i64, fact: &Fact) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("put.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": fact.id.bytes(), ":subject": fact.subject, ":value": fact.value, ":canonical": fact.canonical,
        ":category": fact.category.as_str(), ":single": fact.single, ":emotions": fact.emotions.bits(), ":intensity": fact.intensity.get(),
        ":importance": fact.importance.get(), ":confidence": fact.confidence.get(), ":valid_from": fact.valid_from.millis(),
        ":valid_to": fact.valid_to.map(Timestamp::millis), ":superseded_by": fact.superseded_by.map(|by| *by.bytes()),
        ":mentions": fact.mentions,
    })?;
    let key: i64 = connection
        .prepare_cached("SELECT key FROM fact WHERE mind = ?1 AND id = ?2")?
        .query_row((mind, fact.id.bytes()), |row| row.get(0))?;
    connection.prepare_cached("DELETE FROM fact_turn WHERE fact = ?1")?.execute([key])?;
    for turn in &fact.turns {
        connection.prepare_cached("INSERT OR IGNORE INTO fact_turn (fact, turn) VALUES (?1, ?2)")?.execute((key, turn.bytes()))?;
    }
    Ok(())
}

pub(super) fn delete(connection: &Connection, mind: i64, id: FactId) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM fact WHERE mind = ?1 AND id = ?2")?.execute((mind, id.bytes()))?;
    Ok(())
}

/// Returns every fact, current and past, in order of creation.
pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Fact>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("all.sql"))?;
    let mut turns = connection.prepare_cached("SELECT turn FROM fact_turn WHERE fact = ?1 ORDER BY turn")?;
    let mut rows = select.query([mind])?;
    let mut facts = Vec::new();
    while let Some(row) = rows.next()? {
        let key: i64 = row.get(0)?;
        let turns = turns.query_map([key], |row| row.get(0).map(TurnId::from_bytes))?.collect::<Result<_, _>>()?;
        facts.push(Fact {
            id: FactId::from_bytes(row.get(1)?),
            subject: row.get(2)?,
            value: row.get(3)?,
            canonical: row.get(4)?,
            category: category(row, 5)?,
            single: row.get(6)?,
            emotions: Emotions::from_bits(row.get(7)?),
            intensity: unit(row, 8)?,
            importance: unit(row, 9)?,
            confidence: unit(row, 10)?,
            valid_from: Timestamp::from_millis(row.get(11)?),
            valid_to: row.get::<_, Option<i64>>(12)?.map(Timestamp::from_millis),
            superseded_by: row.get::<_, Option<[u8; 16]>>(13)?.map(FactId::from_bytes),
            mentions: row.get(14)?,
            turns,
        });
    }
    Ok(facts)
}

fn unit(row: &Row<'_>, at: usize) -> Result<Unit, StoreError> {
    Ok(Unit::clamped(row.get::<_, f64>(at)? as f32))
}

fn category(row: &Row<'_>, at: usize) -> Result<FactCategory, StoreError> {
    let word: String = row.get(at)?;
    FactCategory::parse(&word).map_err(|_| broken(phrase!("store.fact.unknown_category")))
}

/// Returns the newest ledger sequence of a mind. An in-memory copy is current while it does not change.
pub(super) fn head(connection: &Connection, mind: i64) -> Result<u64, StoreError> {
    let mut select = connection.prepare_cached("SELECT max(sequence) FROM ledger WHERE mind = ?1")?;
    Ok(select.query_row([mind], |row| row.get::<_, Option<u64>>(0)).optional()?.flatten().unwrap_or(0))
}
