//! What a store is asked for, and what it answers.

use saegim_core::{
    CandidateVerdict, Category, CliffEntry, Embedding, Emotion, Hash, Kind, LedgerRef, Memory, MemoryId, MindId, Phrase, SessionId, Tier,
    Timestamp, TurnId, Unit, WordQuery, Zone,
};

/// What a commit became.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// Its place in the mind's ledger.
    pub sequence: u64,
    /// The hash of its entry.
    pub hash: Hash,
    /// The memories it spoke of.
    pub memories: Vec<LedgerRef>,
    /// Whether it had been done before under the same key, so that nothing was done now.
    pub repeated: bool,
}

/// A request that is to be done once under its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    /// Who asks, by a name that gives nothing away.
    pub who: String,
    /// The mind it is about, if it is about one.
    pub mind: Option<MindId>,
    /// The caller's key.
    pub key: String,
    /// What makes two requests the same request.
    pub request: Hash,
    /// When.
    pub at: Timestamp,
    /// Answers from before this are not kept any longer.
    pub kept_since: Timestamp,
    /// Whoever was asked before this and has written nothing is gone: the request is as good as never made.
    pub alive_since: Timestamp,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The revision it told of.
    pub tag: Option<String>,
    /// What it said.
    pub body: Vec<u8>,
}

/// What became of a request before.
#[derive(Clone, Debug, PartialEq)]
pub enum Earlier {
    /// It was never made; it is taken down now.
    Never,
    /// Another request was made under the key.
    Another,
    /// It is being answered, or whoever was answering it is gone and wrote nothing that is known.
    Unanswered,
    /// It wrote these entries of the ledger, from the first to the last, and is not answered.
    Wrote(u64, u64),
    /// It was answered, and what it said is gone with what was erased since.
    Blanked,
    /// This was answered.
    Answered(Answer),
}

/// Which minds are meant: whoever is not named may be anyone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MindSearch {
    /// The user.
    pub user: Option<String>,
    /// The character.
    pub character: Option<String>,
    /// The work.
    pub work: Option<String>,
}

/// Which memories may be found. Empty fields let everything pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Born at or after.
    pub since: Option<Timestamp>,
    /// Born before.
    pub until: Option<Timestamp>,
    /// Made in this session.
    pub session: Option<SessionId>,
    /// Made by this persona.
    pub persona: Option<String>,
    /// Of this project.
    pub project: Option<String>,
    /// Of this domain.
    pub domain: Option<String>,
    /// Of this kind.
    pub kind: Option<Kind>,
    /// Of this category.
    pub category: Option<Category>,
    /// In this tier.
    pub tier: Option<Tier>,
    /// In this zone.
    pub zone: Option<Zone>,
    /// Felt like this, among other things.
    pub emotion: Option<Emotion>,
    /// Bearing all of these tags.
    pub tags: Vec<String>,
    /// At least this important.
    pub least_importance: Option<Unit>,
}

impl Filter {
    /// Whether everything passes.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

/// A memory that holds some of the words looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct WordHit {
    /// Which memory.
    pub memory: MemoryId,
    /// Which of the queries it holds, by index.
    pub queries: Vec<u16>,
}

/// What words found, with what a score needs to know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordHits {
    /// The memories, those with the rarest words first.
    pub hits: Vec<WordHit>,
    /// For each query, how many of the mind's memories hold it.
    pub held_by: Vec<u32>,
    /// How many memories the mind has.
    pub memories: u64,
}

/// A memory near a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorHit {
    /// Which memory.
    pub memory: MemoryId,
    /// The raw cosine.
    pub cosine: f32,
}

/// What a rebalance needs to know of a memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneRow {
    /// Which memory.
    pub memory: MemoryId,
    /// How often it was recalled.
    pub recalls: u32,
    /// When it was last recalled, or else born.
    pub freshened: Timestamp,
    /// When it was born.
    pub created_at: Timestamp,
    /// A(m), if it was appraised.
    pub appraisal: Option<Unit>,
    /// Where it is.
    pub zone: Zone,
}

