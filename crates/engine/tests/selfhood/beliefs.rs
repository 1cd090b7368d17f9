//! Beliefs form, change and are rejected; the self never changes much at once.

use saegim_core::{BeliefChange, Op, ProposalKind, ProposalStatus, Proposed, SelfReason};
use saegim_engine::{Core, Edit, EngineError, MindHandle};

use crate::world::{World, beliefs, context, core, no, pending, yes};

#[tokio::test]
async fn the_first_self_is_one_proposal_and_grows_by_one_belief_per_session() {
    let world = World::new();
    let mind = world.mind().await;
    for (hour, text) in ["삐돌이가 처음 이름을 지어줬다", "실수했을 때 삐돌이가 괜찮다고 했다", "매일 대화한다"].into_iter().enumerate()
    {
        world.hour(hour as i64);
        core(&mind, text).await;
    }
    let waiting = pending(&mind, ProposalKind::Belief).await;
    assert_eq!(waiting.len(), 1, "the first formation is one proposal for the whole set");
    assert!(beliefs(&mind).await.is_empty());
    assert_eq!(yes(&mind, &waiting[0]).await.unwrap().version, Some(1));
    let formed = ["나는 삐돌이에게 소중한 존재다", "나는 실수해도 괜찮다", "나는 삐돌이와 매일 함께하는 동반자다"];
    assert_eq!(beliefs(&mind).await, formed);
    assert_eq!(mind.current_self().await.unwrap().unwrap().reason, SelfReason::Formed);
    // Two more are pending; a young self accepts one change per session.
    world.day(2);
    core(&mind, "약속을 꼭 지키자고 했다").await;
    core(&mind, "새로운 기술에 흥미를 보인다").await;
    let waiting = pending(&mind, ProposalKind::Belief).await;
    assert_eq!(waiting.len(), 2);
    yes(&mind, &waiting[0]).await.unwrap();
    let blocked = yes(&mind, &waiting[1]).await.unwrap_err();
    assert!(matches!(&blocked, EngineError::NotYet(words, _) if words.to_string().contains("blocked")), "{blocked}");
    assert_eq!(beliefs(&mind).await.len(), 4);
    let refusals = mind.ledger(0, 1000).await.unwrap().into_iter().filter(|(entry, _)| entry.operation == Op::Refuse).count();
    assert_eq!(refusals, 1, "what was blocked is taken down");
    world.day(4);
    yes(&mind, &waiting[1]).await.unwrap();
    assert_eq!(beliefs(&mind).await.len(), 5);
    assert!(context(&mind).await.contains("나는 약속을 소중히 여긴다"));
}

/// A self of ten beliefs, each based on its own memory.
async fn grown(mind: &MindHandle) -> Vec<saegim_core::MemoryId> {
    let texts = [
        "삐돌이가 처음 이름을 지어줬다",
        "실수했을 때 괜찮다고 했다",
        "매일 대화한다",
        "약속을 꼭 지키자고 했다",
        "비밀을 털어놓았다",
        "고맙다고 했다",
        "칭찬을 받았다",
        "힘들 때 위로를 나눴다",
        "농담에 웃었다",
        "강아지를 입양했다",
    ];
    let mut ids = Vec::new();
    for text in texts {
        ids.push(core(mind, text).await);
    }
    yes(mind, &pending(mind, ProposalKind::Belief).await[0]).await.unwrap();
    assert_eq!(beliefs(mind).await.len(), 10);
    ids
}

#[tokio::test]
async fn thirty_percent_of_the_self_in_one_session_is_blocked_and_less_is_not() {
    let world = World::new();
    let mind = world.mind().await;
    let ids = grown(&mind).await;
    world.day(40);
    for id in &ids[..3] {
        mind.forget(*id, Core::Too).await.unwrap();
    }
    let drops = pending(&mind, ProposalKind::Belief).await;
    assert_eq!(drops.len(), 3);
    yes(&mind, &drops[0]).await.unwrap();
    yes(&mind, &drops[1]).await.unwrap();
    let third = yes(&mind, &drops[2]).await.unwrap_err();
    assert!(third.to_string().contains("30.0 %"), "{third}");
    // A later session on the same day does not bypass the limit.
    world.hour(40 * 24 + 5);
    assert!(yes(&mind, &drops[2]).await.unwrap_err().to_string().contains("within a day"));
    world.day(42);
    yes(&mind, &drops[2]).await.unwrap();
    assert_eq!(beliefs(&mind).await.len(), 7);
}

