//! Islands are founded, shake, collapse and are rebuilt.

use saegim_core::{IslandStatus, Op, ProposalKind, Proposed, Verdict};
use saegim_engine::{Core, EngineError, IslandDraft};

use crate::world::{World, context, core, pending, yes};
use crate::{status, told};

#[tokio::test]
async fn letting_go_of_what_founds_an_island_asks_warns_shakes_and_collapses() {
    let world = World::new();
    let mind = world.mind().await;
    let founder = core(&mind, "삐돌이가 처음 이름을 지어줬다").await;
    let draft =
        IslandDraft {
            name: Some("주인과의 유대".into()), emoji: Some("🏠".into()), founding: vec![founder], ..IslandDraft::default()
        };
    let island = mind.add_island(draft).await.unwrap();
    yes(&mind, &pending(&mind, ProposalKind::Belief).await[0]).await.unwrap();
    assert!(context(&mind).await.contains("주인과의 유대") && context(&mind).await.contains("나는 삐돌이에게 소중한 존재다"));

    // Forgetting needs confirmation, and the proposal names the islands that would shake.
    let asked = mind.forget(founder, Core::Kept).await.unwrap_err();
    assert!(matches!(&asked, EngineError::Unsure(words) if words.to_string().contains("주인과의 유대")), "{asked}");
    let waiting = pending(&mind, ProposalKind::CoreDeletion).await;
    assert!(matches!(&waiting[0].change, Proposed::Forget { shakes, .. } if *shakes == [island.id]));
    assert!(waiting[0].reasons.iter().any(|reason| reason.ko.contains("'주인과의 유대' 섬이 흔들려요")));
    assert_eq!(status(&mind).await, IslandStatus::Active, "asking changes nothing");

    // Approval returns a warning, and the island shakes.
    let decided = yes(&mind, &waiting[0]).await.unwrap();
    assert!(decided.told[0].in_language(saegim_core::Language::Korean).starts_with("⚠️ '주인과의 유대' 섬이 흔들리고 있어요"));
    assert_eq!(mind.warnings().await.unwrap().len(), 1);
    assert_eq!(status(&mind).await, IslandStatus::Shaking);
    assert!(context(&mind).await.contains("주인과의 유대"), "for seven days it may still be saved");

    // It collapses after seven days, and its trait disappears from the context.
    world.hour(7 * 24 - 1);
    mind.tick().await.unwrap();
    assert_eq!(status(&mind).await, IslandStatus::Shaking);
    world.day(7);
    let ticked = mind.tick().await.unwrap();
    assert!(ticked.told.iter().any(|told| told.to_string().contains("collapsed")));
    assert_eq!(status(&mind).await, IslandStatus::Collapsed);
    assert!(!context(&mind).await.contains("주인과의 유대") && !context(&mind).await.contains("소중한 존재"));
    assert_eq!(told(&mind).await, [Op::Shake, Op::Collapse]);
    assert!(matches!(mind.verify_ledger(None).await.unwrap(), Verdict::Whole { .. }));
}

#[tokio::test]
async fn restoring_within_seven_days_calms_an_island() {
    let world = World::new();
    let mind = world.mind().await;
    let founder = core(&mind, "삐돌이가 처음 이름을 지어줬다").await;
    mind.add_island(IslandDraft { founding: vec![founder], ..IslandDraft::default() }).await.unwrap();
    mind.forget(founder, Core::Too).await.unwrap();
    assert_eq!(status(&mind).await, IslandStatus::Shaking);
    world.day(6);
    mind.tick().await.unwrap();
    mind.restore(founder).await.unwrap();
    assert_eq!(status(&mind).await, IslandStatus::Active);
    assert!(mind.warnings().await.unwrap().is_empty());
    world.day(60);
    mind.tick().await.unwrap();
    assert_eq!(status(&mind).await, IslandStatus::Active);
    assert_eq!(told(&mind).await, [Op::Shake, Op::Stand]);
}

#[tokio::test]
async fn an_island_is_rebuilt_by_three_new_core_memories_on_its_theme() {
    let world = World::new();
    let mind = world.mind().await;
    let founder = core(&mind, "엄마가 김치를 보내 주셨다").await;
    let island = mind.add_island(IslandDraft { founding: vec![founder], ..IslandDraft::default() }).await.unwrap();
    assert_eq!((island.name.as_str(), island.emoji.as_str()), ("가족", "👪"));
    mind.forget(founder, Core::Too).await.unwrap();
    world.day(8);
    mind.tick().await.unwrap();
    assert_eq!(status(&mind).await, IslandStatus::Collapsed);
    core(&mind, "별이 쏟아지던 밤하늘을 봤다").await;
    assert_eq!(status(&mind).await, IslandStatus::Collapsed, "another theme rebuilds nothing");
    for (text, expected) in [
        ("아빠가 공항까지 마중을 나오셨다", IslandStatus::Rebuilding),
        ("동생이 결혼을 했다", IslandStatus::Rebuilding),
        ("할머니의 손을 잡고 걸었다", IslandStatus::Active),
    ] {
        core(&mind, text).await;
        assert_eq!(status(&mind).await, expected, "{text}");
    }
    assert_eq!(told(&mind).await, [Op::Shake, Op::Collapse, Op::Rebuild, Op::Stand]);
    assert_eq!(mind.islands().await.unwrap()[0].founding.len(), 3, "it stands on what rebuilt it");
}

#[tokio::test]
async fn an_island_is_proposed_from_a_theme_and_grows_stronger_by_recalls() {
    let world = World::new();
    let mind = world.mind().await;
    core(&mind, "엄마가 주말마다 김치를 보내 주신다").await;
    assert!(pending(&mind, ProposalKind::Island).await.is_empty(), "one memory is no theme");
    let second = core(&mind, "엄마가 김치를 담가 주말에 보내 주셨다").await;
    let waiting = pending(&mind, ProposalKind::Island).await;
    assert!(matches!(&waiting[0].change, Proposed::Island { island } if island.name == "가족" && island.founding.len() == 2));
    assert!(mind.islands().await.unwrap().is_empty(), "nothing rises by itself");
    yes(&mind, &waiting[0]).await.unwrap();
    let weak = mind.islands().await.unwrap()[0].strength;
    assert_eq!(mind.get(second).await.unwrap().island, Some(mind.islands().await.unwrap()[0].id));
    for _ in 0..12 {
        mind.mark_used(&[second]).await.unwrap();
    }
    world.day(1);
    mind.tick().await.unwrap();
    assert!(mind.islands().await.unwrap()[0].strength > weak);
    assert!(pending(&mind, ProposalKind::Island).await.is_empty());
    // The approval is undone.
    mind.undo(waiting[0].id).await.unwrap();
    assert!(mind.islands().await.unwrap().is_empty());
}
