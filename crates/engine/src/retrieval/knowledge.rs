//! Queries for facts, the relationship and the timeline, and manual changes by the owner.

use saegim_core::{
    Assertion, AssertionId, Candidate, Change, Deed, Emotions, Fact, Facts, Invalid, Memory, Op, Relationship, RelationshipChange, Scene,
    Session, SpeechStyle, Timestamp, Turn, TurnId, Unit, Values, phrase,
};
use saegim_language::{ValueComparison, canonical_value, fact_subject};
use saegim_store::{CandidatePage, Filter, Page, TurnPage};

use crate::EngineError;
use crate::engine::retrying;
use crate::retrieval::Retrieval;

/// The relationship between character and user.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationshipState {
    /// The five axes.
    pub relationship: Relationship,
    /// Current speech style.
    pub speech_style: SpeechStyle,
    /// Whether the owner set the speech style.
    pub style_is_set: bool,
    /// Changes of the axes, newest first.
    pub changes: Vec<RelationshipChange>,
    /// Shared events, newest first.
    pub shared: Vec<Memory>,
    /// Faces of the user's last messages, newest first.
    pub feelings: Vec<(Timestamp, saegim_core::Face)>,
}

/// An entry of the timeline.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineEntry {
    /// A turn.
    Said(Box<Turn>),
    /// A memory was created.
    Remembered(Box<Memory>),
    /// A fact became valid.
    Learned(Box<Fact>),
    /// A fact stopped being valid.
    Over(Box<Fact>),
    /// A scene started.
    Began(Box<Scene>),
}

impl TimelineEntry {
    /// Time of the event.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Said(turn) => turn.at,
            Self::Remembered(memory) => memory.created_at,
            Self::Learned(fact) => fact.valid_from,
            Self::Over(fact) => fact.valid_to.unwrap_or(fact.valid_from),
            Self::Began(scene) => scene.began_at,
        }
    }
}

/// Which part of the timeline to return.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineQuery {
    /// Start time, inclusive.
    pub since: Option<Timestamp>,
    /// End time, exclusive.
    pub until: Option<Timestamp>,
    /// Maximum number of moments; the latest are returned.
    pub limit: usize,
    /// Whether to include turns.
    pub turns: bool,
}

/// What the owner says about a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Validity {
    Holds,
    Ends,
}

