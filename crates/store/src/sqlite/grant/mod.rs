//! The table of grants.

use rusqlite::Connection;
use saegim_core::{Grant, GrantId, GrantScope, Timestamp, phrase};

use super::apply::broken;
use crate::StoreError;

pub(super) fn put(connection: &Connection, mind: i64, grant: &Grant) -> Result<(), StoreError> {
    let sql = "INSERT INTO access_grant (mind, id, scope, reason, made_at, ends_at, revoked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
               ON CONFLICT (mind, id) DO UPDATE SET revoked_at = excluded.revoked_at";
    let revoked = grant.revoked_at.map(Timestamp::millis);
    let (made, ends) = (grant.made_at.millis(), grant.ends_at.millis());
    connection.prepare_cached(sql)?.execute((mind, grant.id.bytes(), grant.scope.as_str(), &grant.reason, made, ends, revoked))?;
    Ok(())
}

pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Grant>, StoreError> {
    let sql = "SELECT id, scope, reason, made_at, ends_at, revoked_at FROM access_grant WHERE mind = ?1 ORDER BY made_at DESC, id DESC";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([mind])?;
    let mut grants = Vec::new();
    while let Some(row) = rows.next()? {
        let scope: String = row.get(1)?;
        grants.push(Grant {
            id: GrantId::from_bytes(row.get(0)?),
            scope: GrantScope::parse(&scope).map_err(|_| broken(phrase!("store.grant.unknown_scope")))?,
            reason: row.get(2)?,
            made_at: Timestamp::from_millis(row.get(3)?),
            ends_at: Timestamp::from_millis(row.get(4)?),
            revoked_at: row.get::<_, Option<i64>>(5)?.map(Timestamp::from_millis),
        });
    }
    Ok(grants)
}
