//! Backups: a copy of the whole file with a manifest, its verification, and restoring it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use saegim_core::{Hash, Timestamp, Verdict, phrase};
use serde::{Deserialize, Serialize};

use super::connection::{WriteLock, cannot_open, private_to_owner};
use super::{ledger, open, pages};
use crate::{Health, StoreError};

/// Version of the manifest.
const FORMAT: u32 = 1;

/// Bytes that are hashed at a time; the digest of a file is that of the digests of its pieces.
const PIECE: usize = 1 << 20;

/// What a backup held when it was made. Stored beside it, so that a damaged or exchanged backup is noticed before it is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupManifest {
    /// Version of this manifest.
    pub format: u32,
    /// Schema of the database.
    pub schema: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Digest of the file.
    pub digest: Hash,
    /// Number of minds.
    pub minds: u64,
    /// Number of memories, those on the cliff included.
    pub memories: u64,
}

/// Result of checking a backup.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedBackup {
    /// What the backup holds.
    pub holds: BackupManifest,
    /// Whether it has a manifest that agrees with it.
    pub has_manifest: bool,
    /// What is wrong with it. Empty if it can be restored.
    pub health: Health,
}

/// Result of restoring a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredBackup {
    /// What was restored.
    pub holds: BackupManifest,
    /// Where the replaced database is now, if there was one.
    pub replaced: Option<PathBuf>,
}

/// Returns the path of the manifest of a backup.
pub fn manifest_path(backup: &Path) -> PathBuf {
    beside(backup, ".manifest.json")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Copies a snapshot of the whole file to a new file and writes the manifest beside it.
pub(super) fn backup(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Err(StoreError::Conflict(phrase!("store.sweep.file_exists", to = to.display())));
    }
    let made = copy(connection, to).and_then(|()| {
        let manifest = contents(to)?;
        let text = serde_json::to_string_pretty(&manifest).expect("a manifest is always JSON");
        let path = manifest_path(to);
        private(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .map_err(|e| cannot_open(&path, &e))
    });
    made.inspect_err(|_| {
        // A partial copy must not be mistaken for a backup.
        let _ = std::fs::remove_file(to);
        let _ = std::fs::remove_file(manifest_path(to));
    })
}

/// Copies page by page. Like the database, the copy is written with unused bytes cleared.
fn copy(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    drop(private(to).map_err(|error| cannot_open(to, &error))?);
    pages::register()?;
    let mut copy = Connection::open_with_flags_and_vfs(to, OpenFlags::default(), pages::VFS)?;
    let backup = rusqlite::backup::Backup::new(connection, &mut copy)?;
    backup.run_to_completion(1024, std::time::Duration::ZERO, None)?;
    Ok(())
}

/// Creates a file that only its owner can read.
fn private(path: &Path) -> std::io::Result<File> {
    private_to_owner(OpenOptions::new().write(true).create(true).truncate(true)).open(path)
}

/// Opens a backup for reading only, without creating a file beside it.
fn read_only(path: &Path) -> Result<Connection, StoreError> {
    let mut name = String::from("file:");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => name.push(char::from(byte)),
            _ => name.push_str(&format!("%{byte:02X}")),
        }
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(format!("{name}?immutable=1"), flags)?)
}

/// Reads what a backup holds.
fn contents(path: &Path) -> Result<BackupManifest, StoreError> {
    let connection = read_only(path)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let schema: u64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if application != open::APPLICATION_ID {
        return Err(StoreError::Foreign(phrase!("store.error.not_saegim")));
    }
    if schema as usize > open::MIGRATIONS.len() {
        return Err(StoreError::Foreign(phrase!("store.open.schema_too_new", version = schema, supported = open::MIGRATIONS.len())));
    }
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u64>(0));
    let (minds, memories) = (count("SELECT count(*) FROM mind")?, count("SELECT count(*) FROM memory")?);
    let (bytes, digest) = digest(path)?;
    Ok(BackupManifest { format: FORMAT, schema, bytes, digest, minds, memories })
}

fn digest(path: &Path) -> Result<(u64, Hash), StoreError> {
    let unreadable = |error: std::io::Error| cannot_open(path, &error);
    let mut file = File::open(path).map_err(unreadable)?;
    let (mut piece, mut digests, mut bytes) = (Vec::with_capacity(PIECE), Vec::new(), 0);
    loop {
        piece.clear();
        let read = (&mut file).take(PIECE as u64).read_to_end(&mut piece).map_err(unreadable)?;
        if read == 0 {
            return Ok((bytes, Hash::of(&digests)));
        }
        bytes += read as u64;
        digests.extend_from_slice(Hash::of(&piece).bytes());
    }
}

