//! Due work: claiming minds for maintenance, upcoming events of memories, and webhooks with new entries.

use saegim_core::{
    Change, CliffPolicy, CliffReason, Commit, Fall, MindId, Op, Principal, Raised, Reach, SigningSecret, Span, Tier, Webhook, WebhookId,
};

use super::{Backend, START, begin, chance, keep, memory, write};
use crate::{DueSearch, MaintenanceRecord, Pending};

/// Returns a search at `now` for at most ten results, with a lease of one minute.
fn at(now: saegim_core::Timestamp) -> DueSearch {
    DueSearch { now, beyond: now.plus(Span::days(400)), ahead: now.plus(Span::days(2)), until: now.plus(Span::seconds(60)), limit: 10 }
}

pub(super) async fn a_mind_is_given_to_one_worker_at_a_time(subject: &impl Backend) {
    let (one, two) = (subject.open().await, subject.open().await);
    let (mine, yours) = (begin(&*one, "minsu").await, begin(&*one, "jiwoo").await);
    let due = async |mind: &saegim_core::Mind, due_at| {
        let head = one.head(mind.id).await.expect("its head");
        one.record_maintenance(mind.id, MaintenanceRecord { at: START, new_day: true, due_at, head }).await
    };
    let soon = START.plus(Span::seconds(10));
    due(&mine, Some(soon)).await.expect("it is due soon");
    due(&yours, None).await.expect("it is never due");
    let ids = |minds: Vec<saegim_core::Mind>| minds.into_iter().map(|mind| mind.id).collect::<Vec<MindId>>();
    assert_eq!(ids(one.claim_due(at(START)).await.expect("claims")), [], "neither is due yet");
    keep(&*one, &yours, [memory(1, "비가 온다")]).await;
    let first = ids(one.claim_due(at(START)).await.expect("claims"));
    assert_eq!(first, [yours.id], "something was written, so somebody has to look");
    assert_eq!(ids(one.claim_due(at(soon)).await.expect("claims")), [mine.id]);
    assert_eq!(ids(two.claim_due(at(soon)).await.expect("claims")), [], "it is in other hands");
    let later = soon.plus(Span::seconds(61));
    assert_eq!(ids(two.claim_due(at(later)).await.expect("claims")).len(), 2, "whoever held them is lost");
    // An implausible due date counts as due now, and an implausible lease is ignored.
    due(&mine, Some(START.plus(Span::days(4_000)))).await.expect("a wrong clock");
    assert!(ids(one.claim_due(at(later)).await.expect("claims")).contains(&mine.id));
    due(&mine, None).await.expect("it is never due");
    let ahead =
        MaintenanceRecord { at: START.plus(Span::days(30)), new_day: true, due_at: None, head: one.head(mine.id).await.expect("its head") };
    one.record_maintenance(mine.id, ahead).await.expect("a clock that was ahead");
    assert!(ids(one.claim_due(at(later)).await.expect("claims")).contains(&mine.id), "nobody has looked at it yet");
    assert_eq!(ids(one.claim_due(DueSearch { limit: 0, ..at(later) }).await.expect("claims")), []);
}

