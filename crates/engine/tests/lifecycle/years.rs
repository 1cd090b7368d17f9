//! Weeks, months and years of a mind on a simulated clock: promotion, consolidation and expiry.

use std::collections::HashSet;
use std::sync::Arc;

use saegim_core::{
    Emotion, Emotions, Kind, LinkKind, Memory, MemoryId, MemoryState, ProposalStatus, Proposed, Source, Span, Tier, Timestamp, Unit,
};
use saegim_engine::{
    Config, ContextQuery, Draft, Engine, Exchange, Filter, Loss, MindHandle, MindKey, NewMessage, Page, Query, SeededDice, SetClock,
};

struct World {
    folder: tempfile::TempDir,
    clock: Arc<SetClock>,
}

/// A Thursday.
const START: &str = "2026-01-01T09:00:00Z";

impl World {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), clock: Arc::new(SetClock::at(Timestamp::parse(START).unwrap())) }
    }

    async fn mind(&self) -> MindHandle {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(7));
        Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    fn day(&self, day: i64) {
        self.clock.set(Timestamp::parse(START).unwrap().plus(Span::days(day)));
    }
}

async fn of_tier(mind: &MindHandle, tier: Tier) -> Vec<Memory> {
    mind.list(&Filter { tier: Some(tier), ..Filter::default() }, Page { limit: 1000, before: None }).await.unwrap()
}

async fn keep(mind: &MindHandle, text: &str) -> MemoryId {
    mind.remember(Draft::text(text)).await.unwrap().memory.id
}

const CAFE: [&str; 8] = [
    "동네 카페에서 라떼를 마셨어",
    "퇴근하고 동네 카페에 들렀어",
    "카페에서 라떼 마시면서 책을 읽었어",
    "동네 카페 라떼가 오늘도 맛있었어",
    "점심 먹고 카페에서 라떼 한 잔 했어",
    "카페 사장님이 라떼를 그냥 주셨어",
    "주말에도 동네 카페에 갔어",
    "카페 창가 자리에서 라떼를 마셨어",
];

#[tokio::test]
async fn a_daily_cafe_goer_becomes_one_essence_and_then_a_longer_one() {
    let world = World::new();
    let mind = world.mind().await;
    for day in 0..24 {
        world.day(day);
        keep(&mind, CAFE[day as usize % CAFE.len()]).await;
        mind.tick().await.unwrap();
    }
    let essences = of_tier(&mind, Tier::M90).await;
    assert_eq!(essences.len(), 1, "{:?}", essences.iter().map(|memory| &memory.content).collect::<Vec<_>>());
    let essence = essences[0].clone();
    assert!(essence.content.contains("카페"), "{}", essence.content);
    assert_eq!((essence.source, essence.kind), (Source::Distillation, Kind::Semantic));
    let links = mind.show(essence.id).await.unwrap().links;
    let originals = links.iter().filter(|link| link.from == essence.id && link.kind == LinkKind::DistilledFrom).count();
    assert!(originals >= 15, "{originals} originals are linked");
    assert_eq!(of_tier(&mind, Tier::M30).await.len(), 24, "originals run out their own time");
    for _ in 0..5 {
        mind.mark_used(&[essence.id]).await.unwrap();
    }
    world.day(60);
    mind.tick().await.unwrap();
    let longer = of_tier(&mind, Tier::M365).await;
    assert_eq!(longer.len(), 1);
    assert_eq!(longer[0].promoted_from, Some(essence.id));
    assert!(of_tier(&mind, Tier::M0).await.is_empty(), "for ever is only the owner's word");
}

