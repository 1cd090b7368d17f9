//! Starts, continues and shows runs.

use saegim_core::{
    BqiPlace, Change, CycleOutcome, Deed, EvaluatedCycle, Invalid, Language, LedgerCoordinate, Memory, MemoryId, MemoryState, NextMove, Op,
    Orchestration, OrchestrationId, OrchestrationStep, Persona, PhaseState, PlanAction, PlanAdjustment, PlanAdjustments, RunStatus,
    SessionId, Thing, Turn, adjustments, bqi, cycle_order, phrase,
};
use saegim_language::bqi_cues;
use saegim_store::OrchestrationPage;

use super::Orchestrator;
use super::registry::built_in_personas;
use crate::EngineError;
use crate::access::grants::meant;

/// Project of every answer.
pub(super) const PROJECT: &str = "persona_orchestration";

/// Domain of every answer.
pub(super) const DOMAIN: &str = "AGI_prototype";

/// Number of runs that digits are resolved among.
const RESOLVED: usize = 1000;

/// Whether to start a run or to continue one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunStart {
    /// Starts a new run.
    #[default]
    New,
    /// Continues the latest interrupted run that matches the request.
    Resume,
}

/// What to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrchestrationRequest {
    /// The prompt. May be empty when a run is continued.
    pub prompt: String,
    /// Number of cycles; 0 means 1.
    pub depth: u32,
    /// Session; by default a new one is named after the time.
    pub session: Option<SessionId>,
    /// Personas; the built-in ones by default. A continued run keeps its own.
    pub personas: Option<Vec<Persona>>,
    /// Whether to start or to continue.
    pub start: RunStart,
}

/// A stored step with what it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct OrchestratedStep {
    /// Record of the step.
    pub step: OrchestrationStep,
    /// The answer as a memory.
    pub memory: Memory,
    /// The prompt.
    pub prompt: String,
}

/// Progress of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum OrchestrationEvent {
    /// The run was started or continued; its earlier steps are already stored.
    Began(Box<Orchestration>),
    /// A step was stored.
    Step(Box<OrchestratedStep>),
    /// The phase after a step.
    Phase(PhaseState),
    /// A cycle was evaluated, and the plan was adjusted.
    Adjustment(Box<EvaluatedCycle>),
    /// The run is complete.
    Done(Box<Orchestration>),
}

/// A step of a run that is read again.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownStep {
    /// Record of the step.
    pub step: OrchestrationStep,
    /// The answer, unless it was forgotten.
    pub memory: Option<Memory>,
}

/// A run with its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownOrchestration {
    /// The run.
    pub run: Orchestration,
    /// Its steps in order.
    pub steps: Vec<ShownStep>,
}

