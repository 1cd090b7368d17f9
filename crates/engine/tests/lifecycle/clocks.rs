//! Wrong clocks, and several workers that run at the same moment.

use std::sync::Arc;

use saegim_core::{Emotion, Emotions, MemoryId, MemoryState, Op, Span, Tier, Timestamp, Unit};
use saegim_engine::{Config, Draft, Engine, Exchange, Filter, MindHandle, MindKey, NewMessage, Page, SeededDice, SetClock};

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

    /// Opens the same file as another process would, with its own random seed.
    async fn opened(&self, seed: u64) -> MindHandle {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(seed));
        Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    fn day(&self, day: i64) {
        self.clock.set(Timestamp::parse(START).unwrap().plus(Span::days(day)));
    }

    /// Runs three workers concurrently; none may fail.
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
    assert_eq!(mind.get(id).await.unwrap().standing, MemoryState::Alive, "what a clock that was ahead let fall stands again");
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
            assert_eq!(mind.get(id).await.unwrap().standing, MemoryState::Alive, "day {day}");
        }
    }
    let born = mind.get(plain).await.unwrap().created_at;
    assert_eq!(born, Timestamp::parse(START).unwrap(), "it is no older than what was there before it");
    world.day(32);
    mind.tick().await.unwrap();
    assert_eq!(
        mind.get(plain).await.unwrap().standing,
        MemoryState::OnCliff,
        "its thirty days are over, counted from when the clock was right"
    );
    assert_eq!(mind.get(asked).await.unwrap().standing, MemoryState::Alive);
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
    let said = vec![NewMessage { at: long_ago, ..NewMessage::user("나는 땅콩 알레르기가 있어. 꼭 기억해 줘") }];
    let observed = mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
    let kept = observed.candidates.iter().find_map(|candidate| candidate.memory).unwrap();
    for day in [0, 1, 10, 29] {
        world.day(day);
        mind.tick().await.unwrap();
        assert_eq!(mind.get(kept).await.unwrap().standing, MemoryState::Alive, "day {day}");
    }
    world.day(31);
    mind.tick().await.unwrap();
    assert_eq!(mind.get(kept).await.unwrap().standing, MemoryState::OnCliff);
}

const MOVING: [&str; 5] = [
    "첫 조카가 태어났다",
    "We lost the house in the flood",
    "할머니가 돌아가셨다",
    "My novel won the prize",
    "십 년 만에 형을 다시 만났다",
];

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_workers_make_one_essence_and_none_fails() {
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

#[tokio::test]
async fn a_clock_that_leaps_ahead_twice_moves_no_birth_and_makes_nothing_last_for_ever() {
    let world = World::new();
    let mind = world.mind().await;
    let id = keep(&mind, "시계가 두 번 앞섰던 겨울").await;
    let born = mind.get(id).await.unwrap().created_at;
    for day in [1, 3650, 2, 3652, 3, -700_000, -46_000, 86_000, 4] {
        world.day(day);
        mind.tick().await.unwrap();
    }
    let kept = mind.get(id).await.unwrap();
    assert_eq!((kept.created_at, kept.standing, kept.expires_at), (born, MemoryState::Alive, Some(born.plus(Span::days(30)))));
    world.day(31);
    mind.tick().await.unwrap();
    world.day(39);
    mind.tick().await.unwrap();
    assert!(mind.get(id).await.is_err(), "its time was over");
}

async fn says(mind: &MindHandle, text: &str) -> Option<MemoryId> {
    let observed = mind.observe(Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() }).await.unwrap();
    observed.candidates.iter().find_map(|candidate| candidate.memory)
}

async fn lives_in(mind: &MindHandle) -> Vec<String> {
    mind.facts().await.unwrap().current().filter(|fact| fact.subject == "residence").map(|fact| fact.value.clone()).collect()
}

#[tokio::test]
async fn what_was_said_while_the_clock_was_ahead_was_said_before_what_was_said_after() {
    for looks in [false, true] {
        let world = World::new();
        let mind = world.mind().await;
        says(&mind, "나는 서울에 살아").await;
        world.day(3650);
        says(&mind, "나 이제 부산에 살아").await;
        let kept = keep(&mind, "부산 집 현관 비밀번호를 바꿨다").await;
        assert_eq!(lives_in(&mind).await, ["부산"]);
        world.day(1);
        if looks {
            mind.tick().await.unwrap();
            assert_eq!(lives_in(&mind).await, ["부산"], "it was said after 서울");
        }
        says(&mind, "나 이제 광주에 살아").await;
        assert_eq!(lives_in(&mind).await, ["광주"], "looked after before: {looks}");
        let now = Timestamp::parse(START).unwrap().plus(Span::days(1));
        let memory = mind.get(kept).await.unwrap();
        assert_eq!((memory.created_at, memory.expires_at), (now, Some(now.plus(Span::days(30)))));
        let turns = mind.turns(saegim_engine::TurnPage { limit: 10, ..Default::default() }).await.unwrap();
        assert!(turns.iter().all(|turn| turn.at <= now) && turns.last().unwrap().content.contains("광주"));
        world.day(32);
        mind.tick().await.unwrap();
        assert_eq!(mind.get(kept).await.unwrap().standing, MemoryState::OnCliff);
    }
}

