//! What the user told lately, by what it is about: so that the third telling of something is known for what it is, in whatever words
//! it comes.

use std::collections::HashMap;

use saegim_core::{MemoryId, Span, Timestamp};

use super::Index;

/// So many messages are kept before those that are too old to count are looked for.
const FEW: usize = 512;

/// Messages by what they are about.
#[derive(Default)]
pub(super) struct Told {
    /// A subject and the place of a message about it, in order.
    about: Vec<(u64, u32)>,
    /// How many of them counted when it was last looked.
    counted: usize,
}

impl Told {
    /// Takes in what the message at a place is about.
    pub(super) fn take(&mut self, place: u32, subjects: Vec<u64>) {
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
        self.about.capacity() * std::mem::size_of::<(u64, u32)>()
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

    /// Lets go of what was told longer than a term before the newest, once that is about half of it.
    pub(crate) fn forget_told(&mut self, term: Span) {
        if self.told.about.len() < FEW.max(2 * self.told.counted) {
            return;
        }
        let documents = &self.documents;
        let at = |place: u32| documents[place as usize].created_at;
        let Some(newest) = self.told.about.iter().map(|(_, place)| at(*place)).max() else { return };
        self.told.about.retain(|(_, place)| documents[*place as usize].alive && at(*place) >= newest.minus(term));
        self.told.counted = self.told.about.len();
    }
}
