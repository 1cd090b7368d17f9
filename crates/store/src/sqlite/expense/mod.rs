//! The table of model usage by day, thought and model.

use rusqlite::{Connection, Row};
use saegim_core::{Expense, Spent, Thought, phrase};

use super::apply::broken;
use crate::StoreError;

/// Maximum of a counter, so that sums of counters do not overflow.
const MOST: u64 = 1_000_000_000_000_000;

pub(super) fn add(connection: &Connection, mind: i64, expense: &Expense) -> Result<(), StoreError> {
    let Spent { requests, read, written } = expense.spent;
    connection.prepare_cached(include_str!("add.sql"))?.execute((
        mind,
        &expense.day,
        expense.thought.as_str(),
        &expense.model,
        requests.min(MOST) as i64,
        read.min(MOST) as i64,
        written.min(MOST) as i64,
    ))?;
    Ok(())
}

/// Returns the usage of all minds since a day, newest day first.
pub(super) fn since(connection: &Connection, day: &str) -> Result<Vec<Expense>, StoreError> {
    // Older files may contain non-integer values, and integer sums can overflow.
    let sql = "SELECT day, thought, model, CAST(min(total(requests), 1e15) AS INTEGER), CAST(min(total(read), 1e15) AS INTEGER),
                   CAST(min(total(written), 1e15) AS INTEGER) FROM expense WHERE day >= ?1
               GROUP BY day, thought, model ORDER BY day DESC, thought, model";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([day])?;
    let mut expenses = Vec::new();
    while let Some(row) = rows.next()? {
        expenses.push(expense(row)?);
    }
    Ok(expenses)
}

fn expense(row: &Row<'_>) -> Result<Expense, StoreError> {
    let thought: String = row.get(1)?;
    let number = |at: usize| row.get::<_, i64>(at).map(|number| number as u64);
    Ok(Expense {
        day: row.get(0)?,
        thought: Thought::parse(&thought).map_err(|_| broken(phrase!("store.expense.not_readable")))?,
        model: row.get(2)?,
        spent: Spent { requests: number(3)?, read: number(4)?, written: number(5)? },
    })
}
