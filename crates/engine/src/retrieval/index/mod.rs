//! A mind in memory: its words, letters, vectors and neighbourhoods, ready to be asked. It follows the store by stamps,
//! holds nothing that is not in the store, and can be thrown away at any time.

mod cache;
mod document;
mod evidence;
mod nearest;
mod postings;
mod search;
mod told;
mod vectors;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use saegim_core::{ContentType, MemoryId, SessionId, Timestamp, TurnId, VECTOR_WINDOWS, cut, windows};
use saegim_store::{IndexMark, IndexRow, IndexRows, ZoneRow};

pub(crate) use cache::{Indexes, Room, State};
use document::{Document, Names};
use evidence::Sheets;
use postings::Postings;
pub(crate) use search::{Answer, Ask, Hit};
pub(crate) use told::Earlier;
use told::Told;
use vectors::Vectors;

/// So many documents lie in one stretch, whose newest moment is known.
const STRETCH: usize = 1024;

/// Everything of one mind that ranking looks at.
#[derive(Default)]
pub(crate) struct Index {
    seen: IndexMark,
    /// The store's version when this index was last found to be up to date; 0 before.
    version: AtomicU64,
    /// How many memories had been purged when this index was last sound, and when it last looked.
    purges_taken: u64,
    purges: u64,
    turns: u64,
    /// How many memories the store said are alive.
    memories: u64,
    documents: Vec<Document>,
    /// What placing needs to know of each living document, side by side: all of them are looked at every time.
    standing: Vec<Option<ZoneRow>>,
    /// The newest moment of each stretch of documents, so that whoever asks for what is new can pass over the old.
    newest: Vec<Timestamp>,
    place_of: HashMap<MemoryId, u32>,
    dead: usize,
    names: Names,
    /// Whether words and letters are left out, because only nearness has been asked for so far.
    wordless: bool,
    words: Postings,
    letters: Postings,
    vectors: Vectors,
    /// The documents of each session, in the order they were said.
    sessions: HashMap<u32, Vec<u32>>,
    years: BTreeSet<i16>,
    /// How many memories have no vector yet that could have one.
    lacking: usize,
    /// Memories that give an order for good, in the order they were kept.
    orders: Vec<u32>,
    /// What the user told lately, by what it is about; of a conversation alone.
    told: Told,
    sheets: Sheets,
}

impl Index {
    /// How far this index has read the mind.
    pub(crate) fn seen(&self) -> IndexMark {
        self.seen
    }

    /// Whether it was found to be up to date at this version of the store.
    pub(crate) fn is_of(&self, version: u64) -> bool {
        self.version.load(Ordering::Relaxed) == version && version != 0
    }

    /// Takes down that it is up to date at this version of the store.
    pub(crate) fn set_version(&self, version: u64) {
        self.version.store(version, Ordering::Relaxed);
    }

    /// An empty index that will hold as much of each document as this one does.
    pub(crate) fn emptied(&self) -> Self {
        Self { wordless: self.wordless, ..Self::default() }
    }

    /// Whether words and letters are left out.
    pub(crate) fn is_wordless(&self) -> bool {
        self.wordless
    }

    /// Leaves words and letters out from now on, if nothing was taken in yet.
    pub(crate) fn go_without_words(&mut self) {
        self.wordless |= self.seen == IndexMark::default() && self.documents.is_empty();
    }

    /// How many memories it has places for.
    pub(crate) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether the mind is just as this index last saw it.
    pub(crate) fn is_current(&self, changes: &IndexRows) -> bool {
        changes.rows.is_empty() && self.purges == changes.purges && self.turns == changes.turns
    }

    /// Whether this index, caught up, may go on, or has to be read anew: once a share of it is dead weight, and after a
    /// purge that took what was alive here. What is purged leaves no stamp; mostly it had waited on the cliff and was dead
    /// weight already, and of its words there are hashes alone.
    pub(crate) fn is_sound(&mut self) -> bool {
        let all_here = (self.documents.len() - self.dead) as u64 == self.memories;
        let purged = self.purges != self.purges_taken;
        let sound = self.dead <= 64 + self.documents.len() / 50 && (!purged || all_here);
        if sound {
            self.purges_taken = self.purges;
        }
        sound
    }