#[tokio::test]
async fn a_strong_feeling_a_request_and_recalls_each_promote() {
    let world = World::new();
    let mind = world.mind().await;
    let strong =
        Draft {
            emotions: Some(Emotions::mix([Emotion::Joy])), intensity: Some(Unit::clamped(0.9)), ..Draft::text("첫 조카가 태어났다")
        };
    let strong = mind.remember(strong).await.unwrap().memory.id;
    let recalled = keep(&mind, "지하실 열쇠는 신발장 위에 있다").await;
    for _ in 0..3 {
        mind.mark_used(&[recalled]).await.unwrap();
    }
    keep(&mind, "우산을 버스에 두고 내렸다").await;
    let asked = "치과 예약은 다음 달 둘째 주야. 꼭 기억해 줘";
    mind.observe(Exchange { said: vec![NewMessage::user(asked)], ..Exchange::default() }).await.unwrap();
    world.day(5);
    mind.tick().await.unwrap();
    let promoted: Vec<Option<MemoryId>> = of_tier(&mind, Tier::M90).await.iter().map(|memory| memory.promoted_from).collect();
    assert!(promoted.contains(&Some(strong)) && promoted.contains(&Some(recalled)), "{promoted:?}");
    assert_eq!(promoted.len(), 3, "what was asked for is the third, and the umbrella is none");
    mind.tick().await.unwrap();
    world.day(12);
    mind.tick().await.unwrap();
    assert_eq!(of_tier(&mind, Tier::M90).await.len(), 3, "nothing is promoted twice");
}

#[tokio::test]
async fn an_essence_is_dated_by_its_telling_told_once_and_used_with_its_original() {
    let world = World::new();
    let mind = world.mind().await;
    let strong = Draft {
        emotions: Some(Emotions::mix([Emotion::Joy])),
        intensity: Some(Unit::clamped(0.9)),
        ..Draft::text("어젯밤에 첫 조카가 태어나서 병원으로 달려갔다")
    };
    let original = mind.remember(strong).await.unwrap().memory;
    world.day(12);
    mind.tick().await.unwrap();
    let essence = of_tier(&mind, Tier::M90).await.remove(0);
    assert_eq!((essence.content.as_str(), essence.created_at), ("첫 조카가 태어나서 병원으로 달려갔다", original.created_at));
    let found = mind.recall(Query::text("조카가 언제 태어났지?")).await.unwrap().results;
    assert_eq!(found.iter().map(|found| found.memory.id).collect::<Vec<_>>(), [essence.id]);
    let context = mind.context(ContextQuery { text: "조카가 언제 태어났지?".into(), budget: None }).await.unwrap().text;
    assert!(context.matches("조카가 태어나서").count() == 1 && context.contains("12일 전"), "{context}");
    for _ in 0..5 {
        mind.mark_used(&[original.id]).await.unwrap();
    }
    mind.mark_used(&[original.id, essence.id]).await.unwrap();
    assert_eq!(mind.get(essence.id).await.unwrap().recalls, 6, "what is used counts for what will stay of it, once");
    world.day(31);
    mind.tick().await.unwrap();
    assert_eq!(of_tier(&mind, Tier::M365).await.len(), 1);
}

#[tokio::test]
async fn erasing_says_how_many_essences_were_worded_anew_and_leaves_the_count_of_the_others() {
    let world = World::new();
    let mind = world.mind().await;
    let mut ids = Vec::new();
    for text in &CAFE[..4] {
        ids.push(keep(&mind, text).await);
    }
    world.day(5);
    mind.tick().await.unwrap();
    let gone = mind.erase_memory(ids[0]).await.unwrap();
    assert_eq!((gone.memories, gone.reworded), (1, 1));
    let essence = of_tier(&mind, Tier::M90).await.remove(0);
    assert!(essence.content.starts_with("카페 이야기가 3번"), "{}", essence.content);
    assert_eq!((essence.mentions, essence.promoted_from), (2, Some(ids[1])));
    for id in &ids[1..3] {
        assert_eq!(mind.erase_memory(*id).await.unwrap().reworded, 1);
    }
    let gone = mind.erase_memory(ids[3]).await.unwrap();
    assert_eq!((gone.memories, gone.reworded), (2, 0), "the essence stood on nothing else any more");
    let report = mind.report(Timestamp::parse(START).unwrap(), Timestamp::parse(START).unwrap().plus(Span::days(6))).await.unwrap();
    assert_eq!(report.erased, 5, "what was worded anew was not erased");
}

