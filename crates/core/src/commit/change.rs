//! Changes returned by rules, grouped into commits that are written atomically.

use crate::{
    Archive, Assertion, AssertionId, BeliefId, Candidate, CandidateId, CandidateVerdict, CliffEntry, Embedding, Evaluation, Expense, Fact,
    FactId, Grant, Hash, Imagination, Island, IslandId, Job, JobKind, Judge, LedgerCoordinate, LedgerRef, Link, Memory, MemoryId, Mind,
    MindId, Mood, Note, Op, Orchestration, PlanAdjustments, Principal, Proposal, Rejection, Relationship, RelationshipChange, Scene,
    SelfVersion, Session, SessionId, SpeechStyle, Statement, StatementId, Thing, Tier, Timestamp, Turn, TurnId, Webhook, Weight, Zone,
};

/// One change to a mind.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A mind was created; the first change of its first commit.
    MindBegan(Box<Mind>),
    /// A memory was created.
    MemoryAdded(Box<Memory>),
    /// A memory was modified. Its `revision` names the revision it is based on.
    MemoryChanged(Box<Memory>),
    /// A memory moved to another zone.
    MemoryPlaced {
        /// The memory.
        memory: MemoryId,
        /// Its new zone.
        zone: Zone,
        /// Memory score I(m) at that time.
        score: f32,
    },
    /// A memory entered the cliff: its standing changed and it has a cliff entry.
    CliffEntered(Box<Memory>, CliffEntry),
    /// A memory was restored from the cliff.
    CliffLeft(Box<Memory>),
    /// A memory was deleted permanently: row, words, vectors and links.
    MemoryGone(MemoryId),
    /// Memories of a session were moved to an archive and can no longer be recalled.
    Archived(Box<Archive>, Vec<MemoryId>),
    /// An archive of a session was deleted.
    ArchiveGone(SessionId, u32),
    /// A link between two memories was added.
    LinkAdded(Link),
    /// A link between two memories was removed.
    LinkRemoved(Link),
    /// A memory's vector in an embedder's space was stored.
    Embedded {
        /// The memory.
        memory: MemoryId,
        /// Id of the embedder.
        embedder: String,
        /// The vector.
        vector: Embedding,
    },
    /// The character's mood changed.
    MoodSet(Mood),
    /// A consolidation run finished.
    Consolidated {
        /// Turn counter of the mind at that time.
        turn: u64,
        /// Memories created up to this time have been compared with each other.
        compared_to: Timestamp,
    },
    /// Memories of a tier that qualified by this calendar step were promoted.
    Raised {
        /// Tier they were in.
        tier: Tier,
        /// Calendar step.
        at: Timestamp,
    },
    /// A pruning run finished at this turn counter.
    Pruned(u64),
    /// Timestamps later than this were written by a fast clock; they were set to this time.
    DatedBack(Timestamp),
    /// Timestamps left by wrong clocks were repaired.
    ClockSetRight {
        /// Last correct time before the clock jumped ahead, if it did. Periodic work continues from here.
        from: Option<Timestamp>,
        /// Current time.
        now: Timestamp,
    },
    /// The worker must run by this time at the latest.
    CareBy(Timestamp),
    /// A session was created or updated.
    SessionSet(Session),
    /// A turn was added.
    TurnAdded(Box<Turn>),
    /// A turn was edited, retracted or restored.
    TurnChanged(Box<Turn>),
    /// A turn was deleted permanently: row, words and vectors.
    TurnGone(TurnId),
    /// A turn's vector in an embedder's space was stored.
    TurnEmbedded {
        /// The turn.
        turn: TurnId,
        /// Id of the embedder.
        embedder: String,
        /// The vector.
        vector: Embedding,
    },
    /// The turn counter advanced by this number; fading depends on it.
    Turned(u64),
    /// A candidate was judged.
    CandidateAdded(Box<Candidate>),
    /// An assertion about the user was recorded.
    Asserted(Box<Assertion>),
    /// An assertion was removed.
    AssertionGone(AssertionId),
    /// A statement was added or changed.
    StatementSet(Box<Statement>),
    /// A statement was deleted.
    StatementGone(StatementId),
    /// A fact was added or changed.
    FactSet(Box<Fact>),
    /// A fact was deleted, including its history.
    FactGone(FactId),
    /// The relationship changed.
    RelationshipSet {
        /// Relationship the decision was based on. If the stored one differs, nothing is written.
        before: Relationship,
        /// New relationship.
        after: Relationship,
    },
    /// The owner chose a speech style, or `None` to derive it from the level again.
    SpeechStyleSet(Option<SpeechStyle>),
    /// A turn moved an axis.
    RelationshipMoved(RelationshipChange),
    /// The axis movements of this turn were undone.
    RelationshipTakenBack(TurnId),
    /// A scene was started, updated or ended.
    SceneSet(Box<Scene>),
    /// A pending candidate received its final verdict. Its text is kept only if it became a memory.
    CandidateSettled {
        /// The candidate.
        candidate: CandidateId,
        /// Final verdict.
        verdict: CandidateVerdict,
        /// Memory it became, if any.
        memory: Option<MemoryId>,
    },
    /// An island was added or changed. Its `revision` names the revision it is based on.
    IslandSet(Box<Island>),
    /// An island was deleted.
    IslandGone(IslandId),
    /// A new version of the self was stored.
    SelfVersioned(Box<SelfVersion>),
    /// A belief was erased, including from earlier versions of the self.
    BeliefErased(BeliefId),
    /// The owner rejected a change of the self.
    BeliefRejected(Box<Rejection>),
    /// A proposal was added or changed. Its `revision` names the revision it is based on.
    ProposalSet(Box<Proposal>),
    /// A grant was given or revoked.
    GrantSet(Box<Grant>),
    /// A webhook was created or ended.
    WebhookSet(Box<Webhook>),
    /// An imagination was stored or received feedback.
    ImaginationSet(Box<Imagination>),
    /// The weight of a trigger or a theme changed.
    WeightSet(Weight),
    /// A job was queued or rescheduled.
    JobSet(Box<Job>),
    /// A job was finished.
    JobDone(JobKind, Vec<TurnId>),
    /// A model wrote a note for the character.
    NoteSet(Box<Note>),
    /// All notes by models were deleted because the data they were based on changed.
    NotesGone,
    /// A model used tokens.
    Spent(Box<Expense>),
    /// A run of personas was started or continued. Its `revision` names the revision it is based on.
    OrchestrationSet(Box<Orchestration>),
}

