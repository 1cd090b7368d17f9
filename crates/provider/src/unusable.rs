//! An embedder that was chosen and cannot be used: it says why, and words go on alone.

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding};

use crate::{Embedder, ProviderError, Purpose};

/// Stands in the place of an embedder whose model is missing or damaged. Every text is refused with the reason, so that
/// remembering and recall go by words and can say so.
pub struct UnusableEmbedder {
    id: String,
    why: String,
    calibration: Calibration,
}

impl UnusableEmbedder {
    /// In place of the embedder called `id`, because of `why`.
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

    /// Nothing is noise to it: the reason to give is that there is no model, not that a script is strange.
    fn knows(&self, _text: &str) -> bool {
        true
    }

    async fn embed(&self, _texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        Err(ProviderError::Down(self.why.clone()))
    }
}
