//! stellar-memory's SQLite files, read and left as they are.
//!
//! One layout serves stellar-memory 1 and 3 and the celestial engine of 2: a table for each outer zone, and edges
//! between memories where that version had them. The two inner zones live in that program's memory and are in no file.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use saegim_core::phrase;

use crate::StoreError;

/// The zones that program writes down.
const ZONES: [u8; 3] = [2, 3, 4];

/// A memory as that program kept it.
#[derive(Clone, Debug, PartialEq)]
pub struct StellarItem {
    /// Its id there.
    pub id: String,
    /// Its text.
    pub content: String,
    /// When it was born, in Unix seconds.
    pub created_at: f64,
    /// When it was last recalled, in Unix seconds.
    pub last_recalled_at: f64,
    /// How often it was recalled.
    pub recall_count: i64,
    /// How important it was said to be.
    pub arbitrary_importance: f64,
    /// Whatever else was kept with it, as JSON.
    pub metadata: Option<String>,
}

/// An edge between two memories there.
#[derive(Clone, Debug, PartialEq)]
pub struct StellarEdge {
    /// Where it starts.
    pub from: String,
    /// Where it points.
    pub to: String,
    /// What it says there.
    pub kind: String,
}

/// Everything a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StellarFile {
    /// The memories, oldest first.
    pub items: Vec<StellarItem>,
    /// The edges.
    pub edges: Vec<StellarEdge>,
}

/// Reads a file of that program without changing it.
pub fn read_stellar(path: &Path) -> Result<StellarFile, StoreError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    let has = |table: &str| -> Result<bool, StoreError> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        Ok(connection.query_row(sql, [table], |row| row.get::<_, i64>(0))? > 0)
    };
    let (mut file, mut known) = (StellarFile::default(), false);
    for zone in ZONES {
        let table = format!("memories_zone_{zone}");
        if !has(&table)? {
            continue;
        }
        known = true;
        let sql = format!(
            "SELECT id, content, created_at, last_recalled_at, coalesce(recall_count, 0), coalesce(arbitrary_importance, 0.5), metadata FROM {table}"
        );
        let mut select = connection.prepare(&sql)?;
        let items = select.query_map([], |row| {
            Ok(StellarItem {
                id: row.get(0)?,
                content: row.get(1)?,
                created_at: row.get(2)?,
                last_recalled_at: row.get(3)?,
                recall_count: row.get(4)?,
                arbitrary_importance: row.get(5)?,
                metadata: row.get(6)?,
            })
        })?;
        file.items.extend(items.collect::<Result<Vec<_>, _>>()?);
    }
    if !known {
        return Err(StoreError::Foreign(phrase!(
            "{} contains no stellar-memory memories",
            "{}에 stellar-memory의 기억이 없어요",
            path.display()
        )));
    }
    file.items.sort_by(|one, other| one.created_at.total_cmp(&other.created_at).then_with(|| one.id.cmp(&other.id)));
    if has("edges")? {
        let mut select =
            connection.prepare("SELECT source_id, target_id, edge_type FROM edges ORDER BY created_at, source_id, target_id")?;
        let edges = select.query_map([], |row| Ok(StellarEdge { from: row.get(0)?, to: row.get(1)?, kind: row.get(2)? }))?;
        file.edges = edges.collect::<Result<_, _>>()?;
    }
    Ok(file)
}
