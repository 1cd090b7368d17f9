//! What the user told lately, in its words and by what it is about: so that the third telling of something is known for what it is,
//! in whatever words it comes.

use std::collections::HashMap;
use std::sync::Arc;

use saegim_core::{MemoryId, SessionId, Span, Timestamp, TurnId};

use super::Index;

/// So many messages are kept before those that are too old to count are looked for.
const FEW: usize = 512;

/// A message of the user's.
pub(crate) struct Earlier {
    pub(crate) id: TurnId,
    pub(crate) session: SessionId,
    pub(crate) at: Timestamp,
    pub(crate) content: String,
}

/// Messages by what they are about.
#[derive(Default)]
pub(super) struct Told {
    /// The messages themselves, by their places.
    said: HashMap<u32, Arc<Earlier>>,
    /// How many bytes their texts take.
    texts: usize,
    /// A subject and the place of a message about it, in order.
    about: Vec<(u64, u32)>,
    /// How many of them counted when it was last looked.
    counted: usize,
}

impl Told {
    /// Takes in the message at a place and what it is about.
    pub(super) fn take(&mut self, place: u32, message: Option<Earlier>, subjects: Vec<u64>) {
        if let Some(message) = message {
            self.texts += message.content.len();
            let replaced = self.said.insert(place, Arc::new(message));
            self.texts -= replaced.map_or(0, |replaced| replaced.content.len());
        }
        for about in subjects.into_iter().map(|subject| (subject, place)) {
            let at = self.about.partition_point(|other| *other < about);
            self.about.insert(at, about);
        }
    }

    /// The places of the messages about something, the newest first.
    fn of(&self, subject: u64) -> impl Iterator<Item = u32> {
        let from = self.about.partition_point(|(other, _)| *other < subject);
        let to = self.about.partition_point(|(other, _)| *other <= subject);
        self.about[from..to].iter().rev().map(|(_, place)| *place)
    }

    /// About how many bytes this takes.
    pub(super) fn bytes(&self) -> usize {
        let each = std::mem::size_of::<Earlier>() + 64;
        self.about.capacity() * std::mem::size_of::<(u64, u32)>() + self.said.len() * each + self.texts
    }
}

impl Index {
    /// The living messages of the user from `since` on that are about one of these, for each subject that has any: the newest first.
    pub(crate) fn told_of(&self, subjects: &[u64], since: Timestamp) -> HashMap<u64, Vec<MemoryId>> {
        let counts = |place: u32| {
            let document = &self.documents[place as usize];
            (document.alive && document.created_at >= since).then_some(document.id)
        };
        let told = subjects.iter().map(|subject| (*subject, self.told.of(*subject).filter_map(counts).collect::<Vec<_>>()));
        told.filter(|(_, messages)| !messages.is_empty()).collect()
    }

    /// A living message of the user's, if it was told lately.
    pub(crate) fn said(&self, message: TurnId) -> Option<Arc<Earlier>> {
        let place = self.place_of.get(&MemoryId::from_bytes(*message.bytes()))?;
        self.told.said.get(place).cloned()
    }

    /// Lets go of what was told longer than a term before the newest, once that is about half of it.
    pub(crate) fn forget_told(&mut self, term: Span) {
        if self.told.about.len().max(self.told.said.len()) < FEW.max(2 * self.told.counted) {
            return;
        }
        let documents = &self.documents;
        let at = |place: u32| documents[place as usize].created_at;
        let places = self.told.about.iter().map(|(_, place)| *place).chain(self.told.said.keys().copied());
        let Some(newest) = places.map(at).max() else { return };
        let counts = |place: u32| documents[place as usize].alive && at(place) >= newest.minus(term);
        self.told.about.retain(|(_, place)| counts(*place));
        self.told.said.retain(|place, _| counts(*place));
        self.told.texts = self.told.said.values().map(|message| message.content.len()).sum();
        self.told.counted = self.told.about.len().max(self.told.said.len());
    }
}
