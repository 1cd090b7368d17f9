//! Provider errors, grouped by who must act.

use saegim_core::Cause;
use saegim_encoder::Damaged;

/// A failure of an embedder or thinker.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The text or setting from the caller is not usable.
    #[error("{0}")]
    Invalid(String),
    /// The model is not available now. Word search and rules continue without it.
    #[error("the model is unavailable: {0}")]
    Down(String),
    /// The model file or its answer is damaged.
    #[error("the model is damaged: {0}")]
    Broken(String),
    /// The model was called and returned no usable answer. The rules are used instead.
    #[error("the model returned no usable answer ({cause}): {why}")]
    Unanswered {
        /// Cause in one word.
        cause: Cause,
        /// Detail for the operator. Never contains the request or a key.
        why: String,
    },
}

impl ProviderError {
    pub(crate) fn unanswered(cause: Cause, why: String) -> Self {
        Self::Unanswered { cause, why }
    }

    /// Returns the cause in one word, for the ledger.
    pub fn cause(&self) -> Cause {
        match self {
            Self::Unanswered { cause, .. } => *cause,
            Self::Down(_) => Cause::Unreachable,
            Self::Invalid(_) => Cause::Unaccepted,
            Self::Broken(_) => Cause::Damaged,
        }
    }
}

impl From<Damaged> for ProviderError {
    fn from(damaged: Damaged) -> Self {
        Self::Broken(format!("{damaged}; install it again"))
    }
}

/// Returns the error for a damaged model file; `what` names the place.
pub(crate) fn broken(what: impl std::fmt::Display) -> ProviderError {
    Damaged::new(what).into()
}
