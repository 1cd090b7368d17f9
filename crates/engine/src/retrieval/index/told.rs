//! Recent user messages with their text and subjects, to detect the third mention of something even if the wording differs.

use std::collections::HashMap;
use std::sync::Arc;

use saegim_core::{MemoryId, SessionId, Span, Timestamp, TurnId};

use super::Index;

/// Minimum number of entries before old ones are removed.
const FEW: usize = 512;

/// A message of the user.
pub(crate) struct UserMessage {
    pub(crate) id: TurnId,
    pub(crate) session: SessionId,
    pub(crate) at: Timestamp,
    pub(crate) content: String,
}

/// Messages by subject.
#[derive(Default)]
pub(super) struct MentionIndex {
    /// Messages by place.
    said: HashMap<u32, Arc<UserMessage>>,
    /// Total size of their texts, in bytes.
    texts: usize,
    /// Sorted pairs of a subject and the place of a message about it.
    about: Vec<(u64, u32)>,
    /// Number of entries left after the last cleanup.
    counted: usize,
}

impl MentionIndex {
    /// Adds the message at a place with its subjects.
    pub(super) fn take(&mut self, place: u32, message: Option<UserMessage>, subjects: Vec<u64>) {
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

    /// Returns the places of the messages about a subject, the newest first.
    fn of(&self, subject: u64) -> impl Iterator<Item = u32> {
        let from = self.about.partition_point(|(other, _)| *other < subject);
        let to = self.about.partition_point(|(other, _)| *other <= subject);
        self.about[from..to].iter().rev().map(|(_, place)| *place)
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let each = std::mem::size_of::<UserMessage>() + 64;
        self.about.capacity() * std::mem::size_of::<(u64, u32)>() + self.said.len() * each + self.texts
    }
}

impl Index {
    /// Returns the live user messages since `since` about these subjects, the newest first. Subjects without messages are left out.
    pub(crate) fn turns_about(&self, subjects: &[u64], since: Timestamp) -> HashMap<u64, Vec<MemoryId>> {
        let counts = |place: u32| {
            let document = &self.documents[place as usize];
            (document.alive && document.created_at >= since).then_some(document.id)
        };
        let told = subjects.iter().map(|subject| (*subject, self.told.of(*subject).filter_map(counts).collect::<Vec<_>>()));
        told.filter(|(_, messages)| !messages.is_empty()).collect()
    }

    /// Returns a recent user message.
    pub(crate) fn said(&self, message: TurnId) -> Option<Arc<UserMessage>> {
        let place = self.place_of.get(&MemoryId::from_bytes(*message.bytes()))?;
        self.told.said.get(place).cloned()
    }

    /// Removes messages older than `term` before the newest one, once the number of entries has doubled since the last cleanup.
    pub(crate) fn drop_old_mentions(&mut self, term: Span) {
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
