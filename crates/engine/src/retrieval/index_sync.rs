//! Keeping a mind in memory up with the store: page by page, so that a large mind is never held twice and nobody waits
//! for it to be read.

use std::sync::Arc;

use saegim_core::{Subjects, Tier, Timestamp};
use saegim_store::{IndexMark, IndexRows, IndexSearch};
use tokio::sync::RwLock;

use crate::retrieval::index::{Index, Indexes, Room, State};
use crate::{EngineError, MindHandle};

/// So many rows are taken into an index right where they are read.
const FEW: usize = 64;

/// What of a mind is kept in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    Memories,
    /// What was said. It is read while the caller waits, because no other search of it is there.
    Turns,
    /// The same where only nearness in meaning is asked for: without words, as long as nobody asks for those.
    NearTurns,
}

impl MindHandle {
    /// The memories in memory, brought up to date; nothing while a large mind is still being read in the background.
    pub(crate) async fn index(&self) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        self.followed(Followed::Memories).await
    }

    /// The memories in memory, brought up to date, if they are there already.
    pub(crate) async fn index_at_hand(&self) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        if self.in_memory().await { self.index().await } else { Ok(None) }
    }

    /// The conversation in memory, brought up to date.
    pub(crate) async fn turn_index(&self) -> Result<Arc<RwLock<Index>>, EngineError> {
        Ok(self.followed(Followed::Turns).await?.unwrap_or_default())
    }

    /// The same for whoever asks only what is near in meaning.
    pub(crate) async fn near_turn_index(&self) -> Result<Arc<RwLock<Index>>, EngineError> {
        Ok(self.followed(Followed::NearTurns).await?.unwrap_or_default())
    }

    /// Whether the memories are in memory, so that the next question is answered from there.
    pub async fn in_memory(&self) -> bool {
        self.inner.indexes.is_ready(self.id).await
    }

    fn indexes(&self, what: Followed) -> &Indexes {
        match what {
            Followed::Memories => &self.inner.indexes,
            Followed::Turns | Followed::NearTurns => &self.inner.turn_indexes,
        }
    }

    /// Up to how many are read while the caller waits.
    fn at_once(&self, what: Followed) -> u64 {
        match what {
            Followed::Memories => self.policy().recall.index_at_once,
            Followed::Turns | Followed::NearTurns => u64::MAX,
        }
    }

    async fn followed(&self, what: Followed) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        let (index, state) = self.indexes(what).of(self.id).await;
        match what {
            Followed::NearTurns if state == State::New => index.write().await.go_without_words(),
            // Whoever first asks for words has it read anew with them; from then on it has them.
            Followed::Turns if index.read().await.is_wordless() => *index.write().await = Index::default(),
            _ => {}
        }
        // Asked before anything is read: what is written meanwhile gives another number the next time.
        let version = self.store().version();
        match state {
            State::Ready if version.is_some_and(|version| index.try_read().is_ok_and(|index| index.is_of(version))) => {
                return Ok(Some(index));
            }
            State::Ready if self.catch_up(what, &index).await? => {}
            State::Ready => return self.read_behind(what, index).await,
            State::Building => return Ok(None),
            State::New => {
                if self.page(what, IndexMark::default(), 0).await?.memories > self.at_once(what) {
                    return self.read_behind(what, index).await;
                }
                self.catch_up(what, &index).await?;
                self.indexes(what).set_state(self.id, State::Ready).await;
            }
        }
        if let Some(version) = version {
            index.read().await.set_version(version);
        }
        Ok(Some(index))
    }

    /// Reads a large mind from its beginning in the background; the file answers meanwhile.
    async fn read_behind(&self, what: Followed, index: Arc<RwLock<Index>>) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        if self.indexes(what).set_state(self.id, State::Building).await == Some(State::Building) {
            return Ok(None);
        }
        let mind = self.clone();
        tokio::spawn(async move {
            *index.write().await = Index::default();
            let read = mind.catch_up(what, &index).await;
            mind.indexes(what).set_state(mind.id, if read.is_ok() { State::Ready } else { State::New }).await;
        });
        Ok(None)
    }

    async fn page(&self, what: Followed, after: IndexMark, limit: usize) -> Result<IndexRows, EngineError> {
        let search = IndexSearch { mind: self.id, embedder: self.embedder_id(), after, limit };
        Ok(match what {
            Followed::Memories => self.store().index_rows(search).await?,
            Followed::Turns | Followed::NearTurns => self.store().turn_index_rows(search).await?,
        })
    }

    /// Takes in what the store has that the index has not. False when a large index has to be read from its beginning
    /// for it.
    async fn catch_up(&self, what: Followed, index: &Arc<RwLock<Index>>) -> Result<bool, EngineError> {
        let (limit, at_once) = (self.policy().recall.index_page, self.at_once(what));
        let (mut taken, mut from_beginning) = (0, false);
        loop {
            let from = index.read().await.seen();
            let page = self.page(what, from, limit).await?;
            if index.read().await.is_current(&page) {
                break;
            }
            let mut writing = Arc::clone(index).write_owned().await;
            if writing.seen() != from {
                // Another question has taken it in meanwhile.
                continue;
            }
            if from == IndexMark::default() {
                from_beginning = true;
                *writing = writing.emptied();
            }
            let (last, small) = (page.rows.len() < limit, page.memories <= at_once);
            taken += page.rows.len();
            let embedder = self.inner.config.embedder.clone();
            let few = page.rows.len() <= FEW;
            let (names, told) = (self.names(), Tier::M30.term(&self.policy().tier).filter(|_| what != Followed::Memories));
            // Of a long past only what can still count is read for what it is about.
            let since = if from_beginning { told.map(|term| self.now().minus(term)) } else { told.map(|_| Timestamp::from_millis(0)) };
            let take = move || {
                let knows = |text: &str| embedder.as_ref().is_some_and(|embedder| embedder.knows(text));
                let counts = |at: Timestamp| since.is_some_and(|since| at >= since);
                writing.take(page, knows, |text, at| counts(at).then(|| Subjects::of(text).numbers(&names)));
                if let Some(term) = told {
                    writing.forget_told(term);
                }
                // What was just read from its beginning is as sound as it can be.
                let sound = !last || from_beginning || writing.is_sound();
                if !sound && small {
                    *writing = writing.emptied();
                }
                sound
            };
            let sound = if few {
                take()
            } else {
                let task = tokio::task::spawn_blocking(take);
                task.await.map_err(|error| EngineError::Busy(format!("indexing: {error}").into()))?
            };
            if !sound && !small {
                return Ok(false);
            }
            if sound && last {
                break;
            }
        }
        if taken > 0 {
            if taken >= limit {
                index.write().await.tighten();
            }
            let bytes = index.read().await.bytes();
            let recall = &self.policy().recall;
            let room = Room { all: recall.index_megabytes << 20, small: recall.small_index_megabytes << 20 };
            self.indexes(what).weighed(self.id, bytes, room).await;
        }
        Ok(true)
    }
}
