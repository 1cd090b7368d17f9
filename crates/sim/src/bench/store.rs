use std::path::Path;

use rusqlite::Connection;
use saegim_engine::{Draft, MindHandle};
use serde_json::{Map, Value};

use super::{Times, now};
use crate::Outcome;
use crate::made::{Numbers, sentence};

/// Stores memories one by one, alternating with bare commits, so that both see the same disk conditions.
pub(super) async fn measure(mind: &MindHandle, folder: &Path, numbers: &mut Numbers, told: &mut Map<String, Value>) -> Outcome {
    let bare = bare_file(&folder.join("bare.db"))?;
    let mut insert = bare.prepare("INSERT INTO memory (content, at) VALUES (?1, ?2)")?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..300 {
        let text = sentence(numbers);
        let start = now();
        mind.remember(Draft::text(text.clone())).await?;
        ours.push(start.elapsed());
        let start = now();
        insert.execute((&text, run))?;
        theirs.push(start.elapsed());
    }
    let (store, bare_commit) = (Times(ours), Times(theirs));
    told.insert("store_one_durable".into(), store.json());
    told.insert("bare_sqlite_commit".into(), bare_commit.json());
    told.insert("store_over_bare_commit".into(), store.over(&bare_commit).into());
    Ok(())
}

/// Opens a database with the same durability settings and a single table.
fn bare_file(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch("CREATE TABLE memory (key INTEGER PRIMARY KEY, content TEXT, at INTEGER)")?;
    Ok(connection)
}
