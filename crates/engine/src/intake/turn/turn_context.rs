//! State of a mind that a turn needs: facts, relationship, scene, recent turns. Cached between turns and reloaded as soon as
//! another writer has changed the mind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use saegim_core::{Facts, Island, MindId, Mood, Relationship, Scene, SelfVersion, SpeechStyle, Timestamp, Turn};
use saegim_store::TurnPage;
use tokio::sync::Mutex as AsyncMutex;

use crate::EngineError;
use crate::intake::Intake;

/// Maximum number of cached minds before unused ones are evicted.
const MOST: usize = 4096;

/// State of a mind that a turn needs.
#[derive(Clone)]
pub(crate) struct TurnContext {
    /// Ledger sequence number for which this state is valid.
    pub(crate) head: u64,
    pub(crate) facts: Facts,
    pub(crate) relationship: Relationship,
    /// Speech style set by the owner.
    pub(crate) style: Option<SpeechStyle>,
    pub(crate) scene: Option<Scene>,
    /// Recent turns, newest last.
    pub(crate) window: Vec<Turn>,
    pub(crate) turns: u64,
    pub(crate) mood: Mood,
    /// Current version of the self.
    pub(crate) version: Option<SelfVersion>,
    pub(crate) islands: Vec<Island>,
}

impl TurnContext {
    /// Returns the time of the last turn.
    pub(crate) fn last_said(&self) -> Option<Timestamp> {
        self.window.last().map(|turn| turn.at)
    }
}

/// Lock of a mind. It serialises the turns of the mind within this process and guards its cached state.
pub(crate) type TurnLock = AsyncMutex<Option<TurnContext>>;

/// Cache of mind states.
#[derive(Default)]
pub(crate) struct TurnContextCache(Mutex<HashMap<MindId, CachedMind>>);

/// The lock of a mind and whether it was used since the last eviction.
#[derive(Default)]
struct CachedMind {
    lock: Arc<TurnLock>,
    used: bool,
}

impl TurnContextCache {
    /// Returns the lock of a mind.
    pub(crate) fn lock_of(&self, mind: MindId) -> Arc<TurnLock> {
        let mut minds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minds.len() >= MOST && !minds.contains_key(&mind) {
            minds.retain(|_, cached| Arc::strong_count(&cached.lock) > 1);
        }
        let cached = minds.entry(mind).or_default();
        cached.used = true;
        Arc::clone(&cached.lock)
    }

    /// Evicts every mind that was not used since the last call.
    pub(crate) fn evict_unused(&self) {
        let mut minds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        minds.retain(|_, cached| Arc::strong_count(&cached.lock) > 1 || std::mem::take(&mut cached.used));
        minds.shrink_to_fit();
    }
}

impl Intake<'_> {
    /// Returns the lock of this mind. It is not held while a model or a remote embedder is called.
    pub(crate) fn turn_lock(&self) -> Arc<TurnLock> {
        self.mind.inner.turn_contexts.lock_of(self.mind.id)
    }

    /// Returns the current state of the mind; uses the cached one if the mind has not changed. Takes the state out of the cache;
    /// the caller puts the new state back after the turn.
    pub(crate) async fn turn_context(&self, cached: &mut Option<TurnContext>) -> Result<TurnContext, EngineError> {
        let head = self.mind.store().head(self.mind.id).await?;
        if let Some(context) = cached.take().filter(|context| context.head == head) {
            return Ok(context);
        }
        let mind = self.mind.mind().await?;
        let (relationship, style) = self.mind.store().relationship(self.mind.id).await?;
        let window = TurnPage { limit: self.mind.policy().context.window, ..TurnPage::default() };
        Ok(TurnContext {
            head,
            facts: Facts::known(self.mind.store().facts(self.mind.id).await?),
            relationship,
            style,
            scene: self.mind.store().latest_scene(self.mind.id).await?,
            window: self.mind.store().turns(self.mind.id, window).await?,
            turns: mind.turns,
            mood: mind.mood,
            version: self.mind.store().current_self(self.mind.id).await?,
            islands: self.mind.store().islands(self.mind.id).await?,
        })
    }

    /// Returns a copy of the current state for a reader.
    pub(crate) async fn current_context(&self) -> Result<TurnContext, EngineError> {
        let lock = self.turn_lock();
        let mut cached = lock.lock().await;
        let context = self.turn_context(&mut cached).await?;
        *cached = Some(context.clone());
        Ok(context)
    }
}
