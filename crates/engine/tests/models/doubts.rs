//! A fact that a model doubts is proposed to the owner; nothing changes without approval.

use saegim_core::{Op, ProposalStatus, Proposed, Span, Thought};
use saegim_engine::{EngineError, Exchange, MindHandle, NewMessage};
use saegim_provider::mock_server::Behaviour;

use crate::world::{World, asked, ledger, say, turns};

/// A mind that uses rules for extraction and a model for analysis.
async fn thought_over(world: &World) -> MindHandle {
    world.mind(|config| config.thinker = Some(world.only(&[Thought::Analyse, Thought::Settle]))).await
}

async fn known(mind: &MindHandle) -> Vec<(String, String)> {
    mind.facts().await.unwrap().current().map(|fact| (fact.subject.clone(), fact.value.clone())).collect()
}

const NEITHER: &str = r#"{"note":"","toward":[],"conflicts":[],"outdated":[]}"#;

#[tokio::test]
async fn facts_that_are_at_odds_are_put_before_the_owner_and_nothing_changes_without_their_word() {
    let both = r#"{"note":"","toward":[],"conflicts":[{"one":1,"other":0}],"outdated":[]}"#;
    for (one, other, at_odds) in [
        ("나는 고양이 알레르기가 있어", "나는 땅콩 알레르기가 있어", "어느 쪽이 맞는지"),
        ("I am allergic to cats", "I am allergic to peanuts", "is right"),
    ] {
        let world = World::with(Behaviour::Analysing(NEITHER)).await;
        let mind = thought_over(&world).await;
        say(&mind, one).await;
        world.later(Span::seconds(60));
        say(&mind, other).await;
        let before = mind.facts().await.unwrap();
        assert_eq!(before.current().count(), 2, "{before:?}");
        world.server.behave(Behaviour::Analysing(both));
        world.later(Span::seconds(60));
        mind.run_jobs().await.unwrap();
        assert_eq!(mind.facts().await.unwrap(), before, "a model changes no fact");
        let waits = asked(&mind).await;
        let [proposal] = &waits[..] else { panic!("{waits:?}") };
        let (older, newer) = (before.all()[0].clone(), before.all()[1].clone());
        let Proposed::FactEnd { over, beside, turns, instead: None } = &proposal.change else { panic!("{proposal:?}") };
        assert_eq!((over[0].fact, beside.as_ref().map(|fact| fact.fact), turns[0]), (older.id, Some(newer.id), newer.turns[0]));
        let diff: Vec<String> = proposal.change.diff().iter().map(|line| format!("{}{}", line.sign, line.text)).collect();
        assert_eq!(diff, [format!("-allergy: {}", older.value), format!(" allergy: {}", newer.value)]);
        assert!(proposal.reasons[0].en.contains("contradict each other") && proposal.reasons[0].ko.contains("서로 모순된다고"));
        assert!(mind.notes().await.unwrap()[0].text.contains(at_odds), "the character may ask about it");
        let told = ledger(&mind).await;
        let entry = told.iter().rfind(|entry| entry.operation == Op::Think && !entry.things.is_empty()).unwrap();
        assert!(entry.judges.iter().any(|judge| judge.thought == Thought::Analyse && judge.by == "openai/stand-in"), "{entry:?}");
        // The same doubt does not create a second proposal.
        say(&mind, "ㅋㅋㅋ").await;
        world.later(Span::seconds(60));
        mind.run_jobs().await.unwrap();
        assert_eq!(asked(&mind).await.len(), 1);
        mind.approve(proposal.id, proposal.digest).await.unwrap();
        let now = mind.facts().await.unwrap();
        assert_eq!(now.current().map(|fact| fact.id).collect::<Vec<_>>(), [newer.id]);
        assert_eq!(now.get(older.id).unwrap().valid_to, Some(world.now()), "it is history, not gone");
        mind.undo(proposal.id).await.unwrap();
        assert_eq!(known(&mind).await.len(), 2, "and it holds again");
        assert!(mind.verify_ledger(None).await.is_ok());
    }
}

#[tokio::test]
async fn a_no_leaves_everything_and_holds() {
    let both = r#"{"note":"","toward":[],"conflicts":[{"one":0,"other":1}],"outdated":[]}"#;
    let world = World::with(Behaviour::Analysing(both)).await;
    let mind = thought_over(&world).await;
    say(&mind, "나는 고양이 알레르기가 있어").await;
    say(&mind, "나는 땅콩 알레르기가 있어").await;
    let before = mind.facts().await.unwrap();
    world.later(Span::seconds(60));
    mind.run_jobs().await.unwrap();
    let proposal = asked(&mind).await.remove(0);
    mind.reject(proposal.id, proposal.digest).await.unwrap();
    say(&mind, "오늘은 비가 와").await;
    world.later(Span::seconds(60));
    mind.run_jobs().await.unwrap();
    assert_eq!((asked(&mind).await.len(), mind.facts().await.unwrap()), (0, before), "it was asked again, or changed something");
}

