//! Opens a database file: connection settings for durability, and forward-only migrations.

use super::memory;
use super::settings::VectorSupport;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use saegim_core::{WORDS_VERSION, phrase, terms};

use super::pages;
use crate::StoreError;

/// Migration that adds the columns of an essence. SQL cannot read them out of the texts, so Rust fills them in.
const WITH_ESSENCES: usize = 17;

/// Migrations in order. The `user_version` of a file is the number of migrations applied.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
    include_str!("migrations/0006.sql"),
    include_str!("migrations/0007.sql"),
    include_str!("migrations/0008.sql"),
    include_str!("migrations/0009.sql"),
    include_str!("migrations/0010.sql"),
    include_str!("migrations/0011.sql"),
    include_str!("migrations/0012.sql"),
    include_str!("migrations/0013.sql"),
    include_str!("migrations/0014.sql"),
    include_str!("migrations/0015.sql"),
    include_str!("migrations/0016.sql"),
    include_str!("migrations/0017.sql"),
    include_str!("migrations/0018.sql"),
    include_str!("migrations/0019.sql"),
    include_str!("migrations/0020.sql"),
];

/// Oldest SQLite without the WAL-reset race, which can corrupt a WAL file that two connections write.
const OLDEST_SAFE: i32 = 3_051_003;

/// "saeg" in the file header, to detect databases of other programs.
pub(super) const APPLICATION_ID: i32 = 0x7361_6567;

/// Time a connection waits for another writer.
pub(super) const WAITS_FOR_OTHERS: Duration = Duration::from_secs(30);

/// WAL auto-checkpoint threshold in pages (16 MB). Every checkpoint waits for two disk syncs, so fewer of them increase write
/// throughput.
const CHECKPOINT_PAGES: u32 = 4_000;

/// Page cache of the writer in KiB; negative by SQLite convention.
const WRITER_CACHE: i32 = -4_000;

/// Page cache of a reader. Every write invalidates it, so a larger one would waste memory.
const READER_CACHE: i32 = -500;

/// Purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Write,
    Read,
}

/// Opens a connection with all settings that durability and erasure depend on.
pub(super) fn connect(path: &Path, purpose: Use, vectors: VectorSupport) -> Result<Connection, StoreError> {
    if rusqlite::version_number() < OLDEST_SAFE {
        let version = rusqlite::version();
        return Err(StoreError::Broken(phrase!("store.open.unsafe_sqlite", version)));
    }
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if purpose == Use::Write {
        flags |= OpenFlags::SQLITE_OPEN_CREATE;
    }
    pages::register()?;
    let connection = Connection::open_with_flags_and_vfs(path, flags, pages::VFS)?;
    connection.busy_timeout(WAITS_FOR_OTHERS)?;
    connection.set_prepared_statement_cache_capacity(128);
    // Query plans must not depend on bound values; otherwise SQLite prepares such a statement again at every call.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    if purpose == Use::Write {
        refuse_foreign(&connection)?;
    }
    if vectors == VectorSupport::Enabled {
        extension::load(&connection)?;
    }
    // WAL allows concurrent readers. FULL makes an acknowledged commit survive a power failure (NORMAL does not).
    // `secure_delete` and no mmap keep deleted text from lingering; `pages` clears what `secure_delete` does not reach.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "cache_size", if purpose == Use::Write { WRITER_CACHE } else { READER_CACHE })?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    if purpose == Use::Write {
        connection.pragma_update(None, "max_page_count", pages::MOST_PAGES)?;
    } else {
        connection.pragma_update(None, "query_only", true)?;
    }
    Ok(connection)
}

/// Disables disk syncs on a connection; its writes may be lost on a power failure.
pub(super) fn never_wait(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "synchronous", "OFF")?;
    connection.pragma_update(None, "cache_size", -64_000)?;
    Ok(())
}

/// Rejects a database of another program before modifying it.
fn refuse_foreign(connection: &Connection) -> Result<(), StoreError> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if application != APPLICATION_ID && (tables > 0 || version > 0) {
        return Err(StoreError::Foreign(phrase!("store.open.other_program")));
    }
    Ok(())
}

/// Migrates a file to the newest schema, and rebuilds its word index if the tokeniser changed.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version: usize = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > MIGRATIONS.len() {
        return Err(StoreError::Foreign(phrase!("store.open.schema_too_new", version, supported = MIGRATIONS.len())));
    }
    if version < MIGRATIONS.len() {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have migrated the file while this one waited.
        let version: usize = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        for (number, migration) in (1..).zip(MIGRATIONS).skip(version) {
            transaction.execute_batch(migration)?;
            if number == WITH_ESSENCES {
                memory::fill_essences(&transaction)?;
            }
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", MIGRATIONS.len())?;
        transaction.execute("INSERT OR IGNORE INTO meta (name, value) VALUES ('words_version', ?1)", [WORDS_VERSION.to_string()])?;
        transaction.commit()?;
    }
    let words: String = connection.query_row("SELECT value FROM meta WHERE name = 'words_version'", [], |row| row.get(0))?;
    if words != WORDS_VERSION.to_string() {
        rebuild_words(connection)?;
    }
    Ok(())
}