pub(super) async fn a_mind_that_is_not_due_for_long_is_once_something_is_written(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let (month, now) = (START.plus(Span::days(31)), async || store.mind_by_id(mind.id).await.expect("reads").expect("it began"));
    let head = store.head(mind.id).await.expect("its head");
    let cared = MaintenanceRecord { at: START.minus(Span::days(9)), new_day: true, due_at: Some(month), head };
    store.record_maintenance(mind.id, cared).await.expect("looked after");
    assert_eq!((now().await.ticked_at, now().await.care_due_at), (Some(cared.at), Some(month)));
    store.raised(mind.id, Tier::M30, START).await.expect("a step of the calendar");
    assert_eq!(now().await.raised, Raised { m30: Some(START), m90: None });
    assert_eq!(store.head(mind.id).await.expect("its head"), head, "a look is in no ledger");
    // A write of today must not count for rounds that passed since the last maintenance run.
    keep(&*store, &mind, [memory(1, "비가 온다")]).await;
    assert_eq!((now().await.quiet_until, now().await.care_due_at), (Some(START), Some(START)));
    // It was written during the maintenance run, which has not seen it.
    store.record_maintenance(mind.id, MaintenanceRecord { at: START, ..cared }).await.expect("looked after");
    assert_eq!(now().await.care_due_at, Some(START));
    // An overdue mind must catch up on its rounds, independent of new writes.
    let head = store.head(mind.id).await.expect("its head");
    let overdue = MaintenanceRecord { at: START.minus(Span::days(9)), due_at: Some(START.minus(Span::days(2))), head, ..cared };
    store.record_maintenance(mind.id, overdue).await.expect("looked after");
    keep(&*store, &mind, [memory(2, "눈이 온다")]).await;
    assert_eq!(
        (now().await.walked_until(START), now().await.care_due_at),
        (START, overdue.due_at),
        "it was quiet until the first was written"
    );
}

pub(super) async fn a_mind_tells_what_awaits_its_memories(subject: &impl Backend) {
    let store = subject.open().await;
    let (mind, other) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    assert_eq!(store.pending(mind.id).await.expect("pending"), Pending::default());
    let ending = |number, days| {
        let mut memory = memory(number, "곧 끝난다");
        memory.expires_at = Some(START.plus(Span::days(days)));
        memory
    };
    let mut held = ending(1, 3);
    held.pinned = true;
    let mut lasting = memory(2, "핵심 기억");
    (lasting.tier, lasting.expires_at) = (Tier::M0, None);
    keep(&*store, &mind, [held.clone(), lasting]).await;
    let pending = store.pending(mind.id).await.expect("pending");
    assert_eq!((pending.passing, pending.ends_at, pending.gone), (true, None, None), "what is held fast does not end");
    let first = ending(3, 5);
    keep(&*store, &mind, [ending(4, 9), first.clone()]).await;
    assert_eq!(store.pending(mind.id).await.expect("pending").ends_at, first.expires_at);
    let fall = Fall { reason: CliffReason::Expired, at: START, note: "its term ran out".into() };
    let (fallen, entry) = first.to_cliff(fall, &CliffPolicy::default());
    let gone_at = entry.gone_at;
    write(&*store, &mind, Op::Expire, vec![Change::CliffEntered(Box::new(fallen), entry)]).await.expect("it falls");
    let pending = store.pending(mind.id).await.expect("pending");
    assert_eq!((pending.ends_at, pending.gone), (Some(START.plus(Span::days(9))), Some((gone_at, gone_at))));
    assert_eq!(store.pending(other.id).await.expect("pending"), Pending::default(), "another mind's memories are none of its business");
}

pub(super) async fn a_clock_is_followed_and_what_a_wrong_one_wrote_is_found(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    keep(&*store, &mind, [memory(1, "비가 온다")]).await;
    let at = async |at, change| {
        let mut commit = Commit::new(mind.id, at, Principal::Owner, Op::Remember);
        commit.changes.push(change);
        store.commit(commit).await.expect("it is written");
    };
    let (ahead, now, behind) = (START.plus(Span::days(3650)), START.plus(Span::days(1)), START.minus(Span::days(3650)));
    let (mut late, early) = (memory(2, "눈이 온다"), memory(3, "바람이 분다"));
    late.created_at = ahead;
    at(ahead, Change::MemoryAdded(Box::new(late.clone()))).await;
    assert!(store.course(mind.id).await.expect("its course").astray.is_nothing(), "it may have slept");
    let course = store.showed(mind.id, now).await.expect("its course");
    assert_eq!((course.latest, course.astray.ahead), (Some(now), Some(START)));
    assert_eq!(store.course(mind.id).await.expect("its course"), course);
    let found = store.dated_ahead(mind.id, now).await.expect("what is dated ahead");
    assert_eq!(found.iter().map(|memory| memory.id).collect::<Vec<_>>(), [late.id]);
    at(behind, Change::MemoryAdded(Box::new(early.clone()))).await;
    let found = store.misdated(mind.id).await.expect("what is dated behind");
    assert_eq!(found.iter().map(|found| (found.memory.id, found.known_at)).collect::<Vec<_>>(), [(early.id, now)]);
    at(now, Change::ClockSetRight { from: Some(START), now }).await;
    let course = store.course(mind.id).await.expect("its course");
    assert!(course.astray.is_nothing() && !course.is_behind());
    assert_eq!(store.misdated(mind.id).await.expect("what is dated behind"), []);
}