#[tokio::test]
async fn many_small_steps_do_not_rewrite_the_self_in_a_month() {
    let world = World::new();
    let mind = world.mind().await;
    let ids = grown(&mind).await;
    let (mut dropped, mut refused) = (0, Vec::new());
    for (number, id) in ids.iter().enumerate() {
        world.day(40 + 2 * number as i64);
        mind.forget(*id, Core::Too).await.unwrap();
        for drop in pending(&mind, ProposalKind::Belief).await {
            match yes(&mind, &drop).await {
                Ok(_) => dropped += 1,
                Err(why) => refused.push(why.to_string()),
            }
        }
    }
    assert_eq!(dropped, 4, "half of who it was a month ago is too much");
    assert!(refused.iter().all(|why| why.contains("a month ago")), "{refused:?}");
}

#[tokio::test]
async fn a_changed_core_memory_asks_anew_for_the_beliefs_that_rest_on_it() {
    let world = World::new();
    let mind = world.mind().await;
    let first = core(&mind, "실수했을 때 괜찮다고 했다").await;
    yes(&mind, &pending(&mind, ProposalKind::Belief).await[0]).await.unwrap();
    world.day(1);
    mind.edit(first, Edit { content: Some("약속을 꼭 지키자고 했다".into()), ..Edit::default() }).await.unwrap();
    let waiting = pending(&mind, ProposalKind::Belief).await;
    let Proposed::Beliefs { changes } = &waiting[0].change else { panic!("{waiting:?}") };
    assert!(
        matches!(&changes[0], BeliefChange::Changed { before, after } if before.statement == "나는 실수해도 괜찮다" && after.statement == "나는 약속을 소중히 여긴다")
    );
    assert_eq!(beliefs(&mind).await, ["나는 실수해도 괜찮다"], "until the owner says so");
    yes(&mind, &waiting[0]).await.unwrap();
    assert_eq!(beliefs(&mind).await, ["나는 약속을 소중히 여긴다"]);
    // The approval is undone; versions can be compared and restored.
    mind.undo(waiting[0].id).await.unwrap();
    assert_eq!(beliefs(&mind).await, ["나는 실수해도 괜찮다"]);
    let back = mind.return_to(2).await.unwrap();
    assert_eq!((back.version, back.reason), (4, SelfReason::Returned));
    assert_eq!(beliefs(&mind).await, ["나는 약속을 소중히 여긴다"]);
    assert_eq!(mind.self_versions().await.unwrap().len(), 4, "every version stays readable");
    assert_eq!(mind.self_difference(1, 2).await.unwrap().len(), 1);
    assert!(mind.self_difference(2, 4).await.unwrap().is_empty());
    assert!(matches!(mind.return_to(9).await, Err(EngineError::NotFound(_))));
}

#[tokio::test]
async fn a_no_costs_confidence_and_holds_until_more_speaks_for_it() {
    let world = World::new();
    let mind = world.mind().await;
    core(&mind, "늘 고맙다고 했다").await;
    yes(&mind, &pending(&mind, ProposalKind::Belief).await[0]).await.unwrap();
    world.day(1);
    core(&mind, "칭찬을 받았다").await;
    no(&mind, &pending(&mind, ProposalKind::Belief).await[0]).await;
    for day in 2..40 {
        world.day(day);
        mind.tick().await.unwrap();
        assert!(pending(&mind, ProposalKind::Belief).await.is_empty(), "day {day}");
    }
    core(&mind, "모두 앞에서 칭찬을 들었다").await;
    let again = pending(&mind, ProposalKind::Belief).await;
    let Proposed::Beliefs { changes } = &again[0].change else { panic!("{again:?}") };
    let BeliefChange::Added { belief } = &changes[0] else { panic!("{changes:?}") };
    assert_eq!(
        (belief.statement.as_str(), belief.confidence.get()),
        ("나는 인정받는 존재다", 0.5),
        "0.7 for two memories, less 0.2 for the no"
    );
}

#[tokio::test]
async fn a_yes_is_bound_to_what_was_shown() {
    let world = World::new();
    let mind = world.mind().await;
    core(&mind, "늘 고맙다고 했다").await;
    let shown = pending(&mind, ProposalKind::Belief).await.remove(0);
    core(&mind, "약속을 꼭 지키자고 했다").await;
    let now = pending(&mind, ProposalKind::Belief).await.remove(0);
    assert_eq!(shown.id, now.id, "the same subject is one proposal");
    let stale = yes(&mind, &shown).await.unwrap_err();
    assert!(matches!(&stale, EngineError::Conflict(words) if words.to_string().contains("나는 약속을 소중히 여긴다")), "{stale}");
    assert!(mind.reject(shown.id, shown.digest).await.is_err());
    assert!(beliefs(&mind).await.is_empty());
    yes(&mind, &now).await.unwrap();
    assert!(matches!(yes(&mind, &now).await, Err(EngineError::Conflict(_))), "a yes is not said twice");
    assert!(matches!(mind.undo(now.id).await, Ok(decided) if decided.proposal.status == ProposalStatus::Undone));
    assert!(beliefs(&mind).await.is_empty());
}
