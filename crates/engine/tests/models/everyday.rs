//! A model takes an everyday sentence that mentions a known fact for the end of that fact. The engine asks the owner instead of
//! changing the fact, for every form of the model's answer and every API dialect.

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{Cause, MindKey, Proposal, ProposalKind, ProposalStatus, Proposed, Span, Thought, Timestamp};
use saegim_engine::{Config, Durability, Engine, EngineError, Exchange, MindHandle, NewMessage, SeededDice, SetClock, TurnPage};
use saegim_language::RuleThinker;
use saegim_provider::mock_server::{Behaviour, MockServer};
use saegim_provider::{Dialect, Endpoint, LanguageModel, ModelThinker, RemoteModel};
use serde_json::{Value, json};

/// A message, the fact learned from it, and an everyday sentence that does not contradict it.
struct Case {
    taught: &'static str,
    subject: &'static str,
    value: &'static str,
    everyday: &'static str,
}

const fn case(taught: &'static str, subject: &'static str, value: &'static str, everyday: &'static str) -> Case {
    Case { taught, subject, value, everyday }
}

const CASES: [Case; 8] = [
    case("나는 부산에 살아.", "residence", "부산", "부산 날씨 좋다"),
    case("나는 대전에 살아.", "residence", "대전", "대전 가는 기차가 또 늦네"),
    case("나는 간호사로 일해.", "job", "간호사", "간호사 선생님들 진짜 친절하더라"),
    case("내 고향은 목포야.", "hometown", "목포", "목포 낙지는 언제 먹어도 맛있네"),
    case("I live in Busan.", "residence", "Busan", "Busan weather is lovely today"),
    case("I live in Leeds.", "residence", "Leeds", "the train to Leeds is late again"),
    case("I work as a nurse.", "job", "nurse", "that nurse drama on TV is so good"),
    case("My hometown is Cork.", "hometown", "Cork", "watching a film about Cork right now"),
];

struct World {
    clock: Arc<SetClock>,
    server: MockServer,
    engine: Engine,
    mind: MindHandle,
    _folder: tempfile::TempDir,
}

impl World {
    /// Creates a mind in which the rules have learned the fact of the case.
    async fn taught(case: &Case) -> Self {
        let (folder, server) = (tempfile::tempdir().unwrap(), MockServer::begin(Behaviour::Well).await.unwrap());
        let clock = Arc::new(SetClock::at(Timestamp::parse("2026-01-01T09:00:00Z").unwrap()));
        let mut config = Config::local(folder.path().join("mind.db"));
        config.clock = clock.clone();
        config.dice = Arc::new(SeededDice::new(7));
        config.durability = Durability::Throwaway;
        config.embedder = None;
        config.thinker = Some(Arc::new(RuleThinker));
        let engine = Engine::open(config).await.unwrap();
        let mind = engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
        let world = Self { clock, server, engine, mind, _folder: folder };
        world.say(case.taught).await;
        assert_eq!(world.known(case).await, [case.value], "{}", case.taught);
        world
    }

    /// Routes this thought to a model with this dialect that always gives this answer.
    async fn answered(&mut self, thought: Thought, dialect: Dialect, (property, answer): (&'static str, &Value)) {
        self.server.behave(Behaviour::Answering(property, Box::leak(answer.to_string().into_boxed_str())));
        let endpoint = Endpoint { within: Duration::from_secs(5), ..Endpoint::new(dialect, self.server.base(dialect), "stand-in") };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        self.engine.think_with(Arc::new(ModelThinker::new().asking(&model, [thought]))).unwrap();
        self.mind = self.engine.mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap();
    }

    async fn say(&self, text: &str) {
        self.later(Span::seconds(60));
        self.mind.observe(Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() }).await.unwrap();
    }

    fn later(&self, span: Span) {
        use saegim_engine::Clock;
        self.clock.set(self.clock.now().plus(span));
    }

    async fn known(&self, case: &Case) -> Vec<String> {
        let facts = self.mind.facts().await.unwrap();
        facts.current().filter(|fact| fact.subject == case.subject).map(|fact| fact.value.clone()).collect()
    }

    async fn asked(&self) -> Vec<Proposal> {
        self.mind.waiting_of(ProposalKind::FactEnd).await.unwrap()
    }

    /// Returns the only pending question, checks that the sentence is its evidence, and that no fact has changed.
    async fn the_question(&self, case: &Case, way: &str) -> Proposal {
        let sentence = case.everyday;
        assert_eq!(self.known(case).await, [case.value], "{sentence}, {way}: it changed what is known");
        let mut asked = self.asked().await;
        assert_eq!(asked.len(), 1, "{sentence}, {way}: {asked:?}");
        let proposal = asked.remove(0);
        let Proposed::FactEnd { over, turns, .. } = &proposal.change else { panic!("{proposal:?}") };
        assert_eq!((over.len(), over[0].value.as_str()), (1, case.value), "{sentence}, {way}");
        assert_eq!(self.mind.turn(turns[0]).await.unwrap().content, sentence, "{way}: the owner sees what it was drawn from");
        proposal
    }

