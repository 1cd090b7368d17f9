//! The tables of statements and of the facts derived from them.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{Emotions, Fact, FactCategory, FactId, Statement, StatementId, Timestamp, TurnId, Unit, phrase};

use super::apply::broken;
use crate::StoreError;

pub(super) fn insert_statement(connection: &Connection, mind: i64, statement: &Statement) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("statement.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": statement.id.bytes(), ":turn": statement.turn.map(|turn| *turn.bytes()), ":at": statement.at.millis(),
        ":subject": statement.subject, ":value": statement.value, ":canonical": statement.canonical,
        ":category": statement.category.as_str(), ":single": statement.single, ":ends": statement.ends,
        ":emotions": statement.emotions.bits(), ":intensity": statement.intensity.get(), ":importance": statement.importance.get(),
        ":confidence": statement.confidence.get(),
    })?;
    Ok(())
}

pub(super) fn delete_statement(connection: &Connection, mind: i64, id: StatementId) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM statement WHERE mind = ?1 AND id = ?2")?.execute((mind, id.bytes()))?;
    Ok(())
}

/// Returns all statements, in order of time.
pub(super) fn statements(connection: &Connection, mind: i64) -> Result<Vec<Statement>, StoreError> {
    let mut select = connection.prepare_cached(include_str!("statements.sql"))?;
    let mut rows = select.query([mind])?;
    let mut statements = Vec::new();
    while let Some(row) = rows.next()? {
        statements.push(Statement {
            id: StatementId::from_bytes(row.get(0)?),
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
    Ok(statements)
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
