//! The engine: a store, an embedder, a thinker, a clock and a policy, and minds to work on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use saegim_core::{
    Change, Commit, Deed, Embedding, Expense, Language, MemoryId, Mind, MindId, MindKey, Mood, Op, Phrase, Policy, Principal, Raised, Span,
    Timestamp, phrase,
};
use saegim_provider::{Embedder, LocalEmbedder, ProviderError, Purpose, RuleThinker, Thinker, Trial};
use saegim_store::{DueSearch, Durability, Health, MindSearch, SqliteSettings, SqliteStore, Store, StoreError};

use crate::births::Births;
use crate::care::Ticked;
use crate::index::{Indexes, vector_texts};
use crate::present::Presents;
use crate::progress::Count;
use crate::rights::Tally;
use crate::think::Meter;
use crate::{Clock, Dice, EngineError, MindHandle, SystemClock, SystemDice};

/// How long a mind is one caretaker's alone.
const LEASE: Span = Span::seconds(120);

/// No caretaker is due later than this ([`crate::due`] sees to it): what is was put off by a clock that ran ahead, and is due now.
pub(crate) const FARTHEST: Span = Span::days(32);

/// Whoever looked later than this looked by a clock that ran ahead.
pub(crate) const AHEAD: Span = Span::days(2);

/// What an engine is opened with.
#[derive(Clone)]
pub struct Config {
    /// The SQLite file.
    pub database: PathBuf,
    /// What a commit is worth once it is acknowledged.
    pub durability: Durability,
    /// Whether vectors are used at all.
    pub vectors: bool,
    /// Every tunable.
    pub policy: Policy,
    /// The time zone days begin and end in.
    pub time_zone: jiff::tz::TimeZone,
    /// What turns text into vectors; words alone without it.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What judges text; plain defaults without it.
    pub thinker: Option<Arc<dyn Thinker>>,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where chance comes from.
    pub dice: Arc<dyn Dice>,
}

impl Config {
    /// One file on this machine, the built-in embedder, rules for a thinker, and the defaults for everything.
    pub fn local(database: impl Into<PathBuf>) -> Self {
        Self {
            database: database.into(),
            durability: Durability::Durable,
            vectors: true,
            policy: Policy::default(),
            time_zone: jiff::tz::TimeZone::UTC,
            embedder: LocalEmbedder::built_in().ok().map(|embedder| Arc::new(embedder) as Arc<dyn Embedder>),
            thinker: Some(Arc::new(RuleThinker)),
            clock: Arc::new(SystemClock),
            dice: Arc::new(SystemDice),
        }
    }
}

/// Everything minds need, shared by all handles to them.
pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) config: Config,
    /// What judges text from now on; a handle keeps to the one it was made with.
    thinker: RwLock<Option<Arc<dyn Thinker>>>,
    pub(crate) indexes: Indexes,
    pub(crate) births: Births,
    pub(crate) presents: Presents,
    pub(crate) turn_indexes: Indexes,
    pub(crate) tally: Tally,
    pub(crate) meter: Meter,
    pub(crate) count: Count,
    /// Why the vector extension is not there, if it is not.
    no_extension: Option<Phrase>,
}

impl Inner {
    pub(crate) fn now(&self) -> Timestamp {
        self.config.clock.now()
    }

