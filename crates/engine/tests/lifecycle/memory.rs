//! Life cycle of memories through the engine, on a simulated clock.

use std::path::Path;
use std::sync::Arc;

use saegim_core::{
    Emotion, Emotions, LinkKind, MemoryId, Principal, Rating, SessionId, Source, Span, Tier, Timestamp, Unit, Verdict, Zone,
};
use saegim_engine::{
    Config, Core, Depth, Draft, Edit, Engine, EngineError, Filter, MindHandle, MindKey, Pinned, Query, SeededDice, SetClock,
};

struct World {
    folder: tempfile::TempDir,
    clock: Arc<SetClock>,
}

const START: &str = "2026-03-01T09:00:00Z";

impl World {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), clock: Arc::new(SetClock::at(Timestamp::parse(START).unwrap())) }
    }

    fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("mind.db")
    }

    /// Opens the same file as another process would.
    async fn engine(&self) -> Engine {
        let mut config = Config::local(self.database());
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(std::process::id().into()));
        Engine::open(config).await.unwrap()
    }

    async fn mind(&self) -> MindHandle {
        self.engine().await.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    /// Sets the clock to a day after the start.
    fn day(&self, day: i64) {
        self.clock.set(Timestamp::parse(START).unwrap().plus(Span::days(day)));
    }

    fn holds(&self, text: &str) -> bool {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
        files.into_iter().any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
    }
}

async fn keep(mind: &MindHandle, text: &str) -> MemoryId {
    mind.remember(Draft::text(text)).await.unwrap().memory.id
}

async fn found(mind: &MindHandle, question: &str) -> Vec<String> {
    let recalled = mind.recall(Query::text(question)).await.unwrap();
    recalled.results.into_iter().map(|found| found.memory.content).collect()
}

#[tokio::test]
async fn a_neglected_memory_falls_on_day_30_waits_until_day_37_and_leaves_nothing() {
    let world = World::new();
    let mind = world.mind().await;
    let id = keep(&mind, "카나리아가 창가에서 노래했다").await;
    world.day(29);
    assert_eq!(mind.tick().await.unwrap().expired, 0);
    world.day(30);
    assert_eq!(mind.tick().await.unwrap().expired, 1);
    assert!(found(&mind, "카나리아").await.is_empty());
    world.day(36);
    assert_eq!(mind.tick().await.unwrap().gone, 0);
    let back = mind.restore(id).await.unwrap();
    assert_eq!(back.expires_at, Some(mind.cliff_time(30)));
    assert_eq!(found(&mind, "카나리아").await.len(), 1);
    world.day(66);
    mind.tick().await.unwrap();
    world.day(74);
    let ticked = mind.tick().await.unwrap();
    assert_eq!((ticked.gone, ticked.swept), (1, true));
    assert!(!world.holds("카나리아"));
    assert!(matches!(mind.get(id).await, Err(EngineError::NotFound(_))));
    assert!(matches!(mind.verify_ledger(None).await.unwrap(), Verdict::Whole { .. }));
}

trait Ahead {
    fn cliff_time(&self, days: i64) -> Timestamp;
}

impl Ahead for MindHandle {
    /// The moment `days` after day 36.
    fn cliff_time(&self, days: i64) -> Timestamp {
        Timestamp::parse(START).unwrap().plus(Span::days(36 + days))
    }
}

#[tokio::test]
async fn ticking_twice_changes_nothing() {
    let world = World::new();
    let mind = world.mind().await;
    for number in 0..40 {
        keep(&mind, &format!("기억 {number}")).await;
    }
    world.day(45);
    mind.tick().await.unwrap();
    let before = mind.ledger(0, 1000).await.unwrap().len();
    let again = mind.tick().await.unwrap();
    assert_eq!((again.expired, again.gone, again.moved, again.weighed), (0, 0, 0, 0));
    assert_eq!(mind.ledger(0, 1000).await.unwrap().len(), before);
}

