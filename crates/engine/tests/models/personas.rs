//! Runs of personas, by rules and with a mock model: they learn from earlier runs, adjust their plan, survive interruptions and
//! failing models.

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{
    Evaluation, LedgerEntry, LinkKind, Op, Orchestration, PlanAction, RULES_BACKEND, RhythmPhase, RunStatus, SessionId, Span, Unit,
};
use saegim_engine::{
    Config, Draft, Filter, Format, HostEvaluation, MindHandle, OrchestratedStep, OrchestrationEvent, OrchestrationPage,
    OrchestrationRequest, Page, RunStart, built_in_personas,
};
use saegim_language::RuleThinker;
use saegim_provider::mock_server::Behaviour;

use crate::world::{World, ledger, rested};

fn request(prompt: &str) -> OrchestrationRequest {
    OrchestrationRequest { prompt: prompt.into(), ..OrchestrationRequest::default() }
}

/// Runs the personas and returns the run with its steps.
async fn run(mind: &MindHandle, request: OrchestrationRequest) -> (Orchestration, Vec<OrchestratedStep>) {
    let mut steps = Vec::new();
    let run = mind
        .orchestrate(request, &mut |event| {
            if let OrchestrationEvent::Step(made) = event {
                steps.push(*made);
            }
        })
        .await
        .unwrap();
    (run, steps)
}

async fn by_rules(world: &World) -> MindHandle {
    world.mind(|config| config.thinker = Some(Arc::new(RuleThinker))).await
}

fn entries_of(ledger: &[LedgerEntry], operation: Op) -> Vec<&LedgerEntry> {
    ledger.iter().filter(|entry| entry.operation == operation).collect()
}

#[tokio::test]
async fn a_run_stores_and_uses_memories_by_itself_in_both_languages() {
    for (facts, question, related) in [
        (
            ["베란다에는 오후에 햇빛이 네 시간 든다", "작년에 베란다에 심은 상추는 더위에 실패했다"],
            "베란다에 무엇을 심을까?",
            "베란다에 올해 무엇을 심으면 좋을까?",
        ),
        (
            ["The balcony gets four hours of sun in the afternoon", "Last year the lettuce on the balcony failed in the heat"],
            "What should I grow on the balcony?",
            "What could I grow on the balcony this year?",
        ),
    ] {
        let world = World::with(Behaviour::Well).await;
        let mind = by_rules(&world).await;
        for fact in facts {
            mind.remember(Draft::text(fact)).await.unwrap();
        }
        world.later(Span::hours(1));
        let (first, steps) = run(&mind, request(question)).await;
        assert_eq!(steps.iter().map(|made| made.step.persona.as_str()).collect::<Vec<_>>(), ["thesis", "antithesis", "synthesis"]);
        assert!(steps.iter().all(|made| made.step.examples.is_empty() && made.step.backend == RULES_BACKEND));
        assert!(steps[0].memory.content.contains(facts[0]) && steps[1].memory.content.contains(facts[1]), "{}", steps[1].memory.content);
        assert_eq!((first.status, first.cycles.len(), first.phase.loops), (RunStatus::Done, 1, 1));
        // Every field of the coordinate.
        let at = &steps[2].memory.coordinate;
        assert_eq!((at.session.as_ref(), at.sequence, at.minutes), (Some(&first.session), Some(3), Some(0.0)));
        assert_eq!(
            (at.project.as_deref(), at.domain.as_deref(), at.depth_index),
            (Some("persona_orchestration"), Some("AGI_prototype"), Some(1))
        );
        assert_eq!(
            (at.persona_id.as_deref(), at.persona_role.as_deref(), at.backend.as_deref()),
            (Some("synthesis"), Some("Integrator"), Some("rules"))
        );
        assert!(at.prompt_digest.as_ref().unwrap().contains(question) && at.token_count.unwrap() > 0 && at.priority == Some(1));
        assert_eq!(steps[2].memory.tags, ["orchestration", "synthesis"]);
        assert!(first.session.as_str().starts_with("sess_20260302_1"), "{}", first.session.as_str());
        // Parent and child are linked in both directions.
        let links = mind.show(steps[1].memory.id).await.unwrap().links;
        let ends =
            |kind| links.iter().filter(|link| link.kind == kind && link.from == steps[1].memory.id).map(|link| link.to).collect::<Vec<_>>();
        assert_eq!((ends(LinkKind::Child), ends(LinkKind::Parent)), (vec![steps[0].memory.id], vec![steps[2].memory.id]));
        // The next run uses the answers of this one, each persona its own.
        world.later(Span::hours(1));
        let (second, again) = run(&mind, request(related)).await;
        for (before, after) in steps.iter().zip(&again) {
            let known = second.steps.iter().find(|step| step.memory == after.memory.id).unwrap();
            let own = steps.iter().find(|made| made.step.persona == after.step.persona).unwrap();
            assert_eq!(known.examples, [own.memory.id], "{}", before.step.persona);
            assert!(after.prompt.contains("\nRelevant past examples:\n- Previous input: System instruction: "), "{}", after.prompt);
            let shown: String = own.memory.content.chars().take(200).collect();
            assert!(after.prompt.contains(&format!("  Your response: {shown}")), "{}", after.prompt);
        }
        // The first run named no source and gave no example, so the second was asked for both and is better.
        let actions: Vec<PlanAction> = second.plan_of_start(&ledger(&mind).await);
        assert!(actions.contains(&PlanAction::FactChecking) && actions.contains(&PlanAction::MoreExamples), "{actions:?}");
        let (one, two) = (first.cycles[0].evaluation, second.cycles[0].evaluation);
        assert!(two.verifiability.get() >= 0.6 && one.verifiability.get() < 0.6, "{one:?} {two:?}");
        assert!(two.impact > one.impact, "{one:?} {two:?}");
        assert!(mind.verify_ledger(None).await.is_ok());
    }
}

