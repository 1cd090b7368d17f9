//! What will be said is read and embedded ahead of time, on another core, while the day before is lived. Reading depends on
//! the message alone and a vector on its text alone, so it does not matter who made them or when.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use saegim_core::{Appraisal, Calibration, CandidateType, Embedding, Feeling, Role, Span, Timestamp};
use saegim_provider::{Embedder, Finding, ProviderError, Purpose, Reading, ReplyTo, Thinker, Utterance};

/// How many vectors are kept in each of the two generations.
const GENERATION: usize = 12_000;

/// How strong a feeling has to be for its finding to be worth a vector ahead of time.
const WORTH_A_VECTOR: f32 = 0.3;

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
pub(crate) struct Vectors {
    inner: Arc<dyn Embedder>,
    kept: Arc<Mutex<Kept>>,
}

impl Vectors {
    pub(crate) fn of(inner: Arc<dyn Embedder>) -> Self {
        Self { inner, kept: Arc::default() }
    }

    fn known(&self, purpose: Purpose, text: &str) -> Option<Embedding> {
        self.lock().get(&(purpose == Purpose::Query, text.to_owned()))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Embedder for Vectors {
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

/// A message that will be said: enough to read it as it will be read then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Coming {
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) at: Timestamp,
    /// What the other side will have said right before.
    pub(crate) before: Option<String>,
}

/// A thinker that has read some messages already.
#[derive(Clone)]
pub(crate) struct Readings {
    inner: Arc<dyn Thinker>,
    read: Arc<Mutex<HashMap<Coming, Reading>>>,
}

impl Readings {
    pub(crate) fn of(inner: Arc<dyn Thinker>) -> Self {
        Self { inner, read: Arc::default() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Coming, Reading>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose messages are read.
#[derive(Clone)]
pub(crate) struct Names {
    pub(crate) user: String,
    pub(crate) character: String,
}

/// Begins to read and embed what will be said. What fails now says so when it is needed.
pub(crate) fn prepare(readings: Option<Readings>, vectors: Option<Vectors>, coming: Vec<Coming>, names: Names) {
    if let (Some(readings), Some(first)) = (&readings, coming.first()) {
        // What was read and then not said that way would stay for ever.
        let yesterday = first.at.minus(Span::days(2));
        readings.lock().retain(|message, _| message.at >= yesterday);
    }
    let handle = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || {
        handle.block_on(async move {
            for message in coming {
                let mut texts = vec![message.text.clone()];
                if let Some(readings) = &readings {
                    let Coming { role, text, at, before } = &message;
                    let (user, character) = (names.user.as_str(), names.character.as_str());
                    let heard = Utterance { role: *role, text, at: *at, user, character, before: before.as_deref() };
                    let Ok(reading) = readings.inner.extract(&heard).await else { continue };
                    texts.extend(reading.findings.iter().filter(|finding| may_be_kept(finding)).map(|finding| finding.content.clone()));
                    readings.lock().insert(message, reading);
                }
                if let Some(vectors) = &vectors {
                    texts.retain(|text| vectors.knows(text));
                    let _ = vectors.embed(&texts, Purpose::Passage).await;
                }
            }
        });
    });
}

/// Whether a finding may need a vector of its own; a wrong guess costs time and nothing else.
fn may_be_kept(finding: &Finding) -> bool {
    finding.remember_this
        || finding.claim.is_some()
        || finding.feeling.intensity.get() >= WORTH_A_VECTOR
        || !matches!(finding.candidate_type, CandidateType::Event | CandidateType::SmallTalk)
}

#[async_trait]
impl Thinker for Readings {
    fn id(&self) -> &str {
        self.inner.id()
    }

    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        let Utterance { role, text, at, before, .. } = *utterance;
        let known = self.lock().remove(&Coming { role, text: text.to_owned(), at, before: before.map(str::to_owned) });
        match known {
            Some(reading) => Ok(reading),
            None => self.inner.extract(utterance).await,
        }
    }

    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError> {
        self.inner.appraise(text).await
    }

    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError> {
        self.inner.feel(text).await
    }

    async fn reply(&self, asked: &ReplyTo<'_>) -> Result<String, ProviderError> {
        self.inner.reply(asked).await
    }

    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError> {
        self.inner.distil(texts).await
    }
}
