//! Minds whose thinker is a model: nothing is lost when it fails, nothing is changed that should not be when it is hostile.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{Cause, JobKind, LedgerEntry, NoteKind, Span, Thought, Timestamp, Turn};
use saegim_engine::{
    CandidatePage, Config, ContextQuery, Durability, Engine, Exchange, MindHandle, MindKey, Said, SeededDice, SetClock, Spoken, TurnPage,
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
        let endpoint = Endpoint { dialect, base: self.server.base(dialect), key, model: "stand-in".into(), within };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        Arc::new(ModelThinker::new().asking(&model, Thought::ALL.iter().copied()))
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
        assert_eq!(judges, [format!("{}/stand-in", dialect.as_str())]);
        world.later(Span::seconds(20));
        assert_eq!(mind.attend().await.unwrap().done, 1);
        let context = mind.context(ContextQuery { text: "뭐 하지?".into(), budget: None }).await.unwrap();
        assert!(context.text.contains("다정하게 이어 가세요"), "{}", context.text);
        let mut heard = String::new();
        let spoken = Spoken { text: "안녕", context: &context.text, before: &[] };
        let answer = mind.speak(&spoken, &mut |word| heard.push_str(word)).await.unwrap();
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
    assert_eq!(mind.waiting().await.unwrap(), 0);
    let now = mind.standing(1).await.unwrap().relationship;
    assert!(now.affection >= relationship.affection && now.affection - relationship.affection < 5.0, "{now:?}");
    assert_eq!(turns(&mind).await.len(), before.len() + 2);
}
