//! The tables of the relationship between character and user, and of its changes.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{Axis, Relationship, RelationshipChange, SceneId, SpeechStyle, Timestamp, TurnId, phrase};

use super::apply::broken;
use crate::StoreError;

/// Writes the relationship if it still equals `before` (compare and swap).
pub(super) fn put(connection: &Connection, mind: i64, before: &Relationship, after: &Relationship) -> Result<(), StoreError> {
    if of(connection, mind)?.0 != *before {
        return Err(StoreError::Conflict(phrase!("store.relationship.changed")));
    }
    let Relationship { trust, affection, respect, rivalry, familiarity } = *after;
    connection.prepare_cached(include_str!("put.sql"))?.execute((mind, trust, affection, respect, rivalry, familiarity))?;
    Ok(())
}

pub(super) fn set_style(connection: &Connection, mind: i64, style: Option<SpeechStyle>) -> Result<(), StoreError> {
    put_if_missing(connection, mind)?;
    let mut update = connection.prepare_cached("UPDATE relationship SET speech_style = ?2 WHERE mind = ?1")?;
    update.execute((mind, style.map(SpeechStyle::as_str)))?;
    Ok(())
}

fn put_if_missing(connection: &Connection, mind: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO relationship (mind, trust, affection, respect, rivalry, familiarity) VALUES (?1, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING";
    connection.prepare_cached(sql)?.execute([mind])?;
    Ok(())
}

/// Returns the relationship and the speech style set by the owner.
pub(super) fn of(connection: &Connection, mind: i64) -> Result<(Relationship, Option<SpeechStyle>), StoreError> {
    let mut select = connection
        .prepare_cached("SELECT trust, affection, respect, rivalry, familiarity, speech_style FROM relationship WHERE mind = ?1")?;
    let found = select.query_row([mind], |row| Ok(standing(row))).optional()?;
    found.transpose().map(Option::unwrap_or_default)
}

fn standing(row: &Row<'_>) -> Result<(Relationship, Option<SpeechStyle>), StoreError> {
    let axis = |at: usize| -> Result<f32, StoreError> { Ok(row.get::<_, f64>(at)? as f32) };
    let relationship = Relationship { trust: axis(0)?, affection: axis(1)?, respect: axis(2)?, rivalry: axis(3)?, familiarity: axis(4)? };
    let style: Option<String> = row.get(5)?;
    let style = style.map(|word| SpeechStyle::parse(&word)).transpose().map_err(|_| broken(phrase!("store.relationship.unknown_style")))?;
    Ok((relationship, style))
}

pub(super) fn insert_change(connection: &Connection, mind: i64, change: &RelationshipChange) -> Result<(), StoreError> {
    connection.prepare_cached(include_str!("change.sql"))?.execute((
        mind,
        change.turn.bytes(),
        change.axis.as_str(),
        change.at.millis(),
        change.scene.map(|scene| *scene.bytes()),
        change.delta,
        &change.reason,
    ))?;
    Ok(())
}

pub(super) fn delete_changes(connection: &Connection, mind: i64, turn: TurnId) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM relationship_change WHERE mind = ?1 AND turn = ?2")?.execute((mind, turn.bytes()))?;
    Ok(())
}

/// Returns the changes, newest first, optionally of one turn only.
pub(super) fn changes(
    connection: &Connection,
    mind: i64,
    turn: Option<TurnId>,
    limit: usize,
) -> Result<Vec<RelationshipChange>, StoreError> {
    let sql = "SELECT turn, axis, at, scene, delta, reason FROM relationship_change
               WHERE mind = ?1 AND (?2 IS NULL OR turn = ?2) ORDER BY at DESC, turn DESC, axis LIMIT ?3";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query((mind, turn.map(|turn| *turn.bytes()), limit as i64))?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let axis: String = row.get(1)?;
        changes.push(RelationshipChange {
            turn: TurnId::from_bytes(row.get(0)?),
            axis: Axis::parse(&axis).map_err(|_| broken(phrase!("store.relationship.unknown_axis")))?,
            at: Timestamp::from_millis(row.get(2)?),
            scene: row.get::<_, Option<[u8; 16]>>(3)?.map(SceneId::from_bytes),
            delta: row.get::<_, f64>(4)? as f32,
            reason: row.get(5)?,
        });
    }
    Ok(changes)
}
