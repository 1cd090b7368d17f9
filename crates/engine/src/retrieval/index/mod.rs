//! In-memory index of a mind: words, letters, vectors and neighbours. It follows the store by revision stamps, contains nothing
//! that is not in the store, and can be dropped at any time.

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
pub(crate) use search::{Hit, IndexHits, IndexQuery};
use told::MentionIndex;
pub(crate) use told::UserMessage;
use vectors::VectorRows;

/// Number of documents per segment. The newest time of each segment is stored.
const STRETCH: usize = 1024;

/// Everything of one mind that ranking needs.
#[derive(Default)]
pub(crate) struct Index {
    seen: IndexMark,
    /// Store version at which this index was last current; 0 before.
    version: AtomicU64,
    /// Purge counts of the store: when this index was last sound, and at the last sync.
    purges_taken: u64,
    purges: u64,
    turns: u64,
    /// Number of live memories according to the store.
    memories: u64,
    documents: Vec<Document>,
    /// Zone data of each live document, stored contiguously because every rebalance reads all of it.
    standing: Vec<Option<ZoneRow>>,
    /// Newest time of each segment, so that a search for recent documents skips old segments.
    newest: Vec<Timestamp>,
    place_of: HashMap<MemoryId, u32>,
    dead: usize,
    names: Names,
    /// Whether words and letters are left out, because only vector searches were requested so far.
    wordless: bool,
    words: Postings,
    letters: Postings,
    vectors: VectorRows,
    /// Documents of each session, in conversation order.
    sessions: HashMap<u32, Vec<u32>>,
    years: BTreeSet<i16>,
    /// Number of missing vectors that the embedder could create.
    lacking: usize,
    /// Memories with a standing instruction, in insertion order.
    orders: Vec<u32>,
    /// Recent user messages by subject. Only in turn indexes.
    told: MentionIndex,
    sheets: Sheets,
}

impl Index {
    /// Returns the position up to which this index has read the store.
    pub(crate) fn seen(&self) -> IndexMark {
        self.seen
    }

    /// Checks whether it was current at this version of the store.
    pub(crate) fn is_of(&self, version: u64) -> bool {
        self.version.load(Ordering::Relaxed) == version && version != 0
    }

    /// Records that it is current at this version of the store.
    pub(crate) fn set_version(&self, version: u64) {
        self.version.store(version, Ordering::Relaxed);
    }

    /// Returns an empty index with the same choice of contents.
    pub(crate) fn emptied(&self) -> Self {
        Self { wordless: self.wordless, ..Self::default() }
    }

    /// Checks whether words and letters are left out.
    pub(crate) fn is_wordless(&self) -> bool {
        self.wordless
    }

    /// Leaves out words and letters, if the index is still empty.
    pub(crate) fn go_without_words(&mut self) {
        self.wordless |= self.seen == IndexMark::default() && self.documents.is_empty();
    }

    /// Returns the number of documents, including removed ones.
    pub(crate) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Checks whether the store has no changes since the last sync.
    pub(crate) fn is_current(&self, changes: &IndexRows) -> bool {
        changes.rows.is_empty() && self.purges == changes.purges && self.turns == changes.turns
    }

    /// Checks whether a synced index may be used further. It must be reloaded once more than two percent of its documents (plus 64)
    /// are dead, or after a purge that removed documents still live here. A purge leaves no stamp; usually the purged memory was on
    /// the cliff and already dead here, and its words exist only as hashes.
    pub(crate) fn is_sound(&mut self) -> bool {
        let all_here = (self.documents.len() - self.dead) as u64 == self.memories;
        let purged = self.purges != self.purges_taken;
        let sound = self.dead <= 64 + self.documents.len() / 50 && (!purged || all_here);
        if sound {
            self.purges_taken = self.purges;
        }
        sound
    }

    /// Applies changes. `knows` returns whether the embedder supports a text; `subjects` returns the subjects of a message of that
    /// time, or `None` if they do not matter.
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
                // A message that only got its vector is already registered with its subjects.
                let said = said.filter(|_| self.documents.len() > before);
                if let Some((content, session, at)) = said
                    && let Some(subjects) = subjects(&content, at)
                {
                    let session = session.and_then(|session| SessionId::new(&session).ok());
                    let id = TurnId::from_bytes(*memory.bytes());
                    self.told.take(place, session.map(|session| UserMessage { id, session, at, content }), subjects);
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
                // Only the fields besides the text changed.
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
            // Documents without a sequence number are ordered by creation time, independent of the read order.
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

    /// Returns the number of missing vectors that the embedder could create, and the number of memories.
    pub(crate) fn lacking(&self) -> (usize, usize) {
        (self.lacking, self.place_of.len())
    }

    /// Frees spare capacity, after a full load.
    pub(crate) fn tighten(&mut self) {
        self.words.tighten();
        self.letters.tighten();
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let each = std::mem::size_of::<(Document, Option<ZoneRow>)>() + 64;
        let own = std::mem::size_of::<Self>() + 512;
        own + self.words.bytes() + self.letters.bytes() + self.vectors.bytes() + self.told.bytes() + self.documents.capacity() * each
    }

    /// Returns the live document `steps` positions away in the same session.
    fn neighbour(&self, place: u32, steps: isize) -> Option<u32> {
        let talk = self.sessions.get(&self.documents[place as usize].talk?)?;
        let sequence = self.documents[place as usize].sequence;
        let from = talk.partition_point(|other| self.documents[*other as usize].sequence < sequence);
        let here = from + talk[from..].iter().position(|other| *other == place)?;
        // Forgotten documents are skipped; the nearest live one is the neighbour.
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

/// Returns the texts whose mean is the vector of a memory.
pub(crate) fn vector_texts(content: &str) -> Vec<String> {
    let mut texts = windows(content);
    texts.truncate(VECTOR_WINDOWS);
    texts
}
