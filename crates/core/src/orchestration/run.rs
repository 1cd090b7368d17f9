//! The durable record of a run: enough to resume it after a crash and to read it again. The answers are memories; the record holds
//! their ids, so that a deleted answer leaves no copy here.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{
    Evaluation, Language, MemoryId, OrchestrationId, Persona, PhaseState, PlanAdjustment, RhythmPhase, SessionId, Timestamp, Unit,
};

word_enum! {
    /// State of a run.
    RunStatus "run_status" {
        /// Steps remain.
        Running = "running",
        /// Every step is stored and every cycle evaluated.
        Done = "done",
    }
}

/// One answer of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrchestrationStep {
    /// Persona that answered.
    pub persona: String,
    /// Depth of the cycle, from 1.
    pub depth: u32,
    /// Position in the run, from 1.
    pub sequence: u32,
    /// The answer.
    pub memory: MemoryId,
    /// What answered.
    pub backend: String,
    /// Past examples in the prompt.
    pub examples: Vec<MemoryId>,
    /// Affect amplitude after the answer.
    pub affect: Unit,
    /// Freedom after the answer.
    pub freedom: Unit,
    /// Stability after the answer.
    pub stability: Unit,
    /// Rhythm phase.
    pub rhythm: RhythmPhase,
    /// Whether the prompt had a balancing instruction.
    pub injected: bool,
    /// Whether the model failed and rules answered.
    pub failed: bool,
    /// Evaluation of this answer alone.
    pub evaluation: Evaluation,
    /// Time.
    pub at: Timestamp,
}

/// One evaluated cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatedCycle {
    /// Depth of the cycle, from 1.
    pub depth: u32,
    /// Evaluation of its answers.
    pub evaluation: Evaluation,
    /// What evaluated: `rules`, the id of a model, or `host`.
    pub by: String,
    /// Adjustments that follow for the next cycle or run.
    pub adjustments: Vec<PlanAdjustment>,
}

/// A run of a cycle of personas over a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orchestration {
    /// Id.
    pub id: OrchestrationId,
    /// Revision number; a change names the revision it is based on.
    pub revision: u32,
    /// Session.
    pub session: SessionId,
    /// The prompt; `None` after one of the answers was deleted permanently.
    pub prompt: Option<String>,
    /// Language of the prompt.
    pub language: Language,
    /// Number of cycles.
    pub depth: u32,
    /// The personas, in the default order of the cycle.
    pub personas: Vec<Persona>,
    /// Adjustments in force.
    pub plan: Vec<PlanAdjustment>,
    /// Order of the current cycle.
    pub order: Vec<String>,
    /// Sequence in the session before the first answer.
    pub sequence_before: u32,
    /// Rhythm state.
    pub phase: PhaseState,
    /// Answers so far.
    pub steps: Vec<OrchestrationStep>,
    /// Evaluated cycles.
    pub cycles: Vec<EvaluatedCycle>,
    /// State.
    pub status: RunStatus,
    /// Start.
    pub began_at: Timestamp,
    /// Last change.
    pub changed_at: Timestamp,
}

/// What a run does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextMove {
    /// This persona answers, at this depth.
    Answer(String, u32),
    /// The cycle of this depth is evaluated.
    Evaluate(u32),
    /// Nothing: it is complete.
    Finished,
}

impl Orchestration {
    /// Returns what comes next. It depends on the recorded state alone, so a resumed run repeats nothing and leaves nothing out.
    pub fn next_move(&self) -> NextMove {
        let voices = self.personas.len().max(1);
        let (complete, within) = (self.steps.len() / voices, self.steps.len() % voices);
        if complete > self.cycles.len() {
            return NextMove::Evaluate(self.cycles.len() as u32 + 1);
        }
        if complete as u32 >= self.depth {
            return NextMove::Finished;
        }
        match self.order.get(within) {
            Some(persona) => NextMove::Answer(persona.clone(), complete as u32 + 1),
            None => NextMove::Finished,
        }
    }

    /// Returns the persona with this id.
    pub fn persona(&self, id: &str) -> Option<&Persona> {
        self.personas.iter().find(|persona| persona.id == id)
    }

    /// Returns the adjustments that the next run takes over: those after its last cycle.
    pub fn carries_over(&self) -> &[PlanAdjustment] {
        self.cycles.last().map_or(&[], |cycle| &cycle.adjustments)
    }
}