/// Checks a backup without changing anything: its manifest, the file, and the ledger of every mind.
pub fn verify_backup(path: &Path) -> Result<VerifiedBackup, StoreError> {
    if !path.is_file() {
        return Err(StoreError::NotFound(phrase!("store.backup.not_found", path = path.display())));
    }
    let holds = contents(path)?;
    let mut health = Health::default();
    let manifest = match std::fs::read(manifest_path(path)) {
        Ok(text) => Some(serde_json::from_slice::<BackupManifest>(&text).ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(cannot_open(&manifest_path(path), &error)),
    };
    match &manifest {
        Some(Some(manifest)) if *manifest == holds => {}
        Some(_) => health.problems.push(phrase!("store.backup.differs_from_manifest")),
        None => health.notes.push(phrase!("store.backup.no_manifest")),
    }
    let connection = read_only(path)?;
    let sound: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        health.problems.push(phrase!("store.health.file_damaged", sound));
    }
    if connection.query_row("PRAGMA foreign_key_check", [], |_| Ok(())).is_ok() {
        health.problems.push(phrase!("store.health.reference_missing"));
    }
    let mut select = connection.prepare("SELECT key, user || '/' || character FROM mind")?;
    let minds: Vec<(i64, String)> = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (key, name) in minds {
        if let Verdict::Broken { sequence, problem } = ledger::verify(&connection, key)? {
            health.problems.push(phrase!("store.health.ledger_broken", name, sequence, problem));
        }
    }
    Ok(VerifiedBackup { holds, has_manifest: manifest.is_some(), health })
}

/// Replaces a database by a backup. The backup is verified first, and no other program may have the database open. The replaced
/// database is kept beside it, with its write-ahead log: a log that stays behind would be applied to the restored file.
pub fn restore_backup(database: &Path, from: &Path, at: Timestamp) -> Result<RestoredBackup, StoreError> {
    let verified = verify_backup(from)?;
    if let Some(problem) = verified.health.problems.first() {
        return Err(StoreError::Broken(phrase!("store.backup.not_restored", problem)));
    }
    if let Some(folder) = database.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| cannot_open(folder, &error))?;
    }
    let lock = WriteLock::beside(database)?;
    let _held = lock.hold()?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| cannot_open(&path, &error)
    };
    // The copy is complete and on the disk before the database is touched.
    let copy = beside(database, ".restoring");
    let mut target = private(&copy).map_err(failed(&copy))?;
    std::io::copy(&mut File::open(from).map_err(failed(from))?, &mut target).and_then(|_| target.sync_all()).map_err(failed(&copy))?;
    drop(target);
    if digest(&copy)? != (verified.holds.bytes, verified.holds.digest) {
        return Err(StoreError::Broken(phrase!("store.backup.differs_from_manifest")));
    }
    let mut replaced = None;
    if database.exists() {
        alone(database)?;
        let kept = beside(database, &format!(".replaced-{}", at.millis()));
        std::fs::rename(database, &kept).map_err(failed(database))?;
        replaced = Some(kept);
    }
    for ending in ["-wal", "-shm"] {
        let left = beside(database, ending);
        if left.exists() {
            let kept = beside(replaced.as_deref().unwrap_or(&copy), ending);
            std::fs::rename(&left, &kept).map_err(failed(&left))?;
        }
    }
    std::fs::rename(&copy, database).map_err(failed(database))?;
    #[cfg(unix)]
    if let Some(folder) = database.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(folder))?;
    }
    Ok(RestoredBackup { holds: verified.holds, replaced })
}

/// Fails if another program has the database open. A damaged database cannot be open anywhere.
fn alone(database: &Path) -> Result<(), StoreError> {
    let in_use = || StoreError::Busy(phrase!("store.backup.in_use"));
    let ask = || -> Result<(), rusqlite::Error> {
        let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.execute_batch("BEGIN EXCLUSIVE; ROLLBACK")
    };
    match ask() {
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(failure.code, rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) =>
        {
            Err(in_use())
        }
        _ => Ok(()),
    }
}