/// Reads the plan a run started with from the ledger.
trait PlanOfStart {
    fn plan_of_start(&self, ledger: &[LedgerEntry]) -> Vec<PlanAction>;
}

impl PlanOfStart for Orchestration {
    fn plan_of_start(&self, ledger: &[LedgerEntry]) -> Vec<PlanAction> {
        let began = entries_of(ledger, Op::Orchestrate)
            .into_iter()
            .find(|entry| entry.note.as_deref() == Some("began") && entry.things.contains(&saegim_core::Thing::Orchestration(self.id)));
        began.unwrap().plan_adjustment.0.iter().map(|adjustment| adjustment.action).collect()
    }
}

#[tokio::test]
async fn the_ledger_has_coordinate_evaluation_references_and_plan_of_every_step() {
    let world = World::with(Behaviour::Well).await;
    let mind = by_rules(&world).await;
    let (done, steps) = run(&mind, OrchestrationRequest { depth: 2, ..request("여행 계획을 세우자") }).await;
    assert_eq!((steps.len(), done.cycles.len()), (6, 2));
    let told = ledger(&mind).await;
    let answered: Vec<_> =
        entries_of(&told, Op::Orchestrate).into_iter().filter(|entry| entry.note.as_deref() == Some("answered")).collect();
    assert_eq!(answered.len(), 6);
    for (entry, made) in answered.iter().zip(&steps) {
        assert_eq!(entry.memories[0].memory, made.memory.id);
        assert_eq!(entry.coordinate.rhythm_phase, Some(RhythmPhase::Planning));
        assert_eq!(entry.coordinate.persona_id.as_deref(), Some(made.step.persona.as_str()));
        assert_eq!((entry.coordinate.affect, entry.evaluation), (Some(made.step.affect), Some(made.step.evaluation)));
        assert_eq!(entry.session.as_ref(), Some(&done.session));
    }
    // The voices are alike, so one balancing instruction was given and recorded.
    assert!(steps.iter().filter(|made| made.memory.coordinate.phase_injection_applied).count() >= 1 && done.phase.injections >= 1);
    let evaluated = entries_of(&told, Op::Evaluate);
    assert_eq!(evaluated.len(), 2);
    assert_eq!(
        evaluated[0].memories.iter().map(|known| known.memory).collect::<Vec<_>>(),
        steps[..3].iter().map(|made| made.memory.id).collect::<Vec<_>>()
    );
    assert!(evaluated.iter().all(|entry| entry.evaluation.is_some()) && !evaluated[0].plan_adjustment.0.is_empty());
    assert_eq!(answered[3].plan_adjustment, evaluated[0].plan_adjustment, "the second cycle follows the adjusted plan");
}

