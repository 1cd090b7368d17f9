//! What can go wrong, by who must act.

use std::fmt;

use saegim_core::{Cause, Invalid, Language, Phrase, Timestamp, phrase};
use saegim_provider::ProviderError;
use saegim_store::StoreError;

/// A failure of the engine.
#[derive(Debug)]
pub enum EngineError {
    /// The request cannot be carried out as it is.
    Invalid(Invalid),
    /// What was asked for is not there.
    NotFound(Phrase),
    /// Someone else changed it first, or it is not in a state for this.
    Conflict(Phrase),
    /// It is not the one that was meant any more: someone changed it since it was read.
    Changed(Phrase),
    /// This principal may not do this.
    Forbidden(Phrase),
    /// The owner may do this, but has to say that they mean it.
    Unsure(Phrase),
    /// It was not done; it waits for the owner's word as a proposal.
    Proposed(Phrase),
    /// It may be done again from a moment on.
    NotYet(Phrase, Timestamp),
    /// Try again in a moment.
    Busy(Phrase),
    /// The model cannot answer now.
    Model(ProviderError),
    /// The store has a problem of its own.
    Store(StoreError),
}

impl EngineError {
    /// What is wrong, as it is told to people.
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

/// What is wrong with a model. Its details are for those who run it and stay as they are.
fn model(error: &ProviderError) -> Phrase {
    let korean = match error {
        ProviderError::Invalid(why) => format!("모델에 쓸 수 없는 입력이에요: {why}"),
        ProviderError::Down(why) => format!("모델이 응답하지 않아요: {why}"),
        ProviderError::Broken(why) => format!("모델이 손상됐어요: {why}"),
        ProviderError::Unanswered { cause, why } => format!("모델에서 쓸 수 있는 응답을 받지 못했어요 ({cause}): {why}"),
    };
    Phrase::new(error.to_string(), korean)
}

/// Why a text has no vector. One that did not come in time is no fault of the model's answer.
pub(crate) fn no_vector(error: ProviderError) -> Phrase {
    match error {
        ProviderError::Unanswered { cause: Cause::TimedOut, why } => {
            phrase!("the embedder did not respond in time ({why})", "임베더가 제때 응답하지 않았어요 ({why})")
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

/// A file that cannot be read or written, and why.
pub(crate) fn unusable(path: &std::path::Path, error: &std::io::Error) -> EngineError {
    let why = Phrase::of_system(error);
    EngineError::NotFound(Phrase::new(
        format!("{}: {why}", path.display()),
        format!("{}: {}", path.display(), why.in_language(Language::Korean)),
    ))
}