    /// Checks that a no changes nothing and is not asked again, and that a yes ends the fact and can be undone.
    async fn decided(&self, case: &Case, (way, yes): (&str, bool)) {
        let proposal = self.the_question(case, way).await;
        let agent = self.mind.clone().acting_as(saegim_core::Principal::Agent);
        assert!(matches!(agent.approve(proposal.id, proposal.digest).await, Err(EngineError::Forbidden(_))), "{way}");
        assert_eq!(self.known(case).await, [case.value], "{way}: the character's own program said yes");
        if yes {
            self.mind.approve(proposal.id, proposal.digest).await.unwrap();
            assert_eq!(self.known(case).await, Vec::<String>::new(), "{way}");
            self.mind.undo(proposal.id).await.unwrap();
        } else {
            self.mind.reject(proposal.id, proposal.digest).await.unwrap();
            assert_eq!(self.mind.proposal(proposal.id).await.unwrap().status, ProposalStatus::Rejected);
        }
        assert_eq!(self.known(case).await, [case.value], "{}, {way}", case.everyday);
        assert!(self.mind.verify_ledger(None).await.is_ok());
    }
}

/// A model answer that claims this about the known fact.
fn read(case: &Case, ends: bool, value: &str) -> Value {
    json!({ "findings": [{ "content": case.everyday, "type": "fact", "about": "user", "who": null, "subject": case.subject, "value": value,
            "category": null, "ends": ends, "corrects": false, "confidence": 0.99, "future_impact": 0.9, "factual": 0.9, "emotional": 0.2,
            "actionable": 0.3, "explicit": 0.3, "emotions": ["joy"], "intensity": 0.4, "sentiment": 0.3 }],
        "left_alone": [], "emotions": ["joy"], "intensity": 0.3, "sentiment": 0.3, "face": "happy", "toward": [] })
}

#[tokio::test]
async fn a_model_that_reads_an_end_into_an_everyday_sentence_has_the_owner_asked() {
    for (place, case) in CASES.iter().enumerate() {
        for yes in [false, true] {
            let dialect = [Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini][(place + usize::from(yes)) % 3];
            let mut world = World::taught(case).await;
            world.answered(Thought::Extract, dialect, ("findings", &read(case, true, case.value))).await;
            world.say(case.everyday).await;
            world.decided(case, ("read", yes)).await;
            // A later message with the same model: the answered question changes nothing.
            world.say("ㅎㅎ").await;
            assert_eq!(world.known(case).await, [case.value], "{}", case.everyday);
        }
    }
}

#[tokio::test]
async fn a_model_that_reads_another_value_into_it_has_the_owner_asked_too() {
    for (case, other) in [(&CASES[0], "날씨"), (&CASES[1], "기차"), (&CASES[4], "today"), (&CASES[6], "drama")] {
        let mut world = World::taught(case).await;
        world.answered(Thought::Extract, Dialect::OpenAi, ("findings", &read(case, false, other))).await;
        world.say(case.everyday).await;
        world.decided(case, ("replaced", false)).await;
    }
}

#[tokio::test]
async fn an_analysis_that_holds_it_for_the_end_has_the_owner_asked() {
    for (place, case) in CASES.iter().enumerate() {
        for yes in [false, true] {
            let dialect = [Dialect::Gemini, Dialect::OpenAi, Dialect::Anthropic][(place + usize::from(yes)) % 3];
            let mut world = World::taught(case).await;
            let analysis =
                json!({ "note": "", "toward": [], "conflicts": [], "outdated": [{ "fact": 0, "place": 1, "cue": case.everyday }] });
            world.answered(Thought::Analyse, dialect, ("note", &analysis)).await;
            world.say(case.everyday).await;
            world.later(Span::seconds(60));
            assert_eq!(world.mind.run_jobs().await.unwrap().done, 1, "{}", case.everyday);
            world.decided(case, ("thought over", yes)).await;
            // The next analysis repeats the claim; the owner has already answered.
            world.say("오늘은 여기까지!").await;
            world.later(Span::seconds(60));
            world.mind.run_jobs().await.unwrap();
            assert_eq!(world.known(case).await, [case.value], "{}", case.everyday);
            assert!(yes || world.asked().await.is_empty(), "{}: asked again after a no", case.everyday);
        }
    }
}

#[tokio::test]
async fn a_turn_put_differently_is_read_with_the_same_caution() {
    for case in &CASES {
        let mut world = World::taught(case).await;
        world.say("안녕, hello there").await;
        world.answered(Thought::Extract, Dialect::OpenAi, ("findings", &read(case, true, case.value))).await;
        let page = TurnPage { limit: 10, ..TurnPage::default() };
        let turn = world.mind.turns(page).await.unwrap().last().unwrap().id;
        world.mind.reword(turn, case.everyday).await.unwrap();
        assert_eq!(world.server.requests(), 1, "the model was asked");
        world.decided(case, ("put differently", false)).await;
    }
}

#[tokio::test]
async fn the_rules_themselves_read_no_end_into_any_of_them() {
    for case in &CASES {
        let world = World::taught(case).await;
        world.say(case.everyday).await;
        assert_eq!((world.known(case).await, world.asked().await.len()), (vec![case.value.to_owned()], 0), "{}", case.everyday);
        // A model that fails changes nothing either.
        let mut world = World::taught(case).await;
        world.answered(Thought::Extract, Dialect::OpenAi, ("findings", &json!("I will not say"))).await;
        world.say(case.everyday).await;
        assert_eq!((world.known(case).await, world.asked().await.len()), (vec![case.value.to_owned()], 0), "{}", case.everyday);
        let entries = world.mind.ledger(0, 1000).await.unwrap();
        assert!(entries.iter().flat_map(|(entry, _)| &entry.judges).any(|judge| judge.cause == Some(Cause::Garbled)), "{}", case.everyday);
    }
}
