//! JSON types of responses, the same for HTTP, MCP and the command line.

/// Whole numbers.
mod numbers;
/// Runs of personas.
mod orchestration;
/// The self, proposals and imaginations.
mod own;
/// Statements and people.
mod statement;
/// Turns and their results.
mod talk;
/// Schemas of enumerations and texts.
mod words;

use saegim_core::{self as core, Coordinate, MemoryState, Score, Timestamp, Unit, shortest};
use saegim_engine::{CliffMemory, Found, MemoryDetails};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use numbers::*;
pub(crate) use orchestration::*;
pub(crate) use own::*;
pub(crate) use statement::*;
pub(crate) use talk::*;
pub(crate) use words::*;

/// Memory.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Memory {
    /// Id.
    pub(crate) id: String,
    /// Id in another system.
    pub(crate) external_id: Option<String>,
    /// Content, in its original language.
    pub(crate) content: String,
    /// Original event, if the content is a view of it.
    pub(crate) original_event: Option<String>,
    /// The character's view of it.
    pub(crate) interpretation: Option<String>,
    /// Short form of the content.
    pub(crate) summary: Option<String>,
    #[schema(schema_with = kinds)]
    pub(crate) kind: core::Kind,
    #[schema(schema_with = maybe_categories)]
    pub(crate) category: Option<core::Category>,
    #[schema(schema_with = sources)]
    pub(crate) source: core::Source,
    #[schema(schema_with = knowledges)]
    pub(crate) knowledge: core::Knowledge,
    #[schema(schema_with = emotion_list)]
    pub(crate) emotions: core::Emotions,
    /// Intensity of the emotion, 0..=1.
    pub(crate) intensity: f32,
    /// Sentiment, -1..=1.
    pub(crate) sentiment: f32,
    /// Keywords that express the emotion.
    pub(crate) emotion_keywords: Vec<String>,
    /// Trust in the source, 0..=1.
    pub(crate) trust: f32,
    /// Importance, 0..=1.
    pub(crate) importance: f32,
    /// Appraisal, 0..=1: how much it was judged to matter.
    pub(crate) appraisal: Option<f32>,
    /// Current strength (vividness), 0..=1.
    pub(crate) strength: f32,
    /// Number of recalls.
    pub(crate) recalls: u32,
    /// Number of times it was mentioned again.
    pub(crate) mentions: u32,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) last_recalled_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) edited_at: Option<Timestamp>,
    #[schema(schema_with = tiers)]
    pub(crate) tier: core::Tier,
    /// Time it moves to the cliff; null for core memories.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) expires_at: Option<Timestamp>,
    /// Memory it is the essence of.
    pub(crate) promoted_from: Option<String>,
    /// Whether it is pinned.
    pub(crate) pinned: bool,
    /// Whether the user asked to remember it.
    pub(crate) remember_this: bool,
    /// Whether it changed the character's behaviour.
    pub(crate) changed_behaviour: bool,
    /// Whether it is on the cliff.
    pub(crate) on_cliff: bool,
    #[schema(schema_with = zones)]
    pub(crate) zone: core::Zone,
    /// Zone score at the last rebalance.
    #[schema(value_type = f64)]
    pub(crate) zone_score: serde_json::Value,
    /// Tags.
    pub(crate) tags: Vec<String>,
    /// Rating, 1 to 5 stars.
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 5)]
    pub(crate) rating: Option<core::Rating>,
    /// Messages it was learned from.
    pub(crate) turns: Vec<String>,
    #[schema(value_type = Object)]
    pub(crate) coordinate: Coordinate,
}

impl Memory {
    /// Converts a memory, with the given strength.
    pub(crate) fn of(memory: &core::Memory, strength: Unit) -> Self {
        Self {
            id: memory.id.to_string(),
            external_id: memory.external_id.clone(),
            content: memory.content.clone(),
            original_event: memory.original_event.clone(),
            interpretation: memory.interpretation.clone(),
            summary: memory.summary.clone(),
            kind: memory.kind,
            category: memory.category,
            source: memory.source,
            knowledge: memory.knowledge,
            emotions: memory.feeling.emotions,
            intensity: memory.feeling.intensity.get(),
            sentiment: memory.feeling.sentiment.get(),
            emotion_keywords: memory.feeling.keywords.clone(),
            trust: memory.trust.get(),
            importance: memory.importance.get(),
            appraisal: memory.appraisal.map(Unit::get),
            strength: strength.get(),
            recalls: memory.recalls,
            mentions: memory.mentions,
            last_recalled_at: memory.last_recalled_at,
            created_at: memory.created_at,
            edited_at: memory.edited_at,
            tier: memory.tier,
            expires_at: memory.expires_at,
            promoted_from: memory.promoted_from.map(|id| id.to_string()),
            pinned: memory.pinned,
            remember_this: memory.remember_this,
            changed_behaviour: memory.changed_behaviour,
            on_cliff: memory.standing == MemoryState::OnCliff,
            zone: memory.zone,
            zone_score: serde_json::json!(shortest(memory.zone_score)),
            tags: memory.tags.clone(),
            rating: memory.rating,
            turns: memory.turns.iter().map(ToString::to_string).collect(),
            coordinate: memory.coordinate.clone(),
        }
    }
}

impl From<&core::Memory> for Memory {
    /// Converts a memory, with its strength at the last write.
    fn from(memory: &core::Memory) -> Self {
        Self::of(memory, memory.strength.value)
    }
}

