//! The self: islands, beliefs, proposals and imaginations.

use saegim_core::{self as core, Language, Timestamp, shortest};
use saegim_engine::Decided;
use serde::Serialize;
use utoipa::ToSchema;

use super::words::*;

fn told<T: ToString>(ids: &[T]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

/// A side of the personality founded on core memories.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Island {
    id: String,
    name: String,
    emoji: String,
    /// What it means.
    description: String,
    /// The memories it was founded on.
    founding: Vec<String>,
    /// New core memories on its theme, gathered while it has no ground.
    rebuilding: Vec<String>,
    #[schema(schema_with = island_statuses)]
    status: core::IslandStatus,
    #[schema(value_type = String, format = DateTime)]
    status_since: Timestamp,
    /// How strong it is, 0..=1.
    strength: f32,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// When it falls, if nothing comes back.
    #[schema(value_type = Option<String>, format = DateTime)]
    collapses_at: Option<Timestamp>,
    /// Whether its traits belong to the character now.
    in_context: bool,
}

impl Island {
    pub(crate) fn of(island: &core::Island, policy: &core::IslandPolicy) -> Self {
        Self {
            id: island.id.to_string(),
            name: island.name.clone(),
            emoji: island.emoji.clone(),
            description: island.description.clone(),
            founding: told(&island.founding),
            rebuilding: told(&island.rebuilding),
            status: island.status,
            status_since: island.status_since,
            strength: island.strength.get(),
            made_at: island.made_at,
            collapses_at: island.collapses_at(policy),
            in_context: island.status.shows(),
        }
    }
}

/// "I am someone who ...".
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Belief {
    /// It stays through rewordings.
    id: String,
    statement: String,
    /// How sure it is, 0..=1.
    confidence: f32,
    /// The memories it rests on.
    supporting: Vec<String>,
    /// The island it belongs to.
    island: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    formed_at: Timestamp,
}

impl Belief {
    /// Converts a belief, with the island it is assigned to or belongs to.
    pub(crate) fn of(belief: &core::Belief, islands: &[core::Island]) -> Self {
        Self {
            id: belief.id.to_string(),
            statement: belief.statement.clone(),
            confidence: belief.confidence.get(),
            supporting: told(&belief.supporting),
            island: belief.island_among(islands).map(|island| island.id).or(belief.island).map(|id| id.to_string()),
            formed_at: belief.formed_at,
        }
    }
}

/// The self as it was from a moment on.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SelfVersion {
    /// Its number, from 1.
    version: u64,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    #[schema(schema_with = self_reasons)]
    reason: core::SelfReason,
    /// The proposal it came of.
    proposal: Option<String>,
    beliefs: Vec<Belief>,
}

impl SelfVersion {
    pub(crate) fn of(version: &core::SelfVersion, islands: &[core::Island]) -> Self {
        Self {
            version: version.version,
            made_at: version.made_at,
            reason: version.reason,
            proposal: version.proposal.map(|id| id.to_string()),
            beliefs: version.beliefs.iter().map(|belief| Belief::of(belief, islands)).collect(),
        }
    }
}

/// One line of a diff.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DiffLine {
    /// `-` for what goes, `+` for what comes, a blank for what stays.
    #[schema(value_type = String, min_length = 1, max_length = 1)]
    sign: char,
    text: String,
}

/// Converts a diff.
pub(crate) fn lines(diff: Vec<core::DiffLine>) -> Vec<DiffLine> {
    diff.into_iter().map(|line| DiffLine { sign: line.sign, text: line.text }).collect()
}

/// A change that waits for the owner's word, or had it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Proposal {
    id: String,
    #[schema(schema_with = proposal_kinds)]
    kind: core::ProposalKind,
    #[schema(schema_with = proposal_statuses)]
    status: core::ProposalStatus,
    /// What a yes or no is bound to.
    #[schema(value_type = String)]
    digest: core::Hash,
    /// The exact change.
    #[schema(value_type = Object)]
    change: core::Proposed,
    /// The change, before and after.
    diff: Vec<DiffLine>,
    /// Why, in the reader's language.
    reasons: Vec<String>,
    /// The memories that speak for it.
    evidence: Vec<String>,
    #[schema(schema_with = principals)]
    made_by: core::Principal,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Until when it waits.
    #[schema(value_type = String, format = DateTime)]
    lapses_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
    /// The memory that came of it.
    memory: Option<String>,
}

impl Proposal {
    pub(crate) fn of(proposal: &core::Proposal, language: Language) -> Self {
        Self {
            id: proposal.id.to_string(),
            kind: proposal.kind,
            status: proposal.status,
            digest: proposal.digest,
            change: proposal.change.clone(),
            diff: lines(crate::view::diff(&proposal.change, language)),
            reasons: proposal.reasons.iter().map(|reason| reason.in_language(language).to_owned()).collect(),
            evidence: told(&proposal.evidence),
            made_by: proposal.made_by,
            made_at: proposal.made_at,
            lapses_at: proposal.lapses_at,
            decided_at: proposal.decided_at,
            memory: proposal.made_memory.map(|id| id.to_string()),
        }
    }
}

/// What came of the owner's word.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Answer {
    proposal: Proposal,
    /// The version of the self it made.
    version: Option<u64>,
    /// What the owner should know now.
    told: Vec<String>,
}

impl Answer {
    pub(crate) fn of(decided: &Decided, language: Language) -> Self {
        Self {
            proposal: Proposal::of(&decided.proposal, language),
            version: decided.version,
            told: decided.told.iter().map(|told| told.in_language(language).to_owned()).collect(),
        }
    }
}

/// Something the character thought of by itself. Never a fact.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Imagination {
    id: String,
    #[schema(schema_with = triggers)]
    trigger: core::Trigger,
    /// What it turns around.
    theme: String,
    /// The memories it was made of.
    memories: Vec<String>,
    /// What was imagined; empty once what it was made of is gone.
    scenario: String,
    /// What the character could do.
    action: Option<String>,
    #[schema(schema_with = emotion_list)]
    emotions: core::Emotions,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The memory it is kept as.
    memory: Option<String>,
    /// Whether it was liked; nothing when nobody said.
    liked: Option<bool>,
    /// Whether its silence was counted as being ignored.
    ignored: bool,
}

impl From<&core::Imagination> for Imagination {
    fn from(imagination: &core::Imagination) -> Self {
        Self {
            id: imagination.id.to_string(),
            trigger: imagination.trigger,
            theme: imagination.theme.clone(),
            memories: told(&imagination.memories),
            scenario: imagination.scenario.clone(),
            action: imagination.action.clone(),
            emotions: imagination.emotions,
            at: imagination.at,
            memory: imagination.memory.map(|id| id.to_string()),
            liked: imagination.liked,
            ignored: imagination.ignored,
        }
    }
}

/// How much a trigger or a theme is worth imagining.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Weight {
    /// The trigger, for a trigger's weight.
    #[schema(schema_with = maybe_triggers)]
    trigger: Option<core::Trigger>,
    /// The theme, for a theme's weight.
    theme: Option<String>,
    /// One for what nobody said anything about.
    #[schema(value_type = f64)]
    weight: serde_json::Value,
}

impl From<&core::Weight> for Weight {
    fn from(weight: &core::Weight) -> Self {
        Self { trigger: weight.trigger, theme: weight.theme.clone(), weight: serde_json::json!(shortest(weight.weight)) }
    }
}
