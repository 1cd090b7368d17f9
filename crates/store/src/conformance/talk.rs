//! Conversations: turns, candidates, assertions and facts.

use saegim_core::{
    Assertion, AssertionId, Axis, Candidate, CandidateId, CandidateType, CandidateVerdict, Change, Commit, Emotion, Emotions, Face, Fact,
    FactCategory, FactId, Factors, Memory, MemoryId, Op, Principal, Relationship, RelationshipChange, Role, Scene, SceneId, Session,
    SessionId, SpeechStyle, Turn, TurnId, Unit,
};

use super::{Backend, EMBEDDER, START, begin, chance, find, memory, vector, whole, write};
use crate::{CandidatePage, IndexSearch, StoreError, TurnPage};

fn session() -> SessionId {
    SessionId::new("저녁").expect("a name")
}

fn turn(number: u64, content: &str) -> Turn {
    Turn {
        id: TurnId::new(START, chance(number)),
        session: session(),
        sequence: number as u32,
        role: if number % 2 == 1 { Role::User } else { Role::Assistant },
        speaker: Some("민수".into()),
        content: content.into(),
        at: START.plus(saegim_core::Span::seconds(number as i64)),
        face: Some(Face::Happy),
        injected: Vec::new(),
        withdrawn_at: None,
    }
}

fn assertion(number: u64, value: &str) -> Assertion {
    Assertion {
        id: AssertionId::new(START, chance(number)),
        turn: Some(TurnId::new(START, chance(number))),
        at: START,
        subject: "residence".into(),
        value: value.into(),
        canonical: value.into(),
        category: FactCategory::Identity,
        single: true,
        ends: false,
        emotions: Emotions::mix([Emotion::Joy]),
        intensity: Unit::clamped(0.25),
        importance: Unit::clamped(0.75),
        confidence: Unit::clamped(0.5),
    }
}

fn fact(number: u64, value: &str) -> Fact {
    Fact {
        id: FactId::new(START, chance(number)),
        subject: "residence".into(),
        value: value.into(),
        canonical: value.into(),
        category: FactCategory::Identity,
        single: true,
        emotions: Emotions::mix([Emotion::Joy]),
        intensity: Unit::clamped(0.25),
        importance: Unit::clamped(0.75),
        confidence: Unit::clamped(0.5),
        valid_from: START,
        valid_to: None,
        superseded_by: None,
        mentions: 1,
        turns: vec![TurnId::new(START, chance(number))],
    }
}

fn candidate(number: u64, content: &str, memory: Option<MemoryId>) -> Candidate {
    Candidate {
        id: CandidateId::new(START, chance(number)),
        turn: TurnId::new(START, chance(number)),
        content: content.into(),
        candidate_type: CandidateType::Fact,
        factors: Factors { type_weight: Unit::clamped(0.85), ..Factors::default() },
        score: Unit::clamped(0.75),
        verdict: CandidateVerdict::Stored,
        reason: "new".into(),
        memory,
    }
}

fn scene() -> Scene {
    Scene {
        id: SceneId::new(START, chance(1)),
        session: session(),
        place: Some("카페".into()),
        time: Some("밤".into()),
        people: vec!["민수".into(), "루나".into()],
        tone: Some("joy".into()),
        topic: Some("이사".into()),
        began_at: START,
        ended_at: None,
    }
}

