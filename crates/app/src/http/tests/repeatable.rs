//! The same story with the same clock and the same dice gives the same answers and the same export, byte for byte. Other dice give
//! other ids, but the same order.

use std::sync::Arc;

use saegim_core::{Span, Timestamp};
use saegim_engine::{SeededDice, SetClock};
use serde_json::{Value, json};

use super::Place;

const MIND: &str = "/v1/minds/minsu%2Fluna";

/// Messages of two days; several are told in one exchange and at one time, so that only a tie-break orders what they leave.
const STORY: [&[&str]; 6] = [
    &["나는 부산에 살아", "나는 간호사로 일해", "나는 커피를 좋아해", "나는 등산을 좋아해"],
    &["강아지 모찌를 입양했어", "고양이 보리를 입양했어", "앵무새 초코를 입양했어"],
    &["오늘 카페에서 라떼를 마셨어"],
    &["I adopted a puppy named Mochi", "I adopted a kitten named Bori"],
    &["우리 엄마는 제주도에 살아", "우리 아빠는 요리사야", "우리 언니는 서울로 이사했어"],
    &["카페에서 책을 읽었어", "카페 사장님이랑 얘기했어"],
];

/// Answers of one run.
struct Run {
    recalled: Vec<String>,
    contexts: Vec<String>,
    bundle: String,
}

async fn run(seed: u64) -> Run {
    let clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T01:00:00Z").unwrap()));
    let place = Place::with(|config| {
        config.clock = clock.clone();
        config.dice = Arc::new(SeededDice::new(seed));
    })
    .await;
    let mut now = Timestamp::parse("2026-03-02T01:00:00Z").unwrap();
    for said in STORY {
        let messages: Vec<Value> = said.iter().map(|text| json!({ "role": "user", "content": text })).collect();
        let body = json!({ "messages": messages }).to_string();
        let answered = place.ask("owner", ("POST", &format!("{MIND}/turns"), &body)).await;
        assert!(answered.status.is_success(), "{}", answered.text);
        now = now.plus(Span::hours(7));
        clock.set(now);
    }
    for text in ["나는 바다를 좋아해", "나는 산을 좋아해", "나는 강을 좋아해"] {
        let body = json!({ "content": text }).to_string();
        let answered = place.ask("owner", ("POST", &format!("{MIND}/memories"), &body)).await;
        assert!(answered.status.is_success(), "{}", answered.text);
    }
    let placed = place.ask("owner", ("POST", &format!("{MIND}/rebalance"), "{}")).await;
    assert!(placed.status.is_success(), "{}", placed.text);
    let (mut recalled, mut contexts) = (Vec::new(), Vec::new());
    for question in ["무엇을 입양했지?", "나는 무엇을 좋아해?", "카페", "우리 가족", "Which pets did I adopt?"] {
        let body = json!({ "query": question }).to_string();
        for (path, answers) in [("recall", &mut recalled), ("context", &mut contexts)] {
            let answered = place.ask("owner", ("POST", &format!("{MIND}/{path}"), &body)).await;
            assert!(answered.status.is_success(), "{path}: {}", answered.text);
            answers.push(answered.text);
        }
    }
    let bundle = place.ask("owner", ("GET", &format!("{MIND}/export"), "")).await.text;
    Run { recalled, contexts, bundle }
}

/// Returns the texts of the results in their order.
fn contents(recalled: &[String]) -> Vec<Vec<String>> {
    let content = |found: &Value| found["content"].as_str().expect("a result has a content").to_owned();
    let results = |answer: &String| serde_json::from_str::<Value>(answer).expect("an answer")["results"].clone();
    recalled.iter().map(|answer| results(answer).as_array().expect("results").iter().map(content).collect()).collect()
}

/// Returns the text of a context without the ends of ids, such as "#840e".
fn without_ids(context: &str) -> String {
    let context: Value = serde_json::from_str(context).expect("a context");
    let mut pieces = context["text"].as_str().expect("a text").split(" #");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()))
}

#[tokio::test]
async fn the_same_input_gives_the_same_bytes() {
    let (one, same, other) = (run(7).await, run(7).await, run(8).await);
    assert_eq!(one.recalled, same.recalled);
    assert_eq!(one.contexts, same.contexts);
    assert_eq!(one.bundle, same.bundle);
    assert!(contents(&one.recalled).iter().any(|contents| contents.len() > 2) && one.bundle.lines().count() > 20);
    assert_eq!(contents(&one.recalled), contents(&other.recalled), "ids do not order results");
    let texts = |run: &Run| run.contexts.iter().map(|context| without_ids(context)).collect::<Vec<_>>();
    assert_eq!(texts(&one), texts(&other), "ids do not order the context");
}