fn webhook(number: u64, after: u64) -> Webhook {
    Webhook {
        id: WebhookId::new(START, chance(number)),
        url: "https://hookcanary.example.org/a?b=c".into(),
        reach: Reach::Public,
        secret: SigningSecret::from_bytes([0xa7; 32]),
        made_at: START,
        after,
        attempts: 0,
        due_at: START,
        failing_since: None,
        problem: None,
        ended_at: None,
    }
}

pub(super) async fn a_webhook_is_told_by_one_teller_at_a_time_and_goes_with_its_mind(subject: &impl Backend) {
    let (one, two) = (subject.open().await, subject.open().await);
    let (mind, other) = (begin(&*one, "minsu").await, begin(&*one, "jiwoo").await);
    let set = |webhook: &Webhook| write(&*one, &mind, Op::Grant, vec![Change::WebhookSet(Box::new(webhook.clone()))]);
    let hook = Webhook { reach: Reach::Everywhere, ..webhook(1, 1) };
    let receipt = set(&hook).await.expect("it is kept");
    assert_eq!(one.webhooks(mind.id).await.expect("webhooks"), std::slice::from_ref(&hook), "it reads back as it was written");
    assert_eq!(one.webhooks(other.id).await.expect("webhooks"), []);
    assert_eq!(one.claim_webhooks(at(START)).await.expect("claims"), [(mind.id, hook.clone())]);
    assert_eq!(two.claim_webhooks(at(START)).await.expect("claims"), [], "it is in other hands");
    let later = START.plus(Span::seconds(61));
    assert_eq!(two.claim_webhooks(at(later)).await.expect("claims").len(), 1, "whoever held it is lost");
    // A delivered entry is not delivered again, and a worker with an expired lease cannot move the cursor back.
    let told = hook.clone().told(receipt.sequence, later);
    one.webhook_advanced(mind.id, told.clone()).await.expect("it went on");
    two.webhook_advanced(mind.id, Webhook { after: 0, ..told.clone() }).await.expect("it went on");
    assert_eq!(one.webhooks(mind.id).await.expect("webhooks"), std::slice::from_ref(&told));
    assert_eq!(one.claim_webhooks(at(later)).await.expect("claims"), [], "there is nothing new");
    keep(&*one, &mind, [memory(1, "새로운 일")]).await;
    assert_eq!(one.claim_webhooks(at(later)).await.expect("claims").len(), 1);
    // An ended webhook stays ended, even if a worker still reports progress.
    let ended = Webhook { ended_at: Some(later), ..told };
    set(&ended).await.expect("it ends");
    one.webhook_advanced(mind.id, hook.failed("late".into(), None, later)).await.expect("nothing happens");
    assert_eq!(one.webhooks(mind.id).await.expect("webhooks"), [ended]);
    assert_eq!(one.claim_webhooks(at(later.plus(Span::days(1)))).await.expect("claims"), []);
    let commit = saegim_core::Commit::new(mind.id, later, saegim_core::Principal::Owner, Op::Erase);
    drop(two);
    assert!(one.erase(commit).await.expect("it is erased").swept);
    let rest = subject.at_rest();
    assert!(!rest.windows(10).any(|window| window == b"hookcanary") && !rest.windows(32).any(|window| window == [0xa7; 32]));
}
