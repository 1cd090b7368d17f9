//! Read-only import of stellar-memory SQLite files.
//!
//! One layout covers stellar-memory 1 and 3 and the celestial engine of 2: a table per outer zone, and edges between memories
//! in versions that have them. The two inner zones exist only in the memory of that program and not in the file.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use saegim_core::phrase;

use crate::StoreError;

/// Zones that stellar-memory writes to the file.
const ZONES: [u8; 3] = [2, 3, 4];

/// A memory in a stellar-memory file.
#[derive(Clone, Debug, PartialEq)]
pub struct StellarItem {
    /// Id in that file.
    pub id: String,
    /// Text.
    pub content: String,
    /// Time of creation, in Unix seconds.
    pub created_at: f64,
    /// Time of the last recall, in Unix seconds.
    pub last_recalled_at: f64,
    /// Number of recalls.
    pub recall_count: i64,
    /// Stated importance.
    pub arbitrary_importance: f64,
    /// Additional metadata, as JSON.
    pub metadata: Option<String>,
}

/// An edge between two memories.
#[derive(Clone, Debug, PartialEq)]
pub struct StellarEdge {
    /// Id of the source memory.
    pub from: String,
    /// Id of the target memory.
    pub to: String,
    /// Edge type.
    pub kind: String,
}

/// Contents of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StellarFile {
    /// Memories, oldest first.
    pub items: Vec<StellarItem>,
    /// Edges.
    pub edges: Vec<StellarEdge>,
}

/// Reads a stellar-memory file without changing it.
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
        return Err(StoreError::Foreign(phrase!("store.stellar.no_memories", path = path.display())));
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
