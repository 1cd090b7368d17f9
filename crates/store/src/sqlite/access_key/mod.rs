//! The table of access keys.

use rusqlite::{Connection, OptionalExtension, Row};
use saegim_core::{AccessKey, Hash, MindPattern, Principal, Timestamp, phrase};

use super::apply::broken;
use crate::StoreError;

const SELECT: &str = "SELECT id, principal, minds, digest, made_at, revoked_at FROM access_key";

/// Inserts or replaces a key.
pub(super) fn put(connection: &Connection, key: &AccessKey) -> Result<(), StoreError> {
    let minds: Vec<String> = key.minds.iter().map(ToString::to_string).collect();
    let sql = "INSERT OR REPLACE INTO access_key (id, principal, minds, digest, made_at, revoked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection.prepare_cached(sql)?.execute((
        &key.id,
        key.principal.as_str(),
        minds.join("\n"),
        key.digest.bytes(),
        key.made_at.millis(),
        key.revoked_at.map(Timestamp::millis),
    ))?;
    Ok(())
}

/// Returns the key with this public id.
pub(super) fn by_id(connection: &Connection, id: &str) -> Result<Option<AccessKey>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?;
    select.query_row([id], |row| Ok(key(row))).optional()?.transpose()
}

/// Returns every key, newest first.
pub(super) fn all(connection: &Connection) -> Result<Vec<AccessKey>, StoreError> {
    let mut select = connection.prepare_cached(&format!("{SELECT} ORDER BY made_at DESC, id"))?;
    let mut rows = select.query([])?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next()? {
        keys.push(key(row)?);
    }
    Ok(keys)
}

fn key(row: &Row<'_>) -> Result<AccessKey, StoreError> {
    let spoiled = |_| broken(phrase!("store.access_key.not_readable"));
    let (principal, minds): (String, String) = (row.get(1)?, row.get(2)?);
    Ok(AccessKey {
        id: row.get(0)?,
        principal: Principal::parse(&principal).map_err(spoiled)?,
        minds: minds.lines().map(MindPattern::kept).collect::<Result<_, _>>().map_err(spoiled)?,
        digest: Hash::from_bytes(row.get(3)?),
        made_at: Timestamp::from_millis(row.get(4)?),
        revoked_at: row.get::<_, Option<i64>>(5)?.map(Timestamp::from_millis),
    })
}
