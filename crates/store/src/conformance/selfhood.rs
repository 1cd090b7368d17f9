//! The self: islands, versions, proposals, grants, imaginations.

use saegim_core::{
    Belief, BeliefChange, BeliefId, CandidateId, Change, Commit, Emotion, Emotions, Grant, GrantId, GrantScope, Imagination, ImaginationId,
    Island, IslandId, IslandStatus, LedgerRef, MemoryId, Op, Principal, Proposal, ProposalId, ProposalKind, ProposalStatus, Proposed,
    Reason, Rejection, SelfReason, SelfVersion, Span, Thing, Timestamp, Trigger, Unit, Weight,
};

use super::{Backend, START, begin, chance, find, keep, memory, write};
use crate::{ProposalPage, StoreError, Waiting};

fn island(number: u64, name: &str, founding: Vec<MemoryId>) -> Island {
    Island {
        id: IslandId::new(START, chance(number)),
        revision: 0,
        name: name.into(),
        emoji: "🏠".into(),
        description: format!("{name} 이야기"),
        founding,
        rebuilding: Vec::new(),
        status: IslandStatus::Active,
        status_since: START,
        strength: Unit::clamped(0.5),
        made_at: START.plus(Span::seconds(number as i64)),
    }
}

fn belief(number: u64, statement: &str, supporting: Vec<MemoryId>) -> Belief {
    Belief {
        id: BeliefId::new(START, chance(number)),
        statement: statement.into(),
        confidence: Unit::clamped(0.75),
        supporting,
        island: Some(IslandId::new(START, chance(1))),
        formed_at: START,
    }
}

fn version(number: u64, beliefs: Vec<Belief>) -> SelfVersion {
    let proposal = (number > 1).then(|| ProposalId::new(START, chance(number)));
    SelfVersion { version: number, made_at: START.plus(Span::days(number as i64)), reason: SelfReason::Approved, proposal, beliefs }
}

fn proposal(number: u64, change: Proposed, evidence: Vec<MemoryId>) -> Proposal {
    Proposal {
        id: ProposalId::new(START, chance(number)),
        revision: 0,
        kind: ProposalKind::Belief,
        subject: format!("subject {number}"),
        digest: change.digest(&[7; 32]),
        change,
        reasons: vec![Reason { en: "because".into(), ko: "왜냐하면".into() }],
        evidence,
        recalls: 3,
        made_by: Principal::Worker,
        made_at: START.plus(Span::seconds(number as i64)),
        lapses_at: START.plus(Span::days(30)),
        status: ProposalStatus::Pending,
        decided_at: None,
        made_memory: None,
    }
}

fn imagination(number: u64, scenario: &str, memories: Vec<MemoryId>) -> Imagination {
    Imagination {
        id: ImaginationId::new(START, chance(number)),
        trigger: Trigger::Idle,
        theme: "people".into(),
        memories,
        scenario: scenario.into(),
        action: Some(format!("{scenario}!")),
        emotions: Emotions::mix([Emotion::Joy]),
        at: START.plus(Span::seconds(number as i64)),
        memory: None,
        liked: None,
        ignored: false,
    }
}

/// Returns a complete self in which every text is `word`.
fn whole(word: &str, ids: &[MemoryId]) -> Vec<Change> {
    let held = belief(1, word, ids.to_vec());
    let grant = Grant {
        id: GrantId::new(START, chance(1)),
        scope: GrantScope::Read,
        reason: word.into(),
        made_at: START,
        ends_at: START.plus(Span::days(1)),
        revoked_at: None,
    };
    vec![
        Change::IslandSet(Box::new(island(1, word, ids.to_vec()))),
        Change::SelfVersioned(Box::new(version(1, vec![held.clone()]))),
        Change::BeliefRejected(Box::new(Rejection { subject: format!("statement:{word}"), evidence: ids.to_vec(), times: 2, at: START })),
        Change::ProposalSet(Box::new(proposal(1, Proposed::Beliefs { changes: vec![BeliefChange::Added { belief: held }] }, ids.to_vec()))),
        Change::GrantSet(Box::new(grant)),
        Change::ImaginationSet(Box::new(imagination(1, word, ids.to_vec()))),
        Change::WeightSet(Weight { trigger: None, theme: Some(word.into()), weight: 1.25 }),
    ]
}

const ALL: ProposalPage = ProposalPage { limit: 100, status: None };

