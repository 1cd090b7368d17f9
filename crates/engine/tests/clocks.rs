//! Clocks that are wrong, and caretakers that come at the same moment.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::sync::Arc;

use saegim_core::{Emotion, Emotions, MemoryId, Span, Standing, Tier, Timestamp, Unit};
use saegim_engine::{Config, Draft, Engine, Exchange, Filter, MindHandle, MindKey, Page, Said, SeededDice, SetClock};

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
        self.opened(7).await
    }

    /// Opens the same file as another process would, with chance of its own.
    async fn opened(&self, seed: u64) -> MindHandle {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(seed));
        Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    fn day(&self, day: i64) {
        self.clock.set(Timestamp::parse(START).unwrap().plus(Span::days(day)));
    }

    /// Three caretakers look at once, and none fails.
    async fn looked_at_by_three(&self, seed: u64) {
        let mut looking = Vec::new();
        for number in 1..=3 {
            let mind = self.opened(seed * 10 + number).await;
            looking.push(tokio::spawn(async move { mind.tick().await.map(drop) }));
        }
        for looked in looking {
            looked.await.unwrap().unwrap();
        }
    }
}

async fn of_tier(mind: &MindHandle, tier: Tier) -> Vec<MemoryId> {
    let all = mind.list(&Filter { tier: Some(tier), ..Filter::default() }, Page { limit: 1000, before: None }).await.unwrap();
    all.into_iter().map(|memory| memory.id).collect()
}

async fn keep(mind: &MindHandle, text: &str) -> MemoryId {
    mind.remember(Draft::text(text)).await.unwrap().memory.id
}

#[tokio::test]
async fn a_clock_that_jumps_ten_years_and_back_purges_nothing() {
    let world = World::new();
    let mind = world.mind().await;
    let id = keep(&mind, "잊으면 안 되는 일").await;
    world.day(3650);
    mind.tick().await.unwrap();
    world.day(1);
    mind.tick().await.unwrap();
    assert_eq!(mind.get(id).await.unwrap().standing, Standing::Alive, "what a clock that was ahead let fall stands again");
    world.day(-3650);
    mind.tick().await.unwrap();
    world.day(2);
    mind.tick().await.unwrap();
    assert!(mind.get(id).await.is_ok());
}

#[tokio::test]
async fn what_was_written_while_the_clock_was_ten_years_behind_lives_as_long_as_it_should() {
    let world = World::new();
    let mind = world.mind().await;
    keep(&mind, "시계가 맞을 때 적은 것").await;
    mind.tick().await.unwrap();
    world.day(-3650);
    let plain = keep(&mind, "세입자 비상 연락처는 555-0192").await;
    let asked = Draft { tier: Some(Tier::M90), ..Draft::text("The gas shutoff is behind the fridge") };
    let asked = mind.remember(asked).await.unwrap().memory.id;
    for day in [-3650, -3649, 1, 2, 3, 9, 20, 29] {
        world.day(day);
        mind.tick().await.unwrap();
        for id in [plain, asked] {
            assert_eq!(mind.get(id).await.unwrap().standing, Standing::Alive, "day {day}");
        }
    }
    let born = mind.get(plain).await.unwrap().created_at;
    assert_eq!(born, Timestamp::parse(START).unwrap(), "it is no older than what was there before it");
    world.day(32);
    mind.tick().await.unwrap();
    assert_eq!(
        mind.get(plain).await.unwrap().standing,
        Standing::OnCliff,
        "its thirty days are over, counted from when the clock was right"
    );
    assert_eq!(mind.get(asked).await.unwrap().standing, Standing::Alive);
}

#[tokio::test]
async fn a_clock_that_had_been_ahead_for_a_moment_dates_nothing_later() {
    let world = World::new();
    let mind = world.mind().await;
    world.day(100);
    keep(&mind, "시계가 앞섰을 때 적은 것").await;
    world.day(1);
    let core = mind.remember(Draft { tier: Some(Tier::M0), ..Draft::text("민수가 이름을 지어 줬다") }).await.unwrap().memory;
    for day in 2..104 {
        world.day(day);
        mind.tick().await.unwrap();
    }
    assert_eq!(mind.get(core.id).await.unwrap().created_at, core.created_at);
}

#[tokio::test]
async fn what_was_said_last_year_has_its_term_from_the_day_it_is_told() {
    let world = World::new();
    let mind = world.mind().await;
    let long_ago = Some(Timestamp::parse(START).unwrap().minus(Span::days(400)));
    let said = vec![Said { at: long_ago, ..Said::user("나는 땅콩 알레르기가 있어. 꼭 기억해 줘") }];
    let observed = mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
    let kept = observed.candidates.iter().find_map(|candidate| candidate.memory).unwrap();
    for day in [0, 1, 10, 29] {
        world.day(day);
        mind.tick().await.unwrap();
        assert_eq!(mind.get(kept).await.unwrap().standing, Standing::Alive, "day {day}");
    }
    world.day(31);
    mind.tick().await.unwrap();
    assert_eq!(mind.get(kept).await.unwrap().standing, Standing::OnCliff);
}

const MOVING: [&str; 5] = [
    "첫 조카가 태어났다",
    "We lost the house in the flood",
    "할머니가 돌아가셨다",
    "My novel won the prize",
    "십 년 만에 형을 다시 만났다",
];

#[tokio::test(flavor = "multi_thread")]
async fn caretakers_that_look_at_the_same_moment_make_one_essence_and_none_fails() {
    for round in 1..=4 {
        let world = World::new();
        let mind = world.opened(round * 100).await;
        for text in MOVING {
            let strong = (Some(Emotions::mix([Emotion::Joy])), Some(Unit::clamped(0.9)));
            mind.remember(Draft { emotions: strong.0, intensity: strong.1, ..Draft::text(text) }).await.unwrap();
        }
        world.day(5);
        world.looked_at_by_three(round * 100 + 1).await;
        assert_eq!(of_tier(&mind, Tier::M90).await.len(), MOVING.len());
        world.day(31);
        world.looked_at_by_three(round * 100 + 2).await;
        assert_eq!((of_tier(&mind, Tier::M30).await.len(), mind.cliff().await.unwrap().len()), (0, MOVING.len()));
        world.day(39);
        world.looked_at_by_three(round * 100 + 3).await;
        assert_eq!((of_tier(&mind, Tier::M90).await.len(), mind.cliff().await.unwrap().len()), (MOVING.len(), 0));
    }
}
