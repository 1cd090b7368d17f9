//! Imagination: a few per day, built from memories, steered by feedback.

use crate::world::{World, context};
use saegim_core::{Category, Knowledge, Principal, Source, Tier, Timestamp, Trigger};
use saegim_engine::{Draft, EngineError, Imagining, MindHandle, Opinion};

async fn filled(world: &World) -> MindHandle {
    let mind = world.mind().await;
    for (text, category) in [
        ("삐돌이는 카페를 좋아한다", Category::Preferences),
        ("요즘 야근이 잦다", Category::Situation),
        ("동생 민지가 고양이를 키운다", Category::People),
        ("한강에서 함께 자전거를 탔다", Category::SharedEvents),
    ] {
        mind.remember(Draft { category: Some(category), tier: Some(Tier::M365), ..Draft::text(text) }).await.unwrap();
    }
    mind
}

#[tokio::test]
async fn the_fourth_of_a_day_is_refused_with_the_time_of_the_next() {
    let world = World::new();
    let mind = filled(&world).await;
    for hour in [0, 3, 6] {
        world.hour(hour);
        mind.imagine(Imagining::default()).await.unwrap();
    }
    world.hour(9);
    let refused = mind.imagine(Imagining::default()).await.unwrap_err();
    let next = Timestamp::parse("2026-01-02T00:00:00Z").unwrap();
    assert!(
        matches!(&refused, EngineError::NotYet(words, at) if *at == next && words.to_string().contains("2026-01-02 00:00")),
        "{refused}"
    );
    assert!(matches!(mind.clone().acting_as(Principal::Agent).imagine(Imagining::default()).await, Err(EngineError::NotYet(..))));
    world.clock.set(next);
    mind.imagine(Imagining::default()).await.unwrap();
    // There is also a minimum pause between two imaginations.
    let soon = mind.imagine(Imagining::default()).await.unwrap_err();
    assert!(matches!(soon, EngineError::NotYet(_, at) if at == Timestamp::parse("2026-01-02T01:00:00Z").unwrap()));
}

#[tokio::test]
async fn it_is_kept_thirty_days_as_imagined_and_never_as_a_fact() {
    let world = World::new();
    let mind = filled(&world).await;
    let context_told = Some("비가 오는 저녁 7시, 코딩 앱을 2시간째 사용 중".to_owned());
    let dream = mind.imagine(Imagining { trigger: Some(Trigger::Context), context: context_told }).await.unwrap();
    assert!(dream.scenario.contains("비가 오는") && dream.action.is_some() && !dream.memories.is_empty(), "{dream:?}");
    let kept = mind.get(dream.memory.unwrap()).await.unwrap();
    assert_eq!((kept.tier, kept.source, kept.knowledge), (Tier::M30, Source::Imagination, Knowledge::Imagined));
    assert!(kept.trust.get() < 0.6, "it carries no belief and never becomes core");
    assert!(mind.facts().await.unwrap().all().is_empty());
    let given = context(&mind).await;
    assert!(!given.contains(&kept.content) || given.contains(&format!("(상상) {}", kept.content)), "{given}");
    assert!(mind.propose(saegim_engine::ProposalRequest::Core(kept.id)).await.is_err());
    // The scenario uses the memories it lists.
    let used = mind.get(dream.memories[0]).await.unwrap();
    assert!(dream.scenario.contains(used.content.trim_end_matches('.')), "{} / {}", dream.scenario, used.content);
    assert!(matches!(
        mind.imagine(Imagining { trigger: Some(Trigger::Context), context: None }).await,
        Err(EngineError::NotYet(..) | EngineError::Invalid(_))
    ));
}

/// Number of times each trigger is chosen over these days, with three imaginations a day and all triggers available.
async fn chosen(world: &World, mind: &MindHandle, days: std::ops::Range<i64>) -> [usize; 3] {
    let mut counts = [0; 3];
    for day in days {
        for hour in [0, 9, 11] {
            // 09:00, 18:00 and 20:00.
            world.hour(24 * day + hour);
            let told = Imagining { trigger: None, context: Some("창밖에 비가 온다".into()) };
            match mind.imagine(told).await {
                Ok(dream) => counts[dream.trigger as usize] += 1,
                Err(error) => panic!("day {day}, hour {hour}: {error}"),
            }
        }
    }
    counts
}

#[tokio::test]
async fn after_twenty_dislikes_a_trigger_is_chosen_less_than_a_third_as_often() {
    let world = World::new();
    let mind = filled(&world).await;
    let before = chosen(&world, &mind, 1..41).await;
    assert!(before.iter().all(|count| *count > 20), "without a word each has its turn: {before:?}");
    let mut disliked = 0;
    let mut day = 41;
    while disliked < 20 {
        world.hour(24 * day);
        let dream = mind.imagine(Imagining { trigger: Some(Trigger::Idle), context: None }).await.unwrap();
        mind.judge_imagination(dream.id, Opinion::Disliked).await.unwrap();
        mind.judge_imagination(dream.id, Opinion::Disliked).await.unwrap();
        (disliked, day) = (disliked + 1, day + 1);
    }
    let after = chosen(&world, &mind, day..day + 40).await;
    let idle = Trigger::Idle as usize;
    assert!(after[idle] * 3 < before[idle], "before {before:?}, after {after:?}");
    let weights = mind.imagination_weights().await.unwrap();
    let of = |trigger| weights.iter().find(|weight| weight.trigger == Some(trigger)).map_or(1.0, |weight| weight.weight);
    assert!(of(Trigger::Idle) < 0.1 && of(Trigger::Idle) < of(Trigger::Time));
}

#[tokio::test]
async fn what_is_liked_comes_up_more_and_silence_counts_a_little_against() {
    let world = World::new();
    let mind = filled(&world).await;
    let dream = mind.imagine(Imagining { trigger: Some(Trigger::Time), context: None }).await.unwrap();
    mind.judge_imagination(dream.id, Opinion::Liked).await.unwrap();
    let of = |weights: &[saegim_core::Weight], trigger| {
        weights.iter().find(|weight| weight.trigger == Some(trigger)).map_or(1.0, |weight| weight.weight)
    };
    assert_eq!(of(&mind.imagination_weights().await.unwrap(), Trigger::Time), 1.25);
    assert!(
        mind.imagination_weights()
            .await
            .unwrap()
            .iter()
            .any(|weight| weight.theme.as_deref() == Some(dream.theme.as_str()) && weight.weight == 1.25)
    );
    world.hour(2);
    mind.imagine(Imagining { trigger: Some(Trigger::Idle), context: None }).await.unwrap();
    world.day(3);
    mind.tick().await.unwrap();
    let weights = mind.imagination_weights().await.unwrap();
    assert_eq!((of(&weights, Trigger::Idle), of(&weights, Trigger::Time)), (0.95, 1.25));
    mind.tick().await.unwrap();
    assert_eq!(mind.imagination_weights().await.unwrap(), weights, "silence is counted once");
    assert!(matches!(
        world.engine().await.mind(saegim_engine::MindKey::new("새", "루나").unwrap()).await.unwrap().imagine(Imagining::default()).await,
        Err(EngineError::NotFound(_))
    ));
}