#[tokio::test]
async fn a_host_that_starts_in_1970_every_morning_lets_things_go_and_writes_nothing_by_that_clock() {
    let world = World::new();
    let mind = world.mind().await;
    let id = keep(&mind, "버린 우산").await;
    mind.forget(id, saegim_engine::Core::Kept).await.unwrap();
    let newest = async || mind.ledger(0, 10_000).await.unwrap().last().unwrap().0.sequence;
    for day in 1..=9 {
        world.clock.set(Timestamp::parse("1970-01-01T00:00:30Z").unwrap());
        let before = newest().await;
        mind.tick().await.unwrap();
        assert_eq!(newest().await, before, "day {day}");
        world.day(day);
        mind.tick().await.unwrap();
    }
    assert!(mind.get(id).await.is_err(), "seven days are seven days");
    assert!(newest().await < 20);
}

/// Deterministic pseudo-random numbers (a linear congruential generator).
struct Row(u64);

impl Row {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

#[tokio::test]
async fn whatever_clocks_were_wrong_a_right_one_finds_everything_as_if_they_had_not_been() {
    for seed in 1..=10 {
        let (world, mut row) = (World::new(), Row(seed));
        let mut config = Config::local(world.folder.path().join("mind.db"));
        (config.clock, config.dice, config.embedder) = (world.clock.clone(), Arc::new(SeededDice::new(seed)), None);
        config.durability = saegim_engine::Durability::Throwaway;
        let mind = Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
        let born = Timestamp::parse(START).unwrap();
        let month = keep(&mind, "한 달을 가는 기억").await;
        let season = mind.remember(Draft { tier: Some(Tier::M90), ..Draft::text("석 달을 가는 기억") }).await.unwrap().memory.id;
        let dropped = keep(&mind, "놓아준 기억").await;
        world.day(1);
        mind.forget(dropped, saegim_engine::Core::Kept).await.unwrap();
        let (mut written, mut last, mut trail) = (Vec::new(), 1, Vec::new());
        for day in (2..70).chain([88, 89, 90, 91, 96, 97, 98, 99]) {
            if day < 22 && row.next(4) == 0 {
                // One to three wrong clocks in a row, each far from the others.
                for _ in 0..=row.next(3) {
                    let wrong = 150 * (1 + row.next(24) as i64) * if row.next(2) == 0 { 1 } else { -1 };
                    for hours in 0..=row.next(30) as i64 {
                        if row.next(8) == 0 {
                            written.push((keep(&mind, &format!("틀린 시계로 적은 {day}일째 {hours}번째 것")).await, day));
                        }
                        world.clock.set(born.plus(Span::hours(hours)).plus(Span::days(4000 + day + wrong)).minus(Span::days(4000)));
                        if row.next(3) == 0 {
                            mind.tick().await.unwrap();
                        }
                    }
                    trail.push((day, wrong));
                }
                last = day;
            }
            world.day(day);
            mind.tick().await.unwrap();
            let now = born.plus(Span::days(day));
            let told = || format!("seed {seed}, day {day}, wrong {trail:?}");
            for (id, term) in [(month, 30), (season, 90)] {
                let found = mind.get(id).await;
                let alive = found.as_ref().is_ok_and(|memory| memory.standing == MemoryState::Alive);
                assert_eq!(alive, day < term, "{}", told());
                assert!(found.as_ref().map_or(day >= term + 7, |memory| memory.created_at == born && day <= term + 8), "{}", told());
            }
            let waits = mind.get(dropped).await.is_ok();
            assert!(if day < 8 { waits } else { !waits || day <= last + 8 }, "{}", told());
            // The first memory of a series may still carry the correct time of the day before.
            for (id, since) in &written {
                let found = mind.get(*id).await;
                assert!(
                    found.as_ref().map_or(day >= since + 36, |memory| memory.created_at <= now && day <= last.max(*since) + 39),
                    "{}",
                    told()
                );
            }
        }
    }
}

#[tokio::test]
async fn a_year_that_was_only_leapt_over_recommends_nothing_and_is_reported_when_it_is_over() {
    let world = World::new();
    let mind = world.mind().await;
    let kept = mind.remember(Draft { tier: Some(Tier::M365), ..Draft::text("민수와 처음 만난 날") }).await.unwrap().memory;
    let reports = async || {
        let all = mind.ledger(0, 10_000).await.unwrap();
        all.iter().filter(|(entry, _)| entry.operation == Op::Report).map(|(entry, _)| entry.at).collect::<Vec<_>>()
    };
    let pending = async || mind.proposals(Some(saegim_core::ProposalStatus::Pending)).await.unwrap().len();
    world.day(1);
    mind.tick().await.unwrap();
    for day in [366, 367] {
        world.day(day);
        mind.tick().await.unwrap();
    }
    assert_eq!(reports().await.len(), 1, "the leap went over New Year");
    world.day(2);
    mind.tick().await.unwrap();
    assert_eq!(pending().await, 0, "nothing is a year old");
    assert_eq!(mind.get(kept.id).await.unwrap().standing, MemoryState::Alive);
    for day in (30..=365).step_by(20).chain([366]) {
        world.day(day);
        mind.tick().await.unwrap();
    }
    assert_eq!(reports().await.len(), 2, "the year is reported again when it is over");
}

#[tokio::test]
async fn a_mind_that_began_in_1970_by_a_clock_that_was_not_set_has_no_reports_of_years_it_did_not_live() {
    let world = World::new();
    world.clock.set(Timestamp::parse("1970-01-01T00:00:30Z").unwrap());
    let mind = world.mind().await;
    keep(&mind, "시계가 맞기 전의 일").await;
    mind.tick().await.unwrap();
    world.day(0);
    mind.tick().await.unwrap();
    world.day(1);
    mind.tick().await.unwrap();
    let all = mind.ledger(0, 10_000).await.unwrap();
    assert!(all.iter().filter(|(entry, _)| entry.operation == Op::Report).count() <= 1);
    assert!(all.len() < 20, "{}", all.len());
}