pub(super) async fn the_self_reads_back_as_it_was_written(subject: &impl Backend) {
    let store = subject.open().await;
    let (mind, other) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let (one, two) = (memory(1, "이름을 지어줬다"), memory(2, "괜찮다고 했다"));
    keep(&*store, &mind, [one.clone(), two.clone()]).await;
    let ids = vec![two.id, one.id];
    write(&*store, &mind, Op::Approve, whole("나는 소중하다", &ids)).await.expect("a self is kept");
    let store = subject.open().await;
    assert_eq!(store.islands(mind.id).await.expect("islands"), [island(1, "나는 소중하다", ids.clone())]);
    let first = version(1, vec![belief(1, "나는 소중하다", ids.clone())]);
    assert_eq!(store.current_self(mind.id).await.expect("a self"), Some(first.clone()));
    let second = version(2, vec![belief(2, "나는 괜찮다", vec![one.id]), belief(1, "나는 소중한 존재다", ids.clone())]);
    write(&*store, &mind, Op::Approve, vec![Change::SelfVersioned(Box::new(second.clone()))]).await.expect("a version");
    assert_eq!(store.self_versions(mind.id).await.expect("versions"), [first, second.clone()]);
    assert_eq!(store.current_self(mind.id).await.expect("a self"), Some(second));
    let rejections = store.rejections(mind.id).await.expect("rejections");
    assert_eq!((rejections.len(), rejections[0].times, rejections[0].evidence.len()), (1, 2, 2));
    let kept = store.proposals(mind.id, ALL).await.expect("proposals");
    assert_eq!(store.proposal(mind.id, kept[0].id).await.expect("a proposal").as_ref(), kept.first());
    assert_eq!((kept[0].evidence.clone(), kept[0].reasons[0].ko.as_str(), kept[0].revision), (ids.clone(), "왜냐하면", 0));
    assert_eq!(store.grants(mind.id).await.expect("grants")[0].reason, "나는 소중하다");
    let mut imagined = store.imaginations(mind.id, 10).await.expect("imaginations");
    assert_eq!(imagined, [imagination(1, "나는 소중하다", ids)]);
    imagined[0].liked = Some(false);
    write(&*store, &mind, Op::Feedback, vec![Change::ImaginationSet(Box::new(imagined[0].clone()))]).await.expect("feedback");
    assert_eq!(store.imaginations(mind.id, 10).await.expect("imaginations"), imagined);
    let weight = Weight { trigger: Some(Trigger::Idle), theme: None, weight: 0.8 };
    write(&*store, &mind, Op::Feedback, vec![Change::WeightSet(weight.clone())]).await.expect("a weight");
    assert!(store.weights(mind.id).await.expect("weights").contains(&weight));
    // The other mind sees none of it.
    assert!(
        store.islands(other.id).await.expect("islands").is_empty() && store.proposals(other.id, ALL).await.expect("proposals").is_empty()
    );
    assert!(
        store.current_self(other.id).await.expect("a self").is_none() && store.imaginations(other.id, 9).await.expect("none").is_empty()
    );
    assert!(store.grants(other.id).await.expect("grants").is_empty() && store.weights(other.id).await.expect("weights").is_empty());
    // The same ids may exist in another mind, for example after importing a bundle twice.
    write(&*store, &other, Op::Import, whole("나는 소중하다", &[])).await.expect("the same self elsewhere");
    write(&*store, &mind, Op::Island, vec![Change::IslandGone(IslandId::new(START, chance(1)))]).await.expect("an island goes");
    assert!(store.islands(mind.id).await.expect("islands").is_empty() && !store.islands(other.id).await.expect("islands").is_empty());
}

pub(super) async fn a_stale_word_about_the_self_is_refused(subject: &impl Backend) {
    let (store, other) = (subject.open().await, subject.open().await);
    let mind = begin(&*store, "minsu").await;
    let first = island(1, "유대", Vec::new());
    let asked = proposal(1, Proposed::Held { candidate: CandidateId::new(START, chance(1)), content: "잊어".into() }, Vec::new());
    write(&*store, &mind, Op::Propose, vec![Change::IslandSet(Box::new(first.clone())), Change::ProposalSet(Box::new(asked.clone()))])
        .await
        .expect("both are kept");
    let renamed = Change::IslandSet(Box::new(Island { name: "인연".into(), ..first.clone() }));
    write(&*store, &mind, Op::Island, vec![renamed.clone()]).await.expect("the first is quicker");
    assert!(matches!(write(&*other, &mind, Op::Island, vec![renamed]).await, Err(StoreError::Conflict(_))));
    let approved = |revision| Change::ProposalSet(Box::new(Proposal { status: ProposalStatus::Approved, revision, ..asked.clone() }));
    write(&*store, &mind, Op::Approve, vec![approved(0)]).await.expect("a yes");
    assert!(matches!(write(&*other, &mind, Op::Approve, vec![approved(0)]).await, Err(StoreError::Conflict(_))), "a yes is not said twice");
    // Two proposals with the same subject cannot both be pending.
    let again = |number| {
        let asked = Proposal { subject: "one".into(), ..proposal(number, Proposed::Gone, Vec::new()) };
        vec![Change::ProposalSet(Box::new(asked))]
    };
    assert_eq!(store.waiting(mind.id).await.expect("nothing waits"), Waiting::default());
    write(&*store, &mind, Op::Propose, again(5)).await.expect("the first waits");
    let waiting = ProposalPage { limit: 9, status: Some(ProposalStatus::Pending) };
    let waits = store.proposals(mind.id, waiting).await.expect("what waits");
    assert_eq!(waits.iter().map(|waits| waits.subject.as_str()).collect::<Vec<_>>(), ["one"], "what was decided does not wait");
    let doubt = Proposal {
        kind: ProposalKind::FactEnd,
        lapses_at: waits[0].lapses_at.plus(Span::days(1)),
        ..proposal(7, Proposed::Gone, Vec::new())
    };
    let first = Waiting { lapses_at: Some(waits[0].lapses_at), doubts: false };
    assert_eq!(store.waiting(mind.id).await.expect("what waits"), first);
    write(&*store, &mind, Op::Propose, vec![Change::ProposalSet(Box::new(doubt))]).await.expect("a doubt");
    assert_eq!(store.waiting(mind.id).await.expect("what waits"), Waiting { doubts: true, ..first });
    assert!(matches!(write(&*other, &mind, Op::Propose, again(6)).await, Err(StoreError::Conflict(_))));
    let twice = || vec![Change::SelfVersioned(Box::new(version(1, Vec::new())))];
    write(&*store, &mind, Op::Approve, twice()).await.expect("the first version");
    assert!(matches!(write(&*other, &mind, Op::Approve, twice()).await, Err(StoreError::Conflict(_))));
}