impl Orchestrator<'_> {
    pub(crate) async fn orchestrate(
        &self,
        request: OrchestrationRequest,
        hear: &mut (dyn FnMut(OrchestrationEvent) + Send),
    ) -> Result<Orchestration, EngineError> {
        self.mind.may(Deed::Orchestrate).await?;
        let mut run = match request.start {
            RunStart::New => self.begin(request).await?,
            RunStart::Resume => self.interrupted(&request).await?,
        };
        hear(OrchestrationEvent::Began(Box::new(run.clone())));
        loop {
            let made = match run.next_move() {
                NextMove::Answer(persona, depth) => self.step(&run, &persona, depth).await,
                NextMove::Evaluate(depth) => self.evaluate_cycle(&run, depth).await,
                NextMove::Finished => break,
            };
            let (next, events) = match made {
                Ok(made) => made,
                // Another process continued the run; its step stands, and this one's is dropped.
                Err(EngineError::Conflict(_)) if self.moved_on(&run).await? => {
                    run = self.run(run.id).await?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            run = next;
            events.into_iter().for_each(&mut *hear);
        }
        hear(OrchestrationEvent::Done(Box::new(run.clone())));
        Ok(run)
    }

    /// Whether the stored run is ahead of this copy.
    async fn moved_on(&self, run: &Orchestration) -> Result<bool, EngineError> {
        Ok(self.run(run.id).await?.revision != run.revision)
    }

    async fn begin(&self, request: OrchestrationRequest) -> Result<Orchestration, EngineError> {
        let prompt = Turn::said(&request.prompt).map_err(|invalid| Invalid::new("prompt", invalid.problem))?;
        let (now, policy) = (self.mind.now(), &self.mind.policy().orchestration);
        let depth = request.depth.max(1);
        if depth > policy.deepest {
            return Err(Invalid::new("depth", phrase!("engine.orchestrate.too_deep", most = policy.deepest)).into());
        }
        let personas = request.personas.unwrap_or_else(built_in_personas);
        self.check_backends(&personas)?;
        let session = match request.session {
            Some(session) => session,
            None => SessionId::new(now.civil(&jiff::tz::TimeZone::UTC).strftime("sess_%Y%m%d_%H%M%S").to_string())?,
        };
        let known = self.mind.store().session(self.mind.id, &session).await?;
        let place = BqiPlace { time: now, space: DOMAIN, agent: "" };
        let asked = bqi(bqi_cues(&prompt, ""), place, policy);
        let carried = self.carried_over().await?;
        let outcome = CycleOutcome { evaluation: None, risk: asked.risk, rhythm: asked.rhythm_phase, personas: &personas };
        let plan = merged(carried, adjustments(&outcome, policy));
        let run = Orchestration {
            id: OrchestrationId::new(now, self.mind.inner.config.dice.chance()),
            revision: 0,
            session,
            language: Language::of(&prompt),
            prompt: Some(prompt),
            depth,
            order: cycle_order(&plan, &personas),
            personas,
            plan,
            sequence_before: known.map_or(0, |session| session.last_sequence),
            phase: PhaseState::new(policy),
            steps: Vec::new(),
            cycles: Vec::new(),
            status: RunStatus::Running,
            began_at: now,
            changed_at: now,
        };
        let mut commit = self.mind.commit(Op::Orchestrate, &[]).because("began").about(Thing::Orchestration(run.id));
        commit.session = Some(run.session.clone());
        commit.coordinate = LedgerCoordinate {
            project: Some(PROJECT.into()),
            domain: Some(DOMAIN.into()),
            rhythm_phase: Some(asked.rhythm_phase),
            affect: Some(run.phase.affect),
            priority: Some(asked.priority),
            ..LedgerCoordinate::default()
        };
        commit.plan_adjustment = PlanAdjustments(run.plan.clone());
        commit.changes.push(Change::OrchestrationSet(Box::new(run.clone())));
        self.mind.write(commit).await?;
        Ok(run)
    }

    /// Returns the adjustments that the latest evaluated run leaves for the next one.
    async fn carried_over(&self) -> Result<Vec<PlanAdjustment>, EngineError> {
        let page = OrchestrationPage { limit: 20, ..OrchestrationPage::default() };
        let runs = self.mind.store().orchestrations(self.mind.id, page).await?;
        Ok(runs.iter().find(|run| !run.cycles.is_empty()).map(|run| run.carries_over().to_vec()).unwrap_or_default())
    }

    fn check_backends(&self, personas: &[Persona]) -> Result<(), EngineError> {
        let mut ids: Vec<&str> = personas.iter().map(|persona| persona.id.as_str()).collect();
        ids.sort_unstable();
        if ids.is_empty() || ids.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Invalid::new("personas", phrase!("engine.orchestrate.personas_form")).into());
        }
        for persona in personas {
            Persona::check_id(&persona.id)?;
            let known = [saegim_core::RULES_BACKEND, saegim_core::DEFAULT_BACKEND].contains(&persona.backend.as_str())
                || self.mind.inner.config.models.contains_key(&persona.backend);
            if !known {
                return Err(Invalid::new("backend", phrase!("engine.registry.unknown_backend", name = persona.backend)).into());
            }
        }
        Ok(())
    }

    /// Returns the latest interrupted run with this session and prompt, as far as they are given.
    async fn interrupted(&self, request: &OrchestrationRequest) -> Result<Orchestration, EngineError> {
        let page = OrchestrationPage { limit: RESOLVED, session: request.session.clone(), status: Some(RunStatus::Running) };
        let runs = self.mind.store().orchestrations(self.mind.id, page).await?;
        let prompt = request.prompt.trim();
        let fits = |run: &Orchestration| match &run.prompt {
            Some(asked) => prompt.is_empty() || asked == prompt,
            None => false,
        };
        runs.into_iter().find(fits).ok_or_else(|| EngineError::NotFound(phrase!("engine.orchestrate.nothing_to_resume")))
    }

    /// Returns the current state of a run.
    pub(super) async fn run(&self, id: OrchestrationId) -> Result<Orchestration, EngineError> {
        let found = self.mind.store().orchestration(self.mind.id, id).await?;
        found.ok_or_else(|| EngineError::NotFound(phrase!("engine.orchestrate.not_found")))
    }

    pub(crate) async fn runs(&self, page: OrchestrationPage) -> Result<Vec<Orchestration>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().orchestrations(self.mind.id, page).await?)
    }

    pub(crate) async fn show(&self, id: OrchestrationId) -> Result<ShownOrchestration, EngineError> {
        self.mind.may(Deed::Read).await?;
        let run = self.run(id).await?;
        let answers = self.answers(&run).await?;
        let steps = run.steps.iter().map(|step| {
            let memory = answers.iter().find(|memory| memory.id == step.memory && memory.standing == MemoryState::Alive);
            ShownStep { step: step.clone(), memory: memory.cloned() }
        });
        Ok(ShownOrchestration { steps: steps.collect(), run })
    }

    /// Returns the answers of a run that are still stored, in order.
    pub(super) async fn answers(&self, run: &Orchestration) -> Result<Vec<Memory>, EngineError> {
        let ids: Vec<MemoryId> = run.steps.iter().map(|step| step.memory).collect();
        let mut memories = self.mind.store().memories(self.mind.id, &ids).await?;
        memories.sort_by_key(|memory| ids.iter().position(|id| *id == memory.id));
        Ok(memories)
    }

    pub(crate) async fn resolve(&self, text: &str) -> Result<OrchestrationId, EngineError> {
        if let Ok(id) = OrchestrationId::parse(text.trim()) {
            return Ok(id);
        }
        let page = OrchestrationPage { limit: RESOLVED, ..OrchestrationPage::default() };
        let ids: Vec<OrchestrationId> = self.runs(page).await?.iter().map(|run| run.id).collect();
        meant(&ids, text, || phrase!("engine.orchestrate.no_match", digits = text))
    }
}

/// Joins the adjustments of the last run with those of the new question. A new order replaces the old one.
fn merged(carried: Vec<PlanAdjustment>, own: Vec<PlanAdjustment>) -> Vec<PlanAdjustment> {
    let reorders = own.iter().any(|adjustment| adjustment.action == PlanAction::ReorderPersonaCycle);
    let mut plan: Vec<PlanAdjustment> =
        carried.into_iter().filter(|adjustment| !reorders || adjustment.action != PlanAction::ReorderPersonaCycle).collect();
    plan.extend(own);
    plan
}
