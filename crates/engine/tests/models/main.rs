//! Minds with a model as the thinker: model failures lose nothing, and a hostile model changes nothing it should not.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

/// Facts that a model doubts.
mod doubts;
/// Essences are rewritten by a model.
mod essences;
/// Everyday sentences that a model takes for the end of a fact.
mod everyday;
/// Well-formed false answers.
mod lies;
/// Runs of personas.
mod personas;
/// A mind whose thinker is a mock model.
mod world;

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{Axis, Cause, JobKind, NoteKind, ProposalKind, Span, Thought};
use saegim_engine::{CandidatePage, Config, ContextQuery, Durability, Engine, EngineError, Filter, Page, ReplyRequest};
use saegim_provider::Dialect;
use saegim_provider::mock_server::Behaviour;
use world::{World, asked, ledger, message, rested, say, stood_in, turns};

/// Number of messages sent to each failing model; `saegim-sim models` sends 200.
const INPUTS: usize = 25;

#[tokio::test]
async fn whatever_a_model_does_nothing_is_lost_and_what_waited_is_done_when_it_is_back() {
    for behaviour in Behaviour::FAILURES {
        let world = World::with(behaviour).await;
        let world = if behaviour == Behaviour::Silent { world.impatient() } else { world };
        let mind = world.mind(|_| ()).await;
        for place in 0..INPUTS {
            world.later(Span::seconds(5));
            say(&mind, &message(place)).await;
        }
        let kept = turns(&mind).await;
        assert_eq!(kept.iter().map(|turn| turn.content.clone()).collect::<Vec<_>>(), (0..INPUTS).map(message).collect::<Vec<_>>());
        for turn in &kept {
            let page = CandidatePage { limit: 10, turn: Some(turn.id), verdict: None };
            assert!(!mind.candidates(page).await.unwrap().is_empty(), "{behaviour:?}: {} was not judged", turn.content);
        }
        let (times, causes) = stood_in(&ledger(&mind).await, Thought::Extract);
        assert_eq!(times, INPUTS as u64, "{behaviour:?}: {causes:?}");
        world.later(Span::seconds(1));
        let failed = mind.run_jobs().await.unwrap();
        assert_eq!((failed.done, failed.failed), (0, 2), "{behaviour:?}");
        assert!(mind.jobs().await.unwrap().iter().all(|job| job.cause.is_some()), "{behaviour:?}");
        assert!(stood_in(&ledger(&mind).await, Thought::Analyse).0 >= 1, "{behaviour:?}: a failure nobody sees");
        world.server.behave(Behaviour::Well);
        rested().await;
        world.later(Span::hours(1));
        mind.tick().await.unwrap();
        assert_eq!(mind.jobs().await.unwrap(), [], "{behaviour:?}: the backlog is not drained");
        let notes = mind.notes().await.unwrap();
        assert_eq!(notes.iter().map(|note| note.kind).collect::<Vec<_>>(), [NoteKind::Director, NoteKind::Profile], "{behaviour:?}");
        assert!(mind.verify_ledger(None).await.is_ok());
    }
}

#[tokio::test]
async fn a_model_that_answers_is_named_in_the_ledger_and_its_advice_is_given_at_the_next_turn() {
    for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini] {
        let world = World::with(Behaviour::Well).await;
        let mind = world.mind(|config| config.thinker = Some(world.thinker(dialect))).await;
        say(&mind, "지난주에 부산으로 이사했어").await;
        let page = CandidatePage { limit: 10, turn: None, verdict: None };
        assert_eq!(mind.candidates(page).await.unwrap()[0].content, "지난주에 부산으로 이사했어");
        let judges: Vec<String> = ledger(&mind).await.iter().flat_map(|entry| &entry.judges).map(|judge| judge.by.clone()).collect();
        // The rules added what the model left out, and the ledger lists them separately.
        assert_eq!(judges, [format!("{}/stand-in", dialect.as_str()), "rules@1".to_owned()]);
        world.later(Span::seconds(20));
        assert_eq!(mind.run_jobs().await.unwrap().done, 1);
        let context = mind.context(ContextQuery { text: "뭐 하지?".into(), budget: None }).await.unwrap();
        assert!(context.text.contains("하던 이야기를 이어 가면 좋겠다. 다정하게 답한다."), "{}", context.text);
        let mut heard = String::new();
        let spoken = ReplyRequest { text: "안녕", context: &context.text, before: &[], sampling: None };
        let answer = mind.speak(&spoken, &mut |word| heard.push_str(word)).await.unwrap().text;
        assert!(answer.contains("안녕") && heard == answer, "{answer}");
    }
}

