//! Counts of a mind.

use rusqlite::Connection;
use saegim_core::{Tier, Timestamp, Zone};

use super::vector;
use crate::{Counts, Pending, StoreError};

pub(super) fn of(connection: &Connection, mind: i64, embedder: &str) -> Result<Counts, StoreError> {
    let mut counts = Counts::default();
    let mut by_place =
        connection.prepare_cached("SELECT zone, tier, count(*) FROM memory WHERE mind = ?1 AND standing = 'alive' GROUP BY zone, tier")?;
    let mut rows = by_place.query([mind])?;
    while let Some(row) = rows.next()? {
        let (zone, tier, count): (String, String, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        counts.zones[Zone::parse(&zone)? as usize] += count;
        counts.tiers[Tier::parse(&tier)? as usize] += count;
    }
    let number = |sql: &str| -> Result<u64, StoreError> { Ok(connection.prepare_cached(sql)?.query_row([mind], |row| row.get(0))?) };
    counts.on_cliff = number("SELECT count(*) FROM cliff WHERE mind = ?1")?;
    counts.links = number("SELECT count(*) FROM link WHERE mind = ?1")?;
    // The ledger has no gaps, so its last sequence is the number of entries.
    counts.entries = number("SELECT coalesce(max(sequence), 0) FROM ledger WHERE mind = ?1")?;
    if let Some(embedder) = vector::embedder(connection, embedder)? {
        let mut select = connection.prepare_cached(include_str!("vector/count.sql"))?;
        counts.vectors = select.query_row((mind, embedder), |row| row.get(0))?;
    }
    Ok(counts)
}

/// Returns the next scheduled events of a mind.
pub(super) fn pending(connection: &Connection, mind: i64) -> Result<Pending, StoreError> {
    let mut select = connection.prepare_cached(include_str!("pending.sql"))?;
    Ok(select.query_row([mind], |row| {
        let moment = |place| row.get::<_, Option<i64>>(place).map(|at| at.map(Timestamp::from_millis));
        Ok(Pending { passing: row.get(0)?, ends_at: moment(1)?, gone: moment(2)?.zip(moment(3)?) })
    })?)
}
