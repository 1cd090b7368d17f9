//! A mind whose thinker is a mock model with configurable behaviour, on a simulated clock.

use std::sync::Arc;
use std::time::Duration;

use saegim_core::{Cause, LedgerEntry, Proposal, ProposalKind, Span, Thought, Timestamp, Turn};
use saegim_engine::{Config, Durability, Engine, Exchange, MindHandle, MindKey, NewMessage, SeededDice, SetClock, TurnPage};
use saegim_provider::mock_server::{Behaviour, MockServer};
use saegim_provider::{Dialect, Endpoint, LanguageModel, ModelThinker, RemoteModel, Secret, Thinker};

pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clock: Arc<SetClock>,
    pub(crate) server: MockServer,
}

impl World {
    pub(crate) async fn with(behaviour: Behaviour) -> Self {
        let clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-02T09:00:00Z").unwrap()));
        Self { folder: tempfile::tempdir().unwrap(), clock, server: MockServer::begin(behaviour).await.unwrap() }
    }

    pub(crate) fn thinker(&self, dialect: Dialect) -> Arc<dyn Thinker> {
        let within = Duration::from_millis(if self.folder.path().join("silent").exists() { 40 } else { 5_000 });
        let key = Secret::new("sk-canary-engine");
        let endpoint = Endpoint { key, within, ..Endpoint::new(dialect, self.server.base(dialect), "stand-in") };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        Arc::new(ModelThinker::new().asking(&model, Thought::ALL.iter().copied()))
    }

    /// A thinker that asks the model only for these thoughts and uses rules for the rest.
    pub(crate) fn only(&self, thoughts: &[Thought]) -> Arc<dyn Thinker> {
        let base = self.server.base(Dialect::OpenAi);
        let endpoint = Endpoint { within: Duration::from_secs(5), ..Endpoint::new(Dialect::OpenAi, base, "stand-in") };
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(endpoint));
        Arc::new(ModelThinker::new().asking(&model, thoughts.iter().copied()))
    }

    pub(crate) fn impatient(self) -> Self {
        std::fs::write(self.folder.path().join("silent"), "").unwrap();
        self
    }

    pub(crate) async fn mind(&self, settings: impl FnOnce(&mut Config)) -> MindHandle {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(7));
        config.durability = Durability::Throwaway;
        config.embedder = None;
        config.thinker = Some(self.thinker(Dialect::OpenAi));
        settings(&mut config);
        Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    pub(crate) fn later(&self, span: Span) {
        self.clock.set(self.now().plus(span));
    }

    pub(crate) fn now(&self) -> Timestamp {
        use saegim_engine::Clock;
        self.clock.now()
    }
}

/// Advances the clock past the longest back-off of the circuit breaker.
pub(crate) async fn rested() {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(700)).await;
    tokio::time::resume();
}

pub(crate) async fn say(mind: &MindHandle, text: &str) {
    mind.observe(Exchange { said: vec![NewMessage::user(text)], ..Exchange::default() }).await.unwrap();
}

pub(crate) async fn turns(mind: &MindHandle) -> Vec<Turn> {
    mind.turns(TurnPage { limit: 10_000, ..TurnPage::default() }).await.unwrap()
}

pub(crate) async fn ledger(mind: &MindHandle) -> Vec<LedgerEntry> {
    mind.ledger(0, 100_000).await.unwrap().into_iter().map(|(entry, _)| entry).collect()
}

/// Number of times rules replaced the model for a thought, and the causes, read from the ledger.
pub(crate) fn stood_in(ledger: &[LedgerEntry], thought: Thought) -> (u64, Vec<Cause>) {
    let judges = ledger.iter().flat_map(|entry| &entry.judges).filter(|judge| judge.thought == thought && judge.instead_of.is_some());
    let mut causes: Vec<Cause> = judges.clone().filter_map(|judge| judge.cause).collect();
    causes.sort();
    causes.dedup();
    (judges.map(|judge| judge.times).sum(), causes)
}

pub(crate) fn message(place: usize) -> String {
    match place % 2 {
        0 => format!("나는 {place}번 버스를 좋아해"),
        _ => format!("I like bus number {place}"),
    }
}

/// Pending proposals to end a fact.
pub(crate) async fn asked(mind: &MindHandle) -> Vec<Proposal> {
    mind.waiting_of(ProposalKind::FactEnd).await.unwrap()
}
