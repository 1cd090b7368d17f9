//! A mind on a clock that tests drive, for tests of the self.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use saegim_core::{Emotions, MemoryId, Proposal, ProposalKind, ProposalStatus, Span, Tier, Timestamp, Unit};
use saegim_engine::{Config, ContextQuery, Decided, Draft, Engine, EngineError, MindHandle, MindKey, SeededDice, SetClock};

/// A Thursday, in the morning.
const START: &str = "2026-01-01T09:00:00Z";

pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clock: Arc<SetClock>,
    /// Every engine throws other dice, as other processes do.
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

/// Keeps something for ever, without a feeling.
pub(crate) async fn core(mind: &MindHandle, text: &str) -> MemoryId {
    let draft = Draft { tier: Some(Tier::M0), emotions: Some(Emotions::default()), intensity: Some(Unit::ZERO), ..Draft::text(text) };
    mind.remember(draft).await.unwrap().memory.id
}

pub(crate) async fn pending(mind: &MindHandle, kind: ProposalKind) -> Vec<Proposal> {
    mind.waiting_of(kind).await.unwrap()
}

/// Says yes to just what is shown.
pub(crate) async fn yes(mind: &MindHandle, proposal: &Proposal) -> Result<Decided, EngineError> {
    mind.approve(proposal.id, proposal.digest).await
}

/// Says no to just what is shown.
pub(crate) async fn no(mind: &MindHandle, proposal: &Proposal) -> Decided {
    let decided = mind.reject(proposal.id, proposal.digest).await.unwrap();
    assert_eq!(decided.proposal.status, ProposalStatus::Rejected);
    decided
}

/// The beliefs of the self as it is now.
pub(crate) async fn beliefs(mind: &MindHandle) -> Vec<String> {
    let version = mind.current_self().await.unwrap();
    version.map(|version| version.beliefs.into_iter().map(|belief| belief.statement).collect()).unwrap_or_default()
}

/// What would be given to a model.
pub(crate) async fn context(mind: &MindHandle) -> String {
    mind.context(ContextQuery { text: "오늘 뭐 해?".into(), budget: Some(2000) }).await.unwrap().text
}
