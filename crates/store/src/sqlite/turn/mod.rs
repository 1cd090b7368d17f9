//! The tables of turns and sessions.

use super::IndexPage;
use super::vector::VectorSpace;
use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{Face, MemoryId, Role, Session, SessionId, Timestamp, Turn, TurnId, phrase};

use super::apply::{Place, broken};
use super::vector;
use crate::{IndexMark, IndexRows, StoreError, TurnPage};

const SELECT: &str = include_str!("select.sql");

fn key(connection: &Connection, mind: i64, id: TurnId) -> Result<i64, StoreError> {
    let mut select = connection.prepare_cached("SELECT key FROM turn WHERE id = ?1 AND mind = ?2")?;
    select.query_row((id.bytes(), mind), |row| row.get(0)).optional()?.ok_or_else(|| unknown(id))
}

fn unknown(id: TurnId) -> StoreError {
    StoreError::NotFound(phrase!("store.turn.not_found", id))
}

/// Inserts a turn. Fails with a conflict if a concurrent writer already used its sequence number in the session.
pub(super) fn insert(connection: &Connection, place: Place, turn: &Turn) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(include_str!("insert.sql"))?;
    let added = insert.execute(rusqlite::named_params! {
        ":mind": place.mind, ":id": turn.id.bytes(), ":session": turn.session.as_str(), ":sequence": turn.sequence,
        ":role": turn.role.as_str(), ":speaker": turn.speaker, ":content": turn.content, ":at": turn.at.millis(),
        ":face": turn.face.map(Face::as_str), ":withdrawn_at": turn.withdrawn_at.map(Timestamp::millis), ":stamp": place.sequence,
    })?;
    if added == 0 {
        return Err(StoreError::Conflict(phrase!("store.turn.content_differs", sequence = turn.sequence, session = turn.session.as_str())));
    }
    let key = connection.last_insert_rowid();
    for memory in &turn.injected {
        connection.prepare_cached("INSERT OR IGNORE INTO turn_memory (turn, memory) VALUES (?1, ?2)")?.execute((key, memory.bytes()))?;
    }
    Ok(())
}

/// Updates the mutable parts of a turn: text, face and retraction.
pub(super) fn update(connection: &Connection, place: Place, turn: &Turn) -> Result<(), StoreError> {
    let key = key(connection, place.mind, turn.id)?;
    let mut update = connection.prepare_cached(include_str!("update.sql"))?;
    update.execute((key, &turn.content, turn.face.map(Face::as_str), turn.withdrawn_at.map(Timestamp::millis), place.sequence))?;
    Ok(())
}

/// Deletes a turn with its vectors and candidates. The caller must sweep the file afterwards.
pub(super) fn delete(connection: &Connection, mind: i64, id: TurnId) -> Result<(), StoreError> {
    let key = key(connection, mind, id)?;
    connection.prepare_cached("DELETE FROM candidate WHERE mind = ?1 AND turn = ?2")?.execute((mind, id.bytes()))?;
    connection.prepare_cached("DELETE FROM memory_turn WHERE turn = ?1")?.execute([id.bytes()])?;
    connection.prepare_cached("DELETE FROM turn WHERE key = ?1")?.execute([key])?;
    connection.prepare_cached("UPDATE mind SET turn_purges = turn_purges + 1 WHERE key = ?1")?.execute([mind])?;
    Ok(())
}

/// Inserts or replaces the vector of a turn for an embedder.
pub(super) fn put_vector(connection: &Connection, place: Place, id: TurnId, row: vector::Written<'_>) -> Result<(), StoreError> {
    let embedder = vector::embedder_for(connection, &row)?;
    let key = key(connection, place.mind, id)?;
    let sql = "INSERT INTO turn_vector (mind, embedder, turn, vector) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (mind, embedder, turn) DO UPDATE SET vector = excluded.vector";
    connection.prepare_cached(sql)?.execute((place.mind, embedder, key, vector::bytes(&row.vector.quantised())))?;
    connection.prepare_cached("UPDATE turn SET stamp = ?2 WHERE key = ?1 AND stamp <> ?2")?.execute((key, place.sequence))?;
    Ok(())
}

