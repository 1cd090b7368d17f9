//! The table of minds.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{ClockHistory, MemoryId, Mind, MindId, MindKey, Mood, Raised, Span, Tier, Timestamp, phrase};

use super::apply::{broken, no_mind};
use crate::{DueSearch, MaintenanceRecord, MindSearch, StoreError};

const COLUMNS: &str = "SELECT id, user, character, work, made_at, turns, mood, ticked_at, salt, consolidated_turn, pruned_turn, care_due_at, \
     compared_to, quiet_until, raised_m30_at, raised_m90_at FROM mind";

pub(super) fn insert(connection: &Connection, mind: &Mind) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(include_str!("insert.sql"))?;
    let mood = serde_json::to_string(&mind.mood).expect("a mood is plain data");
    let key = &mind.key;
    let added = insert.execute(rusqlite::named_params! {
        ":id": mind.id.bytes(), ":user": key.user(), ":character": key.character(), ":work": key.work(),
        ":made_at": mind.made_at.millis(), ":turns": mind.turns, ":mood": mood,
        ":ticked_at": mind.ticked_at.map(Timestamp::millis), ":salt": mind.salt,
    })?;
    if added == 1 { Ok(()) } else { Err(StoreError::Conflict(phrase!("store.mind.already_exists", key))) }
}

/// Returns the row key of a mind.
pub(super) fn key(connection: &Connection, id: MindId) -> Result<i64, StoreError> {
    let mut select = connection.prepare_cached("SELECT key FROM mind WHERE id = ?1")?;
    select.query_row([id.bytes()], |row| row.get(0)).optional()?.ok_or_else(no_mind)
}

/// Returns the row key for reading. A mind that does not exist has key 0, which no row uses.
pub(super) fn key_to_read(connection: &Connection, id: MindId) -> Result<i64, StoreError> {
    if id == MindId::UNBEGUN { Ok(0) } else { key(connection, id) }
}

pub(super) fn by_name(connection: &Connection, key: &MindKey) -> Result<Option<Mind>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{COLUMNS} WHERE user = ?1 AND character = ?2 AND work = ?3"))?;
    let found = select.query_row((key.user(), key.character(), key.work()), |row| Ok(mind(row))).optional()?;
    found.transpose()
}

pub(super) fn by_id(connection: &Connection, id: MindId) -> Result<Option<Mind>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?;
    select.query_row([id.bytes()], |row| Ok(mind(row))).optional()?.transpose()
}

pub(super) fn named(connection: &Connection, search: &MindSearch) -> Result<Vec<Mind>, StoreError> {
    // Add only the given columns, so that the index by user can be used.
    let names = [("user", &search.user), ("character", &search.character), ("work", &search.work)];
    let names: Vec<(&str, &String)> = names.into_iter().filter_map(|(column, name)| Some((column, name.as_ref()?))).collect();
    let wanted: String = names.iter().map(|(column, _)| format!(" AND {column} = ?")).collect();
    let mut select = connection.prepare_cached(&format!("{COLUMNS} WHERE true{wanted} ORDER BY user, character, work"))?;
    let mut rows = select.query(rusqlite::params_from_iter(names.iter().map(|(_, name)| name)))?;
    let mut minds = Vec::new();
    while let Some(row) = rows.next()? {
        minds.push(mind(row)?);
    }
    Ok(minds)
}

pub(super) fn set_mood(connection: &Connection, mind: i64, mood: &Mood) -> Result<(), StoreError> {
    let mood = serde_json::to_string(mood).expect("a mood is plain data");
    connection.prepare_cached("UPDATE mind SET mood = ?2 WHERE key = ?1")?.execute((mind, mood))?;
    Ok(())
}

pub(super) fn add_turns(connection: &Connection, mind: i64, turns: u64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE mind SET turns = turns + ?2 WHERE key = ?1")?.execute((mind, turns))?;
    Ok(())
}

pub(super) fn set_raised(connection: &Connection, mind: i64, tier: Tier, at: Timestamp) -> Result<(), StoreError> {
    let column = if tier == Tier::M30 { "raised_m30_at" } else { "raised_m90_at" };
    connection.prepare_cached(&format!("UPDATE mind SET {column} = ?2 WHERE key = ?1"))?.execute((mind, at.millis()))?;
    Ok(())
}

pub(super) fn set_consolidated(connection: &Connection, mind: i64, turn: u64, compared_to: Timestamp) -> Result<(), StoreError> {
    let mut update = connection.prepare_cached("UPDATE mind SET consolidated_turn = ?2, compared_to = ?3 WHERE key = ?1")?;
    update.execute((mind, turn, compared_to.millis()))?;
    Ok(())
}

pub(super) fn set_pruned(connection: &Connection, mind: i64, turn: u64) -> Result<(), StoreError> {
    connection.prepare_cached("UPDATE mind SET pruned_turn = ?2 WHERE key = ?1")?.execute((mind, turn))?;
    Ok(())
}

