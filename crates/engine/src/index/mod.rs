//! A mind in memory: its words, letters, vectors and neighbourhoods, ready to be asked. It follows the store by stamps,
//! holds nothing that is not in the store, and can be thrown away at any time.

mod cache;
mod document;
mod nearest;
mod postings;
mod search;
mod vectors;

use std::collections::{BTreeSet, HashMap};

use saegim_core::{MemoryId, RelevancePolicy, VECTOR_WINDOWS, cut, windows};
use saegim_store::{IndexRow, IndexRows};

pub(crate) use cache::{Indexes, State};
use document::{Document, Names};
use postings::Postings;
pub(crate) use search::{Answer, Ask, Hit};
use vectors::Vectors;

/// Everything of one mind that ranking looks at.
#[derive(Default)]
pub(crate) struct Index {
    stamp: u64,
    purges: u64,
    turns: u64,
    documents: Vec<Document>,
    place_of: HashMap<MemoryId, u32>,
    dead: usize,
    names: Names,
    words: Postings,
    letters: Postings,
    vectors: Vectors,
    /// The documents of each session, in the order they were said.
    sessions: HashMap<u32, Vec<u32>>,
    years: BTreeSet<i16>,
    /// How many memories have no vector yet that could have one.
    lacking: usize,
}

impl Index {
    /// The stamp up to which this index has seen the mind.
    pub(crate) fn seen(&self) -> u64 {
        self.stamp
    }

    /// Whether the mind is just as this index last saw it.
    pub(crate) fn is_current(&self, changes: &IndexRows) -> bool {
        changes.rows.is_empty() && self.stamp == changes.head && self.purges == changes.purges && self.turns == changes.turns
    }

    /// Whether these changes can be taken in, or the index has to start anew: after a purge, or once a share of it
    /// is dead weight.
    pub(crate) fn can_take(&self, changes: &IndexRows) -> bool {
        self.purges == changes.purges && self.dead <= 64 + self.documents.len() / 50
    }

    /// Takes in what changed. `knows` tells which texts the embedder can make vectors of.
    pub(crate) fn take(&mut self, changes: IndexRows, knows: impl Fn(&str) -> bool) {
        for row in changes.rows {
            let (memory, lacks_vector) = (row.memory, row.vector.is_none() && knows(&row.content));
            if let Some(&place) = self.place_of.get(&memory) {
                self.lacking -= usize::from(self.documents[place as usize].lacks_vector);
            }
            self.put(row);
            if let Some(&place) = self.place_of.get(&memory) {
                self.documents[place as usize].lacks_vector = lacks_vector;
                self.lacking += usize::from(lacks_vector);
            }
        }
        self.stamp = changes.head;
        self.purges = changes.purges;
        self.turns = changes.turns;
    }

    fn put(&mut self, row: IndexRow) {
        if let Some(&place) = self.place_of.get(&row.memory) {
            let document = &mut self.documents[place as usize];
            if row.alive && document.same_text(&row) {
                // Only what ranking reads beside the text is different.
                document.update(&row, &mut self.names);
                self.vectors.set(place as usize, row.vector.as_deref());
                return;
            }
            if document.alive {
                document.alive = false;
                self.dead += 1;
            }
            self.place_of.remove(&row.memory);
        }
        if !row.alive {
            return;
        }
        let place = self.documents.len() as u32;
        let document = Document::new(&row, &mut self.names);
        for window in windows(&row.content) {
            let cut = cut(&window);
            self.words.add(place, &cut.words);
            self.letters.add(place, &cut.letters);
        }
        self.years.insert(document.day.year());
        if let Some(session) = document.talk {
            let talk = self.sessions.entry(session).or_default();
            let after = |other: &u32| self.documents[*other as usize].sequence <= document.sequence;
            talk.insert(talk.partition_point(after), place);
        }
        self.vectors.set(place as usize, row.vector.as_deref());
        self.place_of.insert(row.memory, place);
        self.documents.push(document);
    }

    /// How many memories the embedder could have made a vector of and has not yet, and how many there are.
    pub(crate) fn lacking(&self) -> (usize, usize) {
        (self.lacking, self.place_of.len())
    }

    /// Works out what depends on all documents together; after every change.
    pub(crate) fn settle(&mut self, policy: &RelevancePolicy) {
        self.words.settle(policy);
        self.letters.settle(policy);
    }

    /// About how many bytes this index takes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.bytes() + self.letters.bytes() + self.vectors.bytes() + self.documents.len() * (std::mem::size_of::<Document>() + 64)
    }

    /// The document `steps` places away in the same talk.
    fn neighbour(&self, place: u32, steps: isize) -> Option<u32> {
        let talk = self.sessions.get(&self.documents[place as usize].talk?)?;
        let sequence = self.documents[place as usize].sequence;
        let from = talk.partition_point(|other| self.documents[*other as usize].sequence < sequence);
        let here = from + talk[from..].iter().position(|other| *other == place)?;
        // What was forgotten leaves a gap: the nearest that is left is the neighbour.
        let mut at = here as isize;
        let mut left = steps.abs();
        while left > 0 {
            at += steps.signum();
            let other = *talk.get(usize::try_from(at).ok()?)?;
            if self.documents[other as usize].alive {
                left -= 1;
                if left == 0 {
                    return Some(other);
                }
            }
        }
        None
    }
}

/// The texts a memory's vector is the mean of.
pub(crate) fn vector_texts(content: &str) -> Vec<String> {
    let mut texts = windows(content);
    texts.truncate(VECTOR_WINDOWS);
    texts
}
