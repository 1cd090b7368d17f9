//! The table of webhooks.

use rusqlite::{Connection, Row, TransactionBehavior, named_params};
use saegim_core::{MindId, Reach, SigningSecret, Timestamp, Webhook, WebhookId};

use crate::{DueSearch, StoreError};

/// Inserts or replaces a webhook.
pub(super) fn put(connection: &Connection, mind: i64, webhook: &Webhook) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO webhook
               (mind, id, url, everywhere, secret, made_at, after, attempts, due_at, failing_since, problem, ended_at)
               VALUES (:mind, :id, :url, :everywhere, :secret, :made_at, :after, :attempts, :due_at, :failing_since, :problem, :ended_at)";
    connection.prepare_cached(sql)?.execute(named_params! {
        ":mind": mind,
        ":id": webhook.id.bytes(),
        ":url": webhook.url,
        ":everywhere": webhook.reach == Reach::Everywhere,
        ":secret": webhook.secret.bytes(),
        ":made_at": webhook.made_at.millis(),
        ":after": webhook.after,
        ":attempts": webhook.attempts,
        ":due_at": webhook.due_at.millis(),
        ":failing_since": webhook.failing_since.map(Timestamp::millis),
        ":problem": webhook.problem,
        ":ended_at": webhook.ended_at.map(Timestamp::millis),
    })?;
    Ok(())
}

/// Updates the delivery state of a webhook. Does nothing if it has ended or was deleted.
pub(super) fn go_on(connection: &Connection, mind: i64, webhook: &Webhook) -> Result<(), StoreError> {
    let sql = "UPDATE webhook SET after = max(after, :after), attempts = :attempts, due_at = :due_at,
               failing_since = :failing_since, problem = :problem WHERE mind = :mind AND id = :id AND ended_at IS NULL";
    connection.prepare_cached(sql)?.execute(named_params! {
        ":mind": mind,
        ":id": webhook.id.bytes(),
        ":after": webhook.after,
        ":attempts": webhook.attempts,
        ":due_at": webhook.due_at.millis(),
        ":failing_since": webhook.failing_since.map(Timestamp::millis),
        ":problem": webhook.problem,
    })?;
    Ok(())
}

/// Returns every webhook of a mind, newest first.
pub(super) fn all(connection: &Connection, mind: i64) -> Result<Vec<Webhook>, StoreError> {
    let sql = "SELECT NULL, mind, id, url, everywhere, secret, made_at, after, attempts, due_at, failing_since, problem, ended_at
               FROM webhook WHERE mind = ?1 ORDER BY made_at DESC, id DESC";
    let mut select = connection.prepare_cached(sql)?;
    let found = select.query_map([mind], webhook)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Checks whether any webhook is due.
pub(super) fn any_due(connection: &Connection, due: DueSearch) -> Result<bool, StoreError> {
    let mut select = connection.prepare_cached(include_str!("due.sql"))?;
    Ok(select.exists(named_params! { ":now": due.now.millis(), ":beyond": due.beyond.millis(), ":limit": 1 })?)
}

/// Claims due webhooks and leases them, so that no other worker delivers them before the lease ends.
pub(super) fn claim(connection: &mut Connection, due: DueSearch) -> Result<Vec<(MindId, Webhook)>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = {
        let mut select = transaction.prepare_cached(include_str!("due.sql"))?;
        let places = named_params! { ":now": due.now.millis(), ":beyond": due.beyond.millis(), ":limit": due.limit as i64 };
        let rows = select.query_map(places, |row| Ok((MindId::from_bytes(row.get(0)?), row.get::<_, i64>(1)?, webhook(row)?)))?;
        rows.collect::<Result<Vec<_>, _>>()?
    };
    for (_, mind, webhook) in &found {
        let mut lease = transaction.prepare_cached("UPDATE webhook SET due_at = ?3 WHERE mind = ?1 AND id = ?2")?;
        lease.execute((mind, webhook.id.bytes(), due.until.millis()))?;
    }
    transaction.commit()?;
    Ok(found.into_iter().map(|(id, _, webhook)| (id, webhook)).collect())
}

fn webhook(row: &Row<'_>) -> Result<Webhook, rusqlite::Error> {
    let moment = |millis: Option<i64>| millis.map(Timestamp::from_millis);
    Ok(Webhook {
        id: WebhookId::from_bytes(row.get(2)?),
        url: row.get(3)?,
        reach: if row.get(4)? { Reach::Everywhere } else { Reach::Public },
        secret: SigningSecret::from_bytes(row.get(5)?),
        made_at: Timestamp::from_millis(row.get(6)?),
        after: row.get(7)?,
        attempts: row.get(8)?,
        due_at: Timestamp::from_millis(row.get(9)?),
        failing_since: moment(row.get(10)?),
        problem: row.get(11)?,
        ended_at: moment(row.get(12)?),
    })
}