    /// Takes in what changed. `knows` tells which texts the embedder can make vectors of, `subjects` what a message is about that
    /// was said then, if that matters.
    pub(crate) fn take(
        &mut self,
        changes: IndexRows,
        knows: impl Fn(&str) -> bool,
        subjects: impl Fn(&str, Timestamp) -> Option<Vec<u64>>,
    ) {
        if self.documents.is_empty() {
            self.purges_taken = changes.purges;
        }
        for row in changes.rows {
            let (memory, lacks_vector) = (row.memory, row.vector.is_none() && knows(&row.content));
            let (by_user, before) = (row.content_type == Some(ContentType::UserInput), self.documents.len());
            let said = by_user.then(|| (row.content.clone(), row.session.clone(), row.created_at));
            if let Some(&place) = self.place_of.get(&memory) {
                self.lacking -= usize::from(self.documents[place as usize].lacks_vector);
            }
            self.put(row);
            if let Some(&place) = self.place_of.get(&memory) {
                self.documents[place as usize].lacks_vector = lacks_vector;
                self.lacking += usize::from(lacks_vector);
                // A message that only got its vector is known by what it is about already.
                let said = said.filter(|_| self.documents.len() > before);
                if let Some((content, session, at)) = said
                    && let Some(subjects) = subjects(&content, at)
                {
                    let session = session.and_then(|session| SessionId::new(&session).ok());
                    let id = TurnId::from_bytes(*memory.bytes());
                    self.told.take(place, session.map(|session| Earlier { id, session, at, content }), subjects);
                }
            }
        }
        self.seen = changes.seen;
        self.purges = changes.purges;
        self.turns = changes.turns;
        self.memories = changes.memories;
    }

    fn put(&mut self, row: IndexRow) {
        if let Some(&place) = self.place_of.get(&row.memory) {
            let document = &mut self.documents[place as usize];
            if row.alive && document.same_text(&row) {
                // Only what ranking reads beside the text is different.
                document.update(&row, &mut self.names);
                let newest = &mut self.newest[place as usize / STRETCH];
                *newest = document.created_at.max(*newest);
                self.standing[place as usize] = Some(row.zone_row());
                self.vectors.set(place as usize, row.vector.as_deref());
                return;
            }
            if document.alive {
                document.alive = false;
                self.standing[place as usize] = None;
                self.dead += 1;
                self.vectors.set(place as usize, None);
            }
            self.place_of.remove(&row.memory);
        }
        if !row.alive {
            return;
        }
        let place = self.documents.len() as u32;
        let document = Document::new(&row, &mut self.names);
        let windows = if self.wordless { Vec::new() } else { windows(&row.content) };
        for window in windows {
            let cut = cut(&window);
            self.words.add(place, &cut.words);
            self.letters.add(place, &cut.letters);
        }
        self.years.insert(document.day.year());
        if document.marks.standing {
            self.orders.push(place);
        }
        if let Some(session) = document.talk {
            let talk = self.sessions.entry(session).or_default();
            // What bears no number of its own goes by when it was kept, whatever was read first.
            let order = |document: &Document| (document.sequence, document.created_at, document.id);
            let after = |other: &u32| order(&self.documents[*other as usize]) <= order(&document);
            talk.insert(talk.partition_point(after), place);
        }
        self.vectors.set(place as usize, row.vector.as_deref());
        self.place_of.insert(row.memory, place);
        match self.newest.get_mut(place as usize / STRETCH) {
            Some(newest) => *newest = document.created_at.max(*newest),
            None => self.newest.push(document.created_at),
        }
        self.documents.push(document);
        self.standing.push(Some(row.zone_row()));
    }

    /// How many memories the embedder could have made a vector of and has not yet, and how many there are.
    pub(crate) fn lacking(&self) -> (usize, usize) {
        (self.lacking, self.place_of.len())
    }

    /// Gives back what was taken in advance for growing; after a mind was read whole.
    pub(crate) fn tighten(&mut self) {
        self.words.tighten();
        self.letters.tighten();
    }

    /// About how many bytes this index takes.
    pub(crate) fn bytes(&self) -> usize {
        let each = std::mem::size_of::<(Document, Option<ZoneRow>)>() + 64;
        let own = std::mem::size_of::<Self>() + 512;
        own + self.words.bytes() + self.letters.bytes() + self.vectors.bytes() + self.told.bytes() + self.documents.capacity() * each
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
