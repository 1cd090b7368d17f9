//! Minds whose thinker is a model: nothing is lost when it fails, nothing is changed that should not be when it is hostile.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{
    Axis, Cause, Emotion, Emotions, JobKind, LedgerEntry, LinkKind, Memory, NoteKind, Op, Proposal, ProposalKind, ProposalStatus, Proposed,
    Span, Thought, Tier, Timestamp, Turn, Unit,
};
use saegim_engine::{
    CandidatePage, Config, ContextQuery, Draft, Durability, Edit, Engine, EngineError, Exchange, Filter, MindHandle, MindKey, Page, Said,
    SeededDice, SetClock, Spoken, TurnPage,
};
use saegim_provider::stand_in::{Behaviour, StandIn};
use saegim_provider::{Dialect, Endpoint, LanguageModel, ModelThinker, RemoteModel, Secret, Thinker};

/// So many messages are put to each failing model here; `saegim-sim models` puts two hundred.
const INPUTS: usize = 25;

struct World {
    folder: tempfile::TempDir,
    clock: Arc<SetClock>,
    server: StandIn,
}

impl World {
    async fn with(behaviour: Behaviour) -> Self {
        let clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T09:00:00Z").unwrap()));
        Self { folder: tempfile::tempdir().unwrap(), clock, server: StandIn::begin(behaviour).await.unwrap() }
    }

    fn thinker(&self, dialect: Dialect) -> Arc<dyn Thinker> {
        let within = Duration::from_millis(if self.folder.path().join("silent").exists() { 40 } else { 5_000 });
        let key = Secret::new("sk-canary-engine");
        let endpoint = Endpoint { key, within, ..Endpoint::new(dialect, self.server.base(dialect), "stand-in") };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        Arc::new(ModelThinker::new().asking(&model, Thought::ALL.iter().copied()))
    }

    /// Rules read, and the model is asked for these alone.
    fn only(&self, thoughts: &[Thought]) -> Arc<dyn Thinker> {
        let base = self.server.base(Dialect::OpenAi);
        let endpoint = Endpoint { within: Duration::from_secs(5), ..Endpoint::new(Dialect::OpenAi, base, "stand-in") };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        Arc::new(ModelThinker::new().asking(&model, thoughts.iter().copied()))
    }

    fn impatient(self) -> Self {
        std::fs::write(self.folder.path().join("silent"), "").unwrap();
        self
    }

    async fn mind(&self, settings: impl FnOnce(&mut Config)) -> MindHandle {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(7));
        config.durability = Durability::Throwaway;
        config.embedder = None;
        config.thinker = Some(self.thinker(Dialect::OpenAi));
        settings(&mut config);
        Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    fn later(&self, span: Span) {
        self.clock.set(self.now().plus(span));
    }

    fn now(&self) -> Timestamp {
        use saegim_engine::Clock;
        self.clock.now()
    }
}

/// Whoever is left alone is left alone no longer.
async fn rested() {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(700)).await;
    tokio::time::resume();
}

async fn say(mind: &MindHandle, text: &str) {
    mind.observe(Exchange { said: vec![Said::user(text)], ..Exchange::default() }).await.unwrap();
}

async fn turns(mind: &MindHandle) -> Vec<Turn> {
    mind.turns(TurnPage { limit: 10_000, ..TurnPage::default() }).await.unwrap()
}

async fn ledger(mind: &MindHandle) -> Vec<LedgerEntry> {
    mind.ledger(0, 100_000).await.unwrap().into_iter().map(|(entry, _)| entry).collect()
}

/// How often rules stood in for a thought, by the ledger.
fn stood_in(ledger: &[LedgerEntry], thought: Thought) -> (u64, Vec<Cause>) {
    let judges = ledger.iter().flat_map(|entry| &entry.judges).filter(|judge| judge.thought == thought && judge.instead_of.is_some());
    let mut causes: Vec<Cause> = judges.clone().filter_map(|judge| judge.cause).collect();
    causes.sort();
    causes.dedup();
    (judges.map(|judge| judge.times).sum(), causes)
}

