//! The engine: a store, an embedder, a thinker, a clock and a policy, and the minds they work on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use saegim_core::{
    Change, Commit, Deed, Embedding, Expense, MemoryId, Mind, MindId, MindKey, Mood, Op, Phrase, Policy, Principal, Raised, Span,
    Timestamp, phrase,
};
use saegim_language::RuleThinker;
use saegim_provider::{Embedder, LanguageModel, LocalEmbedder, ProviderError, Purpose, Thinker};
use saegim_store::{DueSearch, Durability, MindSearch, SqliteSettings, SqliteStore, Store, StoreError, VectorSupport};

use crate::access::rights::AttemptCounter;
use crate::intake::turn::turn_context::TurnContextCache;
use crate::lifecycle::maintenance::TickResult;
use crate::lifecycle::zone_occupancy::ZoneOccupancyCache;
use crate::models::embedding_progress::Count;
use crate::models::think::Meter;
use crate::retrieval::index::{Indexes, vector_texts};
use crate::{Clock, Dice, EngineError, MindHandle, SystemClock, SystemDice};

/// Duration for which one worker holds a mind exclusively.
const LEASE: Span = Span::seconds(120);

/// Maximum distance of the next maintenance run ([`crate::lifecycle::due`] guarantees it). A later due time was set by a clock that
/// ran ahead, so the mind is due now.
pub(crate) const FARTHEST: Span = Span::days(32);

/// Maximum distance of the last maintenance run into the future. A later one was recorded by a clock that ran ahead.
pub(crate) const AHEAD: Span = Span::days(2);

/// Settings of an engine.
#[derive(Clone)]
pub struct Config {
    /// Path of the SQLite file.
    pub database: PathBuf,
    /// Durability of an acknowledged commit.
    pub durability: Durability,
    /// Whether vectors are used at all.
    pub vectors: bool,
    /// All tunable values.
    pub policy: Policy,
    /// Time zone of the calendar days.
    pub time_zone: jiff::tz::TimeZone,
    /// Converts text to vectors. Without it, only words are searched.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Judges text. Without it, defaults are used.
    pub thinker: Option<Arc<dyn Thinker>>,
    /// Models that a persona may name as its backend.
    pub models: BTreeMap<String, Arc<dyn LanguageModel>>,
    /// Source of time.
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub dice: Arc<dyn Dice>,
}

impl Config {
    /// Default settings for one local file, with the built-in embedder and the rule-based thinker.
    pub fn local(database: impl Into<PathBuf>) -> Self {
        Self {
            database: database.into(),
            durability: Durability::Durable,
            vectors: true,
            policy: Policy::default(),
            time_zone: jiff::tz::TimeZone::UTC,
            embedder: LocalEmbedder::built_in().ok().map(|embedder| Arc::new(embedder) as Arc<dyn Embedder>),
            thinker: Some(Arc::new(RuleThinker)),
            models: BTreeMap::new(),
            clock: Arc::new(SystemClock),
            dice: Arc::new(SystemDice),
        }
    }
}

/// State shared by all handles to minds.
pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) config: Config,
    /// The thinker for new handles. An existing handle keeps the thinker it was created with.
    thinker: RwLock<Option<Arc<dyn Thinker>>>,
    pub(crate) indexes: Indexes,
    pub(crate) occupancy: ZoneOccupancyCache,
    pub(crate) turn_contexts: TurnContextCache,
    pub(crate) turn_indexes: Indexes,
    pub(crate) tally: AttemptCounter,
    pub(crate) meter: Meter,
    pub(crate) count: Count,
    /// Reason why the vector extension is missing, if it is.
    pub(crate) no_extension: Option<Phrase>,
}

impl Inner {
    pub(crate) fn now(&self) -> Timestamp {
        self.config.clock.now()
    }

