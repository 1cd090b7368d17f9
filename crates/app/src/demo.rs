//! `serve --demo`: runs one scripted year of conversation through the real pipeline into a temporary database.

/// The scripted year.
mod script;

use std::path::PathBuf;
use std::sync::Arc;

use saegim_core::{Language, Memory, MemoryId, MindKey, Principal, Proposal, ProposalKind, ProposalStatus, Rating, Span, Timestamp, Unit};
use saegim_engine::{
    Clock, Config, Durability, Engine, EngineError, Exchange, Filter, Imagining, IslandDraft, MindHandle, NewMessage, Opinion, Page,
    Pinned, ProposalRequest, Query, SeededDice, SetClock, SystemClock,
};

use self::script::{Deed, Step, When};
use crate::error::AppError;
use crate::settings::Settings;

/// Upper bound on the number of memories after a year of conversation.
const ALL: usize = 10_000;

/// Time after midnight at which the worker runs.
const NIGHT: Span = Span::hours(4);

/// Time between two exchanges of one session.
const BREATH: Span = Span::seconds(90);

/// A generated demo database and the key of its mind.
pub(crate) struct Demo {
    /// Temporary folder; deleted together with the database when the server exits.
    folder: tempfile::TempDir,
    pub(crate) key: MindKey,
}

impl Demo {
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join("demo.db")
    }
}

/// Generates the year that ends now.
pub(crate) async fn live(settings: &Settings, language: Language) -> Result<Demo, AppError> {
    let (names, text) = match language {
        Language::Korean => (("지우", "루나"), include_str!("demo/korean.txt")),
        Language::English => (("Maya", "Luna"), include_str!("demo/english.txt")),
    };
    let folder = tempfile::tempdir().map_err(|error| AppError::file(&std::env::temp_dir(), error))?;
    let demo = Demo { folder, key: MindKey::new(names.0, names.1)? };
    let now = SystemClock.now();
    let zone = settings.time_zone()?;
    let steps = script::read(text);
    let moment = |when: When| match when {
        When::Evening { days_ago, minute } => now.minus(Span::days(days_ago)).midnight(&zone).plus(Span::seconds(minute * 60)).min(now),
        When::JustNow { minutes_ago } => now.minus(Span::seconds(minutes_ago * 60)),
    };
    let first = steps.first().map_or(now, |step| moment(step.when));
    let clock = Arc::new(SetClock::at(first));
    let mut config = Config::local(demo.database());
    config.durability = Durability::Throwaway;
    config.time_zone = zone.clone();
    config.policy = settings.policy().map_err(AppError::Content)?;
    config.clock = clock.clone();
    config.dice = Arc::new(SeededDice::new(1));
    let engine = Engine::open(config).await?.acting_as(Principal::Owner);
    let mind = engine.mind(demo.key.clone()).await?;
    let mut life = Life { mind, clock, imagined: None };
    for step in &steps {
        let to = moment(step.when);
        life.sleep_until(to, &zone).await?;
        life.conversation(step).await?;
    }
    life.clock.set(now);
    life.mind.rebalance(None).await?;
    Ok(demo)
}

struct Life {
    mind: MindHandle,
    clock: Arc<SetClock>,
    /// The most recent imagination.
    imagined: Option<saegim_core::ImaginationId>,
}

impl Life {
    /// Advances the clock to `to` and runs the worker once per night.
    async fn sleep_until(&self, to: Timestamp, zone: &jiff::tz::TimeZone) -> Result<(), EngineError> {
        let mut night = self.clock.now().midnight(zone).plus(Span::days(1)).plus(NIGHT);
        while night < to {
            self.clock.set(night);
            self.mind.tick().await?;
            night = night.plus(Span::days(1));
        }
        self.clock.set(to);
        Ok(())
    }

