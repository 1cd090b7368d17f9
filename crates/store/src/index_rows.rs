//! Rows that an in-memory index needs of memories and turns.

use saegim_core::{
    Category, ContentType, Emotions, Fading, Kind, MemoryId, MindId, RhythmPhase, Role, Strength, Tier, Timestamp, TurnId, Unit, Zone,
};

use crate::ZoneRow;

/// Data of a memory that an in-memory index needs.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexRow {
    /// Id of the memory.
    pub memory: MemoryId,
    /// Whether it is alive, and so can be recalled.
    pub alive: bool,
    /// Text of the memory.
    pub content: String,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Session it was created in.
    pub session: Option<String>,
    /// Sequence number in the session.
    pub sequence: Option<u32>,
    /// Name of the speaker.
    pub speaker: Option<String>,
    /// Type of the source text.
    pub content_type: Option<ContentType>,
    /// Importance, 0..=1.
    pub importance: Unit,
    /// Strength as of a turn.
    pub strength: Strength,
    /// Parameters of its forgetting curve.
    pub fading: Fading,
    /// Category.
    pub category: Option<Category>,
    /// Zone at the last rebalance.
    pub zone: Zone,
    /// Number of recalls.
    pub recalls: u32,
    /// Time of the last recall, or else of creation.
    pub freshened: Timestamp,
    /// Appraisal A(m), if there is one.
    pub appraisal: Option<Unit>,
    /// Emotions.
    pub emotions: Emotions,
    /// Rhythm phase of the dialogue.
    pub rhythm_phase: Option<RhythmPhase>,
    /// Words of emotion.
    pub emotion_keywords: Vec<String>,
    /// Id of the persona.
    pub persona: Option<String>,
    /// Project.
    pub project: Option<String>,
    /// Domain.
    pub domain: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Quantised 8-bit vector of the embedder.
    pub vector: Option<Vec<u8>>,
}

impl IndexRow {
    /// Returns the data needed for a rebalance.
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

/// Data of a turn that an in-memory index needs.
#[derive(Clone, Debug, PartialEq)]
pub struct SaidRow {
    /// Id of the turn.
    pub turn: TurnId,
    /// Whether it is part of the conversation, i.e. not retracted.
    pub live: bool,
    /// Text of the turn.
    pub content: String,
    /// Time of the turn.
    pub at: Timestamp,
    /// Session.
    pub session: String,
    /// Sequence number in the session.
    pub sequence: u32,
    /// Role of the author.
    pub role: Role,
    /// Name of the speaker.
    pub speaker: Option<String>,
    /// Quantised 8-bit vector of the embedder.
    pub vector: Option<Vec<u8>>,
}

impl From<SaidRow> for IndexRow {
    /// Represents a turn as a pinned memory of medium importance, which never fades.
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
            rhythm_phase: None,
            emotion_keywords: Vec::new(),
            persona: None,
            project: None,
            domain: None,
            tags: Vec::new(),
            vector: said.vector,
        }
    }
}

/// Read position of an index in a mind. Later writes sort after it, so incremental reads have no gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexMark {
    /// Stamp of the last row read: the ledger sequence of its last write.
    pub stamp: u64,
    /// Row key of that memory in the store.
    pub row: i64,
}

/// Rows that changed after a mark, up to the limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexRows {
    /// Changed memories, in write order.
    pub rows: Vec<IndexRow>,
    /// Mark of the last row, or the given mark if there are none.
    pub seen: IndexMark,
    /// Total number of purged memories. Purged rows leave no stamp, so a change of this number requires a full reload.
    pub purges: u64,
    /// Number of turns of the mind.
    pub turns: u64,
    /// Number of alive memories.
    pub memories: u64,
}

/// Parameters of an index read.
#[derive(Clone, Copy, Debug)]
pub struct IndexSearch<'a> {
    /// Mind to read.
    pub mind: MindId,
    /// Embedder of the vectors.
    pub embedder: &'a str,
    /// Read after this mark.
    pub after: IndexMark,
    /// Maximum number of rows.
    pub limit: usize,
}
