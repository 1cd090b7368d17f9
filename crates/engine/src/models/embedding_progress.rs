//! Embedding progress of the current embedder. Counting a million vectors takes time, so the count runs in the background at most
//! 1 % of the time, and callers receive the last count.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use saegim_core::Timestamp;
use serde::Serialize;
use tokio::time::Instant;

use crate::Engine;
use crate::engine::Inner;

/// How long the first caller waits for a count. A small store is counted within this time.
const FIRST: Duration = Duration::from_millis(50);

/// Minimum time between two counts.
const LEAST: Duration = Duration::from_secs(2);

/// Minimum pause after a count, as a multiple of its duration.
const REST: u32 = 100;

/// Number of memories with a vector of the current embedder, over all minds. Texts in a script that the embedder does not support
/// get no vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Id of the embedder.
    pub embedder: String,
    /// Number of living memories.
    pub memories: u64,
    /// Number of them that have a vector.
    pub embedded: u64,
    /// Time of the count.
    pub counted_at: Timestamp,
}

/// The last count and the time when the next one may start.
#[derive(Default)]
pub(crate) struct Count(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    known: Option<Progress>,
    counting: bool,
    again: Option<Instant>,
}

impl Count {
    fn state(&self) -> std::sync::MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks whether a new count is due and, if so, marks it as running.
    fn begin(&self) -> bool {
        let mut state = self.state();
        let due = !state.counting && state.again.is_none_or(|again| Instant::now() >= again);
        state.counting |= due;
        due
    }

    fn end(&self, known: Option<Progress>, took: Duration) {
        let mut state = self.state();
        state.known = known.or_else(|| state.known.take());
        (state.counting, state.again) = (false, Some(Instant::now() + LEAST.max(took * REST)));
    }
}

impl Engine {
    /// Returns the progress from the last count; `None` without an embedder or before the first count is finished.
    pub async fn progress(&self) -> Option<Progress> {
        let embedder = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors)?.id().to_owned();
        if self.inner.count.begin() {
            let counting = tokio::spawn(count(Arc::clone(&self.inner), embedder));
            if self.inner.count.state().known.is_none() {
                // A count that takes longer continues in the background, and later callers receive its result.
                let _ = tokio::time::timeout(FIRST, counting).await;
            }
        }
        self.inner.count.state().known.clone()
    }
}

async fn count(inner: Arc<Inner>, embedder: String) {
    let (began, counted_at) = (Instant::now(), inner.now());
    let counted = inner.store.embedded(&embedder).await.ok();
    let known = counted.map(|(memories, embedded)| Progress { embedder, memories, embedded, counted_at });
    inner.count.end(known, began.elapsed());
}
