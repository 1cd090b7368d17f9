//! Whether the file that is open is still the file at its path. A file that is deleted or replaced while it is open takes every
//! write without an error, and all of them are gone when the process ends.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use saegim_core::{Phrase, phrase};

use crate::StoreError;

/// The identity of an open database and its log.
pub(crate) struct Presence {
    database: PathBuf,
    log: PathBuf,
    opened: Identity,
    /// Largest size seen so far. The file never becomes smaller while it is open.
    size: AtomicU64,
}

/// What the system knows a file by, whatever its name is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    fn of(about: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(about.dev(), about.ino())
    }

    /// Other systems do not let an open file be deleted or replaced.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Self {
        Self(0, 0)
    }
}

impl Presence {
    /// Takes the identity of a database that was just opened.
    pub(crate) fn of(database: &Path) -> Result<Self, StoreError> {
        let about = std::fs::metadata(database).map_err(|error| lost(database, &error.into()))?;
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let size = AtomicU64::new(about.len());
        Ok(Self { database: database.to_owned(), log: PathBuf::from(log), opened: Identity::of(&about), size })
    }

    /// Fails if the file at the path is not the open one, or was cut off. Two questions to the system, a few microseconds.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let about = std::fs::metadata(&self.database).map_err(|error| lost(&self.database, &error.into()))?;
        if Identity::of(&about) != self.opened {
            return Err(lost(&self.database, &Loss::Replaced));
        }
        if about.len() < self.size.fetch_max(about.len(), Ordering::AcqRel) {
            return Err(lost(&self.database, &Loss::CutOff));
        }
        Ok(())
    }

    /// Like [`Presence::check`], for a write that is about to be acknowledged: it is in the log until the next checkpoint.
    pub(crate) fn check_written(&self) -> Result<(), StoreError> {
        self.check()?;
        std::fs::metadata(&self.log).map(drop).map_err(|error| lost(&self.log, &error.into()))
    }
}

/// What happened to a file.
enum Loss {
    Unreachable(std::io::Error),
    Replaced,
    CutOff,
}

impl From<std::io::Error> for Loss {
    fn from(error: std::io::Error) -> Self {
        Self::Unreachable(error)
    }
}

fn lost(path: &Path, loss: &Loss) -> StoreError {
    let file = path.display();
    StoreError::Lost(match loss {
        Loss::Unreachable(error) => phrase!("store.presence.unreachable", file, why = Phrase::of_system(error)),
        Loss::Replaced => phrase!("store.presence.replaced", file),
        Loss::CutOff => phrase!("store.presence.cut_off", file),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_deleted_replaced_or_cut_off_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mind.db");
        type Harm = fn(&Path);
        let harms: [(&str, Harm); 3] = [
            ("deleted", |path| std::fs::remove_file(path).unwrap()),
            ("replaced", |path| {
                // A new file beside the old one has another identity.
                let other = path.with_extension("new");
                std::fs::write(&other, [0; 8192]).unwrap();
                std::fs::rename(&other, path).unwrap();
            }),
            ("cut off", |path| std::fs::write(path, [0; 4096]).unwrap()),
        ];
        for (name, harm) in harms {
            let _ = std::fs::remove_file(&path);
            std::fs::write(&path, [0; 8192]).unwrap();
            let presence = Presence::of(&path).unwrap();
            presence.check().unwrap();
            assert!(presence.check_written().is_err(), "there is no log yet");
            harm(&path);
            assert!(matches!(presence.check(), Err(StoreError::Lost(_))), "{name}");
        }
    }
}
