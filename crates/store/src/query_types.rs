//! Parameters and results of store queries.

use saegim_core::{
    CandidateVerdict, Category, CliffEntry, Embedding, Emotion, Hash, Kind, LedgerRef, Memory, MemoryId, MindId, Phrase, RhythmPhase,
    SessionId, StatementGroup, StatementId, Tier, Timestamp, TurnId, Unit, WordQuery, Zone,
};

/// Result of a commit.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// Sequence number in the ledger of the mind.
    pub sequence: u64,
    /// Hash of the ledger entry.
    pub hash: Hash,
    /// Memories referenced by the entry.
    pub memories: Vec<LedgerRef>,
    /// Whether the commit was a repeat under the same idempotency key and changed nothing.
    pub repeated: bool,
}

/// A request with an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestKey {
    /// Caller, by an opaque name.
    pub who: String,
    /// Mind the request is about, if any.
    pub mind: Option<MindId>,
    /// Idempotency key of the caller.
    pub key: String,
    /// Fingerprint of the request.
    pub request: Hash,
    /// Time of the request.
    pub at: Timestamp,
    /// Answers older than this are discarded.
    pub kept_since: Timestamp,
    /// A pending request older than this that wrote nothing belongs to a crashed process and may be retried.
    pub alive_since: Timestamp,
}

/// A recorded response.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedResponse {
    /// HTTP status.
    pub status: u16,
    /// Revision tag (`ETag`).
    pub tag: Option<String>,
    /// Response body.
    pub body: Vec<u8>,
}

/// State of an earlier request under the same key.
#[derive(Clone, Debug, PartialEq)]
pub enum EarlierRequest {
    /// There was none; the request is recorded now.
    Never,
    /// The key was used for a different request.
    Another,
    /// The request is pending, or its process crashed without a known write.
    Unanswered,
    /// The request wrote these ledger entries (first, last) and has no recorded response.
    Wrote(u64, u64),
    /// The request was answered, but its response was erased.
    Blanked,
    /// Recorded response.
    Answered(RecordedResponse),
}

/// Selects minds. Empty fields match any value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MindSearch {
    /// User name.
    pub user: Option<String>,
    /// Character name.
    pub character: Option<String>,
    /// Work name.
    pub work: Option<String>,
}

/// Selects memories. Empty fields match everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Created at or after.
    pub since: Option<Timestamp>,
    /// Created before.
    pub until: Option<Timestamp>,
    /// Created in this session.
    pub session: Option<SessionId>,
    /// Created by this persona.
    pub persona: Option<String>,
    /// Project.
    pub project: Option<String>,
    /// Domain.
    pub domain: Option<String>,
    /// Kind.
    pub kind: Option<Kind>,
    /// Category.
    pub category: Option<Category>,
    /// Tier.
    pub tier: Option<Tier>,
    /// Zone.
    pub zone: Option<Zone>,
    /// Has this emotion, possibly among others.
    pub emotion: Option<Emotion>,
    /// Has all of these tags.
    pub tags: Vec<String>,
    /// Minimum importance.
    pub least_importance: Option<Unit>,
    /// Rhythm phase.
    pub rhythm_phase: Option<RhythmPhase>,
    /// Has at least one of these emotion keywords.
    pub emotion_keywords: Vec<String>,
}

impl Filter {
    /// Checks whether the filter matches everything.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

/// A memory that contains some of the words.
#[derive(Clone, Debug, PartialEq)]
pub struct WordHit {
    /// Id of the memory.
    pub memory: MemoryId,
    /// Indices of the queries it matches.
    pub queries: Vec<u16>,
}

/// Result of a word search, with the statistics needed for scoring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordHits {
    /// Matching memories, those with the rarest words first.
    pub hits: Vec<WordHit>,
    /// Document frequency of each query in the mind.
    pub held_by: Vec<u32>,
    /// Number of memories in the mind.
    pub memories: u64,
}

/// A memory near a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorHit {
    /// Id of the memory.
    pub memory: MemoryId,
    /// Raw cosine.
    pub cosine: f32,
}

/// Data of a memory that a rebalance needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneRow {
    /// Id of the memory.
    pub memory: MemoryId,
    /// Number of recalls.
    pub recalls: u32,
    /// Time of the last recall, or else of creation.
    pub freshened: Timestamp,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Appraisal A(m), if there is one.
    pub appraisal: Option<Unit>,
    /// Current zone.
    pub zone: Zone,
}

