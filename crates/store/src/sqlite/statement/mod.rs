//! The table of statements: clauses in the user's own words.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{Confirmation, Statement, StatementGroup, StatementId, StatementStatus, Timestamp, TurnId, Unit, phrase};

use super::apply::broken;
use crate::{StatementHolder, StatementPage, StoreError};

const COLUMNS: &str = r#"id, turn, at, "group", text, holder, status, probability, sure, valid_until, confirmed, repeated_by, ended_by, ended_at, withdrawn_at, said_values, corrects, ends"#;

/// Inserts or replaces a statement.
pub(super) fn put(connection: &Connection, mind: i64, statement: &Statement) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("put.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": statement.id.bytes(), ":turn": statement.turn.bytes(), ":at": statement.at.millis(),
        ":group": statement.group.as_str(), ":text": statement.text, ":holder": statement.holder, ":status": statement.status.as_str(),
        ":probability": statement.probability.get(), ":sure": statement.sure,
        ":valid_until": statement.valid_until.map(Timestamp::millis), ":confirmed": statement.confirmed.map(Confirmation::as_str),
        ":repeated_by": statement.repeated_by.map(|by| *by.bytes()), ":ended_by": statement.ended_by.map(|by| *by.bytes()),
        ":ended_at": statement.ended_at.map(Timestamp::millis), ":withdrawn_at": statement.withdrawn_at.map(Timestamp::millis),
        ":said_values": serde_json::to_string(&statement.values).unwrap_or_default(), ":corrects": statement.corrects,
        ":ends": serde_json::to_string(&statement.ends).unwrap_or_default(),
    })?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, mind: i64, id: StatementId) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM statement WHERE mind = ?1 AND id = ?2")?.execute((mind, id.bytes()))?;
    Ok(())
}

pub(super) fn by_id(connection: &Connection, mind: i64, id: StatementId) -> Result<Option<Statement>, StoreError> {
    let mut select = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM statement WHERE mind = ?1 AND id = ?2"))?;
    select.query_row((mind, id.bytes()), |row| Ok(statement(row))).optional()?.transpose()
}

/// Returns the people that statements are about, in alphabetical order.
pub(super) fn holders(connection: &Connection, mind: i64) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT DISTINCT holder FROM statement WHERE mind = ?1 AND holder IS NOT NULL ORDER BY holder";
    let mut select = connection.prepare_cached(sql)?;
    let holders = select.query_map([mind], |row| row.get(0))?;
    Ok(holders.collect::<Result<_, _>>()?)
}

/// Returns matching statements, newest first.
pub(super) fn page(connection: &Connection, mind: i64, page: &StatementPage) -> Result<Vec<Statement>, StoreError> {
    let mut sql = format!("SELECT {COLUMNS} FROM statement WHERE mind = ?");
    let mut values: Vec<Value> = vec![Value::Integer(mind)];
    let mut add = |clause: &str, added: Vec<Value>| {
        sql.push_str(" AND ");
        sql.push_str(clause);
        values.extend(added);
    };
    if !page.history {
        add("withdrawn_at IS NULL AND repeated_by IS NULL AND ended_at IS NULL", Vec::new());
    }
    match &page.holder {
        StatementHolder::Anybody => {}
        StatementHolder::User => add("holder IS NULL", Vec::new()),
        StatementHolder::Person(name) => add("lower(holder) = lower(?)", vec![Value::Text(name.clone())]),
    }
    if let Some(group) = page.group {
        add(r#""group" = ?"#, vec![Value::Text(group.as_str().to_owned())]);
    }
    if let Some(turns) = &page.turns {
        let places = vec!["?"; turns.len()].join(", ");
        add(&format!("turn IN ({places})"), turns.iter().map(|turn| Value::Blob(turn.bytes().to_vec())).collect());
    }
    if let Some(before) = page.before {
        let earlier = "(at, key) < (SELECT edge.at, edge.key FROM statement AS edge WHERE edge.mind = ? AND edge.id = ?)";
        add(earlier, vec![Value::Integer(mind), Value::Blob(before.bytes().to_vec())]);
    }
    sql.push_str(" ORDER BY at DESC, key DESC LIMIT ?");
    values.push(Value::Integer(i64::try_from(page.limit).unwrap_or(i64::MAX)));
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query(rusqlite::params_from_iter(values))?;
    let mut statements = Vec::new();
    while let Some(row) = rows.next()? {
        statements.push(statement(row)?);
    }
    Ok(statements)
}

fn statement(row: &Row<'_>) -> Result<Statement, StoreError> {
    let (group, status): (String, String) = (row.get(3)?, row.get(6)?);
    let confirmed: Option<String> = row.get(10)?;
    let id =
        |at: usize| -> Result<Option<StatementId>, StoreError> { Ok(row.get::<_, Option<[u8; 16]>>(at)?.map(StatementId::from_bytes)) };
    let time = |at: usize| -> Result<Option<Timestamp>, StoreError> { Ok(row.get::<_, Option<i64>>(at)?.map(Timestamp::from_millis)) };
    let unknown = || broken(phrase!("store.statement.unknown_word"));
    Ok(Statement {
        id: StatementId::from_bytes(row.get(0)?),
        turn: TurnId::from_bytes(row.get(1)?),
        at: Timestamp::from_millis(row.get(2)?),
        group: StatementGroup::parse(&group).map_err(|_| unknown())?,
        text: row.get(4)?,
        holder: row.get(5)?,
        status: StatementStatus::parse(&status).map_err(|_| unknown())?,
        probability: Unit::clamped(row.get::<_, f64>(7)? as f32),
        sure: row.get(8)?,
        valid_until: time(9)?,
        confirmed: confirmed.map(|word| Confirmation::parse(&word)).transpose().map_err(|_| unknown())?,
        repeated_by: id(11)?,
        ended_by: id(12)?,
        ended_at: time(13)?,
        withdrawn_at: time(14)?,
        values: serde_json::from_str(&row.get::<_, String>(15)?).map_err(|_| unknown())?,
        corrects: row.get(16)?,
        ends: serde_json::from_str(&row.get::<_, String>(17)?).map_err(|_| unknown())?,
    })
}
