//! A mind as a turn finds it: what is known, how the two stand, the last few things said. Kept in memory between turns,
//! and read anew as soon as anything else wrote to the mind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use saegim_core::{Facts, Island, MindId, Mood, Relationship, Scene, SelfVersion, SpeechStyle, Timestamp, Turn};
use saegim_store::TurnPage;
use tokio::sync::Mutex as Turnstile;

use crate::{EngineError, MindHandle};

/// So many minds may be kept at hand before those nobody talks to are let go.
const MOST: usize = 4096;

/// What a turn needs to know of its mind.
#[derive(Clone)]
pub(crate) struct Present {
    /// The ledger's number up to which this is true.
    pub(crate) head: u64,
    pub(crate) facts: Facts,
    pub(crate) relationship: Relationship,
    /// The speech style the owner set.
    pub(crate) style: Option<SpeechStyle>,
    pub(crate) scene: Option<Scene>,
    /// The last things said, the newest last.
    pub(crate) window: Vec<Turn>,
    pub(crate) turns: u64,
    pub(crate) mood: Mood,
    /// What the character believes of itself.
    pub(crate) version: Option<SelfVersion>,
    pub(crate) islands: Vec<Island>,
}

impl Present {
    /// When something was last said.
    pub(crate) fn last_said(&self) -> Option<Timestamp> {
        self.window.last().map(|turn| turn.at)
    }
}

/// The minds at hand. Whoever holds a mind's turnstile is the only one taking a turn in it here.
#[derive(Default)]
pub(crate) struct Presents(Mutex<HashMap<MindId, AtHand>>);

/// A mind at hand, and whether anyone talked to it lately.
#[derive(Default)]
struct AtHand {
    turnstile: Arc<Turnstile<Option<Present>>>,
    lately: bool,
}

impl Presents {
    /// The turnstile of a mind.
    pub(crate) fn of(&self, mind: MindId) -> Arc<Turnstile<Option<Present>>> {
        let mut minds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minds.len() >= MOST && !minds.contains_key(&mind) {
            minds.retain(|_, at_hand| Arc::strong_count(&at_hand.turnstile) > 1);
        }
        let at_hand = minds.entry(mind).or_default();
        at_hand.lately = true;
        Arc::clone(&at_hand.turnstile)
    }

    /// Lets go of every mind nobody has talked to since this was called last.
    pub(crate) fn rest(&self) {
        let mut minds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        minds.retain(|_, at_hand| Arc::strong_count(&at_hand.turnstile) > 1 || std::mem::take(&mut at_hand.lately));
        minds.shrink_to_fit();
    }
}

impl MindHandle {
    /// What the mind is like now: as it was kept, if nothing has changed since. Whoever takes a turn takes it along and leaves
    /// what the turn made of it.
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

    /// The same for someone who only looks.
    pub(crate) async fn glance(&self) -> Result<Present, EngineError> {
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        let present = self.present(&mut kept).await?;
        *kept = Some(present.clone());
        Ok(present)
    }
}
