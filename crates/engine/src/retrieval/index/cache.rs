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
    /// Bytes of all indexes, and of those that are small.
    bytes: [usize; 2],
}

/// How many bytes indexes may take.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// All of them together.
    pub(crate) all: usize,
    /// Those of small minds together, which are soon read again.
    pub(crate) small: usize,
}

/// Up to how many bytes an index is small: some hundred memories, read again in a few milliseconds.
const SMALL: usize = 1 << 18;

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

impl Kept {
    /// Takes down how large an index has become.
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

    /// Lets go of those unused longest until an eighth of the room is free, `mind` itself not among them: looking for them
    /// is not worth it for one alone.
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
        let idle = |(_, entry): &(&MindId, &Entry)| entry.last_asked <= since && entry.state != State::Building;
        let gone: Vec<MindId> = kept.by_mind.iter().filter(idle).map(|(mind, _)| *mind).collect();
        gone.into_iter().for_each(|mind| kept.forget(mind));
        kept.by_mind.shrink_to_fit();
    }

    /// Takes down how far an index is, and says how far it was.
    pub(crate) async fn set_state(&self, mind: MindId, state: State) -> Option<State> {
        self.kept.lock().await.by_mind.get_mut(&mind).map(|entry| std::mem::replace(&mut entry.state, state))
    }

    /// Takes down how large an index has become, and lets go of those unused longest until the rest fits.
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
        // The two unused longest made way: one place is for the next.
        assert_eq!(kept(&indexes).await, [0, 3, 4, 5, 6, 7, 8, 200]);
        // One that is larger than all the room there is stays while it is the one at hand.
        keep(&indexes, 9, 9_000, room).await;
        assert_eq!(kept(&indexes).await, [9, 200]);
        // One that grows out of being small makes room for the small again.
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
