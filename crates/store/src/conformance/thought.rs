//! Model work: jobs, notes, expenses, and turns without a vector.

use saegim_core::{
    Cause, Change, Commit, Evaluation, Expense, Job, JobKind, Language, MemoryId, Note, NoteKind, Op, Orchestration, OrchestrationId,
    OrchestrationPolicy, OrchestrationStep, PhaseState, Principal, RhythmPhase, RunStatus, SessionId, Span, Spent, Thought, TurnId, Unit,
};

use super::{Backend, START, begin, chance, find, keep, memory, write};
use crate::{OrchestrationPage, StoreError};

fn note(kind: NoteKind, text: &str) -> Change {
    Change::NoteSet(Box::new(Note { kind, text: text.into(), by: "openai/m".into(), at: START, turn: 3 }))
}

fn spent(day: &str, read: u64) -> Change {
    let spent = Spent { requests: 1, read, written: 5 };
    Change::Spent(Box::new(Expense { day: day.into(), thought: Thought::Extract, model: "openai/m".into(), spent }))
}

pub(super) async fn what_waits_for_a_model_reads_back_and_is_done_once(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let turns = vec![TurnId::new(START, chance(1)), TurnId::new(START, chance(2))];
    let read = Job { due_at: Some(START.plus(Span::seconds(600))), ..Job::new(JobKind::Read, turns.clone(), START) };
    let given_up = Job { due_at: None, attempts: 20, cause: Some(Cause::TimedOut), ..Job::new(JobKind::Analyse, Vec::new(), START) };
    let jobs = [&given_up, &read].map(|job| Change::JobSet(Box::new(job.clone()))).to_vec();
    write(&*store, &mind, Op::Observe, jobs).await.expect("jobs are kept");
    assert_eq!(store.jobs(mind.id).await.expect("jobs"), [given_up, read]);
    // Adding the same job again replaces it.
    let anew = Job::new(JobKind::Analyse, Vec::new(), START);
    write(&*store, &mind, Op::Observe, vec![Change::JobSet(Box::new(anew.clone()))]).await.expect("a job is kept");
    assert_eq!(store.jobs(mind.id).await.expect("jobs")[0], anew);
    let done = || vec![Change::JobDone(JobKind::Read, turns.clone())];
    write(&*store, &mind, Op::Observe, done()).await.expect("it is done");
    assert!(matches!(write(&*store, &mind, Op::Observe, done()).await, Err(StoreError::Conflict(_))), "it was done twice");
    assert_eq!(store.jobs(mind.id).await.expect("jobs").len(), 1);
}

pub(super) async fn what_models_use_adds_up_by_day(subject: &impl Backend) {
    let store = subject.open().await;
    let (mine, yours) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    write(&*store, &mine, Op::Think, vec![spent("2026-03-01", 10), spent("2026-03-02", 20), spent("2026-03-02", 1)]).await.expect("spent");
    write(&*store, &yours, Op::Think, vec![spent("2026-03-02", 100)]).await.expect("spent");
    let since = |day: &'static str| async { store.expenses(day).await.expect("expenses") };
    let told: Vec<(String, u64, u64)> =
        since("2026-03-01").await.into_iter().map(|one| (one.day, one.spent.read, one.spent.requests)).collect();
    assert_eq!(told, [("2026-03-02".to_owned(), 121, 3), ("2026-03-01".to_owned(), 10, 1)]);
    assert_eq!(since("2026-03-03").await, []);
}

pub(super) async fn what_models_wrote_goes_with_what_it_was_made_of(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let kept = memory(1, "산책을 좋아한다");
    keep(&*store, &mind, [kept.clone()]).await;
    let notes = || vec![note(NoteKind::Director, "notecanary산책이야기"), note(NoteKind::Profile, "profilecanary산책하는사람")];
    write(&*store, &mind, Op::Think, notes()).await.expect("notes are kept");
    assert_eq!(store.notes(mind.id).await.expect("notes").len(), 2);
    write(&*store, &mind, Op::Withdraw, vec![Change::NotesGone]).await.expect("notes go");
    assert_eq!(store.notes(mind.id).await.expect("notes"), []);
    write(&*store, &mind, Op::Think, notes()).await.expect("notes are kept");
    write(&*store, &mind, Op::Purge, vec![Change::MemoryGone(kept.id)]).await.expect("the memory goes");
    assert_eq!(store.notes(mind.id).await.expect("notes"), [], "a note may tell what is gone");
    write(&*store, &mind, Op::Think, [notes(), vec![spent("2026-03-01", 1)]].concat()).await.expect("notes are kept");
    store.erase(Commit::new(mind.id, START, Principal::Owner, Op::Erase)).await.expect("it is erased");
    let bytes = subject.at_rest();
    assert!(!find(&bytes, b"notecanary") && !find(&bytes, b"profilecanary") && !find(&bytes, "산책이야기".as_bytes()));
    assert_eq!(store.expenses("2026-01-01").await.expect("expenses"), []);
}