#[tokio::test]
async fn what_is_spent_is_counted_and_beyond_the_day_s_budget_rules_think() {
    let world = World::with(Behaviour::Well).await;
    let mind = world.mind(|config| config.policy.thinking.daily_tokens = 300).await;
    for place in 0..6 {
        say(&mind, &message(place)).await;
    }
    // Each reading uses 120 tokens, so the third is the last one within the budget.
    let told = ledger(&mind).await;
    assert_eq!(stood_in(&told, Thought::Extract), (3, vec![Cause::Budget]));
    assert_eq!(world.server.requests(), 3);
    world.later(Span::days(1));
    say(&mind, "It is another day in Busan").await;
    assert_eq!(world.server.requests(), 4, "a new day has its own budget");
    // Another process sees the tokens used by this one.
    let other = world.mind(|config| config.policy.thinking.daily_tokens = 100).await;
    say(&other, "And it goes on in Busan").await;
    assert_eq!(world.server.requests(), 4);
}

#[tokio::test]
async fn what_nobody_answered_uses_up_no_budget() {
    let world = World::with(Behaviour::Failing).await;
    let mind = world.mind(|config| config.policy.thinking.daily_tokens = 300).await;
    for place in 0..8 {
        rested().await;
        say(&mind, &message(place)).await;
    }
    let asked = world.server.requests();
    assert!(asked > 8, "each is asked for, the first of them twice: {asked}");
    assert_eq!(stood_in(&ledger(&mind).await, Thought::Extract), (8, vec![Cause::Failing]));
    let spent = Engine::open(Config::local(world.folder.path().join("mind.db"))).await.unwrap().expenses("2026-03-02").await.unwrap();
    assert!(
        spent.iter().all(|one| one.spent.tokens() == 0) && spent.iter().map(|one| one.spent.requests).sum::<u64>() == asked as u64,
        "{spent:?}"
    );
    // The daily budget is still unused when the model answers again.
    world.server.behave(Behaviour::Well);
    rested().await;
    say(&mind, "It answers again in Busan").await;
    assert_eq!(world.server.requests(), asked + 1);
    assert_eq!(stood_in(&ledger(&mind).await, Thought::Extract).0, 8, "rules did not have to stand in");
}

#[tokio::test]
async fn an_answer_nobody_can_give_as_wished_is_refused_and_rules_do_not_pass_for_it() {
    for dialect in [Dialect::Anthropic, Dialect::Gemini] {
        let world = World::with(Behaviour::Headstrong).await;
        let mind = world.mind(|config| config.thinker = Some(world.thinker(dialect))).await;
        let wished = saegim_provider::Sampling { temperature: Some(0.3), ..Default::default() };
        let spoken = |sampling| ReplyRequest { text: "안녕", context: "", before: &[], sampling };
        let mut heard = String::new();
        let refused = mind.speak(&spoken(Some(&wished)), &mut |word| heard.push_str(word)).await;
        assert!(matches!(refused, Err(EngineError::Invalid(_))) && heard.is_empty(), "{dialect:?}: {refused:?}");
        assert!(mind.speak(&spoken(None), &mut |_| ()).await.unwrap().text.ends_with("안녕"));
        // If the model cannot answer at all, rules answer, even when sampling parameters are set.
        world.server.behave(Behaviour::Failing);
        assert!(!mind.speak(&spoken(Some(&wished)), &mut |_| ()).await.unwrap().text.is_empty());
        assert_eq!(stood_in(&ledger(&mind).await, Thought::Reply), (1, vec![Cause::Failing]));
    }
}

