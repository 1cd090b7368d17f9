//! The ledger: an append-only, hash-chained record of every event in a mind. It contains ids and salted hashes but never
//! remembered text, so it can be kept indefinitely.

use serde::{Deserialize, Serialize};

use crate::{
    BeliefId, Coordinate, Deed, Emotions, GrantId, Hash, ImaginationId, IslandId, Judge, Memory, MemoryId, MindId, Op, OrchestrationId,
    PlanAdjustments, Principal, ProposalId, SessionId, Timestamp, Unit, WebhookId,
};

/// Reference from an entry to a memory, with a salted hash of its content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerRef {
    /// The memory.
    pub memory: MemoryId,
    /// Salted hash of its content at the end of the operation.
    pub digest: Hash,
}

impl LedgerRef {
    /// Creates a reference to `memory` in its current state.
    pub fn to(memory: &Memory, salt: &[u8; 32]) -> Self {
        Self { memory: memory.id, digest: Hash::salted(salt, &memory.content) }
    }
}

/// Reference from an entry to another object, by id only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    /// An island.
    Island(IslandId),
    /// A belief.
    Belief(BeliefId),
    /// A version of the self.
    Version(u64),
    /// A proposal.
    Proposal(ProposalId),
    /// An imagination.
    Imagination(ImaginationId),
    /// A grant.
    Grant(GrantId),
    /// A webhook.
    Webhook(WebhookId),
    /// A run of personas.
    Orchestration(OrchestrationId),
    /// An action that was attempted.
    Deed(Deed),
}

/// Evaluation of an operation; each value is 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Impact.
    pub impact: Unit,
    /// Transparency.
    pub transparency: Unit,
    /// Reproducibility.
    pub reproducibility: Unit,
    /// Verifiability.
    pub verifiability: Unit,
}

/// Position of an operation in time, space, agent, emotion and rhythm, without content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LedgerCoordinate {
    /// Position in the session.
    pub sequence: Option<u32>,
    /// Current project.
    pub project: Option<String>,
    /// Domain of work or life.
    pub domain: Option<String>,
    /// Persona that acted.
    pub persona_id: Option<String>,
    /// Emotions.
    pub emotions: Emotions,
    /// Rhythm phase of the dialogue.
    pub rhythm_phase: Option<crate::RhythmPhase>,
    /// Affect amplitude of a dialogue between personas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affect: Option<Unit>,
    /// Priority, 1..=4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
}

impl LedgerCoordinate {
    /// Returns the part of a memory's coordinate that the ledger may store.
    pub fn of(coordinate: &Coordinate, emotions: Emotions) -> Self {
        Self {
            sequence: coordinate.sequence,
            project: coordinate.project.clone(),
            domain: coordinate.domain.clone(),
            persona_id: coordinate.persona_id.clone(),
            emotions,
            rhythm_phase: coordinate.rhythm_phase,
            affect: None,
            priority: None,
        }
    }
}

/// One entry, linked to the previous one by its hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Mind it belongs to.
    pub mind: MindId,
    /// Position in the chain, starting at 1.
    pub sequence: u64,
    /// Time of the event.
    pub at: Timestamp,
    /// Session.
    pub session: Option<SessionId>,
    /// Principal that acted.
    pub principal: Principal,
    /// Operation.
    pub operation: Op,
    /// Human-readable reason. Never contains remembered text.
    pub note: Option<String>,
    /// Coordinate.
    pub coordinate: LedgerCoordinate,
    /// Memories it refers to.
    pub memories: Vec<LedgerRef>,
    /// Evaluation, if one was made.
    pub evaluation: Option<Evaluation>,
    /// Adjustments of the plan.
    #[serde(default)]
    pub plan_adjustment: PlanAdjustments,
    /// Other objects it refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<Thing>,
    /// Memories that the operation recalled and used, if recall was not the operation itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<MemoryId>,
    /// Number of occurrences, if several equal events are recorded as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// Models that judged, if models were used. Decisions by rules alone are not listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<Judge>,
    /// Hash of the previous entry.
    pub previous: Hash,
}

impl LedgerEntry {
    /// Returns the entry without anything that a person named. What happened, when, by whom and to which ids stays.
    #[must_use]
    pub fn without_names(self) -> Self {
        let LedgerCoordinate { sequence, emotions, rhythm_phase, .. } = self.coordinate;
        let coordinate = LedgerCoordinate { sequence, emotions, rhythm_phase, ..LedgerCoordinate::default() };
        Self { session: None, plan_adjustment: crate::PlanAdjustments::default(), coordinate, ..self }
    }

    /// Returns the stored form of the entry and its hash, computed over every field including `previous`.
    pub fn sealed(&self) -> (String, Hash) {
        let text = serde_json::to_string(self).expect("an entry is plain data");
        let hash = Hash::of(text.as_bytes());
        (text, hash)
    }

    /// Returns the entry's hash.
    pub fn hash(&self) -> Hash {
        self.sealed().1
    }
}
