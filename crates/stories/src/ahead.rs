//! Reads and embeds the messages of the next day in advance, on another core, while the current day is simulated. A reading
//! depends only on the message and a vector only on its text, so the result is the same as if it were computed on demand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Appraisal, Calibration, Embedding, Feeling, LruCache, Role, Span, Timestamp};
use saegim_language::{BelieveFrom, DerivedBelief, ImagineFrom, ImaginedScenario, IslandLabel, Reading, ReplyTo, Utterance};
use saegim_provider::{Embedder, ProviderError, Purpose, Sampling, Thinker};

use saegim_engine::MindHandle;

/// Number of cached items in each of the two generations.
const GENERATION: usize = 12_000;

/// Batch size for embedding in advance. Larger batches would be cheaper, but a caller that needs one vector immediately would
/// wait for the whole batch.
const TOGETHER: usize = 6;

/// An embedder with a cache.
#[derive(Clone)]
pub(crate) struct CachedEmbedder {
    inner: Arc<dyn Embedder>,
    kept: Arc<Mutex<LruCache<(bool, String), Embedding>>>,
}

impl CachedEmbedder {
    pub(crate) fn of(inner: Arc<dyn Embedder>) -> Self {
        Self { inner, kept: Arc::new(Mutex::new(LruCache::with_room(GENERATION))) }
    }

    fn known(&self, purpose: Purpose, text: &str) -> Option<Embedding> {
        self.lock().get(&(purpose == Purpose::Query, text.to_owned()))
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<(bool, String), Embedding>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Embedder for CachedEmbedder {
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
        self.vectors(texts, purpose, None).await
    }

    async fn embed_within(&self, texts: &[String], purpose: Purpose, limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        self.vectors(texts, purpose, Some(limit)).await
    }
}

impl CachedEmbedder {
    /// Embeds all texts that can be embedded and are not cached.
    async fn make(&self, mut texts: Vec<String>, purpose: Purpose) {
        texts.retain(|text| self.knows(text) && self.known(purpose, text).is_none());
        texts.sort();
        texts.dedup();
        for some in texts.chunks(TOGETHER) {
            let _ = self.vectors(some, purpose, None).await;
        }
    }

    /// Returns cached vectors and computes the missing ones, within `limit` if it is given.
    async fn vectors(&self, texts: &[String], purpose: Purpose, limit: Option<Duration>) -> Result<Vec<Embedding>, ProviderError> {
        let mut vectors: Vec<Option<Embedding>> = texts.iter().map(|text| self.known(purpose, text)).collect();
        let lacking: Vec<String> = texts.iter().zip(&vectors).filter(|(_, known)| known.is_none()).map(|(text, _)| text.clone()).collect();
        if !lacking.is_empty() {
            let made = match limit {
                Some(limit) => self.inner.embed_within(&lacking, purpose, limit).await,
                None => self.inner.embed(&lacking, purpose).await,
            };
            let mut made = made?.into_iter();
            for (text, place) in texts.iter().zip(vectors.iter_mut()).filter(|(_, place)| place.is_none()) {
                let Some(vector) = made.next() else { break };
                self.lock().put((purpose == Purpose::Query, text.clone()), vector.clone());
                *place = Some(vector);
            }
        }
        let whole: Option<Vec<Embedding>> = vectors.into_iter().collect();
        whole.ok_or_else(|| ProviderError::Broken("the embedder returned fewer vectors than texts".into()))
    }
}

/// A future message, with everything needed to read it in advance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Coming {
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) at: Timestamp,
    /// The other side's preceding message.
    pub(crate) before: Option<String>,
}

/// A message without its time.
type Heard = (Role, String, Option<String>);

/// A thinker with a cache of readings. Only rule-based readings are made in advance.
#[derive(Clone)]
pub(crate) struct Readings {
    inner: Arc<dyn Thinker>,
    read: Arc<Mutex<Read>>,
}

struct Read {
    /// Readings of future messages, each used once at its time.
    coming: HashMap<Coming, Reading>,
    /// Readings that do not depend on the time.
    timeless: LruCache<Heard, Reading>,
    /// Appraisals by text.
    appraised: LruCache<String, Appraisal>,
}