#[tokio::test]
async fn what_was_kept_for_a_year_is_put_before_the_owner_before_its_term_ends() {
    let world = World::new();
    world.day(9);
    let mind = world.mind().await;
    let oak = Draft { tier: Some(Tier::M365), ..Draft::text("Grandfather built the oak table himself") };
    let oak = mind.remember(oak).await.unwrap().memory.id;
    for day in (70..=365).step_by(59) {
        world.day(day);
        mind.mark_used(&[oak]).await.unwrap();
        mind.tick().await.unwrap();
    }
    let waiting = mind.proposals(Some(ProposalStatus::Pending)).await.unwrap();
    let asked = waiting.iter().find(|proposal| matches!(proposal.change, Proposed::Core { memory, .. } if memory == oak)).unwrap();
    let reasons = serde_json::to_string(&asked.reasons).unwrap();
    assert!(reasons.contains("whole year") && reasons.contains("2027-01-10"), "{reasons}");
    world.day(375);
    mind.tick().await.unwrap();
    let fallen = mind.cliff().await.unwrap();
    assert!(fallen[0].memory.id == oak && fallen[0].entry.note.contains("waited for the owner's word"), "{}", fallen[0].entry.note);
    mind.approve(asked.id, asked.digest).await.unwrap();
    let kept = mind.get(oak).await.unwrap();
    assert_eq!((kept.tier, kept.standing), (Tier::M0, MemoryState::Alive), "a late answer still keeps it");
}

#[tokio::test]
async fn a_pause_of_three_weeks_ends_where_an_unbroken_life_does() {
    let (awake, asleep) = (World::new(), World::new());
    let mut ends = Vec::new();
    for (world, pause) in [(&awake, false), (&asleep, true)] {
        let mind = world.mind().await;
        for day in 0..4 {
            world.day(day);
            keep(&mind, CAFE[day as usize]).await;
        }
        keep(&mind, "우산을 잃어버렸다").await;
        for day in 4..=40 {
            if !pause || day == 4 || day > 25 {
                world.day(day);
                mind.tick().await.unwrap();
            }
        }
        let texts = |memories: Vec<Memory>| {
            let mut texts: Vec<_> = memories.into_iter().map(|memory| (memory.content, memory.expires_at)).collect();
            texts.sort();
            texts
        };
        let on_cliff = mind.cliff().await.unwrap().len();
        ends.push((texts(of_tier(&mind, Tier::M30).await), texts(of_tier(&mind, Tier::M90).await), on_cliff));
    }
    assert_eq!(ends[0].1, ends[1].1);
    assert_eq!(ends[0].0, ends[1].0);
}

const UNLIKE: [&str; 12] = [
    "치과 예약을 목요일로 옮겼다",
    "동생이 군대에서 전역했다",
    "세탁기가 고장 나서 빨래방에 갔다",
    "회사 워크숍으로 제주에 다녀왔다",
    "할머니 생신 잔치를 열었다",
    "새 노트북을 샀다",
    "지하철에서 우산을 잃어버렸다",
    "친구 결혼식에서 축가를 불렀다",
    "운전면허 시험에 붙었다",
    "도서관에서 소설을 빌렸다",
    "김치찌개를 끓이다 손을 데었다",
    "옆집이 새벽까지 시끄러웠다",
];

