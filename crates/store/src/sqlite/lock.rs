//! The write lock of a file, held by whoever writes.
//!
//! SQLite's own locks are enough between processes, but not inside one that also carries another copy of SQLite
//! (Python's, for one): closing a file there drops this process's locks. A lock on a file of our own survives that,
//! and waiting for it is fair and quick where SQLite's busy handler sleeps and tries again.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use saegim_core::{Language, Phrase, phrase};

use crate::StoreError;

/// The lock file beside the database. Beside a database of ours it is never removed: removing it would let two
/// writers lock two files.
pub(super) struct WriteLock {
    file: File,
    /// Whether it was not there before.
    new: bool,
}

/// Held until dropped.
pub(super) struct Held<'a>(&'a File);

impl WriteLock {
    /// Opens the lock file beside `database`.
    pub(super) fn beside(database: &Path) -> Result<Self, StoreError> {
        let path = path_beside(database);
        let new = !path.exists();
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        file.map(|file| Self { file, new }).map_err(|error| cannot_open(&path, &error))
    }

    /// Leaves nothing beside a file that turned out to be another program's, or none at all.
    pub(super) fn withdraw(&self, database: &Path) {
        if self.new {
            // Failing to tidy up changes nothing about the refusal.
            let _ = std::fs::remove_file(path_beside(database));
        }
    }

    /// Waits until this process may write.
    pub(super) fn hold(&self) -> Result<Held<'_>, StoreError> {
        self.file
            .lock()
            .map_err(|error| StoreError::Busy(phrase!("the lock file cannot be locked: {error}", "잠금 파일을 잠글 수 없어요: {error}")))?;
        Ok(Held(&self.file))
    }
}

fn path_beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-lock");
    PathBuf::from(name)
}

/// A file that cannot be opened or made, and why.
pub(super) fn cannot_open(path: &Path, error: &std::io::Error) -> StoreError {
    let why = Phrase::of_system(error);
    StoreError::NotFound(Phrase::new(
        format!("{} cannot be opened: {why}; choose another path with --db", path.display()),
        format!("{}을(를) 열 수 없어요: {}. --db로 다른 경로를 지정해 주세요", path.display(), why.in_language(Language::Korean)),
    ))
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // The lock also ends with the process, so a failure here cannot keep others out for ever.
        let _ = self.0.unlock();
    }
}
