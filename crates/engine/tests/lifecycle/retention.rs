//! Optional retention limits by session.

use std::sync::Arc;

use saegim_core::{LinkKind, SessionId, Span, Tier, Timestamp, Unit};
use saegim_engine::{Config, Draft, Engine, EngineError, Exchange, MindHandle, MindKey, NewMessage, Query, SeededDice, SetClock};

const START: &str = "2026-01-01T09:00:00Z";

struct World {
    clock: Arc<SetClock>,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self { clock: Arc::new(SetClock::at(Timestamp::parse(START).unwrap())), folder: tempfile::tempdir().unwrap() }
    }

    async fn mind(&self, change: impl FnOnce(&mut saegim_core::RetentionPolicy)) -> MindHandle {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(5));
        change(&mut config.policy.retention);
        Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    fn day(&self, day: i64) {
        self.clock.set(Timestamp::parse(START).unwrap().plus(Span::days(day)));
    }
}

async fn keep(mind: &MindHandle, session: &str, text: &str, tier: Tier) -> saegim_core::MemoryId {
    let name = SessionId::new(session).unwrap();
    let said = vec![NewMessage::user("응"), NewMessage::assistant("그래")];
    mind.observe(Exchange { session: Some(name.clone()), said, ..Exchange::default() }).await.unwrap();
    let mut draft = Draft { tier: Some(tier), importance: Some(Unit::clamped(0.2)), ..Draft::text(text) };
    draft.coordinate.session = Some(name);
    mind.remember(draft).await.unwrap().memory.id
}

#[tokio::test]
async fn without_limits_nothing_is_archived() {
    let world = World::new();
    let mind = world.mind(|_| ()).await;
    let id = keep(&mind, "old", "창고에 낡은 기타가 있다", Tier::M90).await;
    world.day(60);
    let ticked = mind.tick().await.unwrap();
    assert_eq!((ticked.displaced, ticked.archived), (0, 0));
    assert!(mind.get(id).await.is_ok());
}

#[tokio::test]
async fn an_old_session_is_archived_not_found_and_restored_whole() {
    let world = World::new();
    let mind = world.mind(|policy| policy.limits = true).await;
    let one = keep(&mind, "old", "창고에 낡은 기타가 있다", Tier::M90).await;
    let two = keep(&mind, "old", "기타 줄을 갈아야 한다", Tier::M90).await;
    mind.link(two, one, LinkKind::Related).await.unwrap();
    world.day(29);
    assert_eq!(mind.tick().await.unwrap().archived, 0);
    world.day(30);
    assert_eq!(mind.tick().await.unwrap().archived, 2);
    assert!(mind.recall(Query::text("기타")).await.unwrap().results.is_empty());
    assert!(matches!(mind.get(one).await, Err(EngineError::NotFound(_))));
    let archives = mind.archives().await.unwrap();
    assert_eq!((archives.len(), archives[0].memories), (1, 2));
    world.day(40);
    assert_eq!(mind.unarchive(&SessionId::new("old").unwrap()).await.unwrap(), 2);
    assert_eq!(mind.recall(Query::text("기타")).await.unwrap().results.len(), 2);
    let back = mind.show(one).await.unwrap();
    assert_eq!(back.memory.expires_at, Some(Timestamp::parse(START).unwrap().plus(Span::days(130))), "a new term of its tier");
    assert_eq!(back.links.len(), 1);
    assert!(mind.archives().await.unwrap().is_empty());
}

#[tokio::test]
async fn an_archived_memory_falls_after_its_days_but_never_before_its_own_term() {
    let world = World::new();
    let mind = world.mind(|policy| policy.limits = true).await;
    let short = keep(&mind, "old", "창고에 낡은 기타가 있다", Tier::M90).await;
    let long = keep(&mind, "old", "다락방에 첼로가 있다", Tier::M365).await;
    world.day(30);
    assert_eq!(mind.tick().await.unwrap().archived, 2);
    world.day(179);
    assert_eq!(mind.tick().await.unwrap().displaced, 0);
    world.day(180);
    assert_eq!(mind.tick().await.unwrap().displaced, 1);
    let cliff = mind.cliff().await.unwrap();
    assert_eq!(cliff.iter().map(|fallen| fallen.memory.id).collect::<Vec<_>>(), [short]);
    assert_eq!(mind.archives().await.unwrap()[0].memories, 1);
    assert_eq!(mind.restore(short).await.unwrap().content, "창고에 낡은 기타가 있다");
    world.day(366);
    assert!(mind.tick().await.unwrap().displaced >= 1);
    assert!(mind.cliff().await.unwrap().iter().any(|fallen| fallen.memory.id == long));
    world.day(374);
    assert!(mind.tick().await.unwrap().gone >= 1);
    assert!(mind.archives().await.unwrap().is_empty());
}

