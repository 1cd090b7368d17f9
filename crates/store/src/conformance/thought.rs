//! Model work: jobs, notes, expenses, and turns without a vector.

use saegim_core::{Cause, Change, Commit, Expense, Job, JobKind, Note, NoteKind, Op, Principal, Span, Spent, Thought, TurnId};

use super::{Backend, START, begin, chance, find, keep, memory, write};
use crate::StoreError;

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