#[tokio::test]
async fn what_was_told_twice_is_joined_after_a_week_and_can_be_given_back() {
    let world = World::new();
    let mind = world.mind().await;
    for text in UNLIKE {
        keep(&mind, text).await;
    }
    let (one, two) = (keep(&mind, "어제 민지랑 한강에서 자전거를 탔다").await, keep(&mind, "민지랑 한강에서 자전거를 탔다").await);
    for day in [0, 8] {
        world.day(day);
        for round in 0..10 {
            mind.observe(Exchange { said: vec![NewMessage::user(format!("응 {day} {round}"))], ..Exchange::default() }).await.unwrap();
        }
        mind.tick().await.unwrap();
        if day == 0 {
            assert!(mind.cliff().await.unwrap().is_empty(), "nothing young is taken");
        }
    }
    let fallen: HashSet<MemoryId> = mind.cliff().await.unwrap().iter().map(|fallen| fallen.memory.id).collect();
    assert_eq!(fallen, HashSet::from([one, two]), "and nothing else");
    let joined: Vec<Memory> = of_tier(&mind, Tier::M30).await.into_iter().filter(|memory| memory.kind == Kind::Semantic).collect();
    assert_eq!((joined.len(), joined[0].mentions), (1, 1), "{joined:?}");
    assert!(joined[0].content.contains("민지") && joined[0].content.contains("자전거"), "{}", joined[0].content);
    let links = mind.show(joined[0].id).await.unwrap().links;
    assert_eq!(links.iter().filter(|link| link.kind == LinkKind::DistilledFrom).count(), 2);
    assert_eq!(mind.restore(one).await.unwrap().content, "어제 민지랑 한강에서 자전거를 탔다");
}

#[tokio::test]
async fn an_idle_mind_is_not_due_and_a_busy_one_soon_is() {
    let world = World::new();
    let mind = world.mind().await;
    assert!(mind.mind().await.unwrap().care_due_at.is_some(), "a new mind is looked at once");
    mind.tick().await.unwrap();
    assert_eq!(mind.mind().await.unwrap().care_due_at, None, "nothing in it can change by itself");
    let kept = keep(&mind, "비가 온다").await;
    assert!(mind.mind().await.unwrap().care_due_at.is_some());
    mind.tick().await.unwrap();
    let midnight = Timestamp::parse("2026-01-02T00:00:00Z").unwrap();
    assert_eq!(mind.mind().await.unwrap().care_due_at, Some(midnight));
    mind.erase_memory(kept).await.unwrap();
    world.day(1);
    mind.tick().await.unwrap();
    assert_eq!(mind.mind().await.unwrap().care_due_at, None);
}

#[tokio::test]
async fn sweeping_finds_what_is_due_and_leaves_the_rest() {
    let world = World::new();
    let mut config = Config::local(world.folder.path().join("mind.db"));
    config.clock = world.clock.clone();
    let engine = Engine::open(config).await.unwrap();
    for user in ["a", "b", "c"] {
        engine.mind(MindKey::new(user, "luna").unwrap()).await.unwrap();
    }
    assert_eq!(engine.sweep(10).await.unwrap().len(), 3, "new minds are looked at once");
    assert!(engine.sweep(10).await.unwrap().is_empty(), "and then nothing in them is due");
    let mind = engine.mind(MindKey::new("b", "luna").unwrap()).await.unwrap();
    keep(&mind, "비가 온다").await;
    let swept = engine.sweep(10).await.unwrap();
    assert_eq!(swept.iter().map(|(key, _)| key.user().to_owned()).collect::<Vec<_>>(), ["b"]);
    assert!(engine.sweep(10).await.unwrap().is_empty());
    world.day(31);
    assert_eq!(engine.sweep(10).await.unwrap()[0].1.expired, 1);
}

