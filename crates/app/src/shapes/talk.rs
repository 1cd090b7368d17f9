//! Turns and their results.

use saegim_core::{self as core, Face as CoreFace, SpeechStyle, Timestamp};
use saegim_engine::{Context as EngineContext, Observed as EngineObserved};
use serde::Serialize;
use utoipa::ToSchema;

use super::{candidate_types, fact_categories, levels, roles, styles, verdicts};

/// One message as it was said.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Turn {
    pub(crate) id: String,
    pub(crate) session: String,
    /// Its place in the session, from 1.
    pub(crate) sequence: u32,
    #[schema(schema_with = roles)]
    pub(crate) role: core::Role,
    pub(crate) speaker: Option<String>,
    pub(crate) content: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) at: Timestamp,
    /// The face that went with it.
    pub(crate) face: Option<String>,
    /// The memories the answer was built on.
    pub(crate) injected: Vec<String>,
    /// Since when it no longer belongs to the conversation.
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

/// Something that was judged.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Candidate {
    id: String,
    turn: String,
    content: String,
    #[serde(rename = "type")]
    #[schema(schema_with = candidate_types)]
    candidate_type: core::CandidateType,
    /// The six factors of the score, each 0..=1.
    #[schema(value_type = Object)]
    factors: core::Factors,
    score: f32,
    #[schema(schema_with = verdicts)]
    verdict: core::CandidateVerdict,
    /// Why, in words.
    reason: String,
    /// The memory it became or met.
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

/// Something known about the user.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Fact {
    id: String,
    /// The canonical key.
    subject: String,
    /// What the subject is called, in the reader's language.
    name: String,
    value: String,
    canonical: String,
    #[schema(schema_with = fact_categories)]
    category: core::FactCategory,
    /// Whether it holds now.
    current: bool,
    /// Whether a subject has one value at a time.
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
    /// The turns it was said in.
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

/// How character and user stand to each other.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Relationship {
    trust: f32,
    affection: f32,
    respect: f32,
    rivalry: f32,
    familiarity: f32,
    /// 0..=100, from the five axes.
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

/// What the character feels.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Mood {
    /// How strongly each emotion is felt, 0..=1; those not felt are left out.
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

/// The one-hot face: exactly one 1.
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

/// What is new about a fact.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FactNews {
    subject: String,
    /// What the subject is called, in the reader's language.
    name: String,
    value: String,
    /// `new`, `mentioned`, `superseded`, `ended` or `past`.
    change: String,
    /// The values it took the place of or ended.
    before: Vec<String>,
}

/// What came of an exchange.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Observed {
    turns: Vec<Turn>,
    candidates: Vec<Candidate>,
    facts: Vec<FactNews>,
    relationship: Relationship,
    /// What moved the relationship.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<core::RelationshipChange>,
    mood: Mood,
    face: Face,
    /// The memories the answer really used.
    context_used: Vec<String>,
    /// Why only words were searched, when they were.
    #[schema(value_type = Option<String>)]
    degraded: Option<core::Phrase>,
    /// Whether the same exchange had been taken before under its key.
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

/// One section of a context.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Section {
    name: String,
    text: String,
    /// The memories among what its lines tell of.
    memory_ids: Vec<String>,
    /// What its lines tell of: memories, facts or turns.
    ids: Vec<String>,
}

/// What would be given to a model.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Context {
    text: String,
    sections: Vec<Section>,
    /// About how many tokens the text has.
    tokens: usize,
    /// Why only words were searched, when they were.
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
