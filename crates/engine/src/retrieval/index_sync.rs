//! Keeps the index in memory in sync with the store, page by page, so that a large mind is never held twice and no caller waits
//! while it is loaded.

use std::sync::Arc;

use saegim_core::{Tier, Timestamp};
use saegim_language::subject_numbers;
use saegim_store::{IndexMark, IndexRows, IndexSearch};
use tokio::sync::RwLock;

use crate::EngineError;
use crate::retrieval::Retrieval;
use crate::retrieval::index::{Index, Indexes, Room, State};

/// Maximum number of rows indexed on the async thread. Larger pages use a blocking task.
const FEW: usize = 64;

/// Which part of a mind is indexed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    Memories,
    /// The turns. They are loaded while the caller waits, because there is no other way to search them.
    Turns,
    /// The turns for vector search only: without words until a word search needs them.
    NearTurns,
}

impl Retrieval<'_> {
    /// Returns the current memory index, or `None` while a large mind is loading in the background.
    pub(crate) async fn index(&self) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        self.followed(Followed::Memories).await
    }

    /// Returns the current memory index only if it is already loaded.
    pub(crate) async fn loaded_index(&self) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        if self.is_loaded().await { self.index().await } else { Ok(None) }
    }

    /// Returns the current turn index.
    pub(crate) async fn turn_index(&self) -> Result<Arc<RwLock<Index>>, EngineError> {
        Ok(self.followed(Followed::Turns).await?.unwrap_or_default())
    }

    /// Returns the current turn index for vector search only.
    pub(crate) async fn near_turn_index(&self) -> Result<Arc<RwLock<Index>>, EngineError> {
        Ok(self.followed(Followed::NearTurns).await?.unwrap_or_default())
    }

    pub(crate) async fn is_loaded(&self) -> bool {
        self.mind.inner.indexes.is_ready(self.mind.id).await
    }

    fn indexes(&self, what: Followed) -> &Indexes {
        match what {
            Followed::Memories => &self.mind.inner.indexes,
            Followed::Turns | Followed::NearTurns => &self.mind.inner.turn_indexes,
        }
    }

    /// Returns the maximum number of rows loaded while the caller waits.
    fn at_once(&self, what: Followed) -> u64 {
        match what {
            Followed::Memories => self.mind.policy().recall.index_at_once,
            Followed::Turns | Followed::NearTurns => u64::MAX,
        }
    }

    async fn followed(&self, what: Followed) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        let (index, state) = self.indexes(what).of(self.mind.id).await;
        match what {
            Followed::NearTurns if state == State::New => index.write().await.go_without_words(),
            // The first word search reloads the index with words.
            Followed::Turns if index.read().await.is_wordless() => *index.write().await = Index::default(),
            _ => {}
        }
        // Read the version first: a concurrent write gives a different version next time.
        let version = self.mind.store().version();
        match state {
            State::Ready if version.is_some_and(|version| index.try_read().is_ok_and(|index| index.is_of(version))) => {
                return Ok(Some(index));
            }
            State::Ready if self.catch_up(what, &index).await? => {}
            State::Ready => return self.load_in_background(what, index).await,
            State::Building => return Ok(None),
            State::New => {
                if self.page(what, IndexMark::default(), 0).await?.memories > self.at_once(what) {
                    return self.load_in_background(what, index).await;
                }
                self.catch_up(what, &index).await?;
                self.indexes(what).set_state(self.mind.id, State::Ready).await;
            }
        }
        if let Some(version) = version {
            index.read().await.set_version(version);
        }
        Ok(Some(index))
    }

    /// Reloads a large index from the start in the background. Queries use the database meanwhile.
    async fn load_in_background(&self, what: Followed, index: Arc<RwLock<Index>>) -> Result<Option<Arc<RwLock<Index>>>, EngineError> {
        if self.indexes(what).set_state(self.mind.id, State::Building).await == Some(State::Building) {
            return Ok(None);
        }
        let mind = self.mind.clone();
        tokio::spawn(async move {
            *index.write().await = Index::default();
            let read = mind.retrieval().catch_up(what, &index).await;
            mind.retrieval().indexes(what).set_state(mind.id, if read.is_ok() { State::Ready } else { State::New }).await;
        });
        Ok(None)
    }

    async fn page(&self, what: Followed, after: IndexMark, limit: usize) -> Result<IndexRows, EngineError> {
        let search = IndexSearch { mind: self.mind.id, embedder: self.mind.models().embedder_id(), after, limit };
        Ok(match what {
            Followed::Memories => self.mind.store().index_rows(search).await?,
            Followed::Turns | Followed::NearTurns => self.mind.store().turn_index_rows(search).await?,
        })
    }

    /// Applies the changes the store has since the last sync. Returns false if a large index must be reloaded from the start.
    async fn catch_up(&self, what: Followed, index: &Arc<RwLock<Index>>) -> Result<bool, EngineError> {
        let (limit, at_once) = (self.mind.policy().recall.index_page, self.at_once(what));
        let (mut taken, mut from_beginning) = (0, false);
        loop {
            let from = index.read().await.seen();
            let page = self.page(what, from, limit).await?;
            if index.read().await.is_current(&page) {
                break;
            }
            let mut writing = Arc::clone(index).write_owned().await;
            if writing.seen() != from {
                // A concurrent query has already applied this page.
                continue;
            }
            if from == IndexMark::default() {
                from_beginning = true;
                *writing = writing.emptied();
            }
            let (last, small) = (page.rows.len() < limit, page.memories <= at_once);
            taken += page.rows.len();
            let embedder = self.mind.inner.config.embedder.clone();
            let few = page.rows.len() <= FEW;
            let (names, told) =
                (self.mind.lifecycle().names(), Tier::M30.term(&self.mind.policy().tier).filter(|_| what != Followed::Memories));
            // On a full load, subjects are read only for turns recent enough to count.
            let since = if from_beginning { told.map(|term| self.mind.now().minus(term)) } else { told.map(|_| Timestamp::from_millis(0)) };
            let take = move || {
                let knows = |text: &str| embedder.as_ref().is_some_and(|embedder| embedder.knows(text));
                let counts = |at: Timestamp| since.is_some_and(|since| at >= since);
                writing.take(page, knows, |text, at| counts(at).then(|| subject_numbers(text, &names)));
                if let Some(term) = told {
                    writing.drop_old_mentions(term);
                }
                // An index just loaded from the start needs no check.
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
            let recall = &self.mind.policy().recall;
            let room = Room { all: recall.index_megabytes << 20, small: recall.small_index_megabytes << 20 };
            self.indexes(what).weighed(self.mind.id, bytes, room).await;
        }
        Ok(true)
    }
}