#[tokio::test]
async fn what_the_user_said_since_speaks_against_a_fact_only_in_their_own_words() {
    for (fact, since, analysis) in [
        (
            "나는 고양이 알레르기가 있어",
            "병원에서 다 나았대",
            r#"{"note":"","toward":[],"conflicts":[],"outdated":[{"fact":0,"place":1,"cue":"다 나았대"}]}"#,
        ),
        (
            "I am allergic to cats",
            "The doctor says that is all cured",
            r#"{"note":"","toward":[],"conflicts":[],"outdated":[{"fact":0,"place":1,"cue":"all cured"}]}"#,
        ),
    ] {
        let world = World::with(Behaviour::Analysing(NEITHER)).await;
        let mind = thought_over(&world).await;
        say(&mind, fact).await;
        world.later(Span::seconds(60));
        say(&mind, since).await;
        let before = known(&mind).await;
        world.server.behave(Behaviour::Analysing(analysis));
        world.later(Span::seconds(60));
        mind.run_jobs().await.unwrap();
        let proposal = asked(&mind).await.remove(0);
        let Proposed::FactEnd { turns: shown, beside: None, .. } = &proposal.change else { panic!("{proposal:?}") };
        assert_eq!(mind.turn(shown[0]).await.unwrap().content, since, "the turn is its evidence");
        // The facts have changed by the time the owner approves: the approval is a conflict and changes nothing.
        mind.state("allergy", "먼지").await.unwrap();
        mind.end("allergy", Some(&before[0].1)).await.unwrap();
        let stale = mind.approve(proposal.id, proposal.digest).await;
        assert!(matches!(stale, Err(EngineError::Conflict(_))), "{stale:?}");
        assert_eq!(known(&mind).await, [("allergy".to_owned(), "먼지".to_owned())]);
        world.later(Span::days(1));
        mind.tick().await.unwrap();
        assert_eq!(mind.proposal(proposal.id).await.unwrap().status, ProposalStatus::Lapsed, "it means nothing any more");
    }
}

#[tokio::test]
async fn a_lying_model_names_facts_turns_and_words_that_are_not_there() {
    for lie in [
        r#"{"note":"","toward":[],"conflicts":[{"one":0,"other":99},{"one":7,"other":8},{"one":0,"other":0}],"outdated":[]}"#,
        r#"{"note":"","toward":[],"conflicts":[],"outdated":[{"fact":99,"place":0,"cue":"알레르기"},{"fact":0,"place":77,"cue":"a"}]}"#,
        r#"{"note":"","toward":[],"conflicts":[],"outdated":[{"fact":0,"place":1,"cue":"I never had one"},{"fact":0,"place":1,"cue":""}]}"#,
        // Neither the message the fact was learned from nor the character's own messages count as evidence against it.
        r#"{"note":"","toward":[],"conflicts":[],"outdated":[{"fact":0,"place":0,"cue":"알레르기"},{"fact":0,"place":2,"cue":"나았"}]}"#,
    ] {
        let world = World::with(Behaviour::Analysing(lie)).await;
        let mind = thought_over(&world).await;
        let said =
            vec![NewMessage::user("나는 고양이 알레르기가 있어"), NewMessage::user("오늘 산책했어"), NewMessage::assistant("다 나았구나")];
        mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
        let before = mind.facts().await.unwrap();
        world.later(Span::seconds(60));
        assert_eq!(mind.run_jobs().await.unwrap().done, 1, "{lie}");
        assert_eq!((mind.waiting().await.unwrap(), mind.facts().await.unwrap()), (0, before), "{lie}");
    }
    // A negative index is invalid and drops only its pair.
    let world = World::with(Behaviour::Analysing(r#"{"note":"","toward":[],"conflicts":[{"one":-1,"other":1}],"outdated":[]}"#)).await;
    let mind = thought_over(&world).await;
    say(&mind, "I am allergic to cats").await;
    world.later(Span::seconds(60));
    assert_eq!((mind.run_jobs().await.unwrap().done, mind.waiting().await.unwrap()), (1, 0));
}

#[tokio::test]
async fn what_is_erased_is_not_left_in_a_doubt_about_it() {
    let both = r#"{"note":"","toward":[],"conflicts":[{"one":0,"other":1}],"outdated":[]}"#;
    for approved in [false, true] {
        let world = World::with(Behaviour::Analysing(both)).await;
        let mind = thought_over(&world).await;
        say(&mind, "나는 카나리아 알레르기가 있어").await;
        say(&mind, "나는 땅콩 알레르기가 있어").await;
        world.later(Span::seconds(60));
        mind.run_jobs().await.unwrap();
        let proposal = asked(&mind).await.remove(0);
        if approved {
            mind.approve(proposal.id, proposal.digest).await.unwrap();
        }
        let turn = turns(&mind).await[0].id;
        mind.erase_turn(turn).await.unwrap();
        assert_eq!(mind.proposal(proposal.id).await.unwrap().change, Proposed::Gone);
        assert_eq!(known(&mind).await.len(), 1, "the other fact still holds");
        drop(mind);
        for file in std::fs::read_dir(world.folder.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!bytes.windows("카나리아".len()).any(|part| part == "카나리아".as_bytes()), "approved: {approved}");
        }
    }
}
