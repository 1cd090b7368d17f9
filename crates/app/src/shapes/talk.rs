//! Turns and their results.

use saegim_core::{self as core, Face as CoreFace, SpeechStyle, Timestamp};
use saegim_engine::{Context as EngineContext, Observed as EngineObserved};
use serde::Serialize;
use utoipa::ToSchema;

use super::{candidate_types, fact_categories, levels, roles, styles, verdicts};

/// Message as it was sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Turn {
    pub(crate) id: String,
    pub(crate) session: String,
    /// Position in the session, from 1.
    pub(crate) sequence: u32,
    #[schema(schema_with = roles)]
    pub(crate) role: core::Role,
    pub(crate) speaker: Option<String>,
    pub(crate) content: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) at: Timestamp,
    /// Face of the message.
    pub(crate) face: Option<String>,
    /// Memories the answer was based on.
    pub(crate) injected: Vec<String>,
    /// Time it was retracted.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) withdrawn_at: Option<Timestamp>,
}

impl From<&core::Turn> for Turn {
    fn from(turn: &core::Turn) -> Self {
        Self {
            id: turn.id.to_string(),
            session: turn.session.as_str().to_owned(),
            sequence: turn.sequence,
            role: turn.role,
            speaker: turn.speaker.clone(),
            content: turn.content.clone(),
            at: turn.at,
            face: turn.face.map(|face| face.as_str().to_owned()),
            injected: turn.injected.iter().map(ToString::to_string).collect(),
            withdrawn_at: turn.withdrawn_at,
        }
    }
}

/// Candidate: an extracted item with its score and verdict.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Candidate {
    id: String,
    turn: String,
    content: String,
    #[serde(rename = "type")]
    #[schema(schema_with = candidate_types)]
    candidate_type: core::CandidateType,
    /// Six factors of the score, each 0..=1.
    #[schema(value_type = Object)]
    factors: core::Factors,
    score: f32,
    #[schema(schema_with = verdicts)]
    verdict: core::CandidateVerdict,
    /// Reason for the verdict.
    reason: String,
    /// Resulting or matching memory.
    memory_id: Option<String>,
}

impl From<&core::Candidate> for Candidate {
    fn from(candidate: &core::Candidate) -> Self {
        Self {
            id: candidate.id.to_string(),
            turn: candidate.turn.to_string(),
            content: candidate.content.clone(),
            candidate_type: candidate.candidate_type,
            factors: candidate.factors,
            score: candidate.score.get(),
            verdict: candidate.verdict,
            reason: candidate.reason.clone(),
            memory_id: candidate.memory.map(|id| id.to_string()),
        }
    }
}

/// Fact about the user.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Fact {
    id: String,
    /// Canonical key of the subject.
    subject: String,
    /// Name of the subject in the reader's language.
    name: String,
    value: String,
    canonical: String,
    #[schema(schema_with = fact_categories)]
    category: core::FactCategory,
    /// Whether the fact is current.
    current: bool,
    /// Whether the subject has only one value at a time.
    single: bool,
    #[schema(schema_with = super::emotion_list)]
    emotions: core::Emotions,
    importance: f32,
    confidence: f32,
    #[schema(value_type = String, format = DateTime)]
    valid_from: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_to: Option<Timestamp>,
    superseded_by: Option<String>,
    mentions: u32,
    /// Messages that state it.
    turns: Vec<String>,
}

