//! What a rule decides: changes, gathered into one commit that is written whole or not at all.

use crate::{
    Archive, BeliefId, Candidate, CandidateId, CandidateVerdict, CliffEntry, Embedding, Evaluation, Expense, Fact, FactId, Grant, Hash,
    Imagination, Island, IslandId, Job, JobKind, Judge, LedgerCoordinate, LedgerRef, Link, Memory, MemoryId, Mind, MindId, Mood, Note, Op,
    Principal, Proposal, Rejection, Relationship, RelationshipChange, Scene, SelfVersion, Session, SessionId, SpeechStyle, Statement,
    StatementId, Thing, Tier, Timestamp, Turn, TurnId, Webhook, Weight, Zone,
};

/// One change to a mind.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A mind began; the first change of its first commit.
    MindBegan(Box<Mind>),
    /// A memory was born.
    MemoryAdded(Box<Memory>),
    /// A memory is different; its `revision` names the one it was made from.
    MemoryChanged(Box<Memory>),
    /// A memory moved to another zone.
    MemoryPlaced {
        /// Which memory.
        memory: MemoryId,
        /// Where it is now.
        zone: Zone,
        /// I(m) at that moment.
        score: f32,
    },
    /// A memory fell to the cliff: it changed standing and has an entry there.
    CliffEntered(Box<Memory>, CliffEntry),
    /// A memory came back from the cliff.
    CliffLeft(Box<Memory>),
    /// A memory is gone for good: row, words, vectors and links.
    MemoryGone(MemoryId),
    /// Memories of a session were put away, and are no longer at hand.
    Archived(Box<Archive>, Vec<MemoryId>),
    /// An archive of a session is no longer there.
    ArchiveGone(SessionId, u32),
    /// Two memories were linked.
    LinkAdded(Link),
    /// Two memories are no longer linked.
    LinkRemoved(Link),
    /// A memory got its vector in an embedder's space.
    Embedded {
        /// Which memory.
        memory: MemoryId,
        /// The embedder's id.
        embedder: String,
        /// The vector.
        vector: Embedding,
    },
    /// The character's mood is different.
    MoodSet(Mood),
    /// Memories were consolidated as of this turn.
    Consolidated {
        /// How many turns the mind had lived through.
        turn: u64,
        /// Memories born until then have been held against each other.
        compared_to: Timestamp,
    },
    /// What of a tier had earned it by this step of the calendar was raised.
    Raised {
        /// The tier it was in.
        tier: Tier,
        /// The step.
        at: Timestamp,
    },
    /// Memories were pruned as of this turn.
    Pruned(u64),
    /// What was said by a clock that was ahead of this moment was said by then.
    DatedBack(Timestamp),
    /// What wrong clocks had left is right by now.
    ClockSetRight {
        /// Where the right clock had been before one leapt ahead, if one did: rounds go on from there.
        from: Option<Timestamp>,
        /// When it is.
        now: Timestamp,
    },
    /// The caretaker has to look again by then, unless it has to before.
    CareBy(Timestamp),
    /// A session began, or went on.
    SessionSet(Session),
    /// Something was said.
    TurnAdded(Box<Turn>),
    /// What was said is different, was taken back, or came back.
    TurnChanged(Box<Turn>),
    /// A turn is gone for good: row, words and vectors.
    TurnGone(TurnId),
    /// A turn got its vector in an embedder's space.
    TurnEmbedded {
        /// Which turn.
        turn: TurnId,
        /// The embedder's id.
        embedder: String,
        /// The vector.
        vector: Embedding,
    },
    /// So many turns more were lived through; fading counts by them.
    Turned(u64),
    /// Something was judged.
    CandidateAdded(Box<Candidate>),
    /// Something was stated about the user.
    Stated(Box<Statement>),
    /// A statement no longer stands.
    StatementGone(StatementId),
    /// A fact is new or different.
    FactSet(Box<Fact>),
    /// A fact is no longer known, not even as history.
    FactGone(FactId),
    /// Character and user stand to each other like this.
    RelationshipSet {
        /// How they stood when that was decided; if they do not any more, nothing is written.
        before: Relationship,
        /// How they stand now.
        after: Relationship,
    },
    /// The owner chose how they speak, or left it to the level again.
    SpeechStyleSet(Option<SpeechStyle>),
    /// An axis was moved by a turn.
    RelationshipMoved(RelationshipChange),
    /// What a turn moved is taken back.
    RelationshipTakenBack(TurnId),
    /// A scene began, went on or ended.
    SceneSet(Box<Scene>),
    /// What became of a candidate that had waited; what it said is kept only where it became a memory.
    CandidateSettled {
        /// Which candidate.
        candidate: CandidateId,
        /// What became of it.
        verdict: CandidateVerdict,
        /// The memory it became.
        memory: Option<MemoryId>,
    },
    /// An island is new or different; its `revision` names the one it was made from.
    IslandSet(Box<Island>),
    /// An island is gone.
    IslandGone(IslandId),
    /// There is another version of the self.
    SelfVersioned(Box<SelfVersion>),
    /// A belief is to be read nowhere any more, not even in earlier versions.
    BeliefErased(BeliefId),
    /// The owner said no to a change of the self.
    BeliefRejected(Box<Rejection>),
    /// A proposal is new or different; its `revision` names the one it was made from.
    ProposalSet(Box<Proposal>),
    /// A grant was given or taken back.
    GrantSet(Box<Grant>),
    /// A webhook was made, or has ended.
    WebhookSet(Box<Webhook>),
    /// Something was imagined, or someone said how it was.
    ImaginationSet(Box<Imagination>),
    /// A trigger or a theme weighs differently.
    WeightSet(Weight),
    /// Something waits for a model, or waits on.
    JobSet(Box<Job>),
    /// What waited was done.
    JobDone(JobKind, Vec<TurnId>),
    /// A model wrote something for the character to mind.
    NoteSet(Box<Note>),
    /// Nothing a model wrote stands any more: what it was made of changed.
    NotesGone,
    /// A model used tokens.
    Spent(Box<Expense>),
}

