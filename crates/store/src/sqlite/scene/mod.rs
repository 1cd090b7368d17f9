//! The table of scenes.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{Scene, SceneId, SessionId, Timestamp, phrase};

use super::apply::broken;
use crate::StoreError;

const SELECT: &str = "SELECT id, session, place, time, people, tone, topic, began_at, ended_at FROM scene WHERE mind = ?1";

pub(super) fn put(connection: &Connection, mind: i64, scene: &Scene) -> Result<(), StoreError> {
    let people = serde_json::to_string(&scene.people).expect("names are plain text");
    connection.prepare_cached(include_str!("put.sql"))?.execute(rusqlite::named_params! {
        ":mind": mind, ":id": scene.id.bytes(), ":session": scene.session.as_str(), ":place": scene.place, ":time": scene.time,
        ":people": people, ":tone": scene.tone, ":topic": scene.topic, ":began_at": scene.began_at.millis(),
        ":ended_at": scene.ended_at.map(Timestamp::millis),
    })?;
    Ok(())
}

/// Returns the latest scene of a mind.
pub(super) fn latest(connection: &Connection, mind: i64) -> Result<Option<Scene>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} ORDER BY began_at DESC, id DESC LIMIT 1"))?;
    select.query_row([mind], |row| Ok(scene(row))).optional()?.transpose()
}

/// Returns the scenes of a mind, newest first.
pub(super) fn all(connection: &Connection, mind: i64, limit: usize) -> Result<Vec<Scene>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} ORDER BY began_at DESC, id DESC LIMIT ?2"))?;
    let mut rows = select.query((mind, limit as i64))?;
    let mut scenes = Vec::new();
    while let Some(row) = rows.next()? {
        scenes.push(scene(row)?);
    }
    Ok(scenes)
}

fn scene(row: &Row<'_>) -> Result<Scene, StoreError> {
    let (session, people): (String, Option<String>) = (row.get(1)?, row.get(4)?);
    Ok(Scene {
        id: SceneId::from_bytes(row.get(0)?),
        session: SessionId::new(session).map_err(|_| broken(phrase!("store.scene.session_missing")))?,
        place: row.get(2)?,
        time: row.get(3)?,
        people: people
            .map_or_else(|| Ok(Vec::new()), |list| serde_json::from_str(&list))
            .map_err(|_| broken(phrase!("store.scene.characters_not_readable")))?,
        tone: row.get(5)?,
        topic: row.get(6)?,
        began_at: Timestamp::from_millis(row.get(7)?),
        ended_at: row.get::<_, Option<i64>>(8)?.map(Timestamp::from_millis),
    })
}
