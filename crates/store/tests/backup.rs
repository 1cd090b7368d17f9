//! Backups that are checked and restored, and a file that is lost while it is open.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use saegim_core::{Change, Commit, Mind, MindId, MindKey, Mood, Op, Principal, Span, Timestamp, Verdict};
use saegim_store::{SqliteSettings, SqliteStore, Store, StoreError, manifest_path, restore_backup, verify_backup};

const START: Timestamp = Timestamp::from_millis(1_780_000_000_000);

fn mind(number: u8) -> Mind {
    Mind {
        id: MindId::new(START, [number; 10]),
        key: MindKey::new(&format!("user{number}"), "luna").unwrap(),
        made_at: START,
        turns: 0,
        mood: Mood::neutral(START),
        ticked_at: None,
        quiet_until: None,
        consolidated_turn: 0,
        compared_to: None,
        raised: Default::default(),
        pruned_turn: 0,
        care_due_at: None,
        salt: [number; 32],
    }
}

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(SqliteSettings::at(path)).await.unwrap()
}

async fn begin(store: &SqliteStore, number: u8) -> Result<(), StoreError> {
    let mind = mind(number);
    let mut commit = Commit::new(mind.id, START, Principal::Owner, Op::Begin);
    commit.changes.push(Change::MindBegan(Box::new(mind)));
    store.commit(commit).await.map(drop)
}

async fn minds(path: &Path) -> usize {
    open(path).await.minds().await.unwrap().len()
}

/// A database with two minds, and a backup of it with one.
async fn backed_up(folder: &Path) -> (PathBuf, PathBuf) {
    let (db, backup) = (folder.join("mind.db"), folder.join("copy of it.db"));
    let store = open(&db).await;
    begin(&store, 1).await.unwrap();
    store.backup(&backup).await.unwrap();
    begin(&store, 2).await.unwrap();
    (db, backup)
}

/// Waits until the writer thread of a store that was dropped has closed its connection.
async fn restored(db: &Path, backup: &Path) -> Result<saegim_store::RestoredBackup, StoreError> {
    for _ in 0..200 {
        match restore_backup(db, backup, START.plus(Span::days(1))) {
            Err(StoreError::Busy(_)) => tokio::task::yield_now().await,
            done => return done,
        }
        std::thread::yield_now();
    }
    restore_backup(db, backup, START.plus(Span::days(1)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_drill_brings_back_what_the_backup_holds() {
    let folder = tempfile::tempdir().unwrap();
    let (db, backup) = backed_up(folder.path()).await;
    assert_eq!(minds(&db).await, 2);
    let verified = verify_backup(&backup).unwrap();
    assert!(verified.has_manifest && verified.health.problems.is_empty() && verified.holds.minds == 1, "{verified:?}");
    assert!(!folder.path().join("copy of it.db-wal").exists(), "checking creates no file");
    let restored = restored(&db, &backup).await.unwrap();
    let store = open(&db).await;
    assert_eq!(store.minds().await.unwrap().len(), 1);
    let id = mind(1).id;
    assert!(matches!(store.verify_ledger(id).await.unwrap(), Verdict::Whole { .. }));
    assert_eq!(store.check().await.unwrap().problems, []);
    assert_eq!(minds(&restored.replaced.unwrap()).await, 2, "the replaced database is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_a_crash_left_behind_does_not_undo_a_restore() {
    let folder = tempfile::tempdir().unwrap();
    let (db, backup) = backed_up(folder.path()).await;
    // The state after a crash: a log with a write that is in no checkpoint.
    let crashed = folder.path().join("crashed.db");
    {
        let store = open(&db).await;
        begin(&store, 3).await.unwrap();
        std::fs::copy(&db, &crashed).unwrap();
        std::fs::copy(folder.path().join("mind.db-wal"), folder.path().join("crashed.db-wal")).unwrap();
    }
    assert!(std::fs::metadata(folder.path().join("crashed.db-wal")).unwrap().len() > 0);
    restored(&crashed, &backup).await.unwrap();
    assert_eq!(minds(&crashed).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_or_exchanged_backup_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let (db, backup) = backed_up(folder.path()).await;
    let mut bytes = std::fs::read(&backup).unwrap();
    let middle = bytes.len() / 2 + 7;
    bytes[middle] ^= 1;
    std::fs::write(&backup, &bytes).unwrap();
    assert!(verify_backup(&backup).map_or(true, |verified| !verified.health.problems.is_empty()));
    assert!(restored(&db, &backup).await.is_err());
    assert_eq!(minds(&db).await, 2, "the database is untouched");
    std::fs::write(&backup, b"").unwrap();
    assert!(restored(&db, &backup).await.is_err(), "an empty file is no backup");
    std::fs::remove_file(manifest_path(&backup)).unwrap();
    assert!(matches!(verify_backup(&folder.path().join("none.db")), Err(StoreError::NotFound(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_use_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (db, backup) = backed_up(folder.path()).await;
    // Another program that has read from it.
    let reader = Connection::open(&db).unwrap();
    reader.query_row("SELECT count(*) FROM mind", [], |row| row.get::<_, i64>(0)).unwrap();
    assert!(matches!(restore_backup(&db, &backup, START), Err(StoreError::Busy(_))));
    drop(reader);
    assert_eq!(minds(&db).await, 2);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_once_the_file_is_lost() {
    use std::os::unix::fs::PermissionsExt;
    type Harm = fn(&Path);
    let harms: [(&str, Harm); 3] = [
        ("deleted", |db| std::fs::remove_file(db).unwrap()),
        ("replaced", |db| std::fs::rename(db.with_extension("other"), db).unwrap()),
        ("cut off", |db| std::fs::File::options().write(true).open(db).unwrap().set_len(4096).unwrap()),
    ];
    for (name, harm) in harms {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("mind.db");
        let store = open(&db).await;
        begin(&store, 1).await.unwrap();
        store.sweep().await.unwrap();
        let mode = std::fs::metadata(&db).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "only the owner reads the file");
        std::fs::copy(&db, db.with_extension("other")).unwrap();
        store.check_file().unwrap();
        harm(&db);
        assert!(matches!(store.check_file(), Err(StoreError::Lost(_))), "{name}");
        assert!(matches!(begin(&store, 2).await, Err(StoreError::Lost(_))), "{name}: a commit");
        let key = store.put_key(key()).await;
        assert!(matches!(key, Err(StoreError::Lost(_))), "{name}: {key:?}");
    }
}

fn key() -> saegim_core::AccessKey {
    saegim_core::AccessKey {
        id: "k1".into(),
        principal: Principal::Owner,
        minds: Vec::new(),
        digest: saegim_core::Hash::NONE,
        made_at: START,
        revoked_at: None,
    }
}
