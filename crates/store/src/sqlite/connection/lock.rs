//! The write lock of a database file.
//!
//! SQLite's own locks suffice between processes, but not in a process that also loads another copy of SQLite (for example
//! Python's): closing the file there drops the POSIX locks of the whole process. A lock on a separate file survives that, and
//! waiting for it is fair and fast, while SQLite's busy handler sleeps and polls.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use saegim_core::{Phrase, phrase};

use crate::StoreError;

/// The lock file next to the database. It is never removed if the database is ours: otherwise two writers could lock two
/// different files.
pub(crate) struct WriteLock {
    file: File,
    /// Whether this process created it.
    new: bool,
}

/// Guard that releases the lock when dropped.
pub(crate) struct Held<'a>(&'a File);

impl WriteLock {
    /// Opens the lock file next to `database`.
    pub(crate) fn beside(database: &Path) -> Result<Self, StoreError> {
        let path = path_beside(database);
        let new = !path.exists();
        let file = private_to_owner(OpenOptions::new().read(true).write(true).create(true).truncate(false)).open(&path);
        file.map(|file| Self { file, new }).map_err(|error| cannot_open(&path, &error))
    }

    /// Removes a newly created lock file if the database turned out to be missing or another program's.
    pub(crate) fn withdraw(&self, database: &Path) {
        if self.new {
            // A failed removal does not change the error to report.
            let _ = std::fs::remove_file(path_beside(database));
        }
    }

    /// Blocks until this process holds the write lock.
    pub(crate) fn hold(&self) -> Result<Held<'_>, StoreError> {
        self.file.lock().map_err(|error| StoreError::Busy(phrase!("store.lock.cannot_lock", error)))?;
        Ok(Held(&self.file))
    }
}

/// Lets a file that is created with these options be read by its owner only.
pub(crate) fn private_to_owner(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

fn path_beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-lock");
    PathBuf::from(name)
}

/// Returns the error for a file that cannot be opened or created.
pub(crate) fn cannot_open(path: &Path, error: &std::io::Error) -> StoreError {
    let why = Phrase::of_system(error);
    let path = path.display();
    StoreError::NotFound(phrase!("store.lock.cannot_open", path, why))
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // The OS releases the lock when the process exits, so a failure here cannot block others permanently.
        let _ = self.0.unlock();
    }
}
