//! Placeholder for a configured embedder that failed to load. Search falls back to words and reports the reason.

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding};

use crate::{Embedder, ProviderError, Purpose};

/// Placeholder for an embedder whose model is missing or damaged. Rejects every text with the reason, so that ingestion and
/// recall fall back to words and can report it.
pub struct UnusableEmbedder {
    id: String,
    why: String,
    calibration: Calibration,
}

impl UnusableEmbedder {
    /// Creates a placeholder for the embedder `id` that fails with `why`.
    pub fn new(id: impl Into<String>, why: impl Into<String>) -> Self {
        let calibration = Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).expect("the knots rise");
        Self { id: id.into(), why: why.into(), calibration }
    }
}

#[async_trait]
impl Embedder for UnusableEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dims(&self) -> usize {
        0
    }

    fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Accepts every script: the error must be the missing model, not an unsupported script.
    fn knows(&self, _text: &str) -> bool {
        true
    }

    async fn embed(&self, _texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        Err(ProviderError::Down(self.why.clone()))
    }
}