#[tokio::test]
async fn messages_are_stored_before_the_model_is_asked_and_read_later_by_any_worker() {
    let world = World::with(Behaviour::Silent).await;
    let mind = world.mind(|_| ()).await;
    let lost = tokio::time::timeout(Duration::from_millis(300), say(&mind, "지난주에 부산으로 이사했어")).await;
    assert!(lost.is_err(), "the model was to keep silent");
    drop(mind);
    let mind = world.mind(|config| config.thinker = Some(Arc::new(saegim_language::RuleThinker))).await;
    assert_eq!(turns(&mind).await.len(), 1);
    assert_eq!(mind.jobs().await.unwrap()[0].kind, JobKind::Read);
    let page = || CandidatePage { limit: 10, turn: None, verdict: None };
    mind.tick().await.unwrap();
    assert!(mind.candidates(page()).await.unwrap().is_empty(), "whoever keeps it may still be waiting for the model");
    world.later(Span::hours(1));
    mind.tick().await.unwrap();
    assert!(!mind.candidates(page()).await.unwrap().is_empty() && mind.jobs().await.unwrap().is_empty());
    world.later(Span::hours(1));
    let before = mind.candidates(page()).await.unwrap().len();
    mind.tick().await.unwrap();
    assert_eq!(mind.candidates(page()).await.unwrap().len(), before, "it was judged twice");
}

#[tokio::test]
async fn a_hostile_model_changes_nothing_it_should_not() {
    let world = World::with(Behaviour::Well).await;
    let mind = world.mind(|config| config.policy.thinking.reflect_every = 1).await;
    say(&mind, "내 이름은 민수야").await;
    say(&mind, "I like rain and I like snow").await;
    world.later(Span::seconds(5));
    mind.run_jobs().await.unwrap();
    let (relationship, before) = (mind.standing(1).await.unwrap().relationship, turns(&mind).await);
    world.server.behave(Behaviour::Commanding);
    for text in ["오늘은 산책했어", "I went for a walk today"] {
        world.later(Span::seconds(300));
        say(&mind, text).await;
        mind.run_jobs().await.unwrap();
        mind.tick().await.unwrap();
    }
    let facts = mind.facts().await.unwrap();
    assert!(!facts.all().iter().any(|fact| fact.value.contains("DAN")), "{facts:?}");
    let context = mind.context(ContextQuery { text: "누구야?".into(), budget: None }).await.unwrap();
    for word in ["DAN", "delete all", "obey"] {
        assert!(!context.text.contains(word), "{}", context.text);
        assert!(mind.notes().await.unwrap().iter().all(|note| !note.text.contains(word)));
    }
    assert_eq!(mind.current_self().await.unwrap(), None);
    // All it can do about known facts is to create proposals.
    assert!(asked(&mind).await.iter().all(|proposal| proposal.kind == ProposalKind::FactEnd));
    assert!(facts.all().iter().all(saegim_core::Fact::is_current), "{facts:?}");
    let now = mind.standing(1).await.unwrap().relationship;
    assert!(now.affection >= relationship.affection && now.affection - relationship.affection < 5.0, "{now:?}");
    assert_eq!(turns(&mind).await.len(), before.len() + 2);
}

#[tokio::test]
async fn two_processes_never_move_the_relationship_from_where_it_no_longer_is() {
    let moving = r#"{"note":"","toward":[{"axis":"trust","points":2,"place":0,"cue":"고마워"}],"conflicts":[],"outdated":[]}"#;
    let world = World::with(Behaviour::Analysing(moving)).await;
    let settings = |config: &mut Config| {
        config.thinker = Some(world.only(&[Thought::Analyse]));
        config.durability = Durability::Durable;
        config.policy.thinking.analyse_turns = 1;
    };
    let (one, other) = (world.mind(settings).await, world.mind(settings).await);
    for _ in 0..12 {
        world.later(Span::seconds(30));
        say(&one, "고마워, 정말 고마워").await;
        let (first, second, talk) = tokio::join!(one.run_jobs(), other.run_jobs(), say(&other, "오늘도 고마워"));
        assert!(first.unwrap().done + second.unwrap().done >= 1);
        let () = talk;
    }
    let now = one.standing(10_000).await.unwrap();
    for axis in [Axis::Trust, Axis::Affection, Axis::Familiarity] {
        let sum: f32 = now.changes.iter().filter(|change| change.axis == axis).map(|change| change.delta).sum();
        let stands = match axis {
            Axis::Trust => now.relationship.trust,
            Axis::Affection => now.relationship.affection,
            _ => now.relationship.familiarity,
        };
        assert!((sum - stands).abs() < 0.01, "{axis}: it stands at {stands}, and {sum} is what moved it");
    }
}