#[tokio::test]
async fn high_risk_puts_the_antithesis_first_and_integration_the_synthesis() {
    let world = World::with(Behaviour::Well).await;
    let mind = by_rules(&world).await;
    for (question, first, trigger) in [
        ("위험이 크고 돌이킬 수 없는 투자를 해도 될까?", "antithesis", "high_risk"),
        ("Is this high-risk and irreversible move right?", "antithesis", "high_risk"),
        ("지금까지의 의견을 종합해 줘", "synthesis", "rhythm_integration"),
        ("Please combine what we know about walking", "synthesis", "rhythm_integration"),
    ] {
        world.later(Span::hours(1));
        let (done, steps) = run(&mind, request(question)).await;
        assert_eq!(steps[0].step.persona, first, "{question}");
        let told = ledger(&mind).await;
        let recorded = entries_of(&told, Op::Evaluate).last().unwrap().plan_adjustment.0.clone();
        let order = recorded.iter().find(|adjustment| adjustment.action == PlanAction::ReorderPersonaCycle).unwrap();
        assert_eq!((order.trigger.as_str(), order.details.new_order[0].as_str()), (trigger, first), "{question}");
        assert_eq!(done.status, RunStatus::Done);
    }
}

#[tokio::test]
async fn what_a_run_learned_is_visible_in_the_prompt_that_the_next_one_sends() {
    let world = World::with(Behaviour::Well).await;
    let mind = world.mind(|_| ()).await;
    let (first, steps) = run(&mind, request("How should the garden be watered?")).await;
    assert!(steps.iter().all(|made| made.step.backend == "openai/stand-in" && !made.step.failed));
    // The host finds the answers hard to verify: the next run asks for facts.
    let [half, low] = [0.9, 0.4].map(Unit::clamped);
    let evaluation = Evaluation { impact: half, transparency: half, reproducibility: half, verifiability: low };
    let given = HostEvaluation { run: Some(first.id), session: None, evaluation, risk: None };
    let cycle = mind.evaluate_orchestration(given).await.unwrap();
    assert_eq!(cycle.adjustments.iter().map(|adjustment| adjustment.action).collect::<Vec<_>>(), [PlanAction::FactChecking]);
    world.later(Span::hours(1));
    let (_, again) = run(&mind, request("How should the garden be watered in summer?")).await;
    let sent = world.server.last().to_string();
    assert!(sent.contains("Relevant past examples:") && sent.contains("Plan adjustment: Check the facts"), "{sent}");
    let own: String = steps[2].memory.content.chars().take(60).collect();
    assert!(again[2].prompt.contains(&own), "{}", again[2].prompt);
    let told = ledger(&mind).await;
    let judged = entries_of(&told, Op::Evaluate).into_iter().find(|entry| entry.evaluation == Some(evaluation)).unwrap();
    assert_eq!(judged.plan_adjustment.0.len(), 1);
}