fn run(number: u64, prompt: &str, memories: &[MemoryId]) -> Orchestration {
    let half = Unit::clamped(0.5);
    let evaluation = Evaluation { impact: half, transparency: half, reproducibility: half, verifiability: half };
    let step = |(place, memory): (usize, &MemoryId)| OrchestrationStep {
        persona: "thesis".into(),
        depth: 1,
        sequence: place as u32 + 1,
        memory: *memory,
        backend: "rules".into(),
        examples: Vec::new(),
        affect: half,
        freedom: half,
        stability: half,
        rhythm: RhythmPhase::Planning,
        injected: false,
        failed: false,
        evaluation,
        at: START,
    };
    Orchestration {
        id: OrchestrationId::new(START, chance(number)),
        revision: 0,
        session: SessionId::new(format!("sess_{number}")).expect("a name"),
        prompt: Some(prompt.into()),
        language: Language::Korean,
        depth: 1,
        personas: Vec::new(),
        plan: Vec::new(),
        order: Vec::new(),
        sequence_before: 0,
        phase: PhaseState::new(&OrchestrationPolicy::default()),
        steps: memories.iter().enumerate().map(step).collect(),
        cycles: Vec::new(),
        status: RunStatus::Running,
        began_at: START,
        changed_at: START.plus(Span::seconds(number as i64)),
    }
}

fn set(run: &Orchestration) -> Vec<Change> {
    vec![Change::OrchestrationSet(Box::new(run.clone()))]
}

pub(super) async fn a_run_of_personas_continues_from_its_latest_state_only(subject: &impl Backend) {
    let store = subject.open().await;
    let (mind, other) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let kept = memory(1, "정립의 답");
    keep(&*store, &mind, [kept.clone()]).await;
    let (first, second) = (run(1, "runcanary물음", &[kept.id]), run(2, "다음 물음", &[]));
    for run in [&first, &second] {
        write(&*store, &mind, Op::Orchestrate, set(run)).await.expect("a run is kept");
    }
    let page = || OrchestrationPage { limit: 10, ..OrchestrationPage::default() };
    assert_eq!(store.orchestrations(mind.id, page()).await.expect("runs"), [second.clone(), first.clone()]);
    assert_eq!(store.orchestrations(other.id, page()).await.expect("runs"), []);
    assert_eq!(store.orchestration(other.id, first.id).await.expect("a run"), None);
    let done = Orchestration { status: RunStatus::Done, ..second.clone() };
    write(&*store, &mind, Op::Orchestrate, set(&done)).await.expect("a run goes on");
    assert!(matches!(write(&*store, &mind, Op::Orchestrate, set(&done)).await, Err(StoreError::Conflict(_))), "it went on twice");
    let of_session = OrchestrationPage { session: Some(first.session.clone()), ..page() };
    assert_eq!(store.orchestrations(mind.id, of_session).await.expect("runs"), std::slice::from_ref(&first));
    let running = OrchestrationPage { status: Some(RunStatus::Running), ..page() };
    assert_eq!(store.orchestrations(mind.id, running).await.expect("runs"), std::slice::from_ref(&first));
    // A prompt goes with the first of its answers that goes.
    write(&*store, &mind, Op::Purge, vec![Change::MemoryGone(kept.id)]).await.expect("an answer goes");
    assert_eq!(store.orchestration(mind.id, first.id).await.expect("a run").expect("a run").prompt, None);
    store.sweep().await.expect("a sweep");
    assert!(!find(&subject.at_rest(), "runcanary".as_bytes()));
    store.erase(Commit::new(mind.id, START, Principal::Owner, Op::Erase)).await.expect("it is erased");
    assert_eq!(store.orchestrations(mind.id, page()).await.expect("runs"), []);
    assert!(!find(&subject.at_rest(), "다음 물음".as_bytes()));
}
