//! Evaluates cycles, by rules or by the host, and adjusts the plan.

use saegim_core::{
    AnswerSigns, BqiPlace, Change, CycleOutcome, Deed, EvaluatedCycle, Evaluation, LedgerCoordinate, LedgerRef, Memory, Op, Orchestration,
    OrchestrationId, PlanAdjustments, RULES_BACKEND, RunStatus, SessionId, Thing, Unit, adjustments, bqi, cycle_order, evaluated, phrase,
};
use saegim_language::{AnswerInContext, answer_signs, bqi_cues};
use saegim_store::OrchestrationPage;

use super::Orchestrator;
use super::run::{DOMAIN, OrchestrationEvent, PROJECT};
use crate::EngineError;
use crate::engine::retrying;

/// What evaluated a cycle on behalf of the host.
const HOST: &str = "host";

/// An evaluation by the host.
#[derive(Clone, Debug, PartialEq)]
pub struct HostEvaluation {
    /// The run; by default the latest one, of the session if it is given.
    pub run: Option<OrchestrationId>,
    /// Session of the run.
    pub session: Option<SessionId>,
    /// The scores.
    pub evaluation: Evaluation,
    /// Risk of the question, if the host knows better than the cues.
    pub risk: Option<Unit>,
}

impl Orchestrator<'_> {
    /// Evaluates a complete cycle of a run by rules and adjusts the plan of the next one.
    pub(super) async fn evaluate_cycle(
        &self,
        run: &Orchestration,
        depth: u32,
    ) -> Result<(Orchestration, Vec<OrchestrationEvent>), EngineError> {
        let answers = self.answers(run).await?;
        let evaluation = evaluated(&self.signs_of(run, &answers, depth).await?, &self.mind.policy().orchestration);
        let cycle = self.cycle(run, EvaluatedCycle { depth, evaluation, by: RULES_BACKEND.to_owned(), adjustments: Vec::new() }, None);
        let mut next = run.clone();
        next.phase = run.phase.clone().looped();
        next.plan.clone_from(&cycle.adjustments);
        next.order = cycle_order(&next.plan, &run.personas);
        next.cycles.push(cycle.clone());
        if depth >= run.depth {
            next.status = RunStatus::Done;
        }
        self.write_evaluation(&mut next, &cycle, &answers).await?;
        Ok((next, vec![OrchestrationEvent::Adjustment(Box::new(cycle))]))
    }

    /// Counts the evidence in the answers of one cycle.
    async fn signs_of(&self, run: &Orchestration, answers: &[Memory], depth: u32) -> Result<AnswerSigns, EngineError> {
        let mut signs = AnswerSigns::default();
        for (place, step) in run.steps.iter().enumerate().filter(|(_, step)| step.depth == depth) {
            let text = |id| answers.iter().find(|memory| memory.id == id).map(|memory| memory.content.as_str());
            let Some(answer) = text(step.memory) else { continue };
            let earlier: Vec<&str> = run.steps[..place].iter().filter_map(|step| text(step.memory)).collect();
            let examples = self.mind.store().memories(self.mind.id, &step.examples).await?;
            let examples: Vec<&str> = examples.iter().map(|memory| memory.content.as_str()).collect();
            signs.add(answer_signs(&AnswerInContext { answer, earlier: &earlier, examples: &examples }));
        }
        Ok(signs)
    }

    /// Completes an evaluation with the adjustments that follow from it.
    fn cycle(&self, run: &Orchestration, cycle: EvaluatedCycle, risk: Option<Unit>) -> EvaluatedCycle {
        let policy = &self.mind.policy().orchestration;
        let prompt = run.prompt.as_deref().unwrap_or_default();
        let asked = bqi(bqi_cues(prompt, ""), BqiPlace { time: self.mind.now(), space: DOMAIN, agent: "" }, policy);
        let outcome = CycleOutcome {
            evaluation: Some(&cycle.evaluation),
            risk: risk.unwrap_or(asked.risk),
            rhythm: asked.rhythm_phase,
            personas: &run.personas,
        };
        EvaluatedCycle { adjustments: adjustments(&outcome, policy), ..cycle }
    }

    async fn write_evaluation(&self, next: &mut Orchestration, cycle: &EvaluatedCycle, answers: &[Memory]) -> Result<(), EngineError> {
        next.changed_at = self.mind.now();
        let of_it: Vec<_> = next.steps.iter().filter(|step| step.depth == cycle.depth).map(|step| step.memory).collect();
        let mut commit = self.mind.commit(Op::Evaluate, &[]).about(Thing::Orchestration(next.id));
        commit.memories =
            answers.iter().filter(|memory| of_it.contains(&memory.id)).map(|memory| LedgerRef::to(memory, self.mind.salt())).collect();
        commit.session = Some(next.session.clone());
        commit.coordinate = LedgerCoordinate {
            project: Some(PROJECT.into()),
            domain: Some(DOMAIN.into()),
            rhythm_phase: next.steps.last().map(|step| step.rhythm),
            affect: Some(next.phase.affect),
            ..LedgerCoordinate::default()
        };
        commit.evaluation = Some(cycle.evaluation);
        commit.plan_adjustment = PlanAdjustments(cycle.adjustments.clone());
        commit.changes.push(Change::OrchestrationSet(Box::new(next.clone())));
        self.mind.write(commit).await?;
        next.revision += 1;
        Ok(())
    }

    pub(crate) async fn evaluate_by_host(&self, given: HostEvaluation) -> Result<EvaluatedCycle, EngineError> {
        self.mind.may(Deed::Orchestrate).await?;
        retrying(|| async {
            let mut run = match given.run {
                Some(id) => self.run(id).await?,
                None => {
                    let page = OrchestrationPage { limit: 1, session: given.session.clone(), status: Some(RunStatus::Done) };
                    let latest = self.mind.store().orchestrations(self.mind.id, page).await?.pop();
                    latest.ok_or_else(|| EngineError::NotFound(phrase!("engine.orchestrate.nothing_to_evaluate")))?
                }
            };
            let Some(last) = run.cycles.last() else {
                return Err(EngineError::NotFound(phrase!("engine.orchestrate.nothing_to_evaluate")));
            };
            let judged = EvaluatedCycle { depth: last.depth, evaluation: given.evaluation, by: HOST.to_owned(), adjustments: Vec::new() };
            let cycle = self.cycle(&run, judged, given.risk);
            let answers = self.answers(&run).await?;
            run.cycles.pop();
            run.cycles.push(cycle.clone());
            if run.status == RunStatus::Running {
                run.plan.clone_from(&cycle.adjustments);
                // A cycle that has begun keeps its order.
                if run.steps.len() % run.personas.len().max(1) == 0 {
                    run.order = cycle_order(&run.plan, &run.personas);
                }
            }
            self.write_evaluation(&mut run, &cycle, &answers).await?;
            Ok(cycle)
        })
        .await
    }
}
