//! The trait every backend implements, and what it speaks of.

use std::path::Path;

use async_trait::async_trait;
use saegim_core::{
    Candidate, CandidateVerdict, Category, CliffEntry, Commit, ContentType, Embedding, Emotion, Emotions, Fact, Fading, Hash, Kind,
    LedgerEntry, LedgerRef, Link, Memory, MemoryId, Mind, MindId, MindKey, Phrase, Relationship, RelationshipChange, Role, Scene, Session,
    SessionId, SpeechStyle, Statement, Strength, Tier, Timestamp, Turn, TurnId, Unit, Verdict, WordQuery, Zone,
};

use crate::StoreError;

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

/// What an index in memory needs to know of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexRow {
    /// Which memory.
    pub memory: MemoryId,
    /// Whether it is there to be recalled.
    pub alive: bool,
    /// What is remembered.
    pub content: String,
    /// When it was born.
    pub created_at: Timestamp,
    /// The session it was made in.
    pub session: Option<String>,
    /// Its place in the session.
    pub sequence: Option<u32>,
    /// Who said it.
    pub speaker: Option<String>,
    /// What kind of text it came from.
    pub content_type: Option<ContentType>,
    /// How much it matters.
    pub importance: Unit,
    /// How vivid it was as of a turn.
    pub strength: Strength,
    /// What its fading depends on.
    pub fading: Fading,
    /// What it is about.
    pub category: Option<Category>,
    /// How near to mind it was at the last rebalance.
    pub zone: Zone,
    /// What it feels like.
    pub emotions: Emotions,
    /// The persona's id.
    pub persona: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// The domain.
    pub domain: Option<String>,
    /// Free labels.
    pub tags: Vec<String>,
    /// Its eight-bit vector in the embedder's space.
    pub vector: Option<Vec<u8>>,
}

/// What an index in memory needs to know of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct SaidRow {
    /// Which turn.
    pub turn: TurnId,
    /// Whether it belongs to the conversation.
    pub live: bool,
    /// What was said.
    pub content: String,
    /// When.
    pub at: Timestamp,
    /// In which session.
    pub session: String,
    /// Its place there.
    pub sequence: u32,
    /// Who spoke.
    pub role: Role,
    /// The speaker's name.
    pub speaker: Option<String>,
    /// Its eight-bit vector in the embedder's space.
    pub vector: Option<Vec<u8>>,
}

impl From<SaidRow> for IndexRow {
    /// A turn looks to an index like a memory that never fades and matters no more than another.
    fn from(said: SaidRow) -> Self {
        let middling = Unit::clamped(0.5);
        Self {
            memory: MemoryId::from_bytes(*said.turn.bytes()),
            alive: said.live,
            content: said.content,
            created_at: said.at,
            session: Some(said.session),
            sequence: Some(said.sequence),
            speaker: said.speaker,
            content_type: Some(match said.role {
                Role::User => ContentType::UserInput,
                Role::Assistant | Role::Persona => ContentType::PersonaResponse,
                Role::System | Role::Event => ContentType::SystemEvent,
            }),
            importance: middling,
            strength: Strength::fresh(0),
            fading: Fading { kind: Kind::Episodic, intensity: Unit::ZERO, importance: middling, tier: Tier::M0, pinned: true },
            category: None,
            zone: Zone::Belt,
            emotions: Emotions::default(),
            persona: None,
            project: None,
            domain: None,
            tags: Vec::new(),
            vector: said.vector,
        }
    }
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

/// How far an index has read a mind. Whatever is written later lies beyond it, so reading goes on without a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexMark {
    /// The stamp of the last memory read: the ledger sequence that wrote it.
    pub stamp: u64,
    /// The number the store gave that memory.
    pub row: i64,
}

