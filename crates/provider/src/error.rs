//! What can go wrong at a provider, by who must act.

use saegim_core::Cause;

/// A failure of an embedder or thinker.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The caller's text or setting cannot be used as it is.
    #[error("{0}")]
    Invalid(String),
    /// The model cannot answer now; words and rules go on without it.
    #[error("the model is unavailable: {0}")]
    Down(String),
    /// The model's file or answer is damaged.
    #[error("the model is damaged: {0}")]
    Broken(String),
    /// A model was asked and gave no usable answer; rules answer in its place.
    #[error("the model returned no usable answer ({cause}): {why}")]
    Unanswered {
        /// Why, in one word.
        cause: Cause,
        /// Why, for whoever runs it; never what was asked, and no key.
        why: String,
    },
}

impl ProviderError {
    pub(crate) fn unanswered(cause: Cause, why: String) -> Self {
        Self::Unanswered { cause, why }
    }

    /// Why, in one word for the ledger.
    pub fn cause(&self) -> Cause {
        match self {
            Self::Unanswered { cause, .. } => *cause,
            Self::Down(_) => Cause::Unreachable,
            Self::Invalid(_) => Cause::Unaccepted,
            Self::Broken(_) => Cause::Damaged,
        }
    }
}
