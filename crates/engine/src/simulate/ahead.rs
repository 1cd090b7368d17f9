//! Vectors kept within one simulation, and made ahead of time on another core. A vector depends on its text alone, so it
//! does not matter who made it or when.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding};
use saegim_provider::{Embedder, ProviderError, Purpose};

/// How many vectors are kept in each of the two generations.
const GENERATION: usize = 12_000;

/// How many texts are embedded at a time ahead of time.
const BATCH: usize = 8;

/// Vectors by text and purpose; what was not asked for lately goes.
#[derive(Default)]
struct Kept {
    young: HashMap<(bool, String), Embedding>,
    old: HashMap<(bool, String), Embedding>,
}

impl Kept {
    fn get(&mut self, key: &(bool, String)) -> Option<Embedding> {
        if let Some(vector) = self.young.get(key) {
            return Some(vector.clone());
        }
        let vector = self.old.remove(key)?;
        self.put(key.clone(), vector.clone());
        Some(vector)
    }

    fn put(&mut self, key: (bool, String), vector: Embedding) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, vector);
    }
}

/// An embedder that does nothing twice.
#[derive(Clone)]
pub(crate) struct Ahead {
    inner: Arc<dyn Embedder>,
    kept: Arc<Mutex<Kept>>,
}

impl Ahead {
    pub(crate) fn of(inner: Arc<dyn Embedder>) -> Self {
        Self { inner, kept: Arc::default() }
    }

    /// Begins to make the vectors of texts that will be said.
    pub(crate) fn prepare(&self, texts: Vec<String>) {
        let ahead = self.clone();
        tokio::spawn(async move {
            for batch in texts.chunks(BATCH) {
                // What cannot be embedded says so when it is needed.
                let _ = ahead.embed(batch, Purpose::Passage).await;
            }
        });
    }

    fn known(&self, purpose: Purpose, text: &str) -> Option<Embedding> {
        self.lock().get(&(purpose == Purpose::Query, text.to_owned()))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Embedder for Ahead {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn dims(&self) -> usize {
        self.inner.dims()
    }

    fn calibration(&self) -> &Calibration {
        self.inner.calibration()
    }

    fn knows(&self, text: &str) -> bool {
        self.inner.knows(text)
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        let mut vectors: Vec<Option<Embedding>> = texts.iter().map(|text| self.known(purpose, text)).collect();
        let lacking: Vec<String> = texts.iter().zip(&vectors).filter(|(_, known)| known.is_none()).map(|(text, _)| text.clone()).collect();
        if !lacking.is_empty() {
            let mut made = self.inner.embed(&lacking, purpose).await?.into_iter();
            for (text, place) in texts.iter().zip(vectors.iter_mut()).filter(|(_, place)| place.is_none()) {
                let Some(vector) = made.next() else { break };
                self.lock().put((purpose == Purpose::Query, text.clone()), vector.clone());
                *place = Some(vector);
            }
        }
        let whole: Option<Vec<Embedding>> = vectors.into_iter().collect();
        whole.ok_or_else(|| ProviderError::Broken("the embedder gave fewer vectors than texts".into()))
    }
}
