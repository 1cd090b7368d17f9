//! What can go wrong, by who must act.

use saegim_core::Invalid;
use saegim_provider::ProviderError;
use saegim_store::StoreError;

/// A failure of the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The request cannot be carried out as it is.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// What was asked for is not there.
    #[error("{0}")]
    NotFound(String),
    /// Someone else changed it first, or it is not in a state for this.
    #[error("{0}")]
    Conflict(String),
    /// This principal may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// Try again in a moment.
    #[error("{0}")]
    Busy(String),
    /// The model cannot answer now.
    #[error(transparent)]
    Model(#[from] ProviderError),
    /// The store has a problem of its own.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Invalid(invalid) => Self::Invalid(invalid),
            StoreError::NotFound(what) => Self::NotFound(what),
            StoreError::Conflict(what) => Self::Conflict(what),
            StoreError::Busy(what) => Self::Busy(what),
            other => Self::Store(other),
        }
    }
}