/// Idempotency key: a request repeated under the same key is executed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// Key chosen by the caller.
    pub key: String,
    /// Hash of the request. The same key with another request is an error.
    pub request: Hash,
}

/// Changes that belong together, with their author and reason. One commit is one transaction and one ledger entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// Mind that changes.
    pub mind: MindId,
    /// Time of the commit.
    pub at: Timestamp,
    /// Principal that performs the operation.
    pub principal: Principal,
    /// Operation.
    pub operation: Op,
    /// Session it belongs to.
    pub session: Option<SessionId>,
    /// Human-readable reason. Never contains remembered text.
    pub note: Option<String>,
    /// Coordinate stored in the ledger.
    pub coordinate: LedgerCoordinate,
    /// Memories it refers to.
    pub memories: Vec<LedgerRef>,
    /// Evaluation of the work, if one was made.
    pub evaluation: Option<Evaluation>,
    /// Adjustments of the plan.
    pub plan_adjustment: PlanAdjustments,
    /// Other objects it refers to.
    pub things: Vec<Thing>,
    /// Memories that the operation recalled and used, if recall was not the operation itself.
    pub used: Vec<MemoryId>,
    /// Number of occurrences, if several equal events are recorded as one.
    pub times: Option<u64>,
    /// Models that judged, if models were used.
    pub judges: Vec<Judge>,
    /// The changes.
    pub changes: Vec<Change>,
    /// Idempotency key, if the caller sent one.
    pub idempotency: Option<Idempotency>,
    /// Request it belongs to, if the request's response is stored.
    pub under: Option<Under>,
}

/// A request whose response is stored. The commit records it in the same transaction, so a retry recognizes a committed request
/// even if the process exited before it sent the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Under {
    /// Caller, as an opaque name that reveals nothing.
    pub who: String,
    /// Key chosen by the caller.
    pub key: String,
}

impl Commit {
    /// Creates an empty commit.
    pub fn new(mind: MindId, at: Timestamp, principal: Principal, operation: Op) -> Self {
        Self {
            mind,
            at,
            principal,
            operation,
            session: None,
            note: None,
            coordinate: LedgerCoordinate::default(),
            memories: Vec::new(),
            evaluation: None,
            plan_adjustment: PlanAdjustments::default(),
            things: Vec::new(),
            used: Vec::new(),
            times: None,
            judges: Vec::new(),
            changes: Vec::new(),
            idempotency: None,
            under: None,
        }
    }

    /// Adds an object this commit refers to.
    pub fn about(mut self, thing: Thing) -> Self {
        self.things.push(thing);
        self
    }

    /// Sets the reason.
    pub fn because(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}
