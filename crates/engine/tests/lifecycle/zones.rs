//! Zones: the current conversation moves memories closer, and inactivity moves them outward.

use std::path::Path;
use std::sync::Arc;

use saegim_core::{Span, Timestamp, Unit, Zone};
use saegim_engine::{Config, Draft, Engine, Exchange, MindHandle, MindKey, NewMessage, Query, SeededDice, SetClock};

const START: &str = "2026-03-02T09:00:00Z";

struct World {
    engine: Engine,
    clock: Arc<SetClock>,
    folder: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(SetClock::at(Timestamp::parse(START).unwrap()));
        let engine = Self::open(folder.path(), &clock, 3).await;
        Self { engine, clock, folder }
    }

    async fn open(folder: &Path, clock: &Arc<SetClock>, seed: u64) -> Engine {
        let mut config = Config::local(folder.join("mind.db"));
        config.clock = clock.clone();
        config.dice = Arc::new(SeededDice::new(seed));
        config.policy.zone.core_room = 2;
        config.policy.zone.inner_room = 4;
        Engine::open(config).await.unwrap()
    }

    async fn mind(&self) -> MindHandle {
        self.engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    fn minutes(&self, minutes: i64) {
        self.clock.set(Timestamp::parse(START).unwrap().plus(Span::seconds(minutes * 60)));
    }
}

async fn say(mind: &MindHandle, text: &str) {
    mind.observe(Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() }).await.unwrap();
}

#[tokio::test]
async fn what_they_talk_about_comes_near_and_leaves_when_the_talk_is_over() {
    for (about_dog, about_work, talk) in [
        (
            "우리 강아지 모찌는 산책을 정말 좋아해",
            "회사에서 분기 보고서를 제출했다",
            ["모찌랑 산책 다녀왔어", "강아지가 산책하면서 신나 하더라", "모찌 산책 또 가고 싶대"],
        ),
        (
            "my dog Mochi loves long walks",
            "I handed in the quarterly report at work",
            ["I took Mochi for a walk", "the dog was so happy on our walk", "Mochi wants to go for another walk"],
        ),
    ] {
        let world = World::new().await;
        let mind = world.mind().await;
        let keep = |text: &str| Draft { importance: Some(Unit::clamped(0.9)), ..Draft::text(text) };
        let dog = mind.remember(keep(about_dog)).await.unwrap().memory.id;
        let work = mind.remember(keep(about_work)).await.unwrap().memory.id;
        mind.rebalance(None).await.unwrap();
        let near = async |id| mind.get(id).await.unwrap().zone;
        assert_eq!((near(dog).await, near(work).await), (Zone::Outer, Zone::Outer));
        for text in talk {
            say(&mind, text).await;
        }
        world.minutes(5);
        let moves = mind.tick().await.unwrap().moves;
        assert_eq!(near(dog).await, Zone::Inner, "{about_dog}: {moves:?}");
        assert_eq!(near(work).await, Zone::Outer, "{about_work}: {moves:?}");
        assert!(moves.iter().any(|step| step.memory == dog && step.from == Zone::Outer && step.to == Zone::Inner));
        let shown = mind.show(dog).await.unwrap();
        assert!(shown.nearness.parts().iter().any(|part| part.name == "context" && part.value > 0.5), "{:?}", shown.nearness);
        world.minutes(5 + 181);
        mind.tick().await.unwrap();
        assert_eq!(near(dog).await, Zone::Outer, "the talk is over");
    }
}

#[tokio::test]
async fn an_active_mind_is_placed_anew_every_five_minutes_and_once_more_when_the_talk_is_over() {
    let world = World::new().await;
    let mind = world.mind().await;
    mind.remember(Draft::text("비가 온다")).await.unwrap();
    mind.tick().await.unwrap();
    let due = async || mind.mind().await.unwrap().care_due_at.map(|at| at.since(Timestamp::parse(START).unwrap()).as_millis() / 60_000);
    assert_eq!(due().await, Some(15 * 60), "midnight");
    world.minutes(10);
    say(&mind, "오늘 비 진짜 많이 온다").await;
    assert_eq!(due().await, Some(15), "five minutes after something was said");
    world.minutes(12);
    say(&mind, "우산도 없는데").await;
    assert_eq!(due().await, Some(15), "saying more does not put it off");
    world.minutes(15);
    assert_eq!(world.engine.sweep(10).await.unwrap().len(), 1);
    assert_eq!(due().await, Some(20));
    world.minutes(20);
    assert_eq!(world.engine.sweep(10).await.unwrap().len(), 1);
    assert_eq!(due().await, Some(12 + 180), "nothing was said since: next when the talk is over");
    world.minutes(12 + 180);
    assert_eq!(world.engine.sweep(10).await.unwrap().len(), 1);
    assert_eq!(due().await, Some(15 * 60));
}

#[tokio::test]
async fn a_mind_in_memory_and_its_file_place_alike() {
    let world = World::new().await;
    let (mind, other) = (world.mind().await, World::open(world.folder.path(), &world.clock, 4).await);
    let unread = other.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    for number in 0..40u8 {
        let importance = Some(Unit::clamped(f32::from(number) / 40.0));
        mind.remember(Draft { importance, ..Draft::text(format!("{number}번째 여행에서 본 바다와 노을")) }).await.unwrap();
    }
    for days in 1..=6 {
        world.minutes(days * 5 * 24 * 60);
        for question in ["3번째 여행", "바다와 노을", "21번째"] {
            mind.recall(Query { limit: 3, ..Query::text(question) }).await.unwrap();
        }
        assert!(mind.is_loaded().await && !unread.is_loaded().await);
        let (first, second) = if days % 2 == 0 { (&mind, &unread) } else { (&unread, &mind) };
        assert!(!first.rebalance(None).await.unwrap().is_empty(), "day {days}");
        assert_eq!(second.rebalance(None).await.unwrap(), [], "day {days}");
    }
}

#[tokio::test]
async fn a_mind_nobody_asks_for_leaves_memory_and_comes_back_the_same() {
    let world = World::new().await;
    let mind = world.mind().await;
    say(&mind, "내일 부산으로 이사 가, 기억해 줘").await;
    let ask = async || {
        let found = mind.recall(Query { used: false, ..Query::text("어디로 이사 가?") }).await.unwrap().results;
        found.into_iter().map(|found| (found.memory.id, found.score.total())).collect::<Vec<_>>()
    };
    let before = ask().await;
    assert!(!before.is_empty() && mind.is_loaded().await);
    world.engine.rest().await;
    assert!(mind.is_loaded().await, "it was asked since the last rest");
    world.engine.rest().await;
    assert!(!mind.is_loaded().await);
    assert_eq!(ask().await, before);
    say(&mind, "부산 집은 바다가 보여").await;
    assert_eq!(mind.mind().await.unwrap().turns, 2);
}