#[tokio::test]
async fn nothing_that_settled_or_surprised_matters_less_once_something_refers_to_it() {
    let world = World::new();
    let mind = world.mind().await;
    let say = async |text: &str| mind.observe(Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() }).await.unwrap();
    for _ in 0..4 {
        say("드디어 대학 합격했어").await;
    }
    for number in 0..8 {
        say(&format!("응 그래 {number}")).await;
    }
    world.day(1);
    mind.tick().await.unwrap();
    let all = mind.list(&Filter::default(), Page { limit: 10, before: None }).await.unwrap();
    let passed = all.iter().find(|memory| memory.content.contains("합격")).unwrap().clone();
    assert!(passed.importance.get() >= 0.8, "it came up often enough to settle: {:?}", passed.importance);
    let note = keep(&mind, "입학식은 3월 2일이다").await;
    mind.link(note, passed.id, LinkKind::Related).await.unwrap();
    world.day(2);
    assert_eq!(mind.tick().await.unwrap().weighed, 1);
    let after = mind.get(passed.id).await.unwrap().importance.get();
    assert!((after - passed.importance.get() - 0.05).abs() < 1e-4, "{after} instead of {:?} and a reference", passed.importance);
    mind.pin(passed.id, saegim_engine::Pinned::Fast).await.unwrap();
    assert_eq!(mind.get(passed.id).await.unwrap().importance.get(), after, "holding it fast changes nothing about that");
}

#[tokio::test]
async fn an_idle_mind_writes_nothing_and_is_looked_at_when_something_can_change() {
    let world = World::new();
    let mut config = Config::local(world.folder.path().join("mind.db"));
    config.clock = world.clock.clone();
    let engine = Engine::open(config).await.unwrap();
    let mind = engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    let kept = keep(&mind, "할머니 댁 감나무에 올라갔다").await;
    let entries = async || mind.counts().await.unwrap().entries;
    let (mut looks, mut written) = (0, Vec::new());
    for day in 0..=29 {
        world.day(day);
        let before = entries().await;
        looks += engine.sweep(10).await.unwrap().len();
        written.extend((entries().await > before).then_some(day));
    }
    assert!(written.len() <= 3, "it only moved from zone to zone: {written:?}");
    assert!(looks <= 8, "{looks} looks in thirty days");
    let before = entries().await;
    mind.tick().await.unwrap();
    mind.tick().await.unwrap();
    assert_eq!(entries().await, before, "whoever looks at what nothing is due in writes nothing");
    world.day(30);
    assert_eq!(engine.sweep(10).await.unwrap()[0].1.expired, 1, "its term is over");
    assert_eq!(mind.get(kept).await.unwrap().standing, MemoryState::OnCliff);
}

#[tokio::test]
async fn what_is_done_today_does_not_count_in_rounds_nobody_had_to_look_at() {
    let (daily, seldom) = (World::new(), World::new());
    let mut ends = Vec::new();
    for (world, every_day) in [(&daily, true), (&seldom, false)] {
        let mut config = Config::local(world.folder.path().join("mind.db"));
        (config.clock, config.dice) = (world.clock.clone(), Arc::new(SeededDice::new(7)));
        let engine = Engine::open(config).await.unwrap();
        let mind = engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
        let key = mind.remember(Draft { tier: Some(Tier::M90), ..Draft::text("지하실 열쇠는 신발장 위에 있다") }).await.unwrap().memory.id;
        let bus = keep(&mind, "버스에서 졸았다").await;
        for day in 0..70 {
            world.day(day);
            if day == 26 {
                for _ in 0..3 {
                    mind.mark_used(&[bus]).await.unwrap();
                }
            }
            if day == 47 {
                for _ in 0..5 {
                    mind.mark_used(&[key]).await.unwrap();
                }
            }
            if every_day {
                mind.tick().await.unwrap();
            } else {
                engine.sweep(10).await.unwrap();
            }
        }
        let alive = mind.list(&Filter::default(), Page { limit: 10, before: None }).await.unwrap();
        let mut state: Vec<_> =
            alive.into_iter().map(|memory| (memory.content, memory.tier, memory.created_at, memory.expires_at)).collect();
        state.sort();
        ends.push(state);
    }
    assert_eq!(ends[0], ends[1]);
}