impl Retrieval<'_> {
    pub(crate) async fn facts(&self) -> Result<Facts, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.intake().current_context().await?.facts)
    }

    pub(crate) async fn state(&self, key: &str, value: &str) -> Result<Fact, EngineError> {
        self.mind.may(Deed::StateFacts).await?;
        self.mind.lifecycle().observe_clock().await?;
        let value = value.trim();
        if value.is_empty() || value.chars().count() > 500 {
            return Err(Invalid::new("value", phrase!("engine.knowledge.value_length")).into());
        }
        let assertion = self.owner_assertion(key, value, Validity::Holds)?;
        let id = assertion.id;
        let facts = self.stated(assertion).await?;
        let held = facts.current().find(|fact| fact.id.bytes() == id.bytes());
        let same = || facts.current().find(|fact| fact.subject == key && ValueComparison.same(key, &fact.value, value));
        held.or_else(same).cloned().ok_or_else(|| EngineError::Conflict(phrase!("engine.knowledge.newer_value", key)))
    }

    pub(crate) async fn end(&self, key: &str, value: Option<&str>) -> Result<Vec<Fact>, EngineError> {
        self.mind.may(Deed::StateFacts).await?;
        self.mind.lifecycle().observe_clock().await?;
        let before = self.facts().await?;
        let facts = self.stated(self.owner_assertion(key, value.unwrap_or_default(), Validity::Ends)?).await?;
        let ended = |fact: &&Fact| !fact.is_current() && before.get(fact.id).is_some_and(Fact::is_current);
        let ended: Vec<Fact> = facts.all().iter().filter(ended).cloned().collect();
        if ended.is_empty() {
            return Err(EngineError::NotFound(phrase!("engine.knowledge.nothing_to_end", key)));
        }
        Ok(ended)
    }

    fn owner_assertion(&self, key: &str, value: &str, validity: Validity) -> Result<Assertion, EngineError> {
        let known = fact_subject(key).ok_or_else(|| {
            let problem = phrase!("engine.knowledge.unknown_subject", key);
            Invalid::new("subject", problem)
        })?;
        let now = self.mind.now();
        Ok(Assertion {
            id: AssertionId::new(now, self.mind.inner.config.dice.chance()),
            turn: None,
            at: now,
            subject: known.key.to_owned(),
            value: value.to_owned(),
            canonical: canonical_value(known, value).unwrap_or_else(|| value.to_lowercase()),
            category: known.category,
            single: known.single,
            ends: validity == Validity::Ends,
            emotions: Emotions::default(),
            intensity: Unit::ZERO,
            importance: Unit::clamped(0.9),
            confidence: Unit::ONE,
        })
    }

    async fn stated(&self, assertion: Assertion) -> Result<Facts, EngineError> {
        let lock = self.mind.intake().turn_lock();
        let mut cached = lock.lock().await;
        let before = self.mind.intake().turn_context(&mut cached).await?.facts;
        let mut facts = before.clone();
        facts.state(&assertion, &ValueComparison);
        let mut commit = self.mind.commit(Op::State, &[]).because(format!("{} by hand", assertion.subject));
        commit.changes.push(Change::Asserted(Box::new(assertion)));
        commit.changes.extend(facts.differences(&before).0.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        self.mind.write(commit).await?;
        Ok(facts)
    }

    pub(crate) async fn standing(&self, limit: usize) -> Result<RelationshipState, EngineError> {
        self.mind.may(Deed::Read).await?;
        let present = self.mind.intake().current_context().await?;
        let shared = Filter { category: Some(saegim_core::Category::SharedEvents), ..Filter::default() };
        let turns = self.mind.store().turns(self.mind.id, TurnPage { limit: 20, ..TurnPage::default() }).await?;
        let felt = turns.iter().rev().filter(|turn| turn.role == saegim_core::Role::User).filter_map(|turn| Some((turn.at, turn.face?)));
        Ok(RelationshipState {
            relationship: present.relationship,
            speech_style: present.style.unwrap_or_else(|| present.relationship.level().speech_style()),
            style_is_set: present.style.is_some(),
            changes: self.mind.store().relationship_changes(self.mind.id, None, limit).await?,
            shared: self.mind.store().list(self.mind.id, &shared, Page { limit: self.mind.policy().context.shared, before: None }).await?,
            feelings: felt.take(10).collect(),
        })
    }

    pub(crate) async fn set_speech_style(&self, style: Option<SpeechStyle>) -> Result<(), EngineError> {
        self.mind.may(Deed::SetStyle).await?;
        retrying(|| async {
            let mut commit = self.mind.commit(Op::State, &[]).because("the speech style was set");
            commit.changes.push(Change::SpeechStyleSet(style));
            self.mind.write(commit).await.map(drop)
        })
        .await
    }

    pub(crate) async fn timeline(&self, query: TimelineQuery) -> Result<Vec<TimelineEntry>, EngineError> {
        self.mind.may(Deed::Read).await?;
        let within = |at: Timestamp| query.since.is_none_or(|since| at >= since) && query.until.is_none_or(|until| at < until);
        let filter = Filter { since: query.since, until: query.until, ..Filter::default() };
        let memories = self.mind.store().list(self.mind.id, &filter, Page { limit: query.limit, before: None }).await?;
        let mut moments: Vec<TimelineEntry> = memories.into_iter().map(|memory| TimelineEntry::Remembered(Box::new(memory))).collect();
        for fact in self.mind.store().facts(self.mind.id).await? {
            if fact.valid_to.is_some_and(within) {
                moments.push(TimelineEntry::Over(Box::new(fact.clone())));
            }
            if within(fact.valid_from) {
                moments.push(TimelineEntry::Learned(Box::new(fact)));
            }
        }
        let scenes = self.mind.store().scenes(self.mind.id, query.limit).await?;
        moments.extend(scenes.into_iter().filter(|scene| within(scene.began_at)).map(|scene| TimelineEntry::Began(Box::new(scene))));
        if query.turns {
            let page = TurnPage { limit: query.limit, until: query.until, ..TurnPage::default() };
            let turns = self.mind.store().turns(self.mind.id, page).await?;
            moments.extend(turns.into_iter().filter(|turn| within(turn.at)).map(|turn| TimelineEntry::Said(Box::new(turn))));
        }
        moments.sort_by_key(TimelineEntry::at);
        moments.drain(..moments.len().saturating_sub(query.limit));
        Ok(moments)
    }

    pub(crate) async fn turns(&self, page: TurnPage) -> Result<Vec<Turn>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().turns(self.mind.id, page).await?)
    }

    pub(crate) async fn turn(&self, id: TurnId) -> Result<Turn, EngineError> {
        self.mind.may(Deed::Read).await?;
        let found = self.mind.store().turns_by_id(self.mind.id, &[id]).await?.pop();
        found.ok_or_else(|| EngineError::NotFound(phrase!("engine.knowledge.message_not_found", id)))
    }

    pub(crate) async fn sessions(&self) -> Result<Vec<Session>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().sessions(self.mind.id).await?)
    }

    pub(crate) async fn candidates(&self, page: CandidatePage) -> Result<Vec<Candidate>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().candidates(self.mind.id, page).await?)
    }

    pub(crate) async fn scene(&self) -> Result<Option<Scene>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().latest_scene(self.mind.id).await?)
    }
}