/// Returns the vectors of these turns; skips turns without one.
pub(super) fn vectors(connection: &Connection, space: VectorSpace, ids: &[TurnId]) -> Result<Vec<Vec<i8>>, StoreError> {
    let sql = "SELECT vector FROM turn_vector WHERE mind = ?1 AND embedder = ?2
               AND turn = (SELECT key FROM turn WHERE mind = ?1 AND id = ?3)";
    let mut select = connection.prepare_cached(sql)?;
    let mut vectors = Vec::with_capacity(ids.len());
    for id in ids {
        let found: Option<Vec<u8>> = select.query_row((space.mind, space.embedder, id.bytes()), |row| row.get(0)).optional()?;
        vectors.extend(found.map(|bytes| bytes.into_iter().map(|byte| byte as i8).collect()));
    }
    Ok(vectors)
}

pub(super) fn put_session(connection: &Connection, mind: i64, session: &Session) -> Result<(), StoreError> {
    let (parent, after) = session.branched_from.as_ref().map_or((None, None), |(name, after)| (Some(name.as_str()), Some(*after)));
    connection.prepare_cached(include_str!("session.sql"))?.execute((
        mind,
        session.name.as_str(),
        session.began_at.millis(),
        session.last_at.millis(),
        session.last_sequence,
        parent,
        after,
    ))?;
    Ok(())
}

const SESSION: &str = "SELECT name, began_at, last_at, last_sequence, parent, parent_sequence FROM session WHERE mind = ?1";

fn session_of(row: &Row<'_>) -> Result<Session, StoreError> {
    let (name, parent): (String, Option<String>) = (row.get(0)?, row.get(4)?);
    let named = |name: String| SessionId::new(name).map_err(|_| broken(phrase!("store.turn.session_not_valid")));
    Ok(Session {
        name: named(name)?,
        began_at: Timestamp::from_millis(row.get(1)?),
        last_at: Timestamp::from_millis(row.get(2)?),
        last_sequence: row.get(3)?,
        branched_from: parent.map(named).transpose()?.zip(row.get(5)?),
    })
}

/// Returns the session with this name.
pub(super) fn session(connection: &Connection, mind: i64, name: &SessionId) -> Result<Option<Session>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SESSION} AND name = ?2"))?;
    select.query_row((mind, name.as_str()), |row| Ok(session_of(row))).optional()?.transpose()
}

/// Returns all sessions, most recent first.
pub(super) fn sessions(connection: &Connection, mind: i64) -> Result<Vec<Session>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SESSION} ORDER BY last_at DESC, name"))?;
    let mut rows = select.query([mind])?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        sessions.push(session_of(row)?);
    }
    Ok(sessions)
}

/// Returns these turns in the given order; skips unknown ids.
pub(super) fn by_ids(connection: &Connection, mind: i64, ids: &[TurnId]) -> Result<Vec<Turn>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} WHERE turn.mind = ?1 AND turn.id = ?2"))?;
    let mut turns = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(found) = select.query_row((mind, id.bytes()), |row| Ok(turn(row))).optional()? {
            turns.push(found?);
        }
    }
    Ok(turns)
}

