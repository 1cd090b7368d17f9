//! The self: islands, beliefs, proposals and imaginations.

use saegim_core::{self as core, Language, Timestamp, shortest};
use saegim_engine::Decision;
use serde::Serialize;
use utoipa::ToSchema;

use super::words::*;

fn told<T: ToString>(ids: &[T]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

/// Island: an aspect of the personality, founded on core memories.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Island {
    id: String,
    name: String,
    emoji: String,
    /// Description.
    description: String,
    /// Founding memories.
    founding: Vec<String>,
    /// New core memories on its theme, collected while it has no founding memory.
    rebuilding: Vec<String>,
    #[schema(schema_with = island_statuses)]
    status: core::IslandStatus,
    #[schema(value_type = String, format = DateTime)]
    status_since: Timestamp,
    /// Strength, 0..=1.
    strength: f32,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Time when the island collapses if no founding memory is restored.
    #[schema(value_type = Option<String>, format = DateTime)]
    collapses_at: Option<Timestamp>,
    /// Whether its traits are part of the context now.
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

/// Belief of the character about itself: "I am someone who ...".
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Belief {
    /// Id; stays the same when the belief is reworded.
    id: String,
    statement: String,
    /// Confidence, 0..=1.
    confidence: f32,
    /// Supporting memories.
    supporting: Vec<String>,
    /// Id of its island.
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

/// Version of the self.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SelfVersion {
    /// Version number, from 1.
    version: u64,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    #[schema(schema_with = self_reasons)]
    reason: core::SelfReason,
    /// Proposal it came from.
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

/// Line of a diff.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DiffLine {
    /// `-` for a removed line, `+` for an added line, a space for an unchanged line.
    #[schema(value_type = String, min_length = 1, max_length = 1)]
    sign: char,
    text: String,
}

/// Converts a diff.
pub(crate) fn lines(diff: Vec<core::DiffLine>) -> Vec<DiffLine> {
    diff.into_iter().map(|line| DiffLine { sign: line.sign, text: line.text }).collect()
}

/// Proposal: a change that is pending or decided.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Proposal {
    id: String,
    #[schema(schema_with = proposal_kinds)]
    kind: core::ProposalKind,
    #[schema(schema_with = proposal_statuses)]
    status: core::ProposalStatus,
    /// Digest that an approval or rejection must repeat.
    #[schema(value_type = String)]
    digest: core::Hash,
    /// Exact change.
    #[schema(value_type = Object)]
    change: core::Proposed,
    /// Change as a diff.
    diff: Vec<DiffLine>,
    /// Reasons in the reader's language.
    reasons: Vec<String>,
    /// Supporting memories.
    evidence: Vec<String>,
    #[schema(schema_with = principals)]
    made_by: core::Principal,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Time it lapses.
    #[schema(value_type = String, format = DateTime)]
    lapses_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
    /// Resulting memory.
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

/// Result of a decision on a proposal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Answer {
    proposal: Proposal,
    /// New version of the self.
    version: Option<u64>,
    /// Messages for the owner.
    told: Vec<String>,
}

impl Answer {
    pub(crate) fn of(decided: &Decision, language: Language) -> Self {
        Self {
            proposal: Proposal::of(&decided.proposal, language),
            version: decided.version,
            told: decided.told.iter().map(|told| told.in_language(language)).collect(),
        }
    }
}

/// Imagination of the character. Never a fact.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Imagination {
    id: String,
    #[schema(schema_with = triggers)]
    trigger: core::Trigger,
    /// Theme.
    theme: String,
    /// Source memories.
    memories: Vec<String>,
    /// Imagined text; empty once its source memories are deleted.
    scenario: String,
    /// Action the character could take.
    action: Option<String>,
    #[schema(schema_with = emotion_list)]
    emotions: core::Emotions,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Memory that stores it.
    memory: Option<String>,
    /// Whether it was liked; null without feedback.
    liked: Option<bool>,
    /// Whether missing feedback was counted as ignored.
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

/// Weight of a trigger or theme for imaginations.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Weight {
    /// The trigger, for a trigger's weight.
    #[schema(schema_with = maybe_triggers)]
    trigger: Option<core::Trigger>,
    /// Theme, if it is the weight of a theme.
    theme: Option<String>,
    /// Weight; 1 without feedback.
    #[schema(value_type = f64)]
    weight: serde_json::Value,
}

impl From<&core::Weight> for Weight {
    fn from(weight: &core::Weight) -> Self {
        Self { trigger: weight.trigger, theme: weight.theme.clone(), weight: serde_json::json!(shortest(weight.weight)) }
    }
}
