//! Indexes of busy minds, up to a number of bytes.

use std::collections::HashMap;
use std::sync::Arc;

use saegim_core::MindId;
use tokio::sync::{Mutex, RwLock};

use super::Index;

/// The indexes in memory. A mind nobody asks costs nothing.
#[derive(Default)]
pub(crate) struct Indexes {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    by_mind: HashMap<MindId, Entry>,
    asked: u64,
    /// How often had been asked when those nobody asked for were last let go.
    rested: u64,
}

struct Entry {
    index: Arc<RwLock<Index>>,
    last_asked: u64,
    bytes: usize,
    state: State,
}

/// How far an index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Nobody has begun to build it.
    New,
    /// It is being built in the background.
    Building,
    /// It was whole once and can catch up.
    Ready,
}

impl Indexes {
    /// The index of a mind, and how far it is.
    pub(crate) async fn of(&self, mind: MindId) -> (Arc<RwLock<Index>>, State) {
        let mut kept = self.kept.lock().await;
        kept.asked += 1;
        let asked = kept.asked;
        let fresh = || Entry { index: Arc::default(), last_asked: asked, bytes: 0, state: State::New };
        let entry = kept.by_mind.entry(mind).or_insert_with(fresh);
        entry.last_asked = asked;
        (Arc::clone(&entry.index), entry.state)
    }

    /// Whether a mind is in memory; asking this alone keeps nobody there.
    pub(crate) async fn is_ready(&self, mind: MindId) -> bool {
        self.kept.lock().await.by_mind.get(&mind).is_some_and(|entry| entry.state == State::Ready)
    }

    /// Lets go of every index nobody has asked for since this was called last. What is being built stays.
    pub(crate) async fn rest(&self) {
        let mut kept = self.kept.lock().await;
        let since = kept.rested;
        kept.rested = kept.asked;
        kept.by_mind.retain(|_, entry| entry.last_asked > since || entry.state == State::Building);
        kept.by_mind.shrink_to_fit();
    }

    /// Takes down how far an index is, and says how far it was.
    pub(crate) async fn set_state(&self, mind: MindId, state: State) -> Option<State> {
        self.kept.lock().await.by_mind.get_mut(&mind).map(|entry| std::mem::replace(&mut entry.state, state))
    }

    /// Takes down how large an index has become, and lets go of those unused longest until the rest fits.
    pub(crate) async fn weighed(&self, mind: MindId, bytes: usize, most: usize) {
        let mut kept = self.kept.lock().await;
        if let Some(entry) = kept.by_mind.get_mut(&mind) {
            entry.bytes = bytes;
        }
        let mut total: usize = kept.by_mind.values().map(|entry| entry.bytes).sum();
        while total > most && kept.by_mind.len() > 1 {
            let oldest =
                kept.by_mind.iter().filter(|(other, _)| **other != mind).min_by_key(|(_, entry)| entry.last_asked).map(|(other, _)| *other);
            let Some(entry) = oldest.and_then(|oldest| kept.by_mind.remove(&oldest)) else { return };
            total -= entry.bytes;
        }
    }
}
