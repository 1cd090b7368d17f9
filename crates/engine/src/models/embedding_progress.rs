//! How far the vectors of the embedder in use have come. A million vectors take a moment to count, so they are counted in the
//! background, at most a hundredth of the time, and whoever asks is told what was counted last.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use saegim_core::Timestamp;
use serde::Serialize;
use tokio::time::Instant;

use crate::Engine;
use crate::engine::Inner;

/// How long whoever asks first waits for a count: a small store is counted by then.
const FIRST: Duration = Duration::from_millis(50);

/// No count is made sooner than this after the last.
const LEAST: Duration = Duration::from_secs(2);

/// How many times as long as a count took nothing is counted.
const REST: u32 = 100;

/// How many memories have a vector of the embedder in use, all minds together. What is in a script it does not know gets none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Which embedder.
    pub embedder: String,
    /// How many living memories there are.
    pub memories: u64,
    /// How many of them have a vector of it.
    pub embedded: u64,
    /// When they were counted.
    pub counted_at: Timestamp,
}

/// The last count, and when the next may be made.
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

    /// Whether whoever asks now is to count.
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
    /// How far vectors have come, as it was counted last; nothing without an embedder, or before the first count is done.
    pub async fn progress(&self) -> Option<Progress> {
        let embedder = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors)?.id().to_owned();
        if self.inner.count.begin() {
            let counting = tokio::spawn(count(Arc::clone(&self.inner), embedder));
            if self.inner.count.state().known.is_none() {
                // Whoever comes later is told; a count that takes longer goes on meanwhile.
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
