//! Store errors, grouped by who must act.

use std::fmt;

use saegim_core::{Invalid, Phrase, phrase};

/// An error of the store.
#[derive(Debug)]
pub enum StoreError {
    /// The request is invalid.
    Invalid(Invalid),
    /// The requested item does not exist.
    NotFound(Phrase),
    /// Another writer changed it first; read again and retry.
    Conflict(Phrase),
    /// The file is locked; retry later.
    Busy(Phrase),
    /// The disk is full; nothing of this request was written.
    Full,
    /// The file belongs to another program or to a newer saegim.
    Foreign(Phrase),
    /// The file was deleted, replaced or cut off while it was open.
    Lost(Phrase),
    /// The file or one of its rows is damaged.
    Broken(Phrase),
    /// Vector search is not available. Word search still works.
    NoVectors(Phrase),
}

impl StoreError {
    /// Returns the user-visible message.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Invalid(invalid) => invalid.phrase(),
            Self::NotFound(what) | Self::Conflict(what) | Self::Foreign(what) | Self::Lost(what) => what.clone(),
            Self::Busy(why) => phrase!("store.error.busy", why),
            Self::Full => phrase!("store.error.disk_full"),
            Self::Broken(why) => phrase!("store.error.damaged", why),
            Self::NoVectors(why) => phrase!("store.error.no_vectors", why),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for StoreError {}

impl From<Invalid> for StoreError {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::*;
        let code = match &error {
            rusqlite::Error::SqliteFailure(failure, _) => Some(failure.code),
            _ => None,
        };
        match code {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy(error.to_string().into()),
            Some(DiskFull) => Self::Full,
            Some(ConstraintViolation) => Self::Conflict(phrase!("store.error.name_taken", error)),
            Some(NotADatabase) => Self::Foreign(phrase!("store.error.not_saegim")),
            Some(CannotOpen) => Self::NotFound(phrase!("store.error.cannot_open", error)),
            Some(ReadOnly | PermissionDenied) => Self::NotFound(phrase!("store.error.cannot_write", error)),
            _ => Self::Broken(error.to_string().into()),
        }
    }
}