/// The key under which a caller may repeat a request without doing it twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's key.
    pub key: String,
    /// The hash of the request; the same key with another request is an error.
    pub request: Hash,
}

/// Changes that belong together, with who made them and why. One commit is one transaction and one ledger entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// Which mind changes.
    pub mind: MindId,
    /// When.
    pub at: Timestamp,
    /// Who acts.
    pub principal: Principal,
    /// What is done.
    pub operation: Op,
    /// In which session.
    pub session: Option<SessionId>,
    /// Why, in words; never remembered text.
    pub note: Option<String>,
    /// Where it stands.
    pub coordinate: LedgerCoordinate,
    /// The memories it speaks of.
    pub memories: Vec<LedgerRef>,
    /// How good the work was, where that was judged.
    pub evaluation: Option<Evaluation>,
    /// What will be done differently.
    pub plan_adjustment: Option<String>,
    /// What else it speaks of.
    pub things: Vec<Thing>,
    /// Which of the memories were recalled and used by it, where it did more than that.
    pub used: Vec<MemoryId>,
    /// How many times, where several of the same are taken down as one.
    pub times: Option<u64>,
    /// Who judged what, where models think.
    pub judges: Vec<Judge>,
    /// What changes.
    pub changes: Vec<Change>,
    /// The caller's key, if it gave one.
    pub idempotency: Option<Idempotency>,
    /// The request it belongs to, where that is to be answered once.
    pub under: Option<Under>,
}

/// A request whose answer is kept: what it wrote is taken down with it, so that it is known even if nobody lived to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Under {
    /// Who asked, by a name that gives nothing away.
    pub who: String,
    /// The caller's key.
    pub key: String,
}

impl Commit {
    /// A commit with nothing in it yet.
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
            plan_adjustment: None,
            things: Vec::new(),
            used: Vec::new(),
            times: None,
            judges: Vec::new(),
            changes: Vec::new(),
            idempotency: None,
            under: None,
        }
    }

    /// The same commit, speaking of this too.
    pub fn about(mut self, thing: Thing) -> Self {
        self.things.push(thing);
        self
    }

    /// The same commit with a reason in words.
    pub fn because(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}