/// Part of a score.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Part {
    /// Name of the part.
    name: String,
    /// Weight.
    weight: f32,
    /// Value.
    value: f32,
}

/// Converts the parts of a score.
pub(crate) fn parts(score: &Score) -> Vec<Part> {
    score.parts().iter().map(|part| Part { name: part.name.to_string(), weight: part.weight, value: part.value }).collect()
}

/// Search result.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FoundMemory {
    #[serde(flatten)]
    memory: Memory,
    /// Score used for ranking.
    #[schema(value_type = f64)]
    score: serde_json::Value,
    /// Relevance to the query, 0..=1.
    relevance: f32,
    /// Parts of the score.
    parts: Vec<Part>,
}

impl From<&Found> for FoundMemory {
    fn from(found: &Found) -> Self {
        Self {
            memory: Memory::of(&found.memory, found.strength),
            score: serde_json::json!(shortest(found.score.total())),
            relevance: found.relevance.get(),
            parts: parts(&found.score),
        }
    }
}

/// Memory on the cliff.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FallenMemory {
    #[serde(flatten)]
    memory: Memory,
    #[schema(value_type = String, format = DateTime)]
    entered_at: Timestamp,
    /// Time of permanent deletion.
    #[schema(value_type = String, format = DateTime)]
    gone_at: Timestamp,
    /// Seconds left to restore it.
    seconds_left: i64,
    #[schema(schema_with = reasons)]
    reason: core::CliffReason,
    /// Reason it was forgotten, in the reader's language.
    note: String,
}

impl FallenMemory {
    pub(crate) fn of(fallen: &CliffMemory, now: Timestamp) -> Self {
        Self {
            memory: Memory::from(&fallen.memory),
            entered_at: fallen.entry.entered_at,
            gone_at: fallen.entry.gone_at,
            seconds_left: fallen.entry.time_left(now).as_millis() / 1000,
            reason: fallen.entry.reason,
            note: crate::names::note(&fallen.entry.note, crate::http::spoken()),
        }
    }
}

/// Memory with scores, links, history and forecast.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Life {
    #[serde(flatten)]
    memory: Memory,
    /// Current zone score by part.
    nearness: Nearness,
    /// Links from and to it.
    links: Vec<Link>,
    /// Judgement of its candidate.
    judged: Option<Candidate>,
    /// Forecast.
    #[schema(value_type = Object)]
    fate: core::MemoryForecast,
    /// Ledger entries about it, in order.
    history: Vec<Entry>,
    /// Entry on the cliff, if it is there.
    #[schema(value_type = Option<Object>)]
    cliff: Option<core::CliffEntry>,
}

/// Zone score by part.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Nearness {
    score: f32,
    parts: Vec<Part>,
}

/// Link between two memories.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Link {
    from: String,
    to: String,
    #[schema(schema_with = link_kinds)]
    kind: core::LinkKind,
}

impl From<&MemoryDetails> for Life {
    fn from(shown: &MemoryDetails) -> Self {
        let link = |link: &core::Link| Link { from: link.from.to_string(), to: link.to.to_string(), kind: link.kind };
        Self {
            memory: Memory::of(&shown.memory, shown.strength),
            nearness: Nearness { score: shown.nearness.total(), parts: parts(&shown.nearness) },
            links: shown.links.iter().map(link).collect(),
            judged: shown.judged.as_ref().map(Candidate::from),
            fate: shown.fate.clone(),
            history: shown.history.iter().map(Entry::from).collect(),
            cliff: shown.fallen.as_ref().map(|fallen| fallen.entry.clone()),
        }
    }
}

/// Ledger entry.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Entry {
    /// Position in the chain, from 1.
    pub(crate) sequence: u64,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) at: Timestamp,
    pub(crate) session: Option<String>,
    #[schema(schema_with = principals)]
    pub(crate) principal: core::Principal,
    #[schema(schema_with = operations)]
    pub(crate) operation: core::Op,
    /// Reason in the reader's language; never contains remembered text.
    pub(crate) note: Option<String>,
    #[schema(value_type = Object)]
    coordinate: core::LedgerCoordinate,
    /// Memories of the entry, each with a salted hash of its content.
    #[schema(value_type = Vec<Object>)]
    pub(crate) memories: Vec<core::LedgerRef>,
    #[schema(value_type = Option<Object>)]
    evaluation: Option<core::Evaluation>,
    /// Adjustments of the plan: null, one object, or a list.
    #[schema(value_type = Option<Object>)]
    plan_adjustment: core::PlanAdjustments,
    /// Models or rules that judged, and models that rules replaced.
    #[schema(value_type = Vec<Object>)]
    judges: Vec<core::Judge>,
    /// Hash of the previous entry.
    #[schema(value_type = String)]
    previous: core::Hash,
}

impl From<&core::LedgerEntry> for Entry {
    fn from(entry: &core::LedgerEntry) -> Self {
        Self {
            sequence: entry.sequence,
            at: entry.at,
            session: entry.session.as_ref().map(|session| session.as_str().to_owned()),
            principal: entry.principal,
            operation: entry.operation,
            note: entry.note.as_deref().map(|note| crate::names::note(note, crate::http::spoken())),
            coordinate: entry.coordinate.clone(),
            memories: entry.memories.clone(),
            evaluation: entry.evaluation,
            plan_adjustment: entry.plan_adjustment.clone(),
            judges: entry.judges.clone(),
            previous: entry.previous,
        }
    }
}