#[tokio::test]
async fn core_and_pinned_memories_outlive_every_tick() {
    let world = World::new();
    let mind = world.mind().await;
    let core = mind.remember(Draft { tier: Some(Tier::M0), ..Draft::text("이름을 지어준 날") }).await.unwrap().memory.id;
    let pinned = mind.remember(Draft { pinned: true, ..Draft::text("할머니의 편지") }).await.unwrap().memory.id;
    for year in 1..5 {
        world.day(365 * year);
        mind.tick().await.unwrap();
    }
    assert!(mind.get(core).await.is_ok() && mind.get(pinned).await.is_ok());
    assert!(mind.cliff().await.unwrap().is_empty());
    assert!(matches!(mind.forget(core, Core::Kept).await, Err(EngineError::Unsure(_))));
    mind.forget(core, Core::Too).await.unwrap();
    assert_eq!(mind.cliff().await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_unrecalled_memory_drifts_outward_and_a_used_one_stays_near() {
    let world = World::new();
    let mind = world.mind().await;
    let draft = |text: &str| Draft { tier: Some(Tier::M365), importance: Some(Unit::clamped(0.6)), ..Draft::text(text) };
    let used = mind.remember(draft("매일 아침 달리기를 한다")).await.unwrap().memory.id;
    let unused = mind.remember(draft("냉장고를 새로 샀다")).await.unwrap().memory.id;
    for day in 1..=120 {
        world.day(day);
        mind.mark_used(&[used]).await.unwrap();
    }
    mind.rebalance(None).await.unwrap();
    assert_eq!(mind.get(used).await.unwrap().zone, Zone::Inner);
    assert_eq!(mind.get(unused).await.unwrap().zone, Zone::Cloud);
    assert_eq!(mind.rebalance(None).await.unwrap(), []);
    assert_eq!(mind.get(used).await.unwrap().recalls, 120);
    // After 90 days in the cloud zone without a recall, it moves to the cliff.
    assert_eq!(mind.tick().await.unwrap().expired, 1);
    assert_eq!(mind.cliff().await.unwrap()[0].memory.id, unused);
}

#[tokio::test]
async fn what_was_restored_from_the_cloud_does_not_fall_again_at_once() {
    let world = World::new();
    let mind = world.mind().await;
    let draft = Draft { tier: Some(Tier::M365), importance: Some(Unit::clamped(0.1)), ..Draft::text("우산을 잃어버렸다") };
    let id = mind.remember(draft).await.unwrap().memory.id;
    world.day(60);
    mind.tick().await.unwrap();
    world.day(91);
    assert_eq!(mind.tick().await.unwrap().expired, 1);
    mind.restore(id).await.unwrap();
    world.day(92);
    assert_eq!(mind.tick().await.unwrap().expired, 0);
    world.day(91 + 90);
    assert_eq!(mind.tick().await.unwrap().expired, 1, "it is forgotten when nobody touched it for as long again");
}

#[tokio::test]
async fn what_the_conversation_is_about_comes_nearer() {
    let world = World::new();
    let mind = world.mind().await;
    let draft = |text: &str| Draft { importance: Some(Unit::ONE), ..Draft::text(text) };
    let dog = mind.remember(draft("강아지 모찌와 공원을 산책했다")).await.unwrap().memory.id;
    let work = mind.remember(draft("회사에서 발표 자료를 만들었다")).await.unwrap().memory.id;
    mind.rebalance(Some("강아지랑 공원 산책한 이야기")).await.unwrap();
    let (near, far) = (mind.get(dog).await.unwrap(), mind.get(work).await.unwrap());
    assert!(near.zone < far.zone, "{} {} / {} {}", near.zone, near.zone_score, far.zone, far.zone_score);
}

#[tokio::test]
async fn a_recall_counts_only_when_it_is_used() {
    let world = World::new();
    let mind = world.mind().await;
    let id = mind
        .remember(Draft {
            emotions: Some(Emotions::mix([Emotion::Joy])), intensity: Some(Unit::ONE), ..Draft::text("바다에서 수영했다")
        })
        .await
        .unwrap()
        .memory
        .id;
    mind.recall(Query::text("바다")).await.unwrap();
    assert_eq!(mind.get(id).await.unwrap().recalls, 0);
    mind.recall(Query { used: true, ..Query::text("바다") }).await.unwrap();
    assert_eq!(mind.get(id).await.unwrap().recalls, 1);
    assert!(mind.mood().await.unwrap().level(Emotion::Joy).get() > 0.4);
    let marks = mind.ledger(0, 100).await.unwrap().iter().filter(|(entry, _)| entry.operation.as_str() == "recall").count();
    assert_eq!(marks, 1);
}

#[tokio::test]
async fn every_score_is_the_sum_of_its_parts_and_the_best_comes_first() {
    let world = World::new();
    let mind = world.mind().await;
    for text in ["커피를 좋아한다", "차를 좋아한다", "I drink coffee every morning", "고양이를 키운다", "생일은 3월 15일이다"]
    {
        keep(&mind, text).await;
    }
    let recalled = mind.recall(Query { depth: Depth::Everything, limit: 10, ..Query::text("무슨 커피 마셔?") }).await.unwrap();
    assert_eq!(recalled.results.len(), 5);
    assert!(recalled.results.windows(2).all(|pair| pair[0].score.total() >= pair[1].score.total()));
    assert!(recalled.results[0].memory.content.contains("커피"));
    for found in &recalled.results {
        let sum: f32 = found.score.parts().iter().map(|part| part.weight * part.value).sum();
        assert!((sum - found.score.total()).abs() < 1e-4);
    }
}

#[tokio::test]
async fn when_nothing_fits_recall_says_so() {
    let world = World::new();
    let mind = world.mind().await;
    for text in ["민수는 매운 떡볶이를 좋아한다", "회사에서 승진했다", "I adopted a puppy called Mochi"] {
        keep(&mind, text).await;
    }
    for question in ["양자역학 교과서 출판 연도", "stock market crash of 1929", "\u{0}", "", "💥💥"] {
        assert_eq!(found(&mind, question).await, Vec::<String>::new(), "{question:?}");
    }
    assert_eq!(found(&mind, "떡볶이").await, ["민수는 매운 떡볶이를 좋아한다"]);
    assert_eq!(found(&mind, "puppies").await, ["I adopted a puppy called Mochi"]);
}

#[tokio::test]
async fn another_process_sees_what_this_one_does_and_the_other_way_round() {
    let world = World::new();
    let (here, there) = (world.mind().await, world.mind().await);
    keep(&here, "첫 번째 눈이 내렸다").await;
    assert_eq!(found(&there, "눈").await.len(), 1);
    let id = keep(&there, "두 번째 눈이 내렸다").await;
    assert_eq!(found(&here, "눈이 내렸다").await.len(), 2);
    here.forget(id, Core::Kept).await.unwrap();
    assert_eq!(found(&there, "눈이 내렸다").await.len(), 1);
    there.restore(id).await.unwrap();
    here.edit(id, Edit { content: Some("비가 쏟아졌다".into()), ..Edit::default() }).await.unwrap();
    assert_eq!(found(&there, "비").await, ["비가 쏟아졌다"]);
    assert!(found(&here, "두 번째").await.iter().all(|text| !text.contains("두 번째")));
    there.erase_memory(id).await.unwrap();
    assert_eq!(found(&here, "비").await, Vec::<String>::new());
    assert_eq!(found(&here, "눈").await, ["첫 번째 눈이 내렸다"]);
}

#[tokio::test]
async fn a_large_mind_answers_from_the_file_while_it_is_read_in_the_background() {
    let world = World::new();
    let mut config = Config::local(world.database());
    config.policy.recall.index_at_once = 3;
    let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    for text in ["커피를 마셨다", "공원을 걸었다", "책을 읽었다", "영화를 봤다", "잠을 잤다"] {
        keep(&mind, text).await;
    }
    for _ in 0..20 {
        assert_eq!(found(&mind, "커피").await, ["커피를 마셨다"]);
        assert_eq!(found(&mind, "영화 본 날").await.first().map(String::as_str), Some("영화를 봤다"));
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn filters_reach_inside() {
    let world = World::new();
    let mind = world.mind().await;
    for number in 0..300 {
        let mut draft = Draft::text(format!("커피를 마신 {number}번째 날"));
        draft.tags = if number == 250 { vec!["특별".into()] } else { Vec::new() };
        draft.coordinate.project = (number % 100 == 7).then(|| "saegim".into());
        draft.coordinate.session = Some(SessionId::new(format!("s{}", number / 10)).unwrap());
        mind.remember(draft).await.unwrap();
    }
    let ask = |filter: Filter| {
        let mind = mind.clone();
        async move { mind.recall(Query { filter, limit: 50, ..Query::text("커피") }).await.unwrap().results.len() }
    };
    assert_eq!(ask(Filter { tags: vec!["특별".into()], ..Filter::default() }).await, 1);
    assert_eq!(ask(Filter { project: Some("saegim".into()), ..Filter::default() }).await, 3);
    assert_eq!(ask(Filter { session: Some(SessionId::new("s4").unwrap()), ..Filter::default() }).await, 10);
    assert_eq!(ask(Filter { project: Some("nowhere".into()), ..Filter::default() }).await, 0);
    assert_eq!(ask(Filter { tier: Some(Tier::M0), ..Filter::default() }).await, 0);
    assert_eq!(ask(Filter { until: Some(Timestamp::parse("2020-01-01").unwrap()), ..Filter::default() }).await, 0);
}

#[tokio::test]
async fn an_agent_may_not_touch_what_only_the_owner_may() {
    let world = World::new();
    let mind = world.mind().await;
    let core = mind.remember(Draft { tier: Some(Tier::M0), ..Draft::text("나의 시작") }).await.unwrap().memory.id;
    let plain = keep(&mind, "점심을 먹었다").await;
    let agent = mind.clone().acting_as(Principal::Agent);
    let forbidden = |result: Result<(), EngineError>| assert!(matches!(result, Err(EngineError::Forbidden(_))), "{result:?}");
    forbidden(agent.forget(core, Core::Too).await.map(drop));
    forbidden(agent.edit(core, Edit { content: Some("다른 시작".into()), ..Edit::default() }).await.map(drop));
    forbidden(agent.edit(plain, Edit { tier: Some(Tier::M0), ..Edit::default() }).await.map(drop));
    forbidden(agent.rate(core, Rating::new(1).unwrap()).await.map(drop));
    forbidden(agent.pin(plain, Pinned::Fast).await.map(drop));
    forbidden(agent.remember(Draft { tier: Some(Tier::M0), ..Draft::text("가짜 시작") }).await.map(drop));
    forbidden(agent.erase_memory(plain).await.map(drop));
    forbidden(agent.erase().await.map(drop));
    forbidden(agent.import_memories(Vec::new(), Tier::M30).await.map(drop));
    agent.forget(plain, Core::Kept).await.unwrap();
    agent.restore(plain).await.unwrap();
    mind.forget(plain, Core::Kept).await.unwrap();
    forbidden(agent.restore(plain).await.map(drop));
    let told = agent.remember(Draft { source: Some(Source::Conversation), ..Draft::text("요원이 들은 말") }).await.unwrap().memory;
    assert!(told.trust.get() < 0.6);
    let operator = mind.acting_as(Principal::Admin);
    forbidden(operator.remember(Draft::text("운영자의 말")).await.map(drop));
}

#[tokio::test]
async fn references_make_a_memory_weightier_at_midnight() {
    let world = World::new();
    let mind = world.mind().await;
    let target = keep(&mind, "제주도 여행").await;
    let before = mind.get(target).await.unwrap().importance;
    for number in 0..3 {
        let from = keep(&mind, &format!("제주도 사진 {number}")).await;
        mind.link(from, target, LinkKind::Related).await.unwrap();
    }
    mind.tick().await.unwrap();
    let after = mind.get(target).await.unwrap().importance;
    assert!((after.get() - before.get() - 0.15).abs() < 1e-5);
    mind.rate(target, Rating::new(5).unwrap()).await.unwrap();
    assert!((mind.get(target).await.unwrap().importance.get() - (after.get() + 0.3).min(1.0)).abs() < 1e-5);
}

#[tokio::test]
async fn a_cut_or_rewritten_ledger_no_longer_reaches_its_signed_head() {
    let world = World::new();
    let mind = world.mind().await;
    keep(&mind, "하나").await;
    let early = world.folder.path().join("early.db");
    world.engine().await.backup(&early).await.unwrap();
    keep(&mind, "둘").await;
    let head = mind.sign_head().await.unwrap();
    assert!(matches!(mind.verify_ledger(Some(&head)).await.unwrap(), Verdict::Whole { entries: 3, .. }));
    let cut = open(&early, &world).await;
    assert!(matches!(cut.verify_ledger(None).await.unwrap(), Verdict::Whole { entries: 2, .. }));
    assert!(matches!(cut.verify_ledger(Some(&head)).await.unwrap(), Verdict::Broken { sequence: 3, .. }));
    keep(&cut, "다른 둘").await;
    assert!(matches!(cut.verify_ledger(Some(&head)).await.unwrap(), Verdict::Broken { sequence: 3, .. }));
    let forged = saegim_engine::SignedHead { sequence: 2, ..head };
    assert!(matches!(mind.verify_ledger(Some(&forged)).await.unwrap(), Verdict::Broken { .. }));
}

async fn open(path: &Path, world: &World) -> MindHandle {
    let mut config = Config::local(path);
    config.clock = world.clock.clone();
    Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
}

#[tokio::test]
async fn without_an_embedder_words_go_on_and_vectors_are_made_later() {
    let world = World::new();
    let mut config = Config::local(world.database());
    config.embedder = None;
    config.clock = world.clock.clone();
    let bare = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    let kept = bare.remember(Draft::text("강아지가 아팠다")).await.unwrap();
    assert!(kept.degraded.is_some());
    let recalled = bare.recall(Query::text("강아지")).await.unwrap();
    assert_eq!(recalled.results.len(), 1);
    assert!(recalled.degraded.unwrap().to_string().starts_with("keyword search only: "));
    let mind = world.mind().await;
    assert_eq!(mind.tick().await.unwrap().embedded, 1);
    assert_eq!(mind.counts().await.unwrap().vectors, 1);
    let script = mind.recall(Query::text("Где моя собака?")).await.unwrap();
    assert!(script.degraded.unwrap().to_string().contains("does not support this script"));
}

#[tokio::test]
async fn two_syllable_words_are_found_with_every_common_particle() {
    const WORDS: [&str; 25] = [
        "커피", "회사", "생일", "엄마", "학교", "친구", "여행", "영화", "음악", "운동", "고양", "가방", "시계", "바다", "산책", "공부",
        "요리", "사진", "우산", "편지", "기타", "축구", "약속", "병원", "시장",
    ];
    const PARTICLES: [&str; 20] =
        ["", "은", "는", "이", "가", "을", "를", "에", "의", "도", "만", "와", "과", "로", "에서", "부터", "까지", "보다", "처럼", "이랑"];
    let world = World::new();
    let mind = world.mind().await;
    let mut wanted = Vec::new();
    for word in WORDS {
        for particle in PARTICLES {
            let text = format!("그날 {word}{particle} 떠올렸던 일");
            wanted.push((word, keep(&mind, &text).await));
        }
    }
    for word in WORDS {
        let filter = Filter::default();
        let recalled = mind.recall(Query { limit: 40, filter, ..Query::text(word) }).await.unwrap();
        let ids: Vec<MemoryId> = recalled.results.iter().map(|found| found.memory.id).collect();
        for (_, id) in wanted.iter().filter(|(of, _)| *of == word) {
            assert!(ids.contains(id), "{word}");
        }
    }
}