    async fn conversation(&mut self, step: &Step) -> Result<(), EngineError> {
        for (user, assistant) in &step.said {
            let context = self.mind.context(saegim_engine::ContextQuery { text: user.clone(), budget: None }).await?;
            let injected = context.sections.iter().flat_map(|section| section.memories.iter().copied()).collect();
            let said = vec![NewMessage::user(user), NewMessage { injected, ..NewMessage::assistant(assistant) }];
            self.mind.observe(Exchange { said, ..Exchange::default() }).await?;
            self.clock.set(self.clock.now().plus(BREATH));
        }
        for deed in &step.deeds {
            self.does(deed).await?;
            self.clock.set(self.clock.now().plus(BREATH));
        }
        Ok(())
    }

    async fn does(&mut self, deed: &Deed) -> Result<(), EngineError> {
        match deed {
            Deed::Recall(question) => {
                self.mind.recall(Query { used: true, limit: 2, ..Query::text(question) }).await?;
            }
            Deed::Use(piece, times) => {
                if let Some(memory) = self.find(piece).await? {
                    for _ in 0..*times {
                        self.mind.mark_used(&[memory]).await?;
                    }
                }
            }
            Deed::Rate(piece, stars) => {
                if let (Some(memory), Ok(rating)) = (self.find(piece).await?, Rating::new(*stars)) {
                    self.mind.rate(memory, rating).await?;
                }
            }
            Deed::Pin(piece) => {
                if let Some(memory) = self.find(piece).await? {
                    self.mind.pin(memory, Pinned::Fast).await?;
                }
            }
            Deed::Forget(piece) => {
                if let Some(memory) = self.find(piece).await? {
                    self.mind.forget(memory, saegim_engine::Core::Kept).await?;
                }
            }
            Deed::Wish(piece) => {
                self.wish(piece).await?;
            }
            Deed::Core(piece) => {
                if let Some(wish) = self.wish(piece).await? {
                    self.mind.approve(wish.id, wish.digest).await?;
                }
            }
            Deed::Island { emoji, name, founding } => {
                let mut memories = Vec::new();
                for piece in founding {
                    memories.extend(self.find(piece).await?);
                }
                let draft =
                    IslandDraft { name: Some(name.clone()), emoji: Some(emoji.clone()), founding: memories, ..IslandDraft::default() };
                self.mind.add_island(draft).await?;
            }
            Deed::Approve(kind) => self.approve(*kind).await?,
            Deed::Imagine(context) => {
                let trigger = context.as_ref().map(|_| saegim_core::Trigger::Context);
                self.imagined = Some(self.mind.imagine(Imagining { trigger, context: context.clone() }).await?.id);
            }
            Deed::Like => {
                if let Some(id) = self.imagined {
                    self.mind.judge_imagination(id, Opinion::Liked).await?;
                }
            }
        }
        Ok(())
    }

    async fn wish(&self, piece: &str) -> Result<Option<Proposal>, EngineError> {
        match self.find(piece).await? {
            Some(memory) => Ok(Some(self.mind.propose(ProposalRequest::Core(memory)).await?)),
            None => Ok(None),
        }
    }

    /// Approves all pending proposals of a kind. Proposals refused by the self-change limit stay in the inbox.
    async fn approve(&self, kind: ProposalKind) -> Result<(), EngineError> {
        for proposal in self.mind.proposals(Some(ProposalStatus::Pending)).await? {
            if proposal.kind == kind {
                let _ = self.mind.approve(proposal.id, proposal.digest).await;
            }
        }
        Ok(())
    }

    /// Returns the oldest active memory that contains `piece` and has full trust. Full trust excludes memories that
    /// were derived or imagined.
    async fn find(&self, piece: &str) -> Result<Option<MemoryId>, EngineError> {
        let all = self.mind.list(&Filter::default(), Page { limit: ALL, before: None }).await?;
        let told = |memory: &&Memory| memory.content.contains(piece) && memory.trust == Unit::ONE;
        Ok(all.iter().rev().find(told).map(|memory| memory.id))
    }
}