#[tokio::test]
async fn every_run_ends_whatever_the_model_does() {
    for behaviour in Behaviour::FAILURES {
        let world = World::with(behaviour).await;
        let world = if behaviour == Behaviour::Silent { world.impatient() } else { world };
        let mind = world.mind(|_| ()).await;
        mind.remember(Draft { importance: Some(Unit::clamped(0.5)), ..Draft::text("정원에는 물이 부족하다") }).await.unwrap();
        let (done, steps) = run(&mind, request("정원에 물을 어떻게 줄까?")).await;
        assert_eq!((done.status, steps.len()), (RunStatus::Done, 3), "{behaviour:?}");
        for made in &steps {
            assert!(made.step.failed && made.memory.coordinate.error_occurred, "{behaviour:?}: {}", made.memory.content);
            assert_eq!(made.step.backend, RULES_BACKEND);
            assert!(made.memory.importance.get() < 0.6, "a failed answer is no example");
        }
        let judges: Vec<_> =
            ledger(&mind).await.into_iter().flat_map(|entry| entry.judges).filter(|judge| judge.instead_of.is_some()).collect();
        assert!(!judges.is_empty() && judges.iter().all(|judge| judge.cause.is_some()), "{behaviour:?}");
        // The next run does not learn from failures.
        world.server.behave(Behaviour::Well);
        rested().await;
        world.later(Span::hours(1));
        let (_, again) = run(&mind, request("정원에 물을 어떻게 줄까?")).await;
        assert!(again.iter().all(|made| made.step.examples.is_empty() && !made.step.failed), "{behaviour:?}");
        assert!(mind.verify_ledger(None).await.is_ok());
    }
}

#[tokio::test]
async fn an_interrupted_run_resumes_where_it_stopped() {
    let world = World::with(Behaviour::Well).await;
    let mind = world.mind(|_| ()).await;
    let server = &world.server;
    let mut heard = 0;
    let mut hear = |event: OrchestrationEvent| {
        if matches!(event, OrchestrationEvent::Step(_)) {
            heard += 1;
            if heard == 2 {
                server.behave(Behaviour::Silent);
            }
        }
    };
    let session = SessionId::new("long").unwrap();
    let asked = OrchestrationRequest { session: Some(session.clone()), depth: 2, ..request("How do we store rain?") };
    let stopped = tokio::time::timeout(Duration::from_secs(2), mind.orchestrate(asked, &mut hear)).await;
    assert!(stopped.is_err(), "the model was to keep silent");
    server.behave(Behaviour::Well);
    rested().await;
    let resume = || OrchestrationRequest { start: RunStart::Resume, ..OrchestrationRequest::default() };
    let (done, steps) = run(&mind, resume()).await;
    assert_eq!((done.session, done.status, done.steps.len(), steps.len()), (session, RunStatus::Done, 6, 4));
    let memories =
        mind.list(&Filter { tags: vec!["orchestration".into()], ..Filter::default() }, Page { limit: 100, before: None }).await.unwrap();
    assert_eq!(memories.len(), 6, "a step was repeated");
    let mut sequences: Vec<_> = memories.iter().filter_map(|memory| memory.coordinate.sequence).collect();
    sequences.sort_unstable();
    assert_eq!(sequences, [1, 2, 3, 4, 5, 6]);
    assert!(mind.orchestrate(resume(), &mut |_| ()).await.is_err(), "nothing is left to resume");
    assert_eq!(mind.orchestration(done.id).await.unwrap().steps.iter().filter(|step| step.memory.is_some()).count(), 6);
}

#[tokio::test]
async fn two_processes_that_resume_the_same_run_store_no_step_twice() {
    let world = World::with(Behaviour::Well).await;
    let (one, other) = (by_rules(&world).await, by_rules(&world).await);
    let both = || async {
        let first = async { one.orchestrate(OrchestrationRequest { depth: 3, ..request("누가 먼저 말할까?") }, &mut |_| ()).await };
        let second = async {
            // The second process finds the run as soon as it is stored.
            loop {
                let resume = OrchestrationRequest { start: RunStart::Resume, ..OrchestrationRequest::default() };
                let waiting = OrchestrationPage { limit: 1, session: None, status: None };
                match other.orchestrate(resume, &mut |_| ()).await {
                    Ok(done) => break Some(done),
                    Err(_) if other.orchestrations(waiting).await.unwrap().first().is_some_and(|run| run.status == RunStatus::Done) => {
                        break None;
                    }
                    Err(_) => tokio::task::yield_now().await,
                }
            }
        };
        tokio::join!(first, second)
    };
    let (first, second) = both().await;
    let done = first.unwrap();
    assert_eq!(done.steps.len(), 9);
    assert!(second.is_none_or(|second| second.steps.len() == 9));
    let memories =
        one.list(&Filter { tags: vec!["orchestration".into()], ..Filter::default() }, Page { limit: 100, before: None }).await.unwrap();
    assert_eq!(memories.len(), 9);
}