/// Rebuilds the word index in one transaction, so that the old index stays visible until the new one is complete.
pub(super) fn rebuild_words(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch("INSERT INTO memory_words (memory_words) VALUES ('delete-all')")?;
    {
        let mut rows = transaction.prepare("SELECT key, mind, content FROM memory WHERE standing = 'alive'")?;
        let mut insert = transaction.prepare("INSERT INTO memory_words (rowid, terms) VALUES (?1, ?2)")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let (key, mind, content): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            insert.execute((key, super::words::marked(mind, &terms(&content))))?;
        }
    }
    transaction.execute("UPDATE meta SET value = ?1 WHERE name = 'words_version'", [WORDS_VERSION.to_string()])?;
    transaction.commit()?;
    Ok(())
}

/// Registers the vector functions of sqlite-vec on a connection.
#[allow(unsafe_code)]
mod extension {
    use rusqlite::{Connection, ffi};
    use saegim_core::phrase;

    use crate::StoreError;

    type Entry = unsafe extern "C" fn(*mut ffi::sqlite3, *mut *mut std::ffi::c_char, *const ffi::sqlite3_api_routines) -> i32;

    pub(super) fn load(connection: &Connection) -> Result<(), StoreError> {
        // SAFETY: the crate declares its entry point without arguments, but its C source has the signature of every SQLite
        // extension. It was compiled against this same SQLite, so it ignores the routines table.
        let code = unsafe {
            let entry: Entry = std::mem::transmute::<*const (), Entry>(sqlite_vec::sqlite3_vec_init as *const ());
            entry(connection.handle(), std::ptr::null_mut(), std::ptr::null())
        };
        if code == ffi::SQLITE_OK { Ok(()) } else { Err(StoreError::NoVectors(phrase!("store.open.extension_not_loaded", code))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of migrations of the schema in which the table of assertions was called `statement`.
    const WITH_OLD_NAMES: usize = 14;

    #[test]
    fn assertions_of_an_earlier_schema_are_kept_under_their_new_name() {
        let mut file = Connection::open_in_memory().unwrap();
        extension::load(&file).unwrap();
        for migration in &MIGRATIONS[..WITH_OLD_NAMES] {
            file.execute_batch(migration).unwrap();
        }
        file.execute_batch(&format!(
            "INSERT INTO meta (name, value) VALUES ('words_version', '{WORDS_VERSION}');
             PRAGMA foreign_keys = OFF; PRAGMA user_version = {WITH_OLD_NAMES};
             INSERT INTO statement (mind, id, turn, at, subject, value, canonical, category, single, ends, emotions, intensity, importance,
                                    confidence)
             VALUES (1, x'01', x'02', 5, 'residence', '부산', '부산', 'identity', 1, 0, 0, 0.0, 0.8, 1.0);"
        ))
        .unwrap();
        migrate(&mut file).unwrap();
        let kept: (String, String) =
            file.query_row("SELECT subject, value FROM assertion", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(kept, ("residence".to_owned(), "부산".to_owned()));
        let said: i64 = file.query_row("SELECT count(*) FROM statement", [], |row| row.get(0)).unwrap();
        assert_eq!(said, 0, "no assertion is taken for a statement");
        let version: usize = file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(version, MIGRATIONS.len());
    }

    #[test]
    fn the_subject_and_the_count_of_earlier_essences_are_read_out_of_their_texts_once() {
        let mut file = Connection::open_in_memory().unwrap();
        extension::load(&file).unwrap();
        for migration in &MIGRATIONS[..WITH_ESSENCES - 1] {
            file.execute_batch(migration).unwrap();
        }
        let columns = "mind, stamp, id, revision, standing, content, kind, source, knowledge, emotions, intensity, sentiment, \
                       affect_amplitude, emotion_confidence, trust, importance, counted_references, strength, strength_turn, recalls, \
                       mentions, created_at, tier, pinned, remember_this, changed_behaviour, zone, zone_score, phase_injection_applied, error_occurred";
        let values =
            "1, 0, 'episodic', ?3, 'told', 0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.3, 0, 1.0, 0, 0, 2, 0, 'M90', 0, 0, 0, 'outer', 0.1, 0, 0";
        let values = values.replacen("1, 0,", "1, 1, ?1, 0, 'alive', ?2,", 1);
        file.execute_batch(&format!(
            "INSERT INTO meta (name, value) VALUES ('words_version', '{WORDS_VERSION}');
             PRAGMA foreign_keys = OFF; PRAGMA user_version = {};",
            WITH_ESSENCES - 1
        ))
        .unwrap();
        for (id, text, source) in [
            (1, "카페 이야기가 4번 나왔다. 라떼 마셨어", "distillation"),
            (2, "Similar things came up 3 times. For example: Won a game", "distillation"),
            (3, "라떼 마셨어", "distillation"),
            (4, "Coffee came up 3 times. Yes", "user"),
        ] {
            file.execute(&format!("INSERT INTO memory ({columns}) VALUES ({values})"), (vec![id; 16], text, source)).unwrap();
        }
        migrate(&mut file).unwrap();
        let mut select = file.prepare("SELECT essence_subject, essence_times FROM memory ORDER BY key").unwrap();
        let read = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let read: Vec<(Option<String>, Option<u32>)> = read.collect::<Result<_, _>>().unwrap();
        assert_eq!(read, [(Some("카페".to_owned()), Some(4)), (None, Some(3)), (None, None), (None, None)]);
    }
}
