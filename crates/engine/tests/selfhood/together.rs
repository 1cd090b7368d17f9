//! Batch operations, which are all or nothing, and what an agent may restore.

use crate::world::World;
use saegim_core::{MemoryId, Op, Principal, Tier, Timestamp};
use saegim_engine::{Core, Draft, Edit, Ends, EngineError, Filter, MindHandle, Page};

async fn texts(mind: &MindHandle) -> Vec<String> {
    let all = mind.list(&Filter::default(), Page { limit: 100, before: None }).await.unwrap();
    let mut texts: Vec<String> = all.into_iter().map(|memory| memory.content).collect();
    texts.sort();
    texts
}

async fn kept(mind: &MindHandle, texts: &[&str]) -> Vec<MemoryId> {
    let drafts = texts.iter().map(|text| Draft::text(*text)).collect();
    mind.remember_all(drafts).await.unwrap().into_iter().map(|memory| memory.id).collect()
}

#[tokio::test]
async fn several_are_kept_in_one_entry_or_none_is() {
    let world = World::new();
    let mind = world.mind().await;
    let before = mind.head().await.unwrap();
    kept(&mind, &["첫째 이야기", "둘째 이야기", "셋째 이야기"]).await;
    assert_eq!(mind.head().await.unwrap(), before + 1);
    let refused = mind.remember_all(vec![Draft::text("넷째 이야기"), Draft::text("  ")]).await;
    assert!(matches!(refused, Err(EngineError::Invalid(_))));
    assert_eq!(texts(&mind).await, ["둘째 이야기", "셋째 이야기", "첫째 이야기"]);
}

#[tokio::test]
async fn several_are_rewritten_in_one_entry_or_none_is() {
    let world = World::new();
    let mind = world.mind().await;
    let ids = kept(&mind, &["가게에 갔다", "나무를 심었다"]).await;
    let core = mind.remember(Draft { tier: Some(Tier::M0), ..Draft::text("라디오를 만들었다") }).await.unwrap().memory.id;
    let edit = |text: &str| Edit { content: Some(text.into()), ..Edit::default() };
    let agent = mind.clone().acting_as(Principal::Agent);
    let refused = agent.edit_all(vec![(ids[0], edit("바뀐 글")), (core, edit("바뀐 핵심"))]).await;
    assert!(matches!(refused, Err(EngineError::Forbidden(_))));
    assert_eq!(texts(&mind).await, ["가게에 갔다", "나무를 심었다", "라디오를 만들었다"]);
    let before = mind.head().await.unwrap();
    mind.edit_all(vec![(ids[0], edit("다리를 건넜다")), (ids[1], Edit { external_id: Some("다른 이름".into()), ..Edit::default() })])
        .await
        .unwrap();
    assert_eq!(mind.head().await.unwrap(), before + 1);
    assert_eq!(mind.by_external_id("다른 이름").await.unwrap(), Some(ids[1]));
    assert_eq!(texts(&mind).await, ["나무를 심었다", "다리를 건넜다", "라디오를 만들었다"]);
    let end = Edit { ends: Some(Ends::At(Timestamp::from_millis(0))), ..Edit::default() };
    assert!(matches!(mind.edit(core, end).await, Err(EngineError::Invalid(_))), "a core memory has no end");
}

#[tokio::test]
async fn a_memory_with_an_end_of_its_own_is_let_go_of_then() {
    let world = World::new();
    let mind = world.mind().await;
    let tomorrow =
        Draft { ends_at: Some(Timestamp::parse("2026-01-02T12:00:00Z").unwrap()), ..Draft::text("내일까지만 기억할 것") };
    world.day(0);
    let id = mind.remember(tomorrow).await.unwrap().memory.id;
    let end = mind.get(id).await.unwrap().expires_at.unwrap();
    world.clock.set(end.minus(saegim_core::Span::seconds(1)));
    mind.tick().await.unwrap();
    assert_eq!(texts(&mind).await, ["내일까지만 기억할 것"]);
    world.clock.set(end.plus(saegim_core::Span::seconds(1)));
    mind.tick().await.unwrap();
    assert_eq!(texts(&mind).await, Vec::<String>::new());
}

#[tokio::test]
async fn several_are_let_go_of_or_none_is_and_each_of_them_counts() {
    let world = World::new();
    let mind = world.mind().await;
    let many: Vec<String> = (0..200).map(|number| format!("{number}번째 산책은 {}분 걸렸다", number * 7)).collect();
    let ids = kept(&mind, &many.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let agent = mind.clone().acting_as(Principal::Agent);
    let refused = agent.forget_all(&ids[..50], Core::Kept).await;
    assert!(matches!(refused, Err(EngineError::Forbidden(_))), "{refused:?}");
    assert_eq!(mind.cliff().await.unwrap(), []);
    agent.forget_all(&ids[..2], Core::Kept).await.unwrap();
    // A batch counts by its number of memories.
    let mut gone = 2;
    while agent.forget(ids[gone], Core::Kept).await.is_ok() {
        gone += 1;
    }
    let entries = mind.news(0, 10_000).await.unwrap().entries;
    let forgotten: usize = entries.iter().filter(|entry| entry.operation == Op::Forget).map(|entry| entry.memories.len()).sum();
    assert_eq!((forgotten, mind.cliff().await.unwrap().len()), (gone, gone));
    assert!(gone <= 10, "{gone} in a day");
}

#[tokio::test]
async fn an_agent_takes_back_its_own_forgetting_and_nothing_else() {
    let world = World::new();
    let mind = world.mind().await;
    let ids = kept(&mind, &["우산을 잃어버렸다", "모자를 잃어버렸다", "지갑을 찾았다"]).await;
    let agent = mind.clone().acting_as(Principal::Agent);
    agent.forget(ids[0], Core::Kept).await.unwrap();
    assert_eq!(agent.restore(ids[0]).await.unwrap().content, "우산을 잃어버렸다");
    mind.forget(ids[1], Core::Kept).await.unwrap();
    assert!(matches!(agent.restore(ids[1]).await, Err(EngineError::Forbidden(_))));
    // The owner has forgotten it since.
    mind.forget(ids[0], Core::Kept).await.unwrap();
    assert!(matches!(agent.restore(ids[0]).await, Err(EngineError::Forbidden(_))));
    assert!(matches!(agent.restore(ids[2]).await, Err(EngineError::Forbidden(_))), "it is alive");
    mind.restore(ids[0]).await.unwrap();
}

#[tokio::test]
async fn what_stood_there_before_is_told_where_it_is_known() {
    let world = World::new();
    let mind = world.mind().await;
    let id = kept(&mind, &["커피를 좋아한다"]).await[0];
    let edit = |text: &str| Edit { content: Some(text.into()), ..Edit::default() };
    mind.clone().acting_as(Principal::Agent).edit(id, edit("차를 좋아한다")).await.unwrap();
    mind.edit(id, edit("물을 좋아한다")).await.unwrap();
    let shown = mind.show(id).await.unwrap();
    let texts = mind.text_history(&shown).await.unwrap();
    assert_eq!(texts, [Some("커피를 좋아한다".into()), None, Some("물을 좋아한다".into())], "the owner's rewriting keeps nothing");
}
