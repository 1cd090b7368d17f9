//! What an index in memory needs to know of memories and turns.

use saegim_core::{Category, ContentType, Emotions, Fading, Kind, MemoryId, MindId, Role, Strength, Tier, Timestamp, TurnId, Unit, Zone};

use crate::ZoneRow;

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
    /// How often it was recalled.
    pub recalls: u32,
    /// When it was last recalled, or else born.
    pub freshened: Timestamp,
    /// A(m), if it was appraised.
    pub appraisal: Option<Unit>,
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

impl IndexRow {
    /// What placing it needs to know.
    pub fn zone_row(&self) -> ZoneRow {
        ZoneRow {
            memory: self.memory,
            recalls: self.recalls,
            freshened: self.freshened,
            created_at: self.created_at,
            appraisal: self.appraisal,
            zone: self.zone,
        }
    }
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
            recalls: 0,
            freshened: said.at,
            appraisal: None,
            emotions: Emotions::default(),
            persona: None,
            project: None,
            domain: None,
            tags: Vec::new(),
            vector: said.vector,
        }
    }
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
