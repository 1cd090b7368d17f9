//! What will be said is read and embedded ahead of time, on another core, while the day before is lived. Reading depends on
//! the message alone and a vector on its text alone, so it does not matter who made them or when.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Appraisal, Calibration, Embedding, Feeling, Lately, Role, Span, Timestamp};
use saegim_provider::{
    BelieveFrom, Conviction, Daydream, Embedder, ImagineFrom, Landmark, ProviderError, Purpose, Reading, ReplyTo, Thinker, Utterance,
};

use crate::MindHandle;

/// How many things are kept in each of the two generations.
const GENERATION: usize = 12_000;

/// So many texts are embedded together: more would be cheaper yet, and whoever needs one vector at once would wait for them.
const TOGETHER: usize = 6;

/// An embedder that does nothing twice.
#[derive(Clone)]
pub(crate) struct Vectors {
    inner: Arc<dyn Embedder>,
    kept: Arc<Mutex<Lately<(bool, String), Embedding>>>,
}

impl Vectors {
    pub(crate) fn of(inner: Arc<dyn Embedder>) -> Self {
        Self { inner, kept: Arc::new(Mutex::new(Lately::with_room(GENERATION))) }
    }

    fn known(&self, purpose: Purpose, text: &str) -> Option<Embedding> {
        self.lock().get(&(purpose == Purpose::Query, text.to_owned()))
    }

    fn lock(&self) -> MutexGuard<'_, Lately<(bool, String), Embedding>> {
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
        self.vectors(texts, purpose, None).await
    }

    async fn embed_within(&self, texts: &[String], purpose: Purpose, limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        self.vectors(texts, purpose, Some(limit)).await
    }
}

impl Vectors {
    /// Makes the vectors of what can have one.
    async fn make(&self, mut texts: Vec<String>, purpose: Purpose) {
        texts.retain(|text| self.knows(text) && self.known(purpose, text).is_none());
        texts.sort();
        texts.dedup();
        for some in texts.chunks(TOGETHER) {
            let _ = self.vectors(some, purpose, None).await;
        }
    }

    /// Vectors that were made ahead, and the others made now, within this time if somebody waits.
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

/// A message that will be said: enough to read it as it will be read then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Coming {
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) at: Timestamp,
    /// What the other side will have said right before.
    pub(crate) before: Option<String>,
}

/// A message without its moment.
type Heard = (Role, String, Option<String>);

/// A thinker that has read some messages already. Only rules are asked ahead of time.
#[derive(Clone)]
pub(crate) struct Readings {
    inner: Arc<dyn Thinker>,
    read: Arc<Mutex<Read>>,
}

struct Read {
    /// What will be said once, at its moment.
    coming: HashMap<Coming, Reading>,
    /// What is read the same at any moment is read once.
    timeless: Lately<Heard, Reading>,
    /// How much texts matter.
    appraised: Lately<String, Appraisal>,
}

impl Readings {
    pub(crate) fn of(inner: Arc<dyn Thinker>) -> Self {
        let read = Read { coming: HashMap::new(), timeless: Lately::with_room(GENERATION), appraised: Lately::with_room(GENERATION) };
        Self { inner, read: Arc::new(Mutex::new(read)) }
    }

    fn lock(&self) -> MutexGuard<'_, Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a message, or finds it read.
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

/// What will be said on a day.
#[derive(Default)]
pub(crate) struct Ahead {
    /// Messages that can be read already.
    pub(crate) heard: Vec<Coming>,
    /// What follows an answer nobody knows yet: how it will be read cannot be said, its vector can.
    pub(crate) said: Vec<String>,
    /// What will be asked of the memory.
    pub(crate) asked: Vec<String>,
}

/// Begins to read and embed what will be said in a mind. What fails now says so when it is needed.
pub(crate) fn prepare(readings: Option<Readings>, vectors: Option<Vectors>, ahead: Ahead, mind: MindHandle) {
    let Ahead { heard, said, asked } = ahead;
    if let (Some(readings), Some(first)) = (&readings, heard.first()) {
        // What was read and then not said that way would stay for ever.
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
                    let kept = reading.findings.iter().filter(|finding| mind.may_be_kept(finding));
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

    async fn reply(&self, asked: &ReplyTo<'_>) -> Result<String, ProviderError> {
        self.inner.reply(asked).await
    }

    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError> {
        self.inner.distil(texts).await
    }

    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<Conviction>, ProviderError> {
        self.inner.believe(from).await
    }

    async fn name_island(&self, texts: &[&str]) -> Result<Landmark, ProviderError> {
        self.inner.name_island(texts).await
    }

    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<Daydream, ProviderError> {
        self.inner.imagine(from).await
    }
}
