//! What can go wrong at a provider, by who must act.

/// A failure of an embedder or thinker.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The caller's text or setting cannot be used as it is.
    #[error("{0}")]
    Invalid(String),
    /// The model cannot answer now; words and rules go on without it.
    #[error("the model is down: {0}")]
    Down(String),
    /// The model's file or answer is damaged.
    #[error("the model is broken: {0}")]
    Broken(String),
}
