//! Essences written by rules are rewritten once a model is available.

use std::sync::Arc;

use saegim_core::{Cause, Emotion, Emotions, JobKind, LinkKind, Memory, Op, Span, Thought, Tier, Unit};
use saegim_engine::{Config, Draft, Edit, Filter, MindHandle, Page};
use saegim_provider::mock_server::Behaviour;

use crate::world::{World, ledger, rested, stood_in};

async fn essences(mind: &MindHandle) -> Vec<Memory> {
    let filter = Filter { tier: Some(Tier::M90), ..Filter::default() };
    let mut found = mind.list(&filter, Page { limit: 100, before: None }).await.unwrap();
    found.sort_by(|one, other| one.content.cmp(&other.content));
    found
}

async fn moving(mind: &MindHandle, text: &str) {
    let (emotions, intensity) = (Some(Emotions::mix([Emotion::Joy])), Some(Unit::clamped(0.95)));
    mind.remember(Draft { emotions, intensity, ..Draft::text(text) }).await.unwrap();
}

const EVENTS: [&str; 4] = [
    "어제 저녁 7시에 첫 조카가 태어나서 병원으로 달려갔다",
    "On 3 March at noon I finally passed the driving test in Busan",
    "지난주 토요일에 아버지와 처음으로 지리산 꼭대기에 올랐다",
    "Last Sunday at nine my brother came home after two years",
];

#[tokio::test]
async fn what_rules_distilled_a_model_words_once_and_only_its_words_change() {
    let world = World::with(Behaviour::Well).await;
    let rules = |config: &mut Config| config.thinker = Some(Arc::new(saegim_language::RuleThinker));
    let mind = world.mind(rules).await;
    for event in EVENTS {
        moving(&mind, event).await;
    }
    moving(&mind, "어제 오후에 잃어버린 반지를 서랍에서 찾았다").await;
    world.later(Span::days(7));
    mind.tick().await.unwrap();
    let before = essences(&mind).await;
    assert_eq!(before.len(), 5);
    let by_hand = before.iter().find(|essence| essence.content.contains("반지")).unwrap().id;
    mind.edit(by_hand, Edit { content: Some("반지를 되찾은 날".into()), ..Edit::default() }).await.unwrap();
    let before = essences(&mind).await;
    drop(mind);
    let mind = world.mind(|config| config.policy.thinking.distil_at_once = 3).await;
    world.later(Span::days(1));
    mind.tick().await.unwrap();
    assert_eq!(world.server.requests(), 3, "so many in one go");
    assert_eq!(mind.jobs().await.unwrap()[0].kind, JobKind::Distil, "the rest waits, and is not lost");
    world.later(Span::hours(1));
    mind.tick().await.unwrap();
    assert_eq!((world.server.requests(), mind.jobs().await.unwrap()), (4, Vec::new()));
    let mut worded = 0;
    for was in &before {
        let now = mind.get(was.id).await.unwrap();
        if was.id == by_hand {
            assert_eq!(now.content, "반지를 되찾은 날", "the owner's words stay");
            continue;
        }
        // The mock server returns the text of the first original.
        let original = mind.get(was.promoted_from.unwrap()).await.unwrap();
        assert_eq!(now.content, original.content);
        worded += usize::from(now.content != was.content);
        let same = Memory { content: was.content.clone(), revision: was.revision, ..now.clone() };
        let placed = Memory { zone: was.zone, zone_score: was.zone_score, ..same };
        assert_eq!(placed, *was, "nothing but the words has changed");
        let told = mind.show(was.id).await.unwrap();
        assert_eq!(told.links.iter().filter(|link| link.kind == LinkKind::DistilledFrom).count(), 1);
        let judged = told.history.iter().rfind(|entry| !entry.judges.is_empty()).unwrap();
        assert_eq!(judged.operation, if now.content == was.content { Op::Think } else { Op::Edit });
        assert_eq!((judged.judges[0].thought, judged.judges[0].by.as_str()), (Thought::Distil, "openai/stand-in"));
    }
    assert!(worded >= 2, "rules had put {worded} of them differently");
    for _ in 0..3 {
        world.later(Span::days(1));
        mind.tick().await.unwrap();
    }
    assert_eq!(world.server.requests(), 4, "each is asked for once");
}

#[tokio::test]
async fn a_model_that_cannot_word_an_essence_leaves_the_rules_words() {
    let world = World::with(Behaviour::Failing).await;
    let mind = world.mind(|config| config.thinker = Some(world.only(&[Thought::Distil]))).await;
    moving(&mind, EVENTS[0]).await;
    moving(&mind, EVENTS[1]).await;
    world.later(Span::days(7));
    mind.tick().await.unwrap();
    let before = essences(&mind).await;
    assert_eq!(before.len(), 2);
    let contents = |memories: &[Memory]| memories.iter().map(|memory| memory.content.clone()).collect::<Vec<_>>();
    assert!(stood_in(&ledger(&mind).await, Thought::Distil).0 >= 2, "that rules stood in is in the ledger");
    // If the model is unavailable, the job is retried later.
    let job = mind.jobs().await.unwrap().remove(0);
    assert!(job.kind == JobKind::Distil && job.attempts == 1, "{job:?}");
    // If the model returns an unusable answer, the job is not retried.
    for behaviour in [Behaviour::Commanding, Behaviour::Well] {
        world.server.behave(behaviour);
        rested().await;
        world.later(Span::days(1));
        mind.tick().await.unwrap();
        assert_eq!(contents(&essences(&mind).await), contents(&before), "{behaviour:?}");
        assert_eq!(mind.jobs().await.unwrap(), []);
    }
    let told = ledger(&mind).await;
    let stands = told.iter().filter(|entry| entry.note.as_deref() == Some("the rules' words stand"));
    assert!(stands.count() == 2 && stood_in(&told, Thought::Distil).1.contains(&Cause::Garbled));
}
