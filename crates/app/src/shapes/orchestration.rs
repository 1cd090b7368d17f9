//! Runs of personas.

use saegim_core::{self as core, Timestamp};
use saegim_engine::{ShownOrchestration, ShownStep};
use serde::Serialize;
use utoipa::ToSchema;

/// Scores of answers, 0..=1.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Scores {
    impact: f32,
    transparency: f32,
    reproducibility: f32,
    verifiability: f32,
}

impl From<core::Evaluation> for Scores {
    fn from(evaluation: core::Evaluation) -> Self {
        Self {
            impact: evaluation.impact.get(),
            transparency: evaluation.transparency.get(),
            reproducibility: evaluation.reproducibility.get(),
            verifiability: evaluation.verifiability.get(),
        }
    }
}

/// Adjustment of the plan.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlanChange {
    /// Reason: low_verifiability, low_impact, high_risk or rhythm_integration.
    trigger: String,
    /// Change: fact_checking, more_examples or reorder_persona_cycle.
    action: String,
    /// New order of the personas, if it changes.
    new_order: Vec<String>,
}

impl From<&core::PlanAdjustment> for PlanChange {
    fn from(adjustment: &core::PlanAdjustment) -> Self {
        Self {
            trigger: adjustment.trigger.to_string(),
            action: adjustment.action.to_string(),
            new_order: adjustment.details.new_order.clone(),
        }
    }
}

/// Evaluated cycle.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Cycle {
    /// Depth, from 1.
    depth: u32,
    evaluation: Scores,
    /// What evaluated: rules, or the host.
    by: String,
    /// Adjustments for the next cycle or run.
    adjustments: Vec<PlanChange>,
}

impl From<&core::EvaluatedCycle> for Cycle {
    fn from(cycle: &core::EvaluatedCycle) -> Self {
        Self {
            depth: cycle.depth,
            evaluation: cycle.evaluation.into(),
            by: cycle.by.clone(),
            adjustments: cycle.adjustments.iter().map(Into::into).collect(),
        }
    }
}

/// Rhythm state of a run.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Rhythm {
    /// How far the voices differ in feeling, 0..=1.
    affect: f32,
    /// Room within the affect window, 0..=1.
    freedom: f32,
    /// How little the last answer moved the affect, 0..=1.
    stability: f32,
    /// Number of completed cycles.
    loops: u32,
    /// Number of balancing instructions given.
    injections: u32,
}

impl From<&core::PhaseState> for Rhythm {
    fn from(phase: &core::PhaseState) -> Self {
        Self {
            affect: phase.affect.get(),
            freedom: phase.freedom.get(),
            stability: phase.stability.get(),
            loops: phase.loops,
            injections: phase.injections,
        }
    }
}

/// Voice of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Voice {
    id: String,
    name: String,
    role: String,
    /// assert, oppose or join.
    stance: String,
    backend: String,
}

impl Voice {
    pub(crate) fn of(persona: &core::Persona, language: core::Language) -> Self {
        Self {
            id: persona.id.clone(),
            name: persona.name_in(language).to_owned(),
            role: persona.role.clone(),
            stance: persona.stance.to_string(),
            backend: persona.backend.clone(),
        }
    }
}

/// Answer of a persona.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PersonaStep {
    persona: String,
    depth: u32,
    /// Position in the session.
    sequence: u32,
    /// Memory of the answer.
    memory_id: String,
    /// The answer; null after it was forgotten.
    content: Option<String>,
    /// What answered: rules, or the id of a model.
    backend: String,
    /// Past answers that were examples in the prompt.
    examples: Vec<String>,
    affect: f32,
    freedom: f32,
    stability: f32,
    /// integration, reflection, planning or exploration.
    rhythm_phase: String,
    /// Whether the prompt had a balancing instruction.
    phase_injection_applied: bool,
    /// Whether the model failed and rules answered.
    error_occurred: bool,
    evaluation: Scores,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The prompt; only while the run is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
}

impl PersonaStep {
    pub(crate) fn of(step: &core::OrchestrationStep, content: Option<&str>) -> Self {
        Self {
            persona: step.persona.clone(),
            depth: step.depth,
            sequence: step.sequence,
            memory_id: step.memory.to_string(),
            content: content.map(str::to_owned),
            backend: step.backend.clone(),
            examples: step.examples.iter().map(ToString::to_string).collect(),
            affect: step.affect.get(),
            freedom: step.freedom.get(),
            stability: step.stability.get(),
            rhythm_phase: step.rhythm.to_string(),
            phase_injection_applied: step.injected,
            error_occurred: step.failed,
            evaluation: step.evaluation.into(),
            at: step.at,
            prompt: None,
        }
    }

    /// Adds the prompt of a step that was just made.
    pub(crate) fn with_prompt(self, prompt: &str) -> Self {
        Self { prompt: Some(prompt.to_owned()), ..self }
    }
}

impl From<&ShownStep> for PersonaStep {
    fn from(shown: &ShownStep) -> Self {
        Self::of(&shown.step, shown.memory.as_ref().map(|memory| memory.content.as_str()))
    }
}

/// Run of personas over a prompt.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct OrchestrationRun {
    id: String,
    session: String,
    /// The prompt; null after one of the answers was deleted permanently.
    prompt: Option<String>,
    depth: u32,
    /// running or done.
    status: String,
    personas: Vec<Voice>,
    /// Order of the current cycle.
    order: Vec<String>,
    /// Adjustments in force.
    plan: Vec<PlanChange>,
    phase: Rhythm,
    cycles: Vec<Cycle>,
    /// Number of stored steps.
    step_count: usize,
    #[schema(value_type = String, format = DateTime)]
    began_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
}

impl From<&core::Orchestration> for OrchestrationRun {
    fn from(run: &core::Orchestration) -> Self {
        Self {
            id: run.id.to_string(),
            session: run.session.as_str().to_owned(),
            prompt: run.prompt.clone(),
            depth: run.depth,
            status: run.status.to_string(),
            personas: run.personas.iter().map(|persona| Voice::of(persona, run.language)).collect(),
            order: run.order.clone(),
            plan: run.plan.iter().map(Into::into).collect(),
            phase: (&run.phase).into(),
            cycles: run.cycles.iter().map(Into::into).collect(),
            step_count: run.steps.len(),
            began_at: run.began_at,
            changed_at: run.changed_at,
        }
    }
}

/// Run with its answers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct OrchestrationDetails {
    #[serde(flatten)]
    run: OrchestrationRun,
    /// Steps in order.
    steps: Vec<PersonaStep>,
}

impl From<&ShownOrchestration> for OrchestrationDetails {
    fn from(shown: &ShownOrchestration) -> Self {
        Self { run: (&shown.run).into(), steps: shown.steps.iter().map(Into::into).collect() }
    }
}