#[tokio::test]
async fn the_oldest_session_loses_what_mattered_little_to_the_cliff() {
    let world = World::new();
    let mind = world.mind(|policy| (policy.limits, policy.sessions) = (true, 2)).await;
    let little = keep(&mind, "a", "창고에 낡은 기타가 있다", Tier::M365).await;
    world.day(8);
    keep(&mind, "b", "비가 온다", Tier::M365).await;
    world.day(9);
    keep(&mind, "c", "눈이 온다", Tier::M365).await;
    let ticked = mind.tick().await.unwrap();
    assert_eq!(ticked.displaced, 1);
    let cliff = mind.cliff().await.unwrap();
    assert_eq!((cliff[0].memory.id, cliff[0].entry.note.as_str()), (little, "only 2 sessions are kept whole"));
}

#[tokio::test]
async fn sessions_in_which_nothing_was_said_count_too() {
    let world = World::new();
    let mind = world.mind(|policy| (policy.limits, policy.sessions) = (true, 2)).await;
    let mut kept = Vec::new();
    for session in 0..4 {
        world.day(session);
        let mut draft =
            Draft { importance: Some(Unit::clamped(0.2)), ..Draft::text(format!("상자 {session}에는 겨울옷이 있다")) };
        draft.coordinate.session = Some(SessionId::new(format!("s{session}")).unwrap());
        kept.push(mind.remember(draft).await.unwrap().memory.id);
    }
    world.day(12);
    assert_eq!(mind.tick().await.unwrap().displaced, 2);
    let mut fallen: Vec<_> = mind.cliff().await.unwrap().into_iter().map(|fallen| fallen.memory.id).collect();
    fallen.sort();
    assert_eq!(fallen, kept[..2], "the oldest sessions go first");
}

#[tokio::test]
async fn erasing_a_turn_reaches_archived_memories() {
    let world = World::new();
    let mind = world.mind(|policy| policy.limits = true).await;
    let session = SessionId::new("old").unwrap();
    let said = vec![NewMessage::user("내 비밀 별명은 구름여우야, 꼭 기억해")];
    let observed = mind.observe(Exchange { session: Some(session), said, ..Exchange::default() }).await.unwrap();
    world.day(8);
    let archived_in = mind.archive(&observed.turns[0].session).await.unwrap();
    assert!(archived_in > 0, "{observed:?}");
    let gone = mind.erase_turn(observed.turns[0].id).await.unwrap();
    assert_eq!((gone.memories, gone.swept), (archived_in, true));
    assert!(mind.archives().await.unwrap().is_empty());
    for name in std::fs::read_dir(world.folder.path()).unwrap() {
        let bytes = std::fs::read(name.unwrap().path()).unwrap();
        assert!(!bytes.windows(12).any(|part| part == "구름여우".as_bytes()));
    }
}

#[tokio::test]
async fn what_the_owner_brought_out_stays_out_for_as_long_as_a_session_does() {
    let world = World::new();
    let mind = world.mind(|policy| policy.limits = true).await;
    let id = keep(&mind, "old", "다락방에 첼로가 있다", Tier::M365).await;
    let announced = mind.show(id).await.unwrap().archives_at.unwrap();
    assert_eq!(announced, Timestamp::parse("2026-02-01").unwrap(), "the first midnight after thirty days");
    world.day(31);
    assert_eq!(mind.tick().await.unwrap().archived, 1);
    mind.unarchive(&SessionId::new("old").unwrap()).await.unwrap();
    for day in [32, 40, 60] {
        world.day(day);
        assert_eq!(mind.tick().await.unwrap().archived, 0, "day {day}");
        assert!(mind.get(id).await.is_ok());
    }
    world.day(62);
    assert_eq!(mind.tick().await.unwrap().archived, 1);
}

#[tokio::test]
async fn an_archived_memory_is_shown_forgotten_and_erased_by_its_id() {
    let world = World::new();
    let mind = world.mind(|policy| policy.limits = true).await;
    let cello = keep(&mind, "old", "다락방에 첼로가 있다", Tier::M365).await;
    let guitar = keep(&mind, "old", "창고에 낡은 기타가 있다", Tier::M365).await;
    let piano = keep(&mind, "old", "거실에 피아노가 있다", Tier::M365).await;
    world.day(31);
    assert_eq!(mind.tick().await.unwrap().archived, 3);
    let shown = mind.show(cello).await.unwrap();
    assert_eq!((shown.memory.content.as_str(), shown.archived_in), ("다락방에 첼로가 있다", Some(SessionId::new("old").unwrap())));
    let end = cello.to_string();
    assert_eq!(mind.resolve(&end[end.len() - 8..]).await.unwrap(), cello);
    assert_eq!(mind.erase_memory(cello).await.unwrap().memories, 1);
    assert!(mind.show(cello).await.is_err());
    mind.forget(guitar, saegim_engine::Core::Kept).await.unwrap();
    assert_eq!(mind.cliff().await.unwrap().iter().map(|fallen| fallen.memory.id).collect::<Vec<_>>(), [guitar]);
    assert_eq!(mind.archives().await.unwrap()[0].memories, 1, "the rest stays put away");
    assert!(mind.show(piano).await.unwrap().archived_in.is_some());
}