/// Returns the clock history of a mind.
pub(super) fn course(connection: &Connection, mind: i64) -> Result<ClockHistory, StoreError> {
    let mut select = connection.prepare_cached("SELECT latest_at, course FROM mind WHERE key = ?1")?;
    let kept: Option<(Option<i64>, Option<String>)> = select.query_row([mind], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((latest, rest)) = kept else { return Ok(ClockHistory::default()) };
    let course: ClockHistory = match rest {
        Some(rest) => serde_json::from_str(&rest).map_err(|_| broken(phrase!("store.mind.clock_history_not_readable")))?,
        None => ClockHistory::default(),
    };
    Ok(course.at(latest.map(Timestamp::from_millis)))
}

/// Stores a clock history. Skips the write if only the latest time changed, by less than an hour.
pub(super) fn put_course(connection: &Connection, mind: i64, before: &ClockHistory, after: &ClockHistory) -> Result<(), StoreError> {
    let little = |(before, after): (Timestamp, Timestamp)| before <= after && after.since(before) < Span::hours(1);
    if before.latest.zip(after.latest).is_some_and(little) && *before == after.clone().at(before.latest) {
        return Ok(());
    }
    let rest = (!after.is_plain()).then(|| serde_json::to_string(after).expect("a course is plain data"));
    let mut update = connection.prepare_cached("UPDATE mind SET latest_at = ?2, course = ?3 WHERE key = ?1")?;
    update.execute((mind, after.latest.map(Timestamp::millis), rest))?;
    Ok(())
}

/// Resets state that wrong clocks left: maintenance continues from the last correct time.
pub(super) fn repaired(connection: &Connection, mind: i64, from: Option<Timestamp>, now: Timestamp) -> Result<(), StoreError> {
    if let Some(from) = from {
        let sql = "UPDATE mind SET
            ticked_at = iif(ticked_at > ?3, ?2, ticked_at), quiet_until = iif(quiet_until > ?3, NULL, quiet_until),
            compared_to = iif(compared_to > ?3, ?2, compared_to), raised_m30_at = iif(raised_m30_at > ?3, ?2, raised_m30_at),
            raised_m90_at = iif(raised_m90_at > ?3, ?2, raised_m90_at), care_due_at = ?3
            WHERE key = ?1";
        connection.prepare_cached(sql)?.execute((mind, from.millis(), now.millis()))?;
    }
    connection.prepare_cached("DELETE FROM misdated WHERE mind = ?1")?.execute([mind])?;
    Ok(())
}

/// Records a maintenance run and its next due time, and releases the lease.
pub(super) fn record_maintenance(connection: &Connection, mind: i64, care: MaintenanceRecord) -> Result<(), StoreError> {
    let mut update = connection.prepare_cached(include_str!("record_maintenance.sql"))?;
    update.execute(rusqlite::named_params! {
        ":mind": mind, ":at": care.at.millis(), ":new_day": care.new_day, ":due": care.due_at.map(Timestamp::millis), ":head": care.head,
    })?;
    Ok(())
}

/// Moves the next maintenance run forward.
pub(super) fn care_by(connection: &Connection, mind: i64, at: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE mind SET care_due_at = ?2 WHERE key = ?1 AND (care_due_at IS NULL OR care_due_at > ?2)";
    connection.prepare_cached(sql)?.execute((mind, at.millis()))?;
    Ok(())
}

/// Schedules maintenance after a change in a mind that was not due soon.
pub(super) fn wake(connection: &Connection, mind: i64, at: Timestamp) -> Result<(), StoreError> {
    let mut update = connection.prepare_cached(include_str!("wake.sql"))?;
    update.execute(rusqlite::named_params! { ":mind": mind, ":at": at.millis() })?;
    Ok(())
}

/// Returns the minds whose ledger refers to a memory.
pub(super) fn of_memory(connection: &Connection, memory: MemoryId) -> Result<Vec<Mind>, StoreError> {
    let sql = format!("{COLUMNS} WHERE key IN (SELECT DISTINCT mind FROM ledger_memory WHERE memory = ?1) ORDER BY key");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([memory.bytes()])?;
    let mut minds = Vec::new();
    while let Some(row) = rows.next()? {
        minds.push(mind(row)?);
    }
    Ok(minds)
}

/// Claims due minds, longest due first, and leases them to the caller.
pub(super) fn claim(connection: &Connection, due: DueSearch) -> Result<Vec<Mind>, StoreError> {
    let mut claim = connection.prepare_cached(include_str!("claim.sql"))?;
    let ids = claim.query_map(
        rusqlite::named_params! {
            ":now": due.now.millis(), ":beyond": due.beyond.millis(), ":ahead": due.ahead.millis(), ":until": due.until.millis(), ":limit": due.limit as i64,
        },
        |row| row.get(0).map(MindId::from_bytes),
    )?;
    let ids = ids.collect::<Result<Vec<_>, _>>()?;
    let mut minds = Vec::with_capacity(ids.len());
    for id in ids {
        minds.extend(by_id(connection, id)?);
    }
    minds.sort_by_key(|mind| (mind.care_due_at, mind.id));
    Ok(minds)
}

fn mind(row: &Row<'_>) -> Result<Mind, StoreError> {
    let (user, character, work): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
    let mood: String = row.get(6)?;
    Ok(Mind {
        id: MindId::from_bytes(row.get(0)?),
        key: MindKey::in_work(&user, &character, &work).map_err(|_| broken(phrase!("store.mind.name_not_valid")))?,
        made_at: Timestamp::from_millis(row.get(4)?),
        turns: row.get(5)?,
        mood: serde_json::from_str(&mood).map_err(|_| broken(phrase!("store.mind.mood_not_readable")))?,
        ticked_at: row.get::<_, Option<i64>>(7)?.map(Timestamp::from_millis),
        salt: row.get(8)?,
        consolidated_turn: row.get(9)?,
        pruned_turn: row.get(10)?,
        care_due_at: row.get::<_, Option<i64>>(11)?.map(Timestamp::from_millis),
        compared_to: row.get::<_, Option<i64>>(12)?.map(Timestamp::from_millis),
        quiet_until: row.get::<_, Option<i64>>(13)?.map(Timestamp::from_millis),
        raised: Raised {
            m30: row.get::<_, Option<i64>>(14)?.map(Timestamp::from_millis),
            m90: row.get::<_, Option<i64>>(15)?.map(Timestamp::from_millis),
        },
    })
}
