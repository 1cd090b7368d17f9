//! Engine errors, grouped by who must act.

use std::fmt;

use saegim_core::{Cause, Invalid, Phrase, Timestamp, phrase};
use saegim_provider::ProviderError;
use saegim_store::StoreError;

/// An error of the engine.
#[derive(Debug)]
pub enum EngineError {
    /// The request is invalid.
    Invalid(Invalid),
    /// The requested item does not exist.
    NotFound(Phrase),
    /// A concurrent change won, or the item is not in the required state.
    Conflict(Phrase),
    /// The item changed since the caller read it.
    Changed(Phrase),
    /// The principal lacks permission.
    Forbidden(Phrase),
    /// The owner may do this but must confirm it.
    Unsure(Phrase),
    /// Not executed; a proposal was filed for the owner instead.
    Proposed(Phrase),
    /// Refused until the given time.
    NotYet(Phrase, Timestamp),
    /// Temporarily overloaded; retry soon.
    Busy(Phrase),
    /// The model is unavailable.
    Model(ProviderError),
    /// Internal error of the store.
    Store(StoreError),
}

impl EngineError {
    /// Returns the group of the error for logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::NotFound(_) => "not_found",
            Self::Conflict(_) | Self::Changed(_) => "conflict",
            Self::Forbidden(_) | Self::Unsure(_) | Self::Proposed(_) => "forbidden",
            Self::NotYet(..) | Self::Busy(_) => "busy",
            Self::Model(_) => "model",
            Self::Store(_) => "store",
        }
    }

    /// Returns the message for users.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Invalid(invalid) => invalid.phrase(),
            Self::NotFound(what)
            | Self::Conflict(what)
            | Self::Changed(what)
            | Self::Forbidden(what)
            | Self::Unsure(what)
            | Self::Proposed(what)
            | Self::NotYet(what, _)
            | Self::Busy(what) => what.clone(),
            Self::Model(error) => model(error),
            Self::Store(error) => error.phrase(),
        }
    }
}

/// Returns the message for a model error. The detail is for operators and is not translated.
fn model(error: &ProviderError) -> Phrase {
    match error {
        ProviderError::Invalid(why) => phrase!("engine.error.model_input_not_valid", why),
        ProviderError::Down(why) => phrase!("engine.error.model_unavailable", why),
        ProviderError::Broken(why) => phrase!("engine.error.model_damaged", why),
        ProviderError::Unanswered { cause, why } => phrase!("engine.error.model_unanswered", cause, why),
    }
}

/// Returns why a text has no vector. A timeout is reported as such, not as a bad answer.
pub(crate) fn no_vector(error: ProviderError) -> Phrase {
    match error {
        ProviderError::Unanswered { cause: Cause::TimedOut, why } => {
            phrase!("engine.error.embedder_timeout", why)
        }
        error => EngineError::from(error).phrase(),
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for EngineError {}

impl From<Invalid> for EngineError {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<ProviderError> for EngineError {
    fn from(error: ProviderError) -> Self {
        Self::Model(error)
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Invalid(invalid) => Self::Invalid(invalid),
            StoreError::NotFound(what) => Self::NotFound(what),
            StoreError::Conflict(what) => Self::Conflict(what),
            StoreError::Busy(_) => Self::Busy(error.phrase()),
            other => Self::Store(other),
        }
    }
}

impl EngineError {
    /// Returns the error for a file that cannot be read or written.
    pub fn of_file(path: &std::path::Path, error: &std::io::Error) -> Self {
        let why = Phrase::of_system(error);
        let path = path.display();
        Self::NotFound(phrase!("engine.error.file", path, why))
    }
}
