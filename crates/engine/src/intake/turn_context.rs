//! State of a mind that a turn needs: facts, relationship, scene, recent turns. Cached between turns and reloaded as soon as
//! another writer has changed the mind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use saegim_core::{Facts, Island, MindId, Mood, Relationship, Scene, SelfVersion, SpeechStyle, Timestamp, Turn};
use saegim_store::TurnPage;
use tokio::sync::Mutex as Turnstile;

use crate::{EngineError, MindHandle};

/// Maximum number of cached minds before unused ones are evicted.
const MOST: usize = 4096;

/// State of a mind that a turn needs.
#[derive(Clone)]
pub(crate) struct Present {
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

impl Present {
    /// Returns the time of the last turn.
    pub(crate) fn last_said(&self) -> Option<Timestamp> {
        self.window.last().map(|turn| turn.at)
    }
}

/// Cache of mind states. The mutex of a mind serialises its turns within this process.
#[derive(Default)]
pub(crate) struct Presents(Mutex<HashMap<MindId, AtHand>>);

/// A cached mind with its usage flag.
#[derive(Default)]
struct AtHand {
    turnstile: Arc<Turnstile<Option<Present>>>,
    lately: bool,
}

impl Presents {
    /// Returns the mutex of a mind.
    pub(crate) fn of(&self, mind: MindId) -> Arc<Turnstile<Option<Present>>> {
        let mut minds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minds.len() >= MOST && !minds.contains_key(&mind) {
            minds.retain(|_, current| Arc::strong_count(&current.turnstile) > 1);
        }
        let current = minds.entry(mind).or_default();
        current.lately = true;
        Arc::clone(&current.turnstile)
    }

    /// Evicts every mind that was not used since the last call.
    pub(crate) fn rest(&self) {
        let mut minds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        minds.retain(|_, current| Arc::strong_count(&current.turnstile) > 1 || std::mem::take(&mut current.lately));
        minds.shrink_to_fit();
    }
}

impl MindHandle {
    /// Returns the current state of the mind; uses the cached one if the mind has not changed. Takes the state out of the cache;
    /// the caller puts the new state back after the turn.
    pub(crate) async fn present(&self, kept: &mut Option<Present>) -> Result<Present, EngineError> {
        let head = self.store().head(self.id).await?;
        if let Some(present) = kept.take().filter(|present| present.head == head) {
            return Ok(present);
        }
        let mind = self.mind().await?;
        let (relationship, style) = self.store().relationship(self.id).await?;
        let window = TurnPage { limit: self.policy().context.window, ..TurnPage::default() };
        Ok(Present {
            head,
            facts: Facts::known(self.store().facts(self.id).await?),
            relationship,
            style,
            scene: self.store().latest_scene(self.id).await?,
            window: self.store().turns(self.id, window).await?,
            turns: mind.turns,
            mood: mind.mood,
            version: self.store().current_self(self.id).await?,
            islands: self.store().islands(self.id).await?,
        })
    }

    /// Returns the current state for a reader and leaves it in the cache.
    pub(crate) async fn peek_context(&self) -> Result<Present, EngineError> {
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        let present = self.present(&mut kept).await?;
        *kept = Some(present.clone());
        Ok(present)
    }
}
