//! The one interface of everything that turns text into vectors.

use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Calibration, Cause, Embedding};

use crate::ProviderError;

/// What a text is embedded for; some models write questions and passages differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Text that is looked for.
    Query,
    /// Text that is kept.
    Passage,
}

/// Turns text into directions whose closeness means likeness.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// The model and its revision, e.g. `use-m3-koen-q4@2`. Vectors of different ids are never compared.
    fn id(&self) -> &str;

    /// How many components its vectors have.
    fn dims(&self) -> usize;

    /// The measured map from the cosine of two of its vectors to calibrated similarity.
    fn calibration(&self) -> &Calibration;

    /// Whether this model was made for the script `text` is written in; vectors of other text are noise.
    fn knows(&self, text: &str) -> bool;

    /// Where it is, if it is not in this process; without any key.
    fn address(&self) -> Option<&str> {
        None
    }

    /// Whether it was asked for a vector of `text` and would not have this very text, though it takes others.
    fn refuses(&self, _text: &str) -> bool {
        false
    }

    /// One vector per text, in order. What the model's vectors of everyday sentences have in common is taken off where
    /// it was measured: it tells no two texts apart, and drowns what does.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Embedding>, ProviderError>;

    /// The same for somebody who waits, and waits so long at most.
    async fn embed_within(&self, texts: &[String], purpose: Purpose, limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        tokio::time::timeout(limit, self.embed(texts, purpose)).await.unwrap_or_else(|_| Err(too_slow(limit)))
    }
}

/// What is told of an embedder nobody waited for any longer.
pub(crate) fn too_slow(limit: Duration) -> ProviderError {
    ProviderError::unanswered(Cause::TimedOut, format!("longer than {} s", limit.as_secs_f32()))
}