fn message(place: usize) -> String {
    match place % 2 {
        0 => format!("나는 {place}번 버스를 좋아해"),
        _ => format!("I like bus number {place}"),
    }
}

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
        let failed = mind.attend().await.unwrap();
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
        // What it left unstated the rules have stated, and that is told apart.
        assert_eq!(judges, [format!("{}/stand-in", dialect.as_str()), "rules@1".to_owned()]);
        world.later(Span::seconds(20));
        assert_eq!(mind.attend().await.unwrap().done, 1);
        let context = mind.context(ContextQuery { text: "뭐 하지?".into(), budget: None }).await.unwrap();
        assert!(context.text.contains("하던 이야기를 이어 가면 좋겠다. 다정하게 답한다."), "{}", context.text);
        let mut heard = String::new();
        let spoken = Spoken { text: "안녕", context: &context.text, before: &[], sampling: None };
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
    // Each reading is 120 tokens: the third is the last that may be asked for.
    let told = ledger(&mind).await;
    assert_eq!(stood_in(&told, Thought::Extract), (3, vec![Cause::Budget]));
    assert_eq!(world.server.requests(), 3);
    world.later(Span::days(1));
    say(&mind, "It is another day in Busan").await;
    assert_eq!(world.server.requests(), 4, "a new day has its own budget");
    // Another process reads what this one has used.
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
    // The whole day's budget is still there, for one that answers.
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
        let spoken = |sampling| Spoken { text: "안녕", context: "", before: &[], sampling };
        let mut heard = String::new();
        let refused = mind.speak(&spoken(Some(&wished)), &mut |word| heard.push_str(word)).await;
        assert!(matches!(refused, Err(EngineError::Invalid(_))) && heard.is_empty(), "{dialect:?}: {refused:?}");
        assert!(mind.speak(&spoken(None), &mut |_| ()).await.unwrap().text.ends_with("안녕"));
        // One that cannot answer at all is stood in for, whatever was wished.
        world.server.behave(Behaviour::Failing);
        assert!(!mind.speak(&spoken(Some(&wished)), &mut |_| ()).await.unwrap().text.is_empty());
        assert_eq!(stood_in(&ledger(&mind).await, Thought::Reply), (1, vec![Cause::Failing]));
    }
}