#[tokio::test]
async fn a_thousand_answers_have_an_index_and_each_persona_finds_only_its_own() {
    let world = World::with(Behaviour::Well).await;
    let mind = world
        .mind(|config: &mut Config| {
            config.thinker = Some(Arc::new(RuleThinker));
            config.policy.retention.limits = false;
        })
        .await;
    for number in 0..1000 {
        let persona = &built_in_personas()[number % 3];
        let mut draft = Draft {
            importance: Some(Unit::clamped(0.5)),
            tags: vec![persona.id.clone()],
            ..Draft::text(format!("AGI memory answer {number}"))
        };
        draft.coordinate.persona_id = Some(persona.id.clone());
        draft.coordinate.session = Some(SessionId::new(format!("sess_{}", number / 100)).unwrap());
        draft.emotions = Some(saegim_core::Emotions::default());
        mind.remember(draft).await.unwrap();
    }
    let mut index = serde_json::Value::Null;
    mind.export(Format::Coordinates, |piece| {
        if piece.file.as_deref() == Some("index.json") {
            index = serde_json::from_str(&piece.text).unwrap();
        }
        Ok::<_, saegim_engine::EngineError>(())
    })
    .await
    .unwrap();
    assert_eq!(index["total_memories"], 1000);
    assert_eq!(index["persona_index"]["synthesis"].as_array().unwrap().len(), 333);
    assert_eq!(index["importance_index"].as_array().unwrap().len(), 100);
    let filter = Filter { persona: Some("synthesis".into()), least_importance: Some(Unit::clamped(0.5)), ..Filter::default() };
    let query = saegim_engine::Query { limit: 3, filter, ..saegim_engine::Query::text("AGI memory") };
    let found = mind.recall(query).await.unwrap().results;
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|found| found.memory.coordinate.persona_id.as_deref() == Some("synthesis")));
    let own = mind.list(&Filter { tags: vec!["synthesis".into()], ..Filter::default() }, Page { limit: 1000, before: None }).await.unwrap();
    assert!(own.len() == 333 && own.iter().all(|memory| memory.coordinate.persona_id.as_deref() == Some("synthesis")));
}

#[tokio::test]
async fn answers_are_filtered_by_rhythm_and_emotion() {
    let world = World::with(Behaviour::Well).await;
    let mind = by_rules(&world).await;
    run(&mind, request("너무 불안해. 이사 계획을 어떻게 세울까?")).await;
    world.later(Span::hours(1));
    run(&mind, request("What if we lived by the sea?")).await;
    let of = |filter: Filter| {
        let mind = mind.clone();
        async move { mind.list(&filter, Page { limit: 100, before: None }).await.unwrap().len() }
    };
    assert_eq!(of(Filter { rhythm_phase: Some(RhythmPhase::Planning), ..Filter::default() }).await, 3);
    assert_eq!(of(Filter { rhythm_phase: Some(RhythmPhase::Exploration), ..Filter::default() }).await, 3);
    assert_eq!(of(Filter { rhythm_phase: Some(RhythmPhase::Integration), ..Filter::default() }).await, 0);
    let word = mind
        .list(&Filter { rhythm_phase: Some(RhythmPhase::Planning), ..Filter::default() }, Page { limit: 1, before: None })
        .await
        .unwrap();
    let word = word[0].feeling.keywords[0].clone();
    let felt = Filter { emotion_keywords: vec![word, "nothing".into()], ..Filter::default() };
    assert_eq!(of(felt.clone()).await, 3);
    // The index in memory answers like the file.
    let query =
        saegim_engine::Query { limit: 100, filter: felt, depth: saegim_engine::Depth::Everything, ..saegim_engine::Query::text("이사") };
    assert_eq!(mind.recall(query).await.unwrap().results.len(), 3);
}
