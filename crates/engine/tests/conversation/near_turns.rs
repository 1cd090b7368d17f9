//! Turns are held in memory without their text until the text is first needed; results must not depend on that.

use std::sync::Arc;

use saegim_core::Timestamp;
use saegim_engine::{Config, ContextQuery, Engine, Exchange, MindKey, NewMessage, SeededDice, SetClock};

const TOLD: [&str; 14] = [
    "오늘 강아지 모찌랑 한강을 산책했어",
    "어제 본 영화 세렌디피티가 정말 감동적이었어",
    "회사에서 가습기 KX-4471을 새로 샀어",
    "I fixed the old gramophone in the attic today",
    "점심으로 콩국수를 먹었는데 너무 맛있었어",
    "아침에 커피를 쏟아서 짜증났어",
    "오늘 강아지 모찌랑 뒷산을 산책했어",
    "주말엔 동생이랑 캠핑을 갔다 왔어",
    "오늘은 비가 와서 집에만 있었어",
    "퇴근길에 붕어빵을 사 먹었어",
    "오늘 강아지 모찌랑 공원을 산책했어",
    "밤에 잠이 안 와서 책을 읽었어",
    "친구가 이사해서 도와주고 왔어",
    "오늘 처음으로 도자기를 구웠어",
];

const ASKED: [&str; 5] = ["KX-4471이 뭐였지?", "세렌디피티 어땠어?", "gramophone", "콩국수", "산책"];

/// Contexts of the queries after all messages, with or without an earlier query.
async fn contexts(first: Option<&str>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::local(folder.path().join("mind.db"));
    config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-01T09:00:00Z").unwrap()));
    config.dice = Arc::new(SeededDice::new(7));
    let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    let context = async |text: &str| mind.context(ContextQuery { text: text.into(), budget: None }).await.unwrap().text;
    if let Some(first) = first {
        context(first).await;
    }
    for told in TOLD {
        mind.observe(Exchange { said: vec![NewMessage::user(told)], ..Exchange::default() }).await.unwrap();
    }
    let mut contexts = Vec::new();
    for asked in ASKED {
        contexts.push(context(asked).await);
    }
    contexts
}

#[tokio::test]
async fn what_is_found_does_not_depend_on_when_words_were_first_asked_for() {
    let (late, early) = (contexts(None).await, contexts(Some("안녕?")).await);
    for ((late, early), asked) in late.iter().zip(&early).zip(ASKED) {
        assert_eq!(late, early, "{asked}");
    }
    assert!(late[0].contains("KX-4471을 새로 샀어") && late[2].contains("gramophone in the attic"), "{} {}", late[0], late[2]);
}