pub(super) async fn what_spoke_of_a_gone_memory_says_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let gone = memory(1, "canarySelf카나리아자아");
    keep(&*store, &mind, [gone.clone()]).await;
    let mut changes = whole("canarySelf카나리아자아", &[gone.id]);
    // Islands and beliefs have their own text, which the owner approved; they are erased separately.
    changes.retain(|change| !matches!(change, Change::IslandSet(_) | Change::GrantSet(_) | Change::WeightSet(_)));
    write(&*store, &mind, Op::Approve, changes).await.expect("a self is kept");
    assert!(find(&subject.at_rest(), b"canarySelf"), "the scan itself must be able to find");
    let erased = vec![Change::MemoryGone(gone.id), Change::BeliefErased(BeliefId::new(START, chance(1)))];
    write(&*store, &mind, Op::Erase, erased).await.expect("it goes");
    assert!(store.sweep().await.expect("a sweep"));
    let bytes = subject.at_rest();
    assert!(!find(&bytes, b"canarySelf") && !find(&bytes, "카나리아자아".as_bytes()));
    let asked = store.proposals(mind.id, ALL).await.expect("proposals");
    assert_eq!((asked[0].status, &asked[0].change), (ProposalStatus::Lapsed, &Proposed::Gone));
    assert!(store.current_self(mind.id).await.expect("a self").is_some_and(|version| version.beliefs.is_empty()));
    assert!(store.rejections(mind.id).await.expect("rejections").is_empty());
    assert_eq!(store.imaginations(mind.id, 9).await.expect("imaginations")[0].scenario, "");
}

pub(super) async fn an_erased_mind_leaves_nothing_of_its_self(subject: &impl Backend) {
    let store = subject.open().await;
    let (mine, yours) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    write(&*store, &mine, Op::Approve, whole("selfcanary내자아", &[])).await.expect("a self is kept");
    write(&*store, &yours, Op::Approve, whole("othercanary남의자아", &[])).await.expect("a self is kept");
    let commit = Commit::new(mine.id, START, Principal::Owner, Op::Erase);
    assert!(store.erase(commit).await.expect("it is erased").swept);
    let bytes = subject.at_rest();
    assert!(!find(&bytes, b"selfcanary") && !find(&bytes, "내자아".as_bytes()));
    assert!(find(&bytes, b"othercanary"));
    assert!(store.islands(mine.id).await.expect("islands").is_empty() && store.weights(mine.id).await.expect("weights").is_empty());
}

pub(super) async fn an_agents_forgetting_is_counted(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    for (principal, operation, hours) in [
        (Principal::Agent, Op::Forget, 1),
        (Principal::Agent, Op::Forget, 30),
        (Principal::Owner, Op::Forget, 31),
        (Principal::Agent, Op::Edit, 32),
        (Principal::Agent, Op::Forget, 33),
    ] {
        let mut commit = Commit::new(mind.id, START.plus(Span::hours(hours)), principal, operation).about(Thing::Version(1));
        commit.times = Some(1);
        store.commit(commit).await.expect("an entry");
    }
    // A commit that forgets several memories counts each of them.
    let gone = [memory(1, "첫째"), memory(2, "둘째")];
    let mut commit = Commit::new(mind.id, START.plus(Span::hours(2)), Principal::Agent, Op::Forget);
    commit.memories = gone.iter().map(|memory| LedgerRef::to(memory, &mind.salt)).collect();
    store.commit(commit).await.expect("an entry");
    let since = |hours: i64| -> Timestamp { START.plus(Span::hours(hours)) };
    assert_eq!(store.forgets(mind.id, Principal::Agent, since(24)).await.expect("a count"), 2);
    assert_eq!(store.forgets(mind.id, Principal::Agent, START).await.expect("a count"), 5);
    assert_eq!(store.forgets(mind.id, Principal::Owner, START).await.expect("a count"), 1);
    let entry = store.ledger(mind.id, 1, 1).await.expect("entries").remove(0).0;
    assert_eq!((entry.times, entry.things), (Some(1), vec![Thing::Version(1)]));
    assert!(matches!(store.verify_ledger(mind.id).await.expect("the ledger"), saegim_core::Verdict::Whole { entries: 7, .. }));
}