/// Next scheduled events of a mind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Whether any alive memory has an expiry date.
    pub passing: bool,
    /// Earliest expiry of an unpinned memory.
    pub ends_at: Option<Timestamp>,
    /// Earliest and latest purge time on the cliff.
    pub gone: Option<(Timestamp, Timestamp)>,
}

/// Record of a maintenance run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaintenanceRecord {
    /// Time of the run.
    pub at: Timestamp,
    /// Whether the daily jobs were done.
    pub new_day: bool,
    /// Time of the next run; `None` if nothing in the mind can change by itself.
    pub due_at: Option<Timestamp>,
    /// Newest ledger sequence at the time of the run.
    pub head: u64,
}

/// A memory written while the clock was far behind a time the mind had already seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Misdated {
    /// Current state of the memory.
    pub memory: Memory,
    /// Latest time known when it was written.
    pub known_at: Timestamp,
}

/// Parameters for claiming due minds or webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueSearch {
    /// Claims those due by this time.
    pub now: Timestamp,
    /// Also claims those due after this time: no correct clock schedules that far ahead.
    pub beyond: Timestamp,
    /// Also claims those last run or leased after this time: the clock was ahead then.
    pub ahead: Timestamp,
    /// End of the lease.
    pub until: Timestamp,
    /// Maximum number of results.
    pub limit: usize,
}

/// Selects a page of turns; the newest is last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnPage {
    /// Maximum number of turns; the latest matching ones are returned.
    pub limit: usize,
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only turns before this one.
    pub before: Option<TurnId>,
    /// Only turns up to this time.
    pub until: Option<Timestamp>,
    /// Whether to include retracted turns.
    pub withdrawn: bool,
}

/// Selects a page of candidates, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidatePage {
    /// Maximum number of results.
    pub limit: usize,
    /// Only of this turn.
    pub turn: Option<TurnId>,
    /// Only with this verdict.
    pub verdict: Option<CandidateVerdict>,
}

/// Whose statements to select.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StatementHolder {
    /// Everybody's.
    #[default]
    Anybody,
    /// The user's.
    User,
    /// Those about the person with this name or relation, in any case of letters.
    Person(String),
}

/// Selects a page of statements, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatementPage {
    /// Maximum number of results.
    pub limit: usize,
    /// Only of this holder.
    pub holder: StatementHolder,
    /// Only of this group.
    pub group: Option<StatementGroup>,
    /// Only of these turns, if given.
    pub turns: Option<Vec<TurnId>>,
    /// Include those that another statement stands for or ended, and those of turns that were taken back.
    pub history: bool,
    /// Only those said before this one.
    pub before: Option<StatementId>,
}

/// A page of a list, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Maximum number of results.
    pub limit: usize,
    /// Only memories created before this one.
    pub before: Option<MemoryId>,
}

/// A memory on the cliff with its cliff entry.
#[derive(Clone, Debug, PartialEq)]
pub struct CliffMemory {
    /// Cliff entry.
    pub entry: CliffEntry,
    /// The memory.
    pub memory: Memory,
}

/// Counts of a mind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Alive memories by zone, from the centre outward.
    pub zones: [u64; 5],
    /// Alive memories by tier, from the shortest to the longest.
    pub tiers: [u64; 4],
    /// Memories on the cliff.
    pub on_cliff: u64,
    /// Number of links.
    pub links: u64,
    /// Vectors of the requested embedder.
    pub vectors: u64,
    /// Ledger entries.
    pub entries: u64,
}

/// Result of an integrity check; empty lists mean that the store is healthy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Health {
    /// Damage, and what to do about it.
    pub problems: Vec<Phrase>,
    /// Remarks.
    pub notes: Vec<Phrase>,
}

/// Counts of erased data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    /// Memories, including archived ones.
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
    /// Mind to search.
    pub mind: MindId,
    /// Words to search for.
    pub queries: &'a [WordQuery],
    /// Filter for the results.
    pub filter: &'a Filter,
    /// Maximum number of results.
    pub limit: usize,
}

/// A search by vector.
#[derive(Clone, Copy, Debug)]
pub struct VectorSearch<'a> {
    /// Mind to search.
    pub mind: MindId,
    /// Embedder of the vectors.
    pub embedder: &'a str,
    /// Query vector.
    pub vector: &'a Embedding,
    /// Filter for the results.
    pub filter: &'a Filter,
    /// Maximum number of results.
    pub limit: usize,
}
