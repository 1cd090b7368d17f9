//! Changing the embedder while queries run: no query fails, vectors of two embedders are never compared, and the result equals a
//! mind that only ever used the new embedder.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding, Timestamp};
use saegim_engine::{
    Config, ContextQuery, Draft, Engine, Exchange, MindHandle, MindKey, MissingVectors, NewMessage, Query, SeededDice, SetClock,
};
use saegim_provider::mock_server::{Behaviour, MockServer};
use saegim_provider::{Dialect, Embedder, EmbeddingEndpoint, Endpoint, ProviderError, Purpose, RemoteEmbedder};

/// Counts letters, with its own number of dimensions; comparing vectors of two different sizes is an error.
struct Letters {
    id: String,
    dims: usize,
    slow: Duration,
    calibration: Calibration,
}

impl Letters {
    fn of(dims: usize) -> Self {
        let calibration = Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap();
        Self { id: format!("letters@{dims}"), dims, slow: Duration::ZERO, calibration }
    }
}

#[async_trait]
impl Embedder for Letters {
    fn id(&self) -> &str {
        &self.id
    }

    fn dims(&self) -> usize {
        self.dims
    }

    fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    fn knows(&self, text: &str) -> bool {
        text.chars().any(char::is_alphanumeric)
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        tokio::time::sleep(self.slow).await;
        tokio::task::yield_now().await;
        let vector = |text: &String| {
            let mut vector = vec![0.01f32; self.dims];
            let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
            letters.windows(2).for_each(|pair| vector[(pair[0] as usize * 31 + pair[1] as usize * 17) % self.dims] += 1.0);
            Embedding::new(vector).unwrap()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

async fn mind(path: &Path, embedder: Letters) -> MindHandle {
    let mut config = Config::local(path);
    config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T09:00:00Z").unwrap()));
    config.dice = Arc::new(SeededDice::new(11));
    config.embedder = Some(Arc::new(embedder));
    Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
}

const MEMORIES: usize = 150;

async fn lived(mind: &MindHandle) {
    for number in 0..MEMORIES {
        mind.remember(Draft::text(format!("{number}번째 산책에서 강아지 {}호를 만났다", number % 7))).await.unwrap();
    }
    for number in 0..20 {
        let said = vec![NewMessage::user(format!("오늘은 {number}번 버스를 탔어")), NewMessage::assistant("그랬구나")];
        mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
    }
}

async fn found(mind: &MindHandle, question: &str) -> Vec<(String, String)> {
    let recalled = mind.recall(Query::text(question)).await.unwrap();
    recalled.results.into_iter().map(|found| (found.memory.content, format!("{:.3}", found.relevance.get()))).collect()
}

#[tokio::test]
async fn the_embedder_is_changed_while_they_recall() {
    let folder = tempfile::tempdir().unwrap();
    lived(&mind(&folder.path().join("old.db"), Letters::of(64)).await).await;
    let changed = mind(&folder.path().join("old.db"), Letters::of(96)).await;
    let recalled = changed.recall(Query::text("77번째 산책")).await.unwrap();
    assert!(recalled.results[0].memory.content.starts_with("77번째"), "words answer meanwhile");
    let words = recalled.degraded.unwrap().to_string();
    assert!(words.contains(&format!("of {}", recalled_all(&changed).await)), "how far it is, is said: {words}");
    assert!(changed.lacking().await.unwrap() == MissingVectors { memories: recalled_all(&changed).await, turns: 40 });
    assert_eq!(progress(&folder.path().join("old.db"), 96).await, (recalled_all(&changed).await as u64, 0));
    let embedding = changed.clone();
    let making = tokio::spawn(async move { embedding.embed_missing(|_| ()).await.unwrap() });
    let mut asked = 0;
    while !making.is_finished() {
        let recalled = changed.recall(Query::text(format!("{}번째 산책", asked % MEMORIES))).await.unwrap();
        assert!(recalled.results[0].memory.content.starts_with(&format!("{}번째", asked % MEMORIES)), "question {asked}");
        asked += 1;
        tokio::task::yield_now().await;
    }
    assert!(asked > 2 && making.await.unwrap() > MEMORIES, "{asked} questions");
    assert_eq!(changed.lacking().await.unwrap(), MissingVectors::default());
    let all = recalled_all(&changed).await as u64;
    assert_eq!(progress(&folder.path().join("old.db"), 96).await, (all, all));
    let fresh = mind(&folder.path().join("new.db"), Letters::of(96)).await;
    lived(&fresh).await;
    for question in ["77번째 산책", "산책에서 만난 강아지 3호", "12번 버스"] {
        let once = found(&changed, question).await;
        assert!(!once.is_empty(), "{question}");
        assert_eq!(once, found(&fresh, question).await, "{question}");
    }
    assert_eq!(changed.recall(Query::text("산책")).await.unwrap().degraded, None);
}

/// Number of memories and of embedded memories, as a newly opened engine reports them.
async fn progress(path: &Path, dims: usize) -> (u64, u64) {
    let mut config = Config::local(path);
    config.embedder = Some(Arc::new(Letters::of(dims)));
    let engine = Engine::open(config).await.unwrap();
    loop {
        if let Some(progress) = engine.progress().await {
            return (progress.memories, progress.embedded);
        }
        tokio::task::yield_now().await;
    }
}

async fn recalled_all(mind: &MindHandle) -> usize {
    mind.counts().await.unwrap().zones.iter().sum::<u64>() as usize
}

#[tokio::test]
async fn a_question_does_not_wait_for_a_slow_embedder() {
    let folder = tempfile::tempdir().unwrap();
    lived(&mind(&folder.path().join("mind.db"), Letters::of(64)).await).await;
    let slow = mind(&folder.path().join("mind.db"), Letters { slow: Duration::from_secs(30), ..Letters::of(64) }).await;
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    let recalled = slow.recall(Query::text("77번째 산책")).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert!(recalled.results[0].memory.content.starts_with("77번째"));
    assert!(recalled.degraded.unwrap().to_string().contains("longer than 2 s"));
}

/// A remote embedder whose server hangs, and a mind with a short timeout for it.
async fn hanging(folder: &Path) -> (MockServer, MindHandle) {
    let server = MockServer::begin(Behaviour::Silent).await.unwrap();
    let endpoint = Endpoint::new(Dialect::OpenAi, server.base(Dialect::OpenAi), "small");
    let mut config = Config::local(folder.join("mind.db"));
    config.clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T09:00:00Z").unwrap()));
    config.dice = Arc::new(SeededDice::new(11));
    config.embedder = Some(Arc::new(RemoteEmbedder::at(EmbeddingEndpoint { endpoint, dims: 256, calibration: None })));
    config.policy.thinking.search_milliseconds = 100;
    let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    (server, mind)
}

/// Advances the clock past the longest back-off of the circuit breaker.
async fn rested() {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(700)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn nobody_waits_long_for_an_embedder_that_hangs_and_nothing_is_lost_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let (server, mind) = hanging(folder.path()).await;
    let said = || vec![NewMessage::user("지난주에 강아지 모찌를 입양했어. 너무 행복해!"), NewMessage::assistant("축하해!")];
    let began = tokio::time::Instant::now();
    let observed = mind.observe(Exchange { said: said(), ..Exchange::default() }).await.unwrap();
    let words = observed.degraded.unwrap().to_string();
    assert!(words.starts_with("keyword search only") && words.contains("in time"), "{words}");
    assert_eq!(server.requests(), 1, "an exchange waits once, however much there is to embed");
    // The circuit breaker is open: later calls do not contact the server.
    let kept = mind.remember(Draft::text("I keep my passport in the blue drawer")).await.unwrap();
    assert!(kept.degraded.unwrap().in_language(saegim_core::Language::Korean).contains("제때"), "and says so in either language");
    let context = mind.context(ContextQuery { text: "모찌 잘 있어?".into(), budget: None }).await.unwrap();
    assert!(context.text.contains("모찌"), "{}", context.text);
    let recalled = mind.recall(Query::text("passport drawer")).await.unwrap();
    assert!(recalled.results[0].memory.content.contains("passport") && recalled.degraded.is_some());
    mind.rebalance(Some("강아지 이야기")).await.unwrap();
    assert!(!mind.reply("안녕").await.unwrap().is_empty());
    assert_eq!(server.requests(), 1, "somebody waited for it again");
    // Background requests allow 30 s; with the circuit breaker open, everything finishes at once.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let lacking = mind.lacking().await.unwrap();
    assert!(lacking.memories >= 2 && lacking.turns == 2, "{lacking:?}");
    server.behave(Behaviour::Well);
    rested().await;
    assert_eq!(mind.tick().await.unwrap().embedded, lacking.memories + lacking.turns);
    assert_eq!(mind.lacking().await.unwrap(), MissingVectors::default());
    assert_eq!(mind.recall(Query::text("passport drawer")).await.unwrap().degraded, None);
}

#[tokio::test]
async fn an_exchange_waits_as_long_as_a_question_may() {
    let folder = tempfile::tempdir().unwrap();
    let (server, mind) = hanging(folder.path()).await;
    for (place, text) in ["부산에 살아", "I moved to York", "모찌가 아팠어"].into_iter().enumerate() {
        let began = tokio::time::Instant::now();
        match place {
            0 => drop(mind.observe(Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() }).await.unwrap()),
            1 => drop(mind.remember(Draft::text(text)).await.unwrap()),
            _ => drop(mind.context(ContextQuery { text: text.into(), budget: None }).await.unwrap()),
        }
        assert!(began.elapsed() >= Duration::from_millis(100), "{text}: nobody waited at all");
        assert!(began.elapsed() < Duration::from_secs(10), "{text}: {:?}", began.elapsed());
        assert_eq!(server.requests(), place + 1);
        rested().await;
    }
}