/// Returns every kind of change one exchange may write.
fn exchange(text: &str) -> (Memory, Vec<Change>) {
    let learned = Memory { turns: vec![TurnId::new(START, chance(1))], ..memory(1, text) };
    let said = Turn { injected: vec![learned.id], ..turn(2, text) };
    let moved = RelationshipChange {
        turn: TurnId::new(START, chance(1)),
        axis: Axis::Trust,
        at: START,
        scene: Some(scene().id),
        delta: 1.5,
        reason: "talked".into(),
    };
    let relationship = Relationship { trust: 1.5, ..Relationship::default() };
    let began = Session { name: session(), began_at: START, last_at: START, last_sequence: 2, branched_from: Some((session(), 7)) };
    let changes = vec![
        Change::SessionSet(began),
        Change::TurnAdded(Box::new(turn(1, text))),
        Change::TurnEmbedded { turn: TurnId::new(START, chance(1)), embedder: EMBEDDER.into(), vector: vector(&[1.0, 0.0]) },
        Change::MemoryAdded(Box::new(learned.clone())),
        Change::TurnAdded(Box::new(said)),
        Change::Turned(1),
        Change::CandidateAdded(Box::new(candidate(1, text, Some(learned.id)))),
        Change::Asserted(Box::new(assertion(1, text))),
        Change::FactSet(Box::new(fact(1, text))),
        Change::RelationshipSet { before: Relationship::default(), after: relationship },
        Change::SpeechStyleSet(Some(SpeechStyle::Casual)),
        Change::RelationshipMoved(moved),
        Change::SceneSet(Box::new(scene())),
    ];
    (learned, changes)
}

pub(super) async fn a_conversation_reads_back_as_it_was_written(subject: &impl Backend) {
    let store = subject.open().await;
    let (mind, other) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let (learned, changes) = exchange("부산 살아 🌊");
    write(&*store, &mind, Op::Observe, changes).await.expect("an exchange is kept");
    let store = subject.open().await;
    let all = TurnPage { limit: 10, ..TurnPage::default() };
    let turns = store.turns(mind.id, all.clone()).await.expect("turns");
    assert_eq!(turns, [turn(1, "부산 살아 🌊"), Turn { injected: vec![learned.id], ..turn(2, "부산 살아 🌊") }]);
    assert_eq!(store.turns_by_id(mind.id, &[turns[1].id]).await.expect("a turn"), turns[1..]);
    let before = TurnPage { before: Some(turns[1].id), ..all.clone() };
    assert_eq!(store.turns(mind.id, before).await.expect("turns"), turns[..1]);
    assert_eq!(store.assertions(mind.id).await.expect("assertions"), [assertion(1, "부산 살아 🌊")]);
    assert_eq!(store.facts(mind.id).await.expect("facts"), [fact(1, "부산 살아 🌊")]);
    let page = CandidatePage { limit: 10, ..CandidatePage::default() };
    assert_eq!(store.candidates(mind.id, page.clone()).await.expect("candidates"), [candidate(1, "부산 살아 🌊", Some(learned.id))]);
    let (relationship, style) = store.relationship(mind.id).await.expect("a relationship");
    assert_eq!((relationship.trust, style), (1.5, Some(SpeechStyle::Casual)));
    assert_eq!(store.relationship_changes(mind.id, None, 10).await.expect("changes").len(), 1);
    assert_eq!(store.latest_scene(mind.id).await.expect("a scene"), Some(scene()));
    let known = store.session(mind.id, &session()).await.expect("a session").expect("it began");
    assert_eq!((known.last_sequence, known.branched_from), (2, Some((session(), 7))));
    assert_eq!(store.learned_from(mind.id, turns[0].id).await.expect("memories")[0].id, learned.id);
    assert_eq!(store.mind_by_id(mind.id).await.expect("a mind").expect("it is there").turns, 1);
    assert!(store.turns(other.id, all).await.expect("turns").is_empty(), "another mind sees nothing");
    assert!(store.facts(other.id).await.expect("facts").is_empty());
    assert!(store.candidates(other.id, page).await.expect("candidates").is_empty());
    assert!(store.learned_from(other.id, turns[0].id).await.expect("memories").is_empty());
}

pub(super) async fn two_turns_cannot_take_one_place(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    write(&*store, &mind, Op::Observe, vec![Change::TurnAdded(Box::new(turn(1, "먼저")))]).await.expect("the first is kept");
    let late = Turn { id: TurnId::new(START, chance(99)), ..turn(1, "나중") };
    let refused = write(&*store, &mind, Op::Observe, vec![Change::TurnAdded(Box::new(late))]).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    assert_eq!(store.turns(mind.id, TurnPage { limit: 9, ..TurnPage::default() }).await.expect("turns").len(), 1);
}

