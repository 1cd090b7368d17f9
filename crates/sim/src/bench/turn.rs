use std::path::Path;

use saegim_core::MindKey;
use saegim_engine::{Config, ContextQuery, Engine, Exchange, NewMessage};
use saegim_provider::LocalEmbedder;
use serde_json::{Map, Value, json};

use super::{Times, fill, now, timed};
use crate::Outcome;

/// Messages and answers in both languages. A number is appended to make each unique.
const SAID: &[(&str, &str)] = &[
    ("오늘 회사에서 발표했는데 너무 떨렸어", "고생했어. 그래도 잘 끝났지?"),
    ("나 다음 주에 제주도로 여행 가기로 했어!", "우와, 누구랑 가?"),
    ("우리 강아지 이름은 모찌야, 말티즈고 세 살이야", "이름이 정말 귀엽다."),
    ("I started learning the guitar last month, it's harder than I thought", "Keep going, your fingers will get used to it!"),
    ("엄마가 요즘 무릎이 아프셔서 걱정이야", "병원은 다녀오셨어?"),
    ("I can't stand cilantro, please never suggest it", "Noted, no cilantro."),
    ("점심 뭐 먹지", "김치찌개 어때?"),
    ("이제 커피 안 마셔. 잠을 못 자겠더라고", "그럼 차는 어때?"),
];

/// Measures one exchange through the whole pipeline with the built-in embedder and the rules, and the context before it.
pub(super) async fn measure(file: &Path, texts: &[String], told: &mut Map<String, Value>) -> Outcome {
    let engine = Engine::open(Config::local(file)).await?;
    let mind = engine.mind(MindKey::new("minsu", "luna")?).await?;
    fill(&mind, texts).await?;
    let (mut observed, mut contexts) = (Vec::new(), Vec::new());
    for run in 0..240 {
        let (said, answer) = SAID[run % SAID.len()];
        let said = format!("{said} ({run})");
        let start = now();
        mind.context(ContextQuery { text: said.clone(), budget: None }).await?;
        let middle = now();
        mind.observe(Exchange { said: vec![NewMessage::user(said), NewMessage::assistant(answer)], ..Exchange::default() }).await?;
        contexts.push(middle.duration_since(start));
        observed.push(middle.elapsed());
    }
    // The first runs compile patterns and build the index, which happens once per conversation.
    let settled = |times: Vec<std::time::Duration>| Times(times.into_iter().skip(40).collect());
    let embedder = LocalEmbedder::built_in()?;
    let embed = timed(100, |run| {
        let (said, answer) = SAID[run % SAID.len()];
        drop(embedder.embed_now(&[said, answer]));
    });
    let turn = json!({
        "memories": texts.len(), "observe": settled(observed).json(), "context": settled(contexts).json(), "embedding_both_messages": embed.json(),
    });
    told.insert("turn".into(), turn);
    Ok(())
}
