//! Statements: clauses in the user's own words.

use saegim_core::{
    Change, Commit, Confirmation, Op, Principal, Span, StatedValue, Statement, StatementGroup, StatementId, StatementStatus, TurnId, Unit,
};

use super::{Backend, START, begin, chance, find, write};
use crate::{StatementHolder, StatementPage};

fn statement(number: u64, text: &str) -> Statement {
    Statement {
        id: StatementId::new(START, chance(number)),
        turn: TurnId::new(START, chance(number)),
        at: START.plus(Span::seconds(number as i64)),
        group: StatementGroup::Food,
        text: text.into(),
        values: vec![StatedValue { subject: "drink".into(), value: text.into() }],
        corrects: number % 2 == 1,
        holder: None,
        status: StatementStatus::Now,
        probability: Unit::clamped(0.75),
        sure: false,
        valid_until: None,
        confirmed: None,
        withdrawn_at: None,
        repeated_by: None,
        ended_by: None,
        ends: vec![StatementId::from_bytes([9; 16])],
        ended_at: None,
    }
}

fn set(statement: &Statement) -> Change {
    Change::StatementSet(Box::new(statement.clone()))
}

pub(super) async fn a_statement_reads_back_as_it_was_written(subject: &impl Backend) {
    let store = subject.open().await;
    let (mind, other) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let plain = statement(1, "새벽마다 우유를 마셔 🥛");
    let full = Statement {
        group: StatementGroup::Plan,
        holder: Some("누나".into()),
        status: StatementStatus::Planned,
        sure: true,
        valid_until: Some(START.plus(Span::days(3))),
        confirmed: Some(Confirmation::Owner),
        repeated_by: Some(plain.id),
        ended_by: Some(plain.id),
        ended_at: Some(START.plus(Span::days(1))),
        withdrawn_at: Some(START),
        ..statement(2, "my sister gets married on Friday")
    };
    write(&*store, &mind, Op::Observe, vec![set(&plain), set(&full)]).await.expect("statements are kept");
    let store = subject.open().await;
    let all = StatementPage { limit: 10, history: true, ..StatementPage::default() };
    assert_eq!(store.statements(mind.id, all.clone()).await.expect("statements"), [full.clone(), plain.clone()]);
    assert_eq!(store.statement(mind.id, full.id).await.expect("a statement"), Some(full));
    let ended = Statement { ended_at: Some(START), confirmed: Some(Confirmation::Repeated), ..plain.clone() };
    write(&*store, &mind, Op::Observe, vec![set(&ended)]).await.expect("a change is kept");
    assert_eq!(store.statement(mind.id, plain.id).await.expect("a statement"), Some(ended));
    assert!(store.statements(other.id, all).await.expect("statements").is_empty(), "another mind sees nothing");
    assert!(store.statement(other.id, plain.id).await.expect("a statement").is_none());
    assert!(store.holders(other.id).await.expect("holders").is_empty());
}

pub(super) async fn a_page_of_statements_has_only_what_was_asked_for(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let of = |number: u64, holder: Option<&str>, group: StatementGroup| Statement {
        holder: holder.map(str::to_owned),
        group,
        ..statement(number, &format!("말 {number}"))
    };
    let mut said = [
        of(1, None, StatementGroup::Food),
        of(2, None, StatementGroup::Work),
        of(3, Some("Mia"), StatementGroup::Food),
        of(4, Some("누나"), StatementGroup::Work),
        of(5, None, StatementGroup::Food),
        of(6, None, StatementGroup::Food),
        of(7, None, StatementGroup::Food),
    ];
    said[4].ended_at = Some(START);
    said[5].repeated_by = Some(said[0].id);
    said[6].withdrawn_at = Some(START);
    write(&*store, &mind, Op::Observe, said.iter().map(set).collect()).await.expect("statements are kept");
    let any = || StatementPage { limit: 10, ..StatementPage::default() };
    let person = |name: &str| StatementHolder::Person(name.into());
    for (page, expected) in [
        (any(), vec![4, 3, 2, 1]),
        (StatementPage { history: true, ..any() }, vec![7, 6, 5, 4, 3, 2, 1]),
        (StatementPage { holder: StatementHolder::User, ..any() }, vec![2, 1]),
        (StatementPage { holder: person("mia"), ..any() }, vec![3]),
        (StatementPage { holder: person("누나"), group: Some(StatementGroup::Food), ..any() }, vec![]),
        (StatementPage { group: Some(StatementGroup::Work), ..any() }, vec![4, 2]),
        (StatementPage { turns: Some(vec![said[0].turn, said[4].turn, said[2].turn]), ..any() }, vec![3, 1]),
        (StatementPage { turns: Some(Vec::new()), ..any() }, vec![]),
        (StatementPage { before: Some(said[2].id), ..any() }, vec![2, 1]),
        (StatementPage { limit: 1, ..any() }, vec![4]),
    ] {
        let found: Vec<String> =
            store.statements(mind.id, page.clone()).await.expect("statements").into_iter().map(|one| one.text).collect();
        assert_eq!(found, expected.iter().map(|number| format!("말 {number}")).collect::<Vec<_>>(), "{page:?}");
    }
    assert_eq!(store.holders(mind.id).await.expect("holders"), ["Mia", "누나"]);
}

pub(super) async fn an_erased_statement_leaves_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let (mine, yours) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let canary = Statement { holder: Some("canary사람".into()), ..statement(1, "canary카나리아") };
    write(&*store, &mine, Op::Observe, vec![set(&canary)]).await.expect("a statement is kept");
    assert!(find(&subject.at_rest(), b"canary"), "the scan itself must be able to find");
    write(&*store, &mine, Op::Erase, vec![Change::StatementGone(canary.id)]).await.expect("it goes");
    assert!(store.sweep().await.expect("a sweep"));
    assert!(!find(&subject.at_rest(), b"canary"));
    write(&*store, &mine, Op::Observe, vec![set(&statement(2, "whole남김없이"))]).await.expect("a statement is kept");
    write(&*store, &yours, Op::Observe, vec![set(&statement(2, "yours남의말"))]).await.expect("ids are a mind's own");
    store.erase(Commit::new(mine.id, START, Principal::Owner, Op::Erase)).await.expect("the mind is erased");
    assert!(!find(&subject.at_rest(), b"whole") && find(&subject.at_rest(), b"yours"));
}
