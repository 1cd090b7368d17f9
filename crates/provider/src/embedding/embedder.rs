//! The interface of every component that converts text to vectors.

use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Calibration, Cause, Embedding};

use crate::ProviderError;

/// Purpose of an embedding. Some models embed queries and passages differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Text to search for.
    Query,
    /// Text that is stored.
    Passage,
}

/// Converts text to vectors; similar texts get vectors with a high cosine.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// The model and its revision, e.g. `use-m3-koen-q4@2`. Vectors of different ids are never compared.
    fn id(&self) -> &str;

    /// Number of components of a vector.
    fn dims(&self) -> usize;

    /// Returns the measured map from the cosine of two vectors to calibrated similarity.
    fn calibration(&self) -> &Calibration;

    /// Checks whether the model supports the script of `text`. Vectors of other text are noise.
    fn knows(&self, text: &str) -> bool;

    /// Returns the server address without any key, or `None` if the model runs in this process.
    fn address(&self) -> Option<&str> {
        None
    }

    /// Checks whether the model has rejected this particular text before, although it accepts others.
    fn refuses(&self, _text: &str) -> bool {
        false
    }

    /// Returns one vector per text, in order. If the mean vector of everyday sentences was measured for the model, it is
    /// subtracted: it does not help to distinguish texts and would dominate the cosine.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Embedding>, ProviderError>;

    /// Embeds with a time limit.
    async fn embed_within(&self, texts: &[String], purpose: Purpose, limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        tokio::time::timeout(limit, self.embed(texts, purpose)).await.unwrap_or_else(|_| Err(too_slow(limit)))
    }
}

/// Returns the error for an embedder that exceeded its time limit.
pub(crate) fn too_slow(limit: Duration) -> ProviderError {
    ProviderError::unanswered(Cause::TimedOut, format!("longer than {} s", limit.as_secs_f32()))
}