pub(super) async fn a_relationship_is_moved_from_where_it_is(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let at = |trust: f32| Relationship { trust, affection: 0.1 + trust, ..Relationship::default() };
    let moved = |before, after| vec![Change::RelationshipSet { before, after }, Change::Turned(1)];
    write(&*store, &mind, Op::Observe, moved(Relationship::default(), at(1.3))).await.expect("they come nearer");
    // Two decisions are based on the same relationship; the second gets a conflict.
    write(&*store, &mind, Op::Observe, moved(at(1.3), at(2.7))).await.expect("they come nearer");
    let late = write(&*store, &mind, Op::Think, moved(at(1.3), at(0.2))).await;
    assert!(matches!(late, Err(StoreError::Conflict(_))), "{late:?}");
    assert_eq!(store.relationship(mind.id).await.expect("a relationship").0, at(2.7));
    let turns = store.mind_by_id(mind.id).await.expect("a mind").expect("it began").turns;
    assert_eq!(turns, 2, "nothing else of the late commit is written either");
}

pub(super) async fn what_was_said_and_erased_leaves_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let (mine, yours) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let (learned, changes) = exchange("canary카나리아");
    write(&*store, &mine, Op::Observe, changes).await.expect("an exchange is kept");
    assert!(find(&subject.at_rest(), "canary카나리아".as_bytes()), "the scan itself must be able to find");
    let gone = vec![
        Change::MemoryGone(learned.id),
        Change::AssertionGone(assertion(1, "").id),
        Change::FactGone(fact(1, "").id),
        Change::RelationshipTakenBack(turn(1, "").id),
        Change::RelationshipSet { before: Relationship { trust: 1.5, ..Relationship::default() }, after: Relationship::default() },
        Change::TurnGone(turn(1, "").id),
        Change::TurnGone(turn(2, "").id),
    ];
    write(&*store, &mine, Op::Erase, gone).await.expect("it goes");
    assert!(store.sweep().await.expect("a sweep"));
    assert!(!find(&subject.at_rest(), "canary".as_bytes()), "one turn is gone");
    let (_, changes) = exchange("whole남김없이");
    write(&*store, &mine, Op::Observe, changes).await.expect("another exchange");
    write(&*store, &yours, Op::Observe, exchange("yours남의말").1).await.expect("ids are a mind's own");
    store.erase(Commit::new(mine.id, START, Principal::Owner, Op::Erase)).await.expect("the mind is erased");
    assert!(!find(&subject.at_rest(), "whole".as_bytes()), "a whole mind is gone");
    assert!(find(&subject.at_rest(), "yours".as_bytes()), "and another is untouched");
    assert!(store.check().await.expect("a check").problems.is_empty());
}

pub(super) async fn a_conversation_in_memory_can_catch_up(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    write(&*store, &mind, Op::Observe, exchange("하나").1).await.expect("an exchange is kept");
    let rows = store.turn_index_rows(whole(&mind)).await.expect("rows");
    assert_eq!((rows.rows.len(), rows.rows[0].vector.is_some(), rows.rows[1].vector.is_some()), (2, true, false));
    assert!(store.turn_index_rows(IndexSearch { after: rows.seen, ..whole(&mind) }).await.expect("rows").rows.is_empty());
    let retracted = Turn { withdrawn_at: Some(START), ..turn(1, "하나") };
    write(&*store, &mind, Op::Withdraw, vec![Change::TurnChanged(Box::new(retracted))]).await.expect("it is taken back");
    let later = store.turn_index_rows(IndexSearch { after: rows.seen, ..whole(&mind) }).await.expect("rows");
    assert_eq!((later.rows.len(), later.rows[0].alive), (1, false));
    assert_eq!(store.turns(mind.id, TurnPage { limit: 9, ..TurnPage::default() }).await.expect("turns").len(), 1);
    let head = store.head(mind.id).await.expect("a head");
    write(&*store, &mind, Op::Erase, vec![Change::TurnGone(turn(2, "").id)]).await.expect("it goes");
    assert!(store.turn_index_rows(IndexSearch { after: later.seen, ..whole(&mind) }).await.expect("rows").purges > later.purges);
    assert_eq!(store.head(mind.id).await.expect("a head"), head + 1);
}
