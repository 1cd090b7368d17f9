//! What the user told lately, by what it is about: so that the third telling of something is known for what it is, in whatever words
//! it comes.

use std::collections::HashMap;

use saegim_core::{MemoryId, Span, Timestamp};

use super::Index;

/// So many messages are kept before those that are too old to count are looked for.
const FEW: usize = 512;

/// Messages by what they are about, in the order they were taken in.
#[derive(Default)]
pub(super) struct Told {
    messages: Vec<(u32, Box<[u64]>)>,
    /// How many of them counted when it was last looked.
    counted: usize,
}

impl Told {
    /// Takes in what the message at a place is about.
    pub(super) fn take(&mut self, place: u32, subjects: Vec<u64>) {
        if !subjects.is_empty() {
            self.messages.push((place, subjects.into()));
        }
    }

    /// About how many bytes this takes.
    pub(super) fn bytes(&self) -> usize {
        self.messages.capacity() * (std::mem::size_of::<(u32, Box<[u64]>)>() + 32)
    }
}

impl Index {
    /// The living messages of the user from `since` on that are about one of these, for each subject that has any: the newest first.
    pub(crate) fn told_of(&self, subjects: &[u64], since: Timestamp) -> HashMap<u64, Vec<MemoryId>> {
        let mut told: HashMap<u64, Vec<MemoryId>> = HashMap::new();
        for (place, about) in self.told.messages.iter().rev() {
            let mut shared = subjects.iter().filter(|subject| about.contains(subject)).peekable();
            let document = &self.documents[*place as usize];
            if shared.peek().is_some() && document.alive && document.created_at >= since {
                for subject in shared {
                    told.entry(*subject).or_default().push(document.id);
                }
            }
        }
        told
    }

    /// Lets go of what was told longer than a term before the newest, once that is about half of it.
    pub(crate) fn forget_told(&mut self, term: Span) {
        if self.told.messages.len() < FEW.max(2 * self.told.counted) {
            return;
        }
        let at = |place: u32| self.documents[place as usize].created_at;
        let Some(newest) = self.told.messages.iter().map(|(place, _)| at(*place)).max() else { return };
        let documents = &self.documents;
        self.told.messages.retain(|(place, _)| documents[*place as usize].alive && at(*place) >= newest.minus(term));
        self.told.counted = self.told.messages.len();
    }
}