#[tokio::test]
async fn what_was_said_is_kept_before_the_model_is_asked_and_read_later_by_whoever_is_there() {
    let world = World::with(Behaviour::Silent).await;
    let mind = world.mind(|_| ()).await;
    let lost = tokio::time::timeout(Duration::from_millis(300), say(&mind, "지난주에 부산으로 이사했어")).await;
    assert!(lost.is_err(), "the model was to keep silent");
    drop(mind);
    let mind = world.mind(|config| config.thinker = Some(Arc::new(saegim_provider::RuleThinker))).await;
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
    mind.attend().await.unwrap();
    let (relationship, before) = (mind.standing(1).await.unwrap().relationship, turns(&mind).await);
    world.server.behave(Behaviour::Commanding);
    for text in ["오늘은 산책했어", "I went for a walk today"] {
        world.later(Span::seconds(300));
        say(&mind, text).await;
        mind.attend().await.unwrap();
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
    // All it can do about what is known is have the owner asked.
    assert!(asked(&mind).await.iter().all(|proposal| proposal.kind == ProposalKind::FactEnd));
    assert!(facts.all().iter().all(saegim_core::Fact::is_current), "{facts:?}");
    let now = mind.standing(1).await.unwrap().relationship;
    assert!(now.affection >= relationship.affection && now.affection - relationship.affection < 5.0, "{now:?}");
    assert_eq!(turns(&mind).await.len(), before.len() + 2);
}

/// A mind that rules read and a model thinks over.
async fn thought_over(world: &World) -> MindHandle {
    world.mind(|config| config.thinker = Some(world.only(&[Thought::Analyse, Thought::Settle]))).await
}

async fn asked(mind: &MindHandle) -> Vec<Proposal> {
    mind.waiting_of(ProposalKind::FactEnd).await.unwrap()
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
        mind.attend().await.unwrap();
        assert_eq!(mind.facts().await.unwrap(), before, "a model changes no fact");
        let waits = asked(&mind).await;
        let [proposal] = &waits[..] else { panic!("{waits:?}") };
        let (older, newer) = (before.all()[0].clone(), before.all()[1].clone());
        let Proposed::FactEnd { over, beside, turns, instead: None } = &proposal.change else { panic!("{proposal:?}") };
        assert_eq!((over[0].fact, beside.as_ref().map(|fact| fact.fact), turns[0]), (older.id, Some(newer.id), newer.turns[0]));
        let diff: Vec<String> = proposal.change.diff().iter().map(|line| format!("{}{}", line.sign, line.text)).collect();
        assert_eq!(diff, [format!("-allergy: {}", older.value), format!(" allergy: {}", newer.value)]);
        assert!(proposal.reasons[0].en.contains("cannot both be so") && proposal.reasons[0].ko.contains("함께 참일 수 없"));
        assert!(mind.notes().await.unwrap()[0].text.contains(at_odds), "the character may ask about it");
        let told = ledger(&mind).await;
        let entry = told.iter().rfind(|entry| entry.operation == Op::Think && !entry.things.is_empty()).unwrap();
        assert!(entry.judges.iter().any(|judge| judge.thought == Thought::Analyse && judge.by == "openai/stand-in"), "{entry:?}");
        // The same doubt again is the same proposal.
        say(&mind, "ㅋㅋㅋ").await;
        world.later(Span::seconds(60));
        mind.attend().await.unwrap();
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
    mind.attend().await.unwrap();
    let proposal = asked(&mind).await.remove(0);
    mind.reject(proposal.id, proposal.digest).await.unwrap();
    say(&mind, "오늘은 비가 와").await;
    world.later(Span::seconds(60));
    mind.attend().await.unwrap();
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
        mind.attend().await.unwrap();
        let proposal = asked(&mind).await.remove(0);
        let Proposed::FactEnd { turns: shown, beside: None, .. } = &proposal.change else { panic!("{proposal:?}") };
        assert_eq!(mind.turn(shown[0]).await.unwrap().content, since, "the turn is its evidence");
        // What it rests on is different when the owner says yes: they are asked to look again, and nothing changes.
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
        // The words that taught it do not speak against it, nor do the character's.
        r#"{"note":"","toward":[],"conflicts":[],"outdated":[{"fact":0,"place":0,"cue":"알레르기"},{"fact":0,"place":2,"cue":"나았"}]}"#,
    ] {
        let world = World::with(Behaviour::Analysing(lie)).await;
        let mind = thought_over(&world).await;
        let said = vec![Said::user("나는 고양이 알레르기가 있어"), Said::user("오늘 산책했어"), Said::assistant("다 나았구나")];
        mind.observe(Exchange { said, ..Exchange::default() }).await.unwrap();
        let before = mind.facts().await.unwrap();
        world.later(Span::seconds(60));
        assert_eq!(mind.attend().await.unwrap().done, 1, "{lie}");
        assert_eq!((mind.waiting().await.unwrap(), mind.facts().await.unwrap()), (0, before), "{lie}");
    }
    // A place below nought is none, and costs its pair alone.
    let world = World::with(Behaviour::Analysing(r#"{"note":"","toward":[],"conflicts":[{"one":-1,"other":1}],"outdated":[]}"#)).await;
    let mind = thought_over(&world).await;
    say(&mind, "I am allergic to cats").await;
    world.later(Span::seconds(60));
    assert_eq!((mind.attend().await.unwrap().done, mind.waiting().await.unwrap()), (1, 0));
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
        mind.attend().await.unwrap();
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
        let (first, second, talk) = tokio::join!(one.attend(), other.attend(), say(&other, "오늘도 고마워"));
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
    let mind = world.mind(|config| config.thinker = Some(Arc::new(saegim_provider::RuleThinker))).await;
    say(&mind, "고마워, 정말 고마워").await;
    let turn = turns(&mind).await[0].id;
    mind.reword(turn, "고마워, 정말로 고마워").await.unwrap();
    let now = mind.standing(100).await.unwrap();
    let sum: f32 = now.changes.iter().filter(|change| change.axis == Axis::Familiarity).map(|change| change.delta).sum();
    assert!((sum - now.relationship.familiarity).abs() < 0.01, "{sum} {:?}", now.relationship);
}

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
    let rules = |config: &mut Config| config.thinker = Some(Arc::new(saegim_provider::RuleThinker));
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
        // The stand-in's words are its first original's.
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
    // A model that is away is asked again later.
    let job = mind.jobs().await.unwrap().remove(0);
    assert!(job.kind == JobKind::Distil && job.attempts == 1, "{job:?}");
    // One that answers what cannot be used has had its chance.
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
            mind.attend().await.unwrap();
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