impl From<&core::Fact> for Fact {
    fn from(fact: &core::Fact) -> Self {
        Self {
            id: fact.id.to_string(),
            subject: fact.subject.clone(),
            name: crate::view::subject_name(&fact.subject, crate::http::spoken()),
            value: fact.value.clone(),
            canonical: fact.canonical.clone(),
            category: fact.category,
            current: fact.is_current(),
            single: fact.single,
            emotions: fact.emotions,
            importance: fact.importance.get(),
            confidence: fact.confidence.get(),
            valid_from: fact.valid_from,
            valid_to: fact.valid_to,
            superseded_by: fact.superseded_by.map(|id| id.to_string()),
            mentions: fact.mentions,
            turns: fact.turns.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Relationship between the character and the user.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Relationship {
    trust: f32,
    affection: f32,
    respect: f32,
    rivalry: f32,
    familiarity: f32,
    /// Intimacy, 0..=100, computed from the five axes.
    intimacy: f32,
    #[schema(schema_with = levels)]
    level: core::IntimacyLevel,
    #[schema(schema_with = styles)]
    speech_style: SpeechStyle,
}

impl Relationship {
    pub(crate) fn of(relationship: &core::Relationship, speech_style: SpeechStyle) -> Self {
        Self {
            trust: relationship.trust,
            affection: relationship.affection,
            respect: relationship.respect,
            rivalry: relationship.rivalry,
            familiarity: relationship.familiarity,
            intimacy: relationship.intimacy(),
            level: relationship.level(),
            speech_style,
        }
    }
}

/// Mood of the character.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Mood {
    /// Level of each emotion, 0..=1; emotions at 0 are omitted.
    #[schema(value_type = std::collections::BTreeMap<String, f32>)]
    levels: serde_json::Map<String, serde_json::Value>,
    #[schema(value_type = String, format = DateTime)]
    as_of: Timestamp,
}

impl Mood {
    /// Returns the emotions of the mood without their levels, which decay continuously.
    pub(crate) fn felt(&self) -> Vec<&String> {
        self.levels.keys().collect()
    }
}

impl From<&core::Mood> for Mood {
    fn from(mood: &core::Mood) -> Self {
        let levels = core::Emotion::ALL.iter().map(|emotion| (emotion, mood.level(*emotion).get())).filter(|(_, level)| *level > 0.0);
        Self { levels: levels.map(|(emotion, level)| (emotion.to_string(), serde_json::json!(level))).collect(), as_of: mood.as_of() }
    }
}

/// One-hot face: exactly one value is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Face {
    neutral: u8,
    sad: u8,
    happy: u8,
    angry: u8,
}

impl From<CoreFace> for Face {
    fn from(face: CoreFace) -> Self {
        let one = |name: &str| u8::from(face.as_str() == name);
        Self { neutral: one("neutral"), sad: one("sad"), happy: one("happy"), angry: one("angry") }
    }
}

/// Change of a fact.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FactNews {
    subject: String,
    /// Name of the subject in the reader's language.
    name: String,
    value: String,
    /// `new`, `mentioned`, `superseded`, `ended` or `past`.
    change: String,
    /// Values it replaced or ended.
    before: Vec<String>,
}

/// Result of an exchange.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Observed {
    turns: Vec<Turn>,
    candidates: Vec<Candidate>,
    facts: Vec<FactNews>,
    relationship: Relationship,
    /// Changes of the relationship.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<core::RelationshipChange>,
    mood: Mood,
    face: Face,
    /// Memories the answer used.
    context_used: Vec<String>,
    /// Reason why only keyword search was used, if so.
    #[schema(value_type = Option<String>)]
    degraded: Option<core::Phrase>,
    /// Whether the same exchange was already processed with this idempotency key.
    repeated: bool,
}

impl From<&EngineObserved> for Observed {
    fn from(observed: &EngineObserved) -> Self {
        let news = |news: &saegim_engine::FactNews| FactNews {
            subject: news.subject.clone(),
            name: crate::view::subject_name(&news.subject, crate::http::spoken()),
            value: news.value.clone(),
            change: news.change.to_owned(),
            before: news.before.clone(),
        };
        Self {
            turns: observed.turns.iter().map(Turn::from).collect(),
            candidates: observed.candidates.iter().map(Candidate::from).collect(),
            facts: observed.facts.iter().map(news).collect(),
            relationship: Relationship::of(&observed.relationship, observed.speech_style),
            changes: observed.moved.clone(),
            mood: Mood::from(&observed.mood),
            face: Face::from(observed.face),
            context_used: observed.used.iter().map(ToString::to_string).collect(),
            degraded: observed.degraded.clone(),
            repeated: observed.repeated,
        }
    }
}

/// Section of a context.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Section {
    name: String,
    text: String,
    /// Ids of its memories.
    memory_ids: Vec<String>,
    /// Ids of its memories, facts or messages.
    ids: Vec<String>,
}

/// Context for a model.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Context {
    text: String,
    sections: Vec<Section>,
    /// Approximate number of tokens.
    tokens: usize,
    /// Reason why only keyword search was used, if so.
    #[schema(value_type = Option<String>)]
    degraded: Option<core::Phrase>,
}

impl From<&EngineContext> for Context {
    fn from(context: &EngineContext) -> Self {
        let section = |section: &saegim_engine::Section| Section {
            name: section.name.to_owned(),
            text: section.text.clone(),
            memory_ids: section.memories.iter().map(ToString::to_string).collect(),
            ids: section.ids.clone(),
        };
        Self {
            text: context.text.clone(),
            sections: context.sections.iter().map(section).collect(),
            tokens: context.tokens,
            degraded: context.degraded.clone(),
        }
    }
}