    pub(crate) fn thinker(&self) -> Option<Arc<dyn Thinker>> {
        self.thinker.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Maximum time to wait for the embedder while a caller waits.
    pub(crate) fn waits(&self) -> Duration {
        Duration::from_millis(u64::from(self.config.policy.thinking.search_milliseconds))
    }

    /// Returns vectors for texts to be stored while a caller waits. Missing vectors are created by the worker later.
    pub(crate) async fn vectors(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        self.made(texts, Some(self.waits())).await
    }

    /// Returns vectors for texts to be stored, without a time limit.
    pub(crate) async fn vectors_at_leisure(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        self.made(texts, None).await
    }

    /// Returns vectors of texts. A long text gets the mean of the vectors of its first windows.
    async fn made(&self, texts: &[&str], limit: Option<Duration>) -> Result<Vec<Embedding>, ProviderError> {
        let Some(embedder) = &self.config.embedder else { return Err(ProviderError::Down("no embedder is configured".into())) };
        let parts: Vec<Vec<String>> = texts.iter().map(|text| vector_texts(text)).collect();
        let flat: Vec<String> = parts.iter().flatten().cloned().collect();
        let made = match limit {
            Some(limit) => embedder.embed_within(&flat, Purpose::Passage, limit).await,
            None => embedder.embed(&flat, Purpose::Passage).await,
        };
        let mut vectors = made?.into_iter();
        let mean = |part: &Vec<String>| {
            let mut sum = vec![0f32; embedder.dims()];
            for vector in vectors.by_ref().take(part.len()) {
                sum.iter_mut().zip(vector.components()).for_each(|(sum, component)| *sum += component);
            }
            Embedding::new(sum).map_err(|invalid| ProviderError::Broken(invalid.to_string()))
        };
        parts.iter().map(mean).collect()
    }
}

/// An open store. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
    pub(crate) principal: Principal,
}

impl Engine {
    /// Opens the store and creates the file if it does not exist.
    pub async fn open(mut config: Config) -> Result<Self, EngineError> {
        config.policy.check()?;
        let mut settings = SqliteSettings::at(&config.database);
        settings.vectors = if config.vectors { VectorSupport::Enabled } else { VectorSupport::Disabled };
        settings.durability = config.durability;
        let mut no_extension = None;
        let store = match SqliteStore::open(settings.clone()).await {
            // Without the extension, everything works except vector search inside the file.
            Err(StoreError::NoVectors(why)) => {
                no_extension = Some(why);
                SqliteStore::open(SqliteSettings { vectors: VectorSupport::Disabled, ..settings }).await?
            }
            opened => opened?,
        };
        let store = Arc::new(store);
        Ok(Self {
            inner: Arc::new(Inner {
                store,
                thinker: RwLock::new(config.thinker.take()),
                config,
                indexes: Indexes::default(),
                occupancy: ZoneOccupancyCache::default(),
                turn_contexts: TurnContextCache::default(),
                turn_indexes: Indexes::default(),
                tally: AttemptCounter::default(),
                meter: Meter::default(),
                count: Count::default(),
                no_extension,
            }),
            principal: Principal::Owner,
        })
    }

    /// Returns a handle to a mind with the rights of this engine (the owner's by default). Creates the mind if it does not exist.
    pub async fn mind(&self, key: MindKey) -> Result<MindHandle, EngineError> {
        let store = &self.inner.store;
        let found = match store.mind(&key).await? {
            Some(mind) => mind,
            None => match self.begin(key.clone()).await {
                Ok(mind) => mind,
                // Another process created it at the same time.
                Err(EngineError::Conflict(_)) => {
                    store.mind(&key).await?.ok_or_else(|| EngineError::NotFound(phrase!("engine.mind.not_created", key)))?
                }
                Err(error) => return Err(error),
            },
        };
        Ok(MindHandle::new(Arc::clone(&self.inner), &found, self.principal))
    }

    /// Returns a handle to an existing mind with the rights of this engine.
    pub async fn existing_mind(&self, key: &MindKey) -> Result<Option<MindHandle>, EngineError> {
        let found = self.inner.store.mind(key).await?;
        Ok(found.map(|mind| MindHandle::new(Arc::clone(&self.inner), &mind, self.principal)))
    }

    /// Returns a handle for reading. If the mind does not exist, the handle reads as an empty mind and is read-only.
    pub async fn mind_to_read(&self, key: MindKey) -> Result<MindHandle, EngineError> {
        let unbegun = || MindHandle::new(Arc::clone(&self.inner), &fresh(MindId::UNBEGUN, key.clone(), self.inner.now()), self.principal);
        Ok(self.existing_mind(&key).await?.unwrap_or_else(unbegun))
    }

    async fn begin(&self, key: MindKey) -> Result<Mind, EngineError> {
        self.may(Deed::Begin)?;
        let (now, dice) = (self.inner.now(), &self.inner.config.dice);
        let mind = Mind { salt: dice.roll(), ..fresh(MindId::new(now, dice.chance()), key, now) };
        let mut commit = Commit::new(mind.id, now, self.principal, Op::Begin);
        commit.changes.push(Change::MindBegan(Box::new(mind.clone())));
        self.inner.store.commit(commit).await?;
        Ok(mind)
    }