    pub(crate) fn thinker(&self) -> Option<Arc<dyn Thinker>> {
        self.thinker.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How long whoever waits for an answer waits for the embedder.
    pub(crate) fn waits(&self) -> Duration {
        Duration::from_millis(u64::from(self.config.policy.thinking.search_milliseconds))
    }

    /// The vectors of texts to be kept, for somebody who waits; what has none in time gets it from the caretaker.
    pub(crate) async fn vectors(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        self.made(texts, Some(self.waits())).await
    }

    /// The same where nobody waits.
    pub(crate) async fn vectors_at_leisure(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        self.made(texts, None).await
    }

    /// Vectors of texts: of a long text, the mean of its first windows.
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

/// A store opened for work. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
    pub(crate) principal: Principal,
}

impl Engine {
    /// Opens the store, making the file where there is none.
    pub async fn open(mut config: Config) -> Result<Self, EngineError> {
        config.policy.check()?;
        let mut settings = SqliteSettings::at(&config.database);
        settings.vectors = config.vectors;
        settings.durability = config.durability;
        let mut no_extension = None;
        let store = match SqliteStore::open(settings.clone()).await {
            // Everything but the search by vectors inside the file goes on without the extension.
            Err(StoreError::NoVectors(why)) => {
                no_extension = Some(why);
                SqliteStore::open(SqliteSettings { vectors: false, ..settings }).await?
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
                births: Births::default(),
                presents: Presents::default(),
                turn_indexes: Indexes::default(),
                tally: Tally::default(),
                meter: Meter::default(),
                count: Count::default(),
                no_extension,
            }),
            principal: Principal::Owner,
        })
    }

    /// A handle to a mind with this engine's rights, the owner's otherwise; one that has not begun begins now.
    pub async fn mind(&self, key: MindKey) -> Result<MindHandle, EngineError> {
        let store = &self.inner.store;
        let found = match store.mind(&key).await? {
            Some(mind) => mind,
            None => match self.begin(key.clone()).await {
                Ok(mind) => mind,
                // Another process began it at the same moment.
                Err(EngineError::Conflict(_)) => store.mind(&key).await?.ok_or_else(|| {
                    EngineError::NotFound(phrase!(
                        "mind {key} could not be created; try again",
                        "{key} 마음을 만들지 못했어요. 다시 시도해 주세요"
                    ))
                })?,
                Err(error) => return Err(error),
            },
        };
        Ok(MindHandle::new(Arc::clone(&self.inner), &found, self.principal))
    }

    /// A handle to a mind that has begun, with this engine's rights.
    pub async fn existing_mind(&self, key: &MindKey) -> Result<Option<MindHandle>, EngineError> {
        let found = self.inner.store.mind(key).await?;
        Ok(found.map(|mind| MindHandle::new(Arc::clone(&self.inner), &mind, self.principal)))
    }

    /// A handle to look at a mind with, whether it has begun or not: one that has not reads as a mind in which nothing
    /// has happened yet, and takes nothing.
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

    /// The key of the mind with this id.
    pub async fn key_of_mind(&self, id: MindId) -> Result<Option<MindKey>, EngineError> {
        Ok(self.inner.store.mind_by_id(id).await?.map(|mind| mind.key))
    }

    /// The minds a memory can be in; ids are told apart within a mind only.
    pub async fn minds_of(&self, memory: MemoryId) -> Result<Vec<Mind>, EngineError> {
        Ok(self.inner.store.minds_of(memory).await?)
    }

    /// All minds of the store.
    pub async fn minds(&self) -> Result<Vec<Mind>, EngineError> {
        self.may(Deed::ListMinds)?;
        Ok(self.inner.store.minds().await?)
    }

    /// The minds of these names.
    pub async fn minds_named(&self, search: MindSearch) -> Result<Vec<Mind>, EngineError> {
        self.may(Deed::ListMinds)?;
        Ok(self.inner.store.minds_named(search).await?)
    }

    /// Looks after minds whose caretaker is due, the longest due first, at most `limit`; which, and what was done. Two
    /// engines that sweep at once are given different minds; what a lost one held comes back when its lease runs out.
    pub async fn sweep(&self, limit: usize) -> Result<Vec<(MindKey, Ticked)>, EngineError> {
        let now = self.inner.now();
        let due = DueSearch { now, beyond: now.plus(FARTHEST), ahead: now.plus(AHEAD), until: now.plus(LEASE), limit };
        let due = self.inner.store.claim_due(due).await?;
        let mut done = Vec::with_capacity(due.len());
        for mind in due {
            let handle = MindHandle::new(Arc::clone(&self.inner), &mind, Principal::Worker);
            done.push((mind.key, handle.tick().await?));
        }
        // What was erased while somebody read waits for no mind to be due.
        if self.inner.store.is_unswept() {
            self.inner.store.sweep().await?;
        }
        Ok(done)
    }

    /// Lets go of all that is in memory of minds nobody has asked for since this was called last. They are read again when
    /// someone asks.
    pub async fn rest(&self) {
        self.inner.indexes.rest().await;
        self.inner.turn_indexes.rest().await;
        self.inner.presents.rest();
    }

    /// Copies the whole store to a new file while it is in use.
    pub async fn backup(&self, to: &Path) -> Result<(), EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.backup(to).await?)
    }

    /// Looks the whole store over.
    pub async fn check(&self) -> Result<Health, EngineError> {
        let mut health = self.inner.store.check().await?;
        if let Some(why) = &self.inner.no_extension {
            let korean = why.in_language(Language::Korean);
            health.problems.push(Phrase::new(
                format!("{why}; a large mind is searched by keyword only until it is loaded into memory. Install a complete build"),
                format!("{korean}. 큰 마음은 메모리에 올라올 때까지 키워드로만 검색해요. 벡터 확장이 포함된 빌드를 설치해 주세요"),
            ));
        }
        Ok(health)
    }

    /// Makes anew what can be made anew from the memories.
    pub async fn repair(&self) -> Result<(), EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.repair().await?)
    }

    /// Tries the embedder and tells what it is, or what is wrong with it.
    pub async fn try_embedder(&self) -> Result<Phrase, Phrase> {
        let Some(embedder) = &self.inner.config.embedder else {
            return Ok(phrase!("no embedder is configured; search uses keywords only", "임베더가 설정되어 있지 않아 키워드로만 검색해요"));
        };
        let (id, dims) = (embedder.id(), embedder.dims());
        match embedder.embed(&["기억 memory".to_owned()], Purpose::Query).await {
            Ok(_) => Ok(phrase!("embedder {id} works, {dims} dimensions", "임베더 {id} 정상, {dims}차원")),
            Err(error) => {
                let at = embedder.address().map(|address| format!(" at {address}")).unwrap_or_default();
                let there = embedder.address().map(|address| format!(" ({address})")).unwrap_or_default();
                Err(phrase!(
                    "embedder {id} does not respond{at} ({error}); search uses keywords only",
                    "임베더 {id}이(가){there} 응답하지 않아 키워드로만 검색해요 ({error})"
                ))
            }
        }
    }

    /// Tries every model that thinks and tells how it did. Rules stand in for one that does not answer.
    pub async fn try_thinker(&self) -> Vec<Result<Phrase, Phrase>> {
        let Some(thinker) = self.inner.thinker() else { return Vec::new() };
        let told = |trial: Trial| {
            let thoughts = trial.thoughts.iter().map(|thought| thought.as_str()).collect::<Vec<_>>().join(", ");
            let model = trial.model;
            // Two servers may have a model of one name.
            let at = trial.address.as_ref().map(|address| format!(" at {address}")).unwrap_or_default();
            let there = trial.address.map(|address| format!(" ({address})")).unwrap_or_default();
            match trial.went {
                Ok(()) => Ok(phrase!("model {model} works{at}; tasks: {thoughts}", "모델 {model} 정상{there}. 맡은 작업: {thoughts}")),
                Err(error) => {
                    let korean = EngineError::from(error);
                    let (why, korean) = (korean.phrase(), korean.phrase().in_language(Language::Korean).to_owned());
                    Err(Phrase::new(
                        format!("model {model} does not respond{at} ({why}); rules replace it for: {thoughts}"),
                        format!("모델 {model}이(가){there} 응답하지 않아 규칙이 대신해요 ({korean}). 맡은 작업: {thoughts}"),
                    ))
                }
            }
        };
        let mut tried: Vec<Result<Phrase, Phrase>> = thinker.try_out().await.into_iter().map(told).collect();
        if !tried.is_empty() && !self.inner.may_spend().await.unwrap_or(true) {
            let most = self.policy().thinking.daily_tokens;
            tried.push(Ok(phrase!(
                "the daily budget of {most} tokens is used up; rules replace all models until tomorrow",
                "하루 토큰 {most}개를 모두 썼어요. 내일까지 규칙이 모델을 대신해요"
            )));
        }
        tried
    }

    /// Judges with another thinker from now on; what has begun is finished with the one it began with.
    pub fn think_with(&self, thinker: Arc<dyn Thinker>) -> Result<(), EngineError> {
        self.may(Deed::Operate)?;
        *self.inner.thinker.write().unwrap_or_else(PoisonError::into_inner) = Some(thinker);
        Ok(())
    }

    /// What models used for all minds together since a day (`2026-11-16`), the newest day first.
    pub async fn expenses(&self, since: &str) -> Result<Vec<Expense>, EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.expenses(since).await?)
    }

    /// The policy in force.
    pub fn policy(&self) -> &Policy {
        &self.inner.config.policy
    }

    /// The moment it is now, by the engine's clock.
    pub fn now(&self) -> Timestamp {
        self.inner.now()
    }
}

/// A mind in which nothing has happened yet; its secret is still to be rolled.
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

/// Repeats `attempt` while what it decided on changed under it: it looks again and decides anew.
pub(crate) async fn retrying<T, F>(mut attempt: impl FnMut() -> F) -> Result<T, EngineError>
where
    F: Future<Output = Result<T, EngineError>>,
{
    // Someone always gets through, so with few at it few tries are enough; the bound only keeps a stuck store from being asked
    // for ever.
    const TRIES: usize = 64;
    for _ in 1..TRIES {
        match attempt().await {
            Err(EngineError::Conflict(_)) => {}
            done => return done,
        }
    }
    attempt().await
}

/// Whether a store's failure only means that vectors are not to be had.
pub(crate) fn no_vectors(error: &StoreError) -> Option<&Phrase> {
    match error {
        StoreError::NoVectors(why) => Some(why),
        _ => None,
    }
}
