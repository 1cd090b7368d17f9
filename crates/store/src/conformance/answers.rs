//! Idempotent requests and their recorded responses.

use saegim_core::{Change, Commit, Hash, Mind, Op, Principal, Span, Timestamp, Under};

use super::{Backend, START, begin, keep, memory, write};
use crate::{EarlierRequest, RecordedResponse, RequestKey};

fn asking(mind: &Mind, key: &str, request: &str, at: Timestamp) -> RequestKey {
    RequestKey {
        who: "1f0c".into(),
        mind: Some(mind.id),
        key: key.into(),
        request: Hash::of(request.as_bytes()),
        at,
        kept_since: at.minus(Span::days(1)),
        alive_since: at.minus(Span::seconds(90)),
    }
}

pub(super) async fn what_was_answered_is_answered_again_until_something_is_gone(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let asking = |key: &str, request: &str, at: Timestamp| asking(&mind, key, request, at);
    let answer = RecordedResponse { status: 201, tag: Some("7".into()), body: "강아지 모찌".as_bytes().to_vec() };
    let ask = |key: &'static str, request: &'static str| store.ask(asking(key, request, START));
    assert_eq!(ask("a", "one").await.expect("it is asked"), EarlierRequest::Never);
    assert_eq!(ask("a", "one").await.expect("it is asked"), EarlierRequest::Unanswered);
    store.answer(asking("a", "one", START), None).await.expect("nothing came of it");
    assert_eq!(ask("a", "one").await.expect("it is asked"), EarlierRequest::Never);
    store.answer(asking("a", "one", START), Some(answer.clone())).await.expect("it is answered");
    let other = subject.open().await;
    assert_eq!(other.ask(asking("a", "one", START)).await.expect("it is asked"), EarlierRequest::Answered(answer.clone()));
    assert_eq!(ask("a", "two").await.expect("it is asked"), EarlierRequest::Another);
    let kept = memory(1, "강아지 모찌");
    keep(&*store, &mind, [kept.clone()]).await;
    write(&*store, &mind, Op::Purge, vec![Change::MemoryGone(kept.id)]).await.expect("it goes");
    assert_eq!(ask("a", "one").await.expect("it is asked"), EarlierRequest::Blanked, "the text must not be left in an answer");
    let later = asking("a", "one", START.plus(Span::days(2)));
    assert_eq!(store.ask(later).await.expect("it is asked"), EarlierRequest::Never, "a day later the key is free");
}

pub(super) async fn what_was_written_is_known_before_it_is_answered(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let ask = |key: &'static str, seconds: i64| store.ask(asking(&mind, key, "one", START.plus(Span::seconds(seconds))));
    for key in ["b", "c"] {
        assert_eq!(ask(key, 0).await.expect("it is asked"), EarlierRequest::Never);
    }
    let mut sequences = Vec::new();
    for _ in 0..2 {
        let mut commit = Commit::new(mind.id, START, Principal::Owner, Op::Edit);
        commit.under = Some(Under { who: "1f0c".into(), key: "b".into() });
        sequences.push(store.commit(commit).await.expect("it is written").sequence);
    }
    assert_eq!(ask("b", 1).await.expect("it is asked"), EarlierRequest::Wrote(sequences[0], sequences[1]));
    assert_eq!(ask("b", 3600).await.expect("it is asked"), EarlierRequest::Wrote(sequences[0], sequences[1]), "it is not done again");
    // A request that wrote nothing stays pending for a while and may be retried after that.
    assert_eq!(ask("c", 60).await.expect("it is asked"), EarlierRequest::Unanswered);
    assert_eq!(ask("c", 91).await.expect("it is asked"), EarlierRequest::Never);
    assert_eq!(ask("c", 92).await.expect("it is asked"), EarlierRequest::Unanswered, "whoever comes second waits for the first");
}