    /// Returns the key of the mind with this id.
    pub async fn key_of_mind(&self, id: MindId) -> Result<Option<MindKey>, EngineError> {
        Ok(self.inner.store.mind_by_id(id).await?.map(|mind| mind.key))
    }

    /// Returns the minds that contain a memory with this id. Memory ids are unique only within a mind.
    pub async fn minds_of(&self, memory: MemoryId) -> Result<Vec<Mind>, EngineError> {
        Ok(self.inner.store.minds_of(memory).await?)
    }

    /// Returns all minds of the store.
    pub async fn minds(&self) -> Result<Vec<Mind>, EngineError> {
        self.may(Deed::ListMinds)?;
        Ok(self.inner.store.minds().await?)
    }

    /// Returns the minds that match the search.
    pub async fn minds_named(&self, search: MindSearch) -> Result<Vec<Mind>, EngineError> {
        self.may(Deed::ListMinds)?;
        Ok(self.inner.store.minds_named(search).await?)
    }

    /// Runs maintenance for at most `limit` due minds, the longest overdue first, and returns their keys and results. Concurrent
    /// sweeps claim different minds; the lease of a crashed worker expires.
    pub async fn sweep(&self, limit: usize) -> Result<Vec<(MindKey, TickResult)>, EngineError> {
        let now = self.inner.now();
        let due = DueSearch { now, beyond: now.plus(FARTHEST), ahead: now.plus(AHEAD), until: now.plus(LEASE), limit };
        let due = self.inner.store.claim_due(due).await?;
        let mut done = Vec::with_capacity(due.len());
        for mind in due {
            let handle = MindHandle::new(Arc::clone(&self.inner), &mind, Principal::Worker);
            done.push((mind.key, handle.tick().await?));
        }
        // Data erased while a reader was active is swept even if no mind is due.
        if self.inner.store.is_unswept() {
            self.inner.store.sweep().await?;
        }
        Ok(done)
    }

    /// Unloads the cached data of all minds that were not used since the last call. It is loaded again on the next request.
    pub async fn rest(&self) {
        self.inner.indexes.rest().await;
        self.inner.turn_indexes.rest().await;
        self.inner.turn_contexts.evict_unused();
    }

    /// Replaces the thinker for new handles. Running operations keep the old one.
    pub fn think_with(&self, thinker: Arc<dyn Thinker>) -> Result<(), EngineError> {
        self.may(Deed::Operate)?;
        *self.inner.thinker.write().unwrap_or_else(PoisonError::into_inner) = Some(thinker);
        Ok(())
    }

    /// Returns the token usage of all minds since a day (`2026-11-16`), the newest day first.
    pub async fn expenses(&self, since: &str) -> Result<Vec<Expense>, EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.expenses(since).await?)
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.inner.config.policy
    }

    /// Returns the current time of the engine's clock.
    pub fn now(&self) -> Timestamp {
        self.inner.now()
    }
}

/// Returns an empty mind. The caller must replace the zero salt before storing it.
pub(crate) const fn fresh(id: MindId, key: MindKey, now: Timestamp) -> Mind {
    Mind {
        id,
        key,
        made_at: now,
        turns: 0,
        mood: Mood::neutral(now),
        ticked_at: None,
        quiet_until: None,
        consolidated_turn: 0,
        compared_to: None,
        raised: Raised { m30: None, m90: None },
        pruned_turn: 0,
        care_due_at: None,
        salt: [0; 32],
    }
}

/// Repeats `attempt` while it fails with a conflict. Each attempt reads the state again.
pub(crate) async fn retrying<T, F>(mut attempt: impl FnMut() -> F) -> Result<T, EngineError>
where
    F: Future<Output = Result<T, EngineError>>,
{
    // Some writer always succeeds, so a few attempts suffice; the bound only prevents an endless loop on a broken store.
    const TRIES: usize = 64;
    for _ in 1..TRIES {
        match attempt().await {
            Err(EngineError::Conflict(_)) => {}
            done => return done,
        }
    }
    attempt().await
}

/// Returns the reason if the store error only means that vectors are unavailable.
pub(crate) fn no_vectors(error: &StoreError) -> Option<&Phrase> {
    match error {
        StoreError::NoVectors(why) => Some(why),
        _ => None,
    }
}