impl Readings {
    pub(crate) fn of(inner: Arc<dyn Thinker>) -> Self {
        let read = Read { coming: HashMap::new(), timeless: LruCache::with_room(GENERATION), appraised: LruCache::with_room(GENERATION) };
        Self { inner, read: Arc::new(Mutex::new(read)) }
    }

    fn lock(&self) -> MutexGuard<'_, Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the reading of a message, from the cache if possible.
    async fn of_message(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        let Utterance { role, text, before, .. } = *utterance;
        let heard = (role, text.to_owned(), before.map(str::to_owned));
        if let Some(reading) = self.lock().timeless.get(&heard) {
            return Ok(reading);
        }
        let reading = self.inner.extract(utterance).await?;
        if reading.timeless {
            self.lock().timeless.put(heard, reading.clone());
        }
        Ok(reading)
    }
}

/// Messages of a future day.
#[derive(Default)]
pub(crate) struct Ahead {
    /// Messages that can be read in advance.
    pub(crate) heard: Vec<Coming>,
    /// Messages that follow an answer which is not known yet. They can be embedded in advance, but not read.
    pub(crate) said: Vec<String>,
    /// Recall queries.
    pub(crate) asked: Vec<String>,
}

/// Starts to read and embed future messages in the background. Errors are ignored here; they occur again when the result is
/// needed.
pub(crate) fn prepare(readings: Option<Readings>, vectors: Option<CachedEmbedder>, ahead: Ahead, mind: MindHandle) {
    let Ahead { heard, said, asked } = ahead;
    if let (Some(readings), Some(first)) = (&readings, heard.first()) {
        // Remove readings of messages that were never sent, so that the cache does not grow.
        let yesterday = first.at.minus(Span::days(2));
        readings.lock().coming.retain(|message, _| message.at >= yesterday);
    }
    let handle = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || {
        handle.block_on(async move {
            let mut texts = Vec::new();
            for message in heard {
                texts.push(message.text.clone());
                if let Some(readings) = &readings {
                    let Coming { role, text, at, before } = &message;
                    let (user, character) = (mind.key().user(), mind.key().character());
                    let heard = Utterance { role: *role, text, at: *at, user, character, before: before.as_deref() };
                    let Ok(reading) = readings.of_message(&heard).await else { continue };
                    let kept = reading.findings.iter().filter(|finding| mind.may_be_promoted(*role, finding));
                    let kept: Vec<String> = kept.map(|finding| finding.content.clone()).collect();
                    for content in &kept {
                        let _ = readings.appraise(content).await;
                    }
                    texts.extend(kept);
                    readings.lock().coming.insert(message, reading);
                }
                if let Some(vectors) = vectors.as_ref().filter(|_| texts.len() >= TOGETHER) {
                    vectors.make(std::mem::take(&mut texts), Purpose::Passage).await;
                }
            }
            texts.extend(said);
            if let Some(vectors) = &vectors {
                vectors.make(texts, Purpose::Passage).await;
                vectors.make(asked, Purpose::Query).await;
            }
        });
    });
}

#[async_trait]
impl Thinker for Readings {
    fn id(&self) -> &str {
        self.inner.id()
    }

    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        let Utterance { role, text, at, before, .. } = *utterance;
        let coming = Coming { role, text: text.to_owned(), at, before: before.map(str::to_owned) };
        let known = self.lock().coming.remove(&coming);
        match known {
            Some(reading) => Ok(reading),
            None => self.of_message(utterance).await,
        }
    }

    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError> {
        if let Some(appraisal) = self.lock().appraised.get(text) {
            return Ok(appraisal);
        }
        let appraisal = self.inner.appraise(text).await?;
        self.lock().appraised.put(text.to_owned(), appraisal);
        Ok(appraisal)
    }

    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError> {
        self.inner.feel(text).await
    }

    async fn reply(&self, asked: &ReplyTo<'_>, sampling: Option<&Sampling>) -> Result<String, ProviderError> {
        self.inner.reply(asked, sampling).await
    }

    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError> {
        self.inner.distil(texts).await
    }

    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<DerivedBelief>, ProviderError> {
        self.inner.believe(from).await
    }

    async fn name_island(&self, texts: &[&str]) -> Result<IslandLabel, ProviderError> {
        self.inner.name_island(texts).await
    }

    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<ImaginedScenario, ProviderError> {
        self.inner.imagine(from).await
    }
}
