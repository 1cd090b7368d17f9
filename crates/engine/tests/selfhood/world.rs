//! A mind on a simulated clock, for tests of the self.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use saegim_core::{Emotions, MemoryId, Proposal, ProposalKind, ProposalStatus, Span, Tier, Timestamp, Unit};
use saegim_engine::{Config, ContextQuery, Decision, Draft, Engine, EngineError, MindHandle, MindKey, SeededDice, SetClock};

/// A Thursday morning.
const START: &str = "2026-01-01T09:00:00Z";

pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clock: Arc<SetClock>,
    /// Number of engines opened; each gets its own random seed, as a separate process would.
    engines: AtomicU64,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Arc::new(SetClock::at(Timestamp::parse(START).unwrap())),
            engines: AtomicU64::new(7),
        }
    }

    pub(crate) async fn engine(&self) -> Engine {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        config.dice = Arc::new(SeededDice::new(self.engines.fetch_add(1, Ordering::SeqCst)));
        Engine::open(config).await.unwrap()
    }

    pub(crate) async fn mind(&self) -> MindHandle {
        self.engine().await.mind(MindKey::new("삐돌이", "루나").unwrap()).await.unwrap()
    }

    /// Sets the clock to a day after the start.
    pub(crate) fn day(&self, day: i64) {
        self.hour(24 * day);
    }

    /// Sets the clock to an hour after the start.
    pub(crate) fn hour(&self, hour: i64) {
        self.clock.set(Timestamp::parse(START).unwrap().plus(Span::hours(hour)));
    }
}

/// Remembers a core memory without emotion.
pub(crate) async fn core(mind: &MindHandle, text: &str) -> MemoryId {
    let draft = Draft { tier: Some(Tier::M0), emotions: Some(Emotions::default()), intensity: Some(Unit::ZERO), ..Draft::text(text) };
    mind.remember(draft).await.unwrap().memory.id
}

pub(crate) async fn pending(mind: &MindHandle, kind: ProposalKind) -> Vec<Proposal> {
    mind.waiting_of(kind).await.unwrap()
}

/// Approves the proposal as shown.
pub(crate) async fn yes(mind: &MindHandle, proposal: &Proposal) -> Result<Decision, EngineError> {
    mind.approve(proposal.id, proposal.digest).await
}

/// Rejects the proposal as shown.
pub(crate) async fn no(mind: &MindHandle, proposal: &Proposal) -> Decision {
    let decided = mind.reject(proposal.id, proposal.digest).await.unwrap();
    assert_eq!(decided.proposal.status, ProposalStatus::Rejected);
    decided
}

/// Beliefs of the current self.
pub(crate) async fn beliefs(mind: &MindHandle) -> Vec<String> {
    let version = mind.current_self().await.unwrap();
    version.map(|version| version.beliefs.into_iter().map(|belief| belief.statement).collect()).unwrap_or_default()
}

/// Context for a model.
pub(crate) async fn context(mind: &MindHandle) -> String {
    mind.context(ContextQuery { text: "오늘 뭐 해?".into(), budget: Some(2000) }).await.unwrap().text
}