/// What of a mind can end by itself, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Whether any living memory has a term at all.
    pub passing: bool,
    /// When the first term runs out, of those that are not held fast.
    pub ends_at: Option<Timestamp>,
    /// When the first and the last on the cliff will be gone.
    pub gone: Option<(Timestamp, Timestamp)>,
}

/// That a caretaker looked after a mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cared {
    /// When.
    pub at: Timestamp,
    /// Whether everything was done that is done once a day.
    pub new_day: bool,
    /// When it has to look again; never, for a mind in which nothing can change by itself.
    pub due_at: Option<Timestamp>,
    /// The ledger's newest number when that was worked out.
    pub head: u64,
}

/// A memory that was written by a clock far behind what its mind had seen before.
#[derive(Clone, Debug, PartialEq)]
pub struct Misdated {
    /// As it is.
    pub memory: Memory,
    /// The latest moment that had been known by then.
    pub known_at: Timestamp,
}

/// Which minds a caretaker asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueSearch {
    /// Those due by then.
    pub now: Timestamp,
    /// And those due only after this: no right clock sets a date that far ahead.
    pub beyond: Timestamp,
    /// And those last looked after, or leased, only after this: the clock was ahead then.
    pub ahead: Timestamp,
    /// Until when they are leased.
    pub until: Timestamp,
    /// How many at most.
    pub limit: usize,
}

/// Which turns are wanted, the newest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnPage {
    /// How many at most, the latest that pass.
    pub limit: usize,
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only what was said before this one.
    pub before: Option<TurnId>,
    /// Only what was said by then.
    pub until: Option<Timestamp>,
    /// Whether turns that were taken back are wanted too.
    pub withdrawn: bool,
}

/// Which candidates are wanted, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidatePage {
    /// How many at most.
    pub limit: usize,
    /// Only of this turn.
    pub turn: Option<TurnId>,
    /// Only with this verdict.
    pub verdict: Option<CandidateVerdict>,
}

/// One page of a list, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// How many at most.
    pub limit: usize,
    /// Only what was born before this one.
    pub before: Option<MemoryId>,
}

/// A memory on the cliff, with its entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Fallen {
    /// The entry.
    pub entry: CliffEntry,
    /// The memory.
    pub memory: Memory,
}

/// How much there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Alive memories by zone, from the centre outward.
    pub zones: [u64; 5],
    /// Alive memories by tier, from the shortest to the longest.
    pub tiers: [u64; 4],
    /// Memories on the cliff.
    pub on_cliff: u64,
    /// Links.
    pub links: u64,
    /// Vectors of the embedder asked for.
    pub vectors: u64,
    /// Ledger entries.
    pub entries: u64,
}

/// What a check of the whole store found; empty lists mean all is well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Health {
    /// What is damaged, and what to do about it.
    pub problems: Vec<Phrase>,
    /// What is worth knowing.
    pub notes: Vec<Phrase>,
}

/// What was erased at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    /// Memories, those that were put away included.
    pub memories: u64,
    /// Turns.
    pub turns: u64,
    /// Facts, current and past.
    pub facts: u64,
    /// Links.
    pub links: u64,
    /// Vectors.
    pub vectors: u64,
    /// Whether no byte of it is left in the file; false while an old reader still holds a page.
    pub swept: bool,
}

/// A search by words.
#[derive(Clone, Copy, Debug)]
pub struct WordSearch<'a> {
    /// In which mind.
    pub mind: MindId,
    /// For what.
    pub queries: &'a [WordQuery],
    /// What passes.
    pub filter: &'a Filter,
    /// How many at most.
    pub limit: usize,
}

/// A search by vector.
#[derive(Clone, Copy, Debug)]
pub struct VectorSearch<'a> {
    /// In which mind.
    pub mind: MindId,
    /// In which embedder's space.
    pub embedder: &'a str,
    /// Near what.
    pub vector: &'a Embedding,
    /// What passes.
    pub filter: &'a Filter,
    /// How many at most.
    pub limit: usize,
}
