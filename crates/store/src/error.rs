//! What can go wrong, by who must act.

use saegim_core::Invalid;

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The request cannot be carried out as it is.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// What was asked for is not there.
    #[error("{0}")]
    NotFound(String),
    /// Someone else changed it first; look again and decide anew.
    #[error("{0}")]
    Conflict(String),
    /// The file is in use; try again in a moment.
    #[error("the store is busy: {0}")]
    Busy(String),
    /// There is no space left on the disk; nothing of this request was kept.
    #[error("the disk is full; nothing was lost, and nothing of this was kept")]
    Full,
    /// The file was written by a newer saegim.
    #[error("{0}")]
    TooNew(String),
    /// The file or a row in it is not what it should be.
    #[error("the store is broken: {0}")]
    Broken(String),
    /// Vectors cannot be compared here; words go on.
    #[error("vectors cannot be searched: {0}")]
    NoVectors(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::*;
        let code = match &error {
            rusqlite::Error::SqliteFailure(failure, _) => Some(failure.code),
            _ => None,
        };
        match code {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy(error.to_string()),
            Some(DiskFull) => Self::Full,
            Some(NotADatabase) => Self::Broken("this file is not a saegim database; name another with --db".into()),
            Some(CannotOpen) => Self::NotFound(format!("the file cannot be opened: {error}")),
            Some(ReadOnly | PermissionDenied) => Self::NotFound(format!("the file cannot be written: {error}")),
            _ => Self::Broken(error.to_string()),
        }
    }
}