#[tokio::test]
async fn show_says_on_the_first_day_when_a_year_nobody_recalls_will_really_end() {
    let world = World::new();
    let mind = world.mind().await;
    let id = mind.remember(Draft { tier: Some(Tier::M365), ..Draft::text("회사 워크숍으로 제주에 다녀왔다") }).await.unwrap().memory.id;
    let said = mind.show(id).await.unwrap().fate.falls_at.unwrap();
    let mut day = 0;
    while mind.get(id).await.unwrap().standing == MemoryState::Alive {
        day += 1;
        world.clock.set(Timestamp::parse("2026-01-01").unwrap().plus(Span::days(day)));
        mind.tick().await.unwrap();
        assert!(day < 400);
    }
    assert_eq!(said, Timestamp::parse("2026-01-01").unwrap().plus(Span::days(day)));
    assert!(day < 100, "day {day}");
}

#[tokio::test]
async fn a_report_counts_what_was_used_in_talk_and_nobodys_restoring() {
    let world = World::new();
    let mind = world.mind().await;
    let id = keep(&mind, "강아지 모찌를 입양했다").await;
    let answer = NewMessage { injected: vec![id], ..NewMessage::assistant("강아지 모찌를 입양했다고 했잖아!") };
    mind.observe(Exchange { said: vec![NewMessage::user("우리 강아지 기억나?"), answer], ..Exchange::default() }).await.unwrap();
    let other = keep(&mind, "우산을 버스에 두고 내렸다").await;
    mind.forget(other, saegim_engine::Core::Kept).await.unwrap();
    let start = Timestamp::parse(START).unwrap();
    let report = mind.report(start, start.plus(Span::days(1))).await.unwrap();
    assert_eq!((report.recalls, report.most_recalled[0].0.id, report.restored), (1, id, 0));
    world.day(60);
    mind.tick().await.unwrap();
    let report = mind.report(start, start.plus(Span::days(61))).await.unwrap();
    assert_eq!(report.restored, 0, "what waits once more after a sleep was restored by nobody");
    let history = mind.show(other).await.unwrap().history;
    assert!(
        history.iter().any(|entry| entry.note.as_deref().is_some_and(|note| note.starts_with("asleep until 2026-03-02"))),
        "{history:?}"
    );
}

#[tokio::test]
async fn a_report_says_by_what_those_fell_who_are_gone_for_good() {
    let world = World::new();
    let mind = world.mind().await;
    keep(&mind, "우산을 버스에 두고 내렸다").await;
    keep(&mind, "자전거 바퀴에 바람을 넣었다").await;
    let let_go = keep(&mind, "화분에 물을 주었다").await;
    mind.forget(let_go, saegim_engine::Core::Kept).await.unwrap();
    for day in 1..=40 {
        world.day(day);
        mind.tick().await.unwrap();
    }
    let start = Timestamp::parse(START).unwrap();
    // They moved to the cliff before the last week of the report and were purged within it.
    let report = mind.report(start.plus(Span::days(33)), start.plus(Span::days(41))).await.unwrap();
    assert_eq!((report.gone, report.gone_for), (2, vec![(Loss::Expired, 2)]));
    let report = mind.report(start, start.plus(Span::days(41))).await.unwrap();
    assert_eq!((report.gone, report.gone_for), (3, vec![(Loss::Expired, 2), (Loss::LetGo, 1)]));
}

#[tokio::test]
async fn one_essence_that_grew_often_is_told_once() {
    let world = World::new();
    let mind = world.mind().await;
    for day in 0..30 {
        world.day(day);
        keep(&mind, CAFE[day as usize % CAFE.len()]).await;
        mind.tick().await.unwrap();
    }
    let start = Timestamp::parse(START).unwrap();
    let report = mind.report(start, start.plus(Span::days(31))).await.unwrap();
    let essences: HashSet<_> = report.risen.iter().map(|risen| risen.essence.as_ref().map(|memory| memory.id)).collect();
    assert_eq!(essences.len(), report.risen.len());
    assert!(report.risen.iter().any(|risen| risen.times > 1), "{:?}", report.risen);
}