/// Returns ids that start or end with these hexadecimal digits.
pub(super) fn ids_like(connection: &Connection, mind: i64, digits: &str) -> Result<Vec<TurnId>, StoreError> {
    let Some(edges) = super::id_digits::Edges::of(digits) else { return Ok(Vec::new()) };
    let mut select = connection.prepare_cached(include_str!("ids_like.sql"))?;
    let ids = select.query_map((mind, edges.first, edges.last, edges.tail, &edges.digits), |row| row.get(0).map(TurnId::from_bytes))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Returns a page of turns; the newest is last.
pub(super) fn page(connection: &Connection, mind: i64, page: &TurnPage) -> Result<Vec<Turn>, StoreError> {
    // Only the conditions that are given, so that SQLite finds the first row of the page by an index.
    let given = [
        (page.session.is_some(), "AND turn.session = ?2"),
        (
            page.before.is_some(),
            "AND (turn.at, turn.key) < (SELECT edge.at, edge.key FROM turn AS edge WHERE edge.mind = ?1 AND edge.id = ?3)",
        ),
        (page.until.is_some(), "AND turn.at <= ?4"),
        (true, "AND (?5 OR turn.withdrawn_at IS NULL)"),
    ];
    let given: Vec<&str> = given.into_iter().filter_map(|(given, clause)| given.then_some(clause)).collect();
    let sql = format!("{SELECT} WHERE turn.mind = ?1 {} ORDER BY turn.at DESC, turn.key DESC LIMIT ?6", given.join(" "));
    let mut select = connection.prepare_cached(&sql)?;
    let session = page.session.as_ref().map(SessionId::as_str);
    let before = page.before.map(|id| *id.bytes());
    let until = page.until.map(Timestamp::millis);
    let mut rows = select.query((mind, session, before, until, page.withdrawn, page.limit as i64))?;
    let mut turns = Vec::new();
    while let Some(row) = rows.next()? {
        turns.push(turn(row)?);
    }
    turns.reverse();
    Ok(turns)
}

/// Returns turns without a vector of this embedder, oldest first. Skips retracted turns.
pub(super) fn without_vector(connection: &Connection, mind: i64, embedder: Option<i64>, limit: usize) -> Result<Vec<Turn>, StoreError> {
    let sql = format!("{SELECT} {}", include_str!("without_vector.sql"));
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query((mind, embedder, limit as i64))?;
    let mut turns = Vec::new();
    while let Some(row) = rows.next()? {
        turns.push(turn(row)?);
    }
    Ok(turns)
}

/// Returns the rows that changed after a mark, up to the limit, for an in-memory index.
pub(super) fn index_rows(connection: &Connection, mind: i64, embedder: Option<i64>, page: IndexPage) -> Result<IndexRows, StoreError> {
    let IndexPage { after, limit } = page;
    let mut counters = connection.prepare_cached("SELECT turn_purges, turns FROM mind WHERE key = ?1")?;
    let (purges, turns) = counters.query_row([mind], |row| Ok((row.get(0)?, row.get(1)?))).optional()?.unwrap_or_default();
    let mut changes = IndexRows { rows: Vec::new(), seen: after, purges, turns, memories: turns };
    let mut select = connection.prepare_cached(include_str!("index.sql"))?;
    let mut rows = select.query((mind, embedder, after.stamp, after.row, limit as i64))?;
    while let Some(row) = rows.next()? {
        changes.rows.push(index_row(row)?);
        changes.seen = IndexMark { stamp: row.get(9)?, row: row.get(10)? };
    }
    Ok(changes)
}

fn index_row(row: &Row<'_>) -> Result<crate::IndexRow, StoreError> {
    let role: String = row.get(6)?;
    let said = crate::SaidRow {
        turn: TurnId::from_bytes(row.get(0)?),
        live: row.get(1)?,
        content: row.get(2)?,
        at: Timestamp::from_millis(row.get(3)?),
        session: row.get(4)?,
        sequence: row.get(5)?,
        role: Role::parse(&role).map_err(|_| broken(phrase!("store.turn.unknown_role")))?,
        speaker: row.get(7)?,
        vector: row.get(8)?,
    };
    Ok(said.into())
}

fn turn(row: &Row<'_>) -> Result<Turn, StoreError> {
    let (session, role, face): (String, String, Option<String>) = (row.get(1)?, row.get(3)?, row.get(7)?);
    let injected: Option<String> = row.get(9)?;
    let injected = injected.map_or_else(Vec::new, |list| list.split(',').filter_map(|id| MemoryId::parse(id).ok()).collect());
    Ok(Turn {
        id: TurnId::from_bytes(row.get(0)?),
        session: SessionId::new(session).map_err(|_| broken(phrase!("store.turn.session_missing")))?,
        sequence: row.get(2)?,
        role: Role::parse(&role).map_err(|_| broken(phrase!("store.turn.unknown_role")))?,
        speaker: row.get(4)?,
        content: row.get(5)?,
        at: Timestamp::from_millis(row.get(6)?),
        face: face.as_deref().and_then(Face::parse),
        withdrawn_at: row.get::<_, Option<i64>>(8)?.map(Timestamp::from_millis),
        injected,
    })
}