/// What changed in a mind beyond a mark, as much as was asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexRows {
    /// The memories written since, in the order they were written.
    pub rows: Vec<IndexRow>,
    /// The mark of the last of them, or the one that was given.
    pub seen: IndexMark,
    /// How many memories were ever purged: purged rows leave no stamp.
    pub purges: u64,
    /// How many turns the mind has lived through.
    pub turns: u64,
    /// How many memories are alive.
    pub memories: u64,
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
    /// Memories.
    pub memories: u64,
    /// Links.
    pub links: u64,
    /// Vectors.
    pub vectors: u64,
    /// Whether no byte of it is left in the file; false while an old reader still holds a page.
    pub swept: bool,
}

/// Where minds are kept. Every call but the first few names its mind; none can see another.
#[async_trait]
pub trait Store: Send + Sync {
    /// The mind of this key, if it has begun.
    async fn mind(&self, key: &MindKey) -> Result<Option<Mind>, StoreError>;

    /// The mind of this id, as it is now.
    async fn mind_by_id(&self, id: MindId) -> Result<Option<Mind>, StoreError>;

    /// Minds whose caretaker is due by `now`, the longest due first, leased until `until`: nobody else is given them
    /// before that, and a caretaker that is lost gives them back by it.
    async fn claim_due(&self, now: Timestamp, until: Timestamp, limit: usize) -> Result<Vec<Mind>, StoreError>;

    /// The eight-bit vectors of these memories in an embedder's space; those without one are left out.
    async fn vectors_of(&self, mind: MindId, embedder: &str, ids: &[MemoryId]) -> Result<Vec<(MemoryId, Vec<i8>)>, StoreError>;

    /// All minds, by key.
    async fn minds(&self) -> Result<Vec<Mind>, StoreError>;

    /// Writes a commit whole or not at all. It survives any crash once this returns.
    async fn commit(&self, commit: Commit) -> Result<Receipt, StoreError>;