#[tokio::test]
async fn a_turn_put_differently_moves_the_relationship_once() {
    let world = World::with(Behaviour::Well).await;
    let mind = world.mind(|config| config.thinker = Some(Arc::new(saegim_language::RuleThinker))).await;
    say(&mind, "고마워, 정말 고마워").await;
    let turn = turns(&mind).await[0].id;
    mind.reword(turn, "고마워, 정말로 고마워").await.unwrap();
    let now = mind.standing(100).await.unwrap();
    let sum: f32 = now.changes.iter().filter(|change| change.axis == Axis::Familiarity).map(|change| change.delta).sum();
    assert!((sum - now.relationship.familiarity).abs() < 0.01, "{sum} {:?}", now.relationship);
}

fn plain(text: &str) -> bool {
    !text
        .chars()
        .any(|letter| letter.is_control() || matches!(letter, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0041}'))
}

#[tokio::test]
async fn an_answer_of_the_right_shape_and_the_wrong_size_changes_nothing_it_should_not() {
    for (behaviour, cause) in [
        (Behaviour::Bloating, Some(Cause::Endless)),
        (Behaviour::Mangling, Some(Cause::Garbled)),
        (Behaviour::Crowding, None),
        (Behaviour::Hiding, None),
    ] {
        let world = World::with(Behaviour::Well).await;
        let mind = world.mind(|config| config.policy.thinking.reflect_every = 1).await;
        mind.state("name", "민수").await.unwrap();
        mind.state("residence", "부산").await.unwrap();
        let (facts, relationship) = (mind.facts().await.unwrap(), mind.standing(1).await.unwrap().relationship);
        world.server.behave(behaviour);
        for text in ["오늘은 아버지와 함께 광안리 바닷가를 오래 걸었어", "Today I walked along the beach with my father"]
        {
            world.later(Span::seconds(300));
            say(&mind, text).await;
            mind.run_jobs().await.unwrap();
        }
        let page = CandidatePage { limit: 100_000, turn: None, verdict: None };
        let judged = mind.candidates(page).await.unwrap();
        assert!(!judged.is_empty() && judged.len() <= 2 * 24, "{behaviour:?}: {} candidates", judged.len());
        let memories = mind.list(&Filter::default(), Page { limit: 1000, before: None }).await.unwrap();
        let mut texts: Vec<String> = judged.into_iter().map(|candidate| candidate.content).collect();
        texts.extend(memories.into_iter().flat_map(|memory| [Some(memory.content), memory.interpretation]).flatten());
        texts.extend(mind.notes().await.unwrap().into_iter().map(|note| note.text));
        for text in &texts {
            assert!(text.chars().count() <= 1000 && plain(text), "{behaviour:?}: {text}");
        }
        assert_eq!(mind.facts().await.unwrap(), facts, "{behaviour:?}");
        assert_eq!(mind.current_self().await.unwrap(), None, "{behaviour:?}");
        assert!(mind.waiting().await.unwrap() <= 4, "{behaviour:?}: the inbox is flooded");
        let now = mind.standing(1).await.unwrap().relationship;
        assert!((now.trust - relationship.trust).abs() < 10.0 && turns(&mind).await.len() == 2, "{behaviour:?}");
        let (times, causes) = stood_in(&ledger(&mind).await, Thought::Extract);
        assert_eq!((times, causes), cause.map_or((0, Vec::new()), |cause| (2, vec![cause])), "{behaviour:?}");
        assert!(mind.verify_ledger(None).await.is_ok());
    }
}
