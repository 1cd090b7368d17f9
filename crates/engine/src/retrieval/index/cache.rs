//! Cache of the indexes of active minds, limited by bytes.

use std::collections::HashMap;
use std::sync::Arc;

use saegim_core::MindId;
use tokio::sync::{Mutex, RwLock};

use super::Index;

/// Indexes in memory. An inactive mind has none.
#[derive(Default)]
pub(crate) struct Indexes {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    by_mind: HashMap<MindId, Entry>,
    asked: u64,
    /// Value of `asked` at the last eviction of idle indexes.
    rested: u64,
    /// Bytes of all indexes, and of the small ones.
    bytes: [usize; 2],
}

/// Byte limits of the cache.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Limit of all indexes together.
    pub(crate) all: usize,
    /// Limit of all small indexes together. They are cheap to reload.
    pub(crate) small: usize,
}

/// Maximum size of a small index, in bytes: some hundred memories, reloaded in a few milliseconds.
const SMALL: usize = 1 << 18;

struct Entry {
    index: Arc<RwLock<Index>>,
    last_asked: u64,
    bytes: usize,
    state: State,
}

/// Build state of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Not started.
    New,
    /// Being built in the background.
    Building,
    /// Complete; later changes are applied incrementally.
    Ready,
}

impl Kept {
    /// Updates the size of an index.
    fn weigh(&mut self, mind: MindId, bytes: usize) {
        let Some(entry) = self.by_mind.get_mut(&mind) else { return };
        let before = std::mem::replace(&mut entry.bytes, bytes);
        self.add(bytes);
        self.take(before);
    }

    fn add(&mut self, bytes: usize) {
        self.bytes[0] += bytes;
        self.bytes[1] += if bytes <= SMALL { bytes } else { 0 };
    }

    fn take(&mut self, bytes: usize) {
        self.bytes[0] -= bytes;
        self.bytes[1] -= if bytes <= SMALL { bytes } else { 0 };
    }

    /// Evicts the least recently used indexes, except that of `mind`, until an eighth of the limit is free. Freeing more than
    /// needed avoids a scan for every insertion.
    fn make_room(&mut self, mind: MindId, which: usize, most: usize) {
        if self.bytes[which] <= most {
            return;
        }
        let goes =
            |(other, entry): &(&MindId, &Entry)| **other != mind && entry.state == State::Ready && (which == 0 || entry.bytes <= SMALL);
        let mut oldest: Vec<(u64, MindId)> = self.by_mind.iter().filter(goes).map(|(other, entry)| (entry.last_asked, *other)).collect();
        oldest.sort_unstable_by_key(|(asked, _)| *asked);
        for (_, other) in oldest {
            if self.bytes[which] <= most - most / 8 {
                return;
            }
            self.forget(other);
        }
    }

    fn forget(&mut self, mind: MindId) {
        if let Some(entry) = self.by_mind.remove(&mind) {
            self.take(entry.bytes);
        }
    }
}

impl Indexes {
    /// Returns the index of a mind and its state, and marks it as used.
    pub(crate) async fn of(&self, mind: MindId) -> (Arc<RwLock<Index>>, State) {
        let mut kept = self.kept.lock().await;
        kept.asked += 1;
        let asked = kept.asked;
        let fresh = || Entry { index: Arc::default(), last_asked: asked, bytes: 0, state: State::New };
        let entry = kept.by_mind.entry(mind).or_insert_with(fresh);
        entry.last_asked = asked;
        (Arc::clone(&entry.index), entry.state)
    }

    /// Checks whether the index of a mind is loaded, without marking it as used.
    pub(crate) async fn is_ready(&self, mind: MindId) -> bool {
        self.kept.lock().await.by_mind.get(&mind).is_some_and(|entry| entry.state == State::Ready)
    }

    /// Evicts all indexes that were not used since the last call, except those being built.
    pub(crate) async fn rest(&self) {
        let mut kept = self.kept.lock().await;
        let since = kept.rested;
        kept.rested = kept.asked;
        let idle = |(_, entry): &(&MindId, &Entry)| entry.last_asked <= since && entry.state != State::Building;
        let gone: Vec<MindId> = kept.by_mind.iter().filter(idle).map(|(mind, _)| *mind).collect();
        gone.into_iter().for_each(|mind| kept.forget(mind));
        kept.by_mind.shrink_to_fit();
    }

    /// Sets the state of an index and returns the previous one.
    pub(crate) async fn set_state(&self, mind: MindId, state: State) -> Option<State> {
        self.kept.lock().await.by_mind.get_mut(&mind).map(|entry| std::mem::replace(&mut entry.state, state))
    }

    /// Updates the size of an index and evicts the least recently used until the limits are met.
    pub(crate) async fn weighed(&self, mind: MindId, bytes: usize, room: Room) {
        let mut kept = self.kept.lock().await;
        kept.weigh(mind, bytes);
        kept.make_room(mind, 0, room.all);
        kept.make_room(mind, 1, room.small);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mind(number: u8) -> MindId {
        MindId::from_bytes([number; 16])
    }

    async fn keep(indexes: &Indexes, number: u8, bytes: usize, room: Room) {
        let _ = indexes.of(mind(number)).await;
        indexes.set_state(mind(number), State::Ready).await;
        indexes.weighed(mind(number), bytes, room).await;
    }

    async fn kept(indexes: &Indexes) -> Vec<u8> {
        let mut kept = Vec::new();
        for number in 0..=255 {
            if indexes.is_ready(mind(number)).await {
                kept.push(number);
            }
        }
        kept
    }

    #[tokio::test]
    async fn small_minds_make_way_for_each_other_and_never_for_want_of_a_large_one() {
        let (indexes, room) = (Indexes::default(), Room { all: 100 * SMALL, small: 8_000 });
        keep(&indexes, 200, 50 * SMALL, room).await;
        for number in 0..8 {
            keep(&indexes, number, 1_000, room).await;
        }
        assert_eq!(kept(&indexes).await, [0, 1, 2, 3, 4, 5, 6, 7, 200]);
        let _ = indexes.of(mind(0)).await;
        keep(&indexes, 8, 1_000, room).await;
        // The two least recently used were evicted, which leaves room for one more.
        assert_eq!(kept(&indexes).await, [0, 3, 4, 5, 6, 7, 8, 200]);
        // An index above the limit stays while it is the current one.
        keep(&indexes, 9, 9_000, room).await;
        assert_eq!(kept(&indexes).await, [9, 200]);
        // An index that is no longer small frees its share of the small limit.
        keep(&indexes, 9, 2 * SMALL, room).await;
        keep(&indexes, 1, 7_000, room).await;
        assert_eq!(kept(&indexes).await, [1, 9, 200]);
        keep(&indexes, 2, 60 * SMALL, room).await;
        assert_eq!(kept(&indexes).await, [1, 2, 9], "all of them together have a limit too");
    }

    #[tokio::test]
    async fn what_nobody_asked_for_is_not_counted_any_more() {
        let (indexes, room) = (Indexes::default(), Room { all: 10_000, small: 10_000 });
        for number in 0..5 {
            keep(&indexes, number, 2_000, room).await;
        }
        indexes.rest().await;
        let _ = indexes.of(mind(3)).await;
        indexes.rest().await;
        assert_eq!(kept(&indexes).await, [3]);
        assert_eq!(indexes.kept.lock().await.bytes, [2_000, 2_000]);
    }
}
