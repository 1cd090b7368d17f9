//! JSON types of responses, the same for HTTP, MCP and the command line.

/// Whole numbers.
mod numbers;
/// The self, proposals and imaginations.
mod own;
/// Turns and their results.
mod talk;
/// Schemas of enumerations and texts.
mod words;

use saegim_core::{self as core, Coordinate, Score, Standing, Timestamp, Unit, shortest};
use saegim_engine::{Fallen, Found, Shown};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use numbers::*;
pub(crate) use own::*;
pub(crate) use talk::*;
pub(crate) use words::*;

/// A memory.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Memory {
    /// Its identity.
    pub(crate) id: String,
    /// The id it had elsewhere.
    pub(crate) external_id: Option<String>,
    /// What is remembered, in the language it was said in.
    pub(crate) content: String,
    /// What really happened, where the content is a view of it.
    pub(crate) original_event: Option<String>,
    /// The character's view of it.
    pub(crate) interpretation: Option<String>,
    /// A shorter form.
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
    /// How strong the feeling is, 0..=1.
    pub(crate) intensity: f32,
    /// How good or bad it feels, -1..=1.
    pub(crate) sentiment: f32,
    /// The words the feeling was read from.
    pub(crate) emotion_keywords: Vec<String>,
    /// How far its source is trusted, 0..=1.
    pub(crate) trust: f32,
    /// How much it matters, 0..=1.
    pub(crate) importance: f32,
    /// How much it was judged to matter, 0..=1.
    pub(crate) appraisal: Option<f32>,
    /// How vivid it is now, 0..=1.
    pub(crate) strength: f32,
    /// How often it was recalled.
    pub(crate) recalls: u32,
    /// How often it was met again.
    pub(crate) mentions: u32,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) last_recalled_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) edited_at: Option<Timestamp>,
    #[schema(schema_with = tiers)]
    pub(crate) tier: core::Tier,
    /// When it falls to the cliff; never, for core memories.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) expires_at: Option<Timestamp>,
    /// The memory it is the essence of.
    pub(crate) promoted_from: Option<String>,
    /// Whether it is held fast.
    pub(crate) pinned: bool,
    /// Whether someone said to remember it.
    pub(crate) remember_this: bool,
    /// Whether it changed how the character behaves.
    pub(crate) changed_behaviour: bool,
    /// Whether it waits on the cliff.
    pub(crate) on_cliff: bool,
    #[schema(schema_with = zones)]
    pub(crate) zone: core::Zone,
    /// How near to mind it was when it was placed there.
    #[schema(value_type = f64)]
    pub(crate) zone_score: serde_json::Value,
    /// Free labels.
    pub(crate) tags: Vec<String>,
    /// One to five stars.
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 5)]
    pub(crate) rating: Option<core::Rating>,
    /// The turns it was learned from.
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
            on_cliff: memory.standing == Standing::OnCliff,
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

/// One part of a score.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Part {
    /// What speaks.
    name: String,
    /// How much it counts.
    weight: f32,
    /// What it says.
    value: f32,
}

/// Converts the parts of a score.
pub(crate) fn parts(score: &Score) -> Vec<Part> {
    score.parts().iter().map(|part| Part { name: part.name.to_string(), weight: part.weight, value: part.value }).collect()
}

/// A memory that was found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FoundMemory {
    #[serde(flatten)]
    memory: Memory,
    /// What it was ranked by.
    #[schema(value_type = f64)]
    score: serde_json::Value,
    /// How well it fits the question, 0..=1.
    relevance: f32,
    /// The score, part by part.
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

/// A memory on the cliff.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FallenMemory {
    #[serde(flatten)]
    memory: Memory,
    #[schema(value_type = String, format = DateTime)]
    entered_at: Timestamp,
    /// When it is gone for good.
    #[schema(value_type = String, format = DateTime)]
    gone_at: Timestamp,
    /// How many seconds it can still be restored.
    seconds_left: i64,
    #[schema(schema_with = reasons)]
    reason: core::CliffReason,
    /// Why it fell, in the reader's language.
    note: String,
}

impl FallenMemory {
    pub(crate) fn of(fallen: &Fallen, now: Timestamp) -> Self {
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

/// A memory's life.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Life {
    #[serde(flatten)]
    memory: Memory,
    /// How near to mind it is now.
    nearness: Nearness,
    /// Links from and to it.
    links: Vec<Link>,
    /// How it was judged when it came.
    judged: Option<Candidate>,
    /// What awaits it.
    #[schema(value_type = Object)]
    fate: core::Fate,
    /// Everything the ledger tells of it, in order.
    history: Vec<Entry>,
    /// Where it waits, if it is on the cliff.
    #[schema(value_type = Option<Object>)]
    cliff: Option<core::CliffEntry>,
}

/// How near to mind something is, part by part.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Nearness {
    score: f32,
    parts: Vec<Part>,
}

/// A link between two memories.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Link {
    from: String,
    to: String,
    #[schema(schema_with = link_kinds)]
    kind: core::LinkKind,
}

impl From<&Shown> for Life {
    fn from(shown: &Shown) -> Self {
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

/// An entry of the ledger.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Entry {
    /// Its place in the chain, from 1.
    pub(crate) sequence: u64,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) at: Timestamp,
    pub(crate) session: Option<String>,
    #[schema(schema_with = principals)]
    pub(crate) principal: core::Principal,
    #[schema(schema_with = operations)]
    pub(crate) operation: core::Op,
    /// Why, in the reader's language; never remembered text.
    pub(crate) note: Option<String>,
    #[schema(value_type = Object)]
    coordinate: core::LedgerCoordinate,
    /// The memories it speaks of, each with a salted hash of what it held.
    #[schema(value_type = Vec<Object>)]
    pub(crate) memories: Vec<core::LedgerRef>,
    #[schema(value_type = Option<Object>)]
    evaluation: Option<core::Evaluation>,
    plan_adjustment: Option<String>,
    /// Who judged what, where models think, and whom rules stood in for.
    #[schema(value_type = Vec<Object>)]
    judges: Vec<core::Judge>,
    /// The hash of the entry before.
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