    /// These memories, alive or on the cliff, in the order asked for; unknown ones are left out.
    async fn memories(&self, mind: MindId, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError>;

    /// What an index in memory needs of the memories written beyond a mark, with vectors of an embedder.
    async fn index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError>;

    /// A number that differs once anything in the store was changed by anyone, told without waiting; nothing where
    /// that cannot be told.
    fn version(&self) -> Option<u64>;

    /// Ids that begin or end with these hexadecimal digits, at most ten.
    async fn ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<MemoryId>, StoreError>;

    /// Alive memories that pass, newest first.
    async fn list(&self, mind: MindId, filter: &Filter, page: Page) -> Result<Vec<Memory>, StoreError>;

    /// Alive memories that pass and hold any of the words.
    async fn by_words(&self, search: WordSearch<'_>) -> Result<WordHits, StoreError>;

    /// Alive memories that pass and are nearest to the vector in the embedder's space, nearest first.
    async fn by_vector(&self, search: VectorSearch<'_>) -> Result<Vec<VectorHit>, StoreError>;

    /// Alive memories without a vector of this embedder, oldest first.
    async fn without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// What a rebalance needs to know of every alive memory.
    async fn zone_rows(&self, mind: MindId) -> Result<Vec<ZoneRow>, StoreError>;

    /// How many alive memories a zone holds, counted up to `most`.
    async fn zone_holds(&self, mind: MindId, zone: Zone, most: usize) -> Result<usize, StoreError>;

    /// Alive memories, pinned ones aside, whose term has run out by `now`, earliest first.
    async fn expired(&self, mind: MindId, now: Timestamp, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// Alive memories that something links to, with how many links.
    async fn referenced(&self, mind: MindId) -> Result<Vec<(Memory, u32)>, StoreError>;

    /// What waits on the cliff, soonest gone first.
    async fn cliff(&self, mind: MindId) -> Result<Vec<Fallen>, StoreError>;

    /// Every link of a mind, in a fixed order.
    async fn all_links(&self, mind: MindId) -> Result<Vec<Link>, StoreError>;

    /// Which of these ids from elsewhere belong to memories that are here, alive or on the cliff.
    async fn by_external_id(&self, mind: MindId, external: &[String]) -> Result<Vec<(String, MemoryId)>, StoreError>;

    /// Links from and to a memory.
    async fn links(&self, mind: MindId, memory: MemoryId) -> Result<Vec<Link>, StoreError>;

    /// The newest number in a mind's ledger: while it stays, nothing of the mind has changed.
    async fn head(&self, mind: MindId) -> Result<u64, StoreError>;

    /// Turns, in the order they were said.
    async fn turns(&self, mind: MindId, page: TurnPage) -> Result<Vec<Turn>, StoreError>;

    /// These turns in the order asked for; unknown ones are left out.
    async fn turns_by_id(&self, mind: MindId, ids: &[TurnId]) -> Result<Vec<Turn>, StoreError>;

    /// Turns' ids that begin or end with these hexadecimal digits, at most ten.
    async fn turn_ids_like(&self, mind: MindId, digits: &str) -> Result<Vec<TurnId>, StoreError>;

    /// What an index in memory needs of the turns written beyond a mark, with vectors of an embedder.
    async fn turn_index_rows(&self, search: IndexSearch<'_>) -> Result<IndexRows, StoreError>;

    /// The session of this name.
    async fn session(&self, mind: MindId, name: &SessionId) -> Result<Option<Session>, StoreError>;

    /// All sessions, the latest first.
    async fn sessions(&self, mind: MindId) -> Result<Vec<Session>, StoreError>;

    /// How things were judged, newest first.
    async fn candidates(&self, mind: MindId, page: CandidatePage) -> Result<Vec<Candidate>, StoreError>;

    /// Everything stated about the user, in the order of its time.
    async fn statements(&self, mind: MindId) -> Result<Vec<Statement>, StoreError>;

    /// Every fact, current and past.
    async fn facts(&self, mind: MindId) -> Result<Vec<Fact>, StoreError>;

    /// How character and user stand to each other, and the speech style the owner set.
    async fn relationship(&self, mind: MindId) -> Result<(Relationship, Option<SpeechStyle>), StoreError>;

    /// What moved that, newest first.
    async fn relationship_changes(&self, mind: MindId, turn: Option<TurnId>, limit: usize) -> Result<Vec<RelationshipChange>, StoreError>;

    /// The latest scene.
    async fn latest_scene(&self, mind: MindId) -> Result<Option<Scene>, StoreError>;

    /// Scenes, newest first.
    async fn scenes(&self, mind: MindId, limit: usize) -> Result<Vec<Scene>, StoreError>;

    /// Memories learned from a turn, alive or on the cliff.
    async fn learned_from(&self, mind: MindId, turn: TurnId) -> Result<Vec<Memory>, StoreError>;

    /// How much there is; vectors of `embedder` are counted.
    async fn counts(&self, mind: MindId, embedder: &str) -> Result<Counts, StoreError>;

    /// Ledger entries after `sequence`, in order.
    async fn ledger(&self, mind: MindId, after: u64, limit: usize) -> Result<Vec<(LedgerEntry, Hash)>, StoreError>;

    /// Ledger entries that speak of a memory, in order.
    async fn ledger_of(&self, mind: MindId, memory: MemoryId) -> Result<Vec<LedgerEntry>, StoreError>;

    /// Reads the whole chain and says whether it is whole.
    async fn verify_ledger(&self, mind: MindId) -> Result<Verdict, StoreError>;

    /// Removes every trace of purged text from the file; false while an old reader still holds a page of it.
    async fn sweep(&self) -> Result<bool, StoreError>;

    /// Erases everything of a mind but its ledger, at once.
    async fn erase(&self, commit: Commit) -> Result<Erased, StoreError>;

    /// Copies the whole store to a new file while it is in use.
    async fn backup(&self, to: &Path) -> Result<(), StoreError>;

    /// Looks the whole store over.
    async fn check(&self) -> Result<Health, StoreError>;

    /// Makes anew what can be made anew from the memories: the index of words, counts, vectors of the wrong size.
    async fn repair(&self) -> Result<(), StoreError>;
}

/// What an index asks for.
#[derive(Clone, Copy, Debug)]
pub struct IndexSearch<'a> {
    /// In which mind.
    pub mind: MindId,
    /// In which embedder's space.
    pub embedder: &'a str,
    /// Beyond what.
    pub after: IndexMark,
    /// How many at most.
    pub limit: usize,
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
