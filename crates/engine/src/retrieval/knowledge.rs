//! Queries for facts, the relationship and the timeline, and manual changes by the owner.

use saegim_core::{
    Candidate, Change, Deed, Emotions, Fact, Facts, Invalid, Memory, Op, Relationship, RelationshipChange, Scene, Session, SpeechStyle,
    Statement, StatementId, Timestamp, Turn, TurnId, Unit, Values, phrase,
};
use saegim_language::{ValueComparison, canonical_value, fact_subject};
use saegim_store::{CandidatePage, Filter, Page, TurnPage};

use crate::engine::retrying;
use crate::{EngineError, MindHandle};

/// The relationship between character and user.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
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
pub enum Moment {
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

impl Moment {
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

impl MindHandle {
    /// Returns all facts about the user, current and past.
    pub async fn facts(&self) -> Result<Facts, EngineError> {
        self.may(Deed::Read).await?;
        Ok(self.intake().current_context().await?.facts)
    }

    /// Sets a fact by hand, as the owner. The value has 1 to 500 characters.
    pub async fn state(&self, key: &str, value: &str) -> Result<Fact, EngineError> {
        self.may(Deed::StateFacts).await?;
        self.by_the_clock().await?;
        let value = value.trim();
        if value.is_empty() || value.chars().count() > 500 {
            return Err(Invalid::new("value", phrase!("engine.knowledge.value_length")).into());
        }
        let statement = self.by_hand(key, value, false)?;
        let id = statement.id;
        let facts = self.stated(statement).await?;
        let held = facts.current().find(|fact| fact.id.bytes() == id.bytes());
        let same = || facts.current().find(|fact| fact.subject == key && ValueComparison.same(key, &fact.value, value));
        held.or_else(same).cloned().ok_or_else(|| EngineError::Conflict(phrase!("engine.knowledge.newer_value", key)))
    }

    /// Ends a fact by hand, as the owner: one value of the subject, or all values if `value` is `None`. Returns the ended facts.
    pub async fn end(&self, key: &str, value: Option<&str>) -> Result<Vec<Fact>, EngineError> {
        self.may(Deed::StateFacts).await?;
        self.by_the_clock().await?;
        let before = self.facts().await?;
        let facts = self.stated(self.by_hand(key, value.unwrap_or_default(), true)?).await?;
        let ended = |fact: &&Fact| !fact.is_current() && before.get(fact.id).is_some_and(Fact::is_current);
        let ended: Vec<Fact> = facts.all().iter().filter(ended).cloned().collect();
        if ended.is_empty() {
            return Err(EngineError::NotFound(phrase!("engine.knowledge.nothing_to_end", key)));
        }
        Ok(ended)
    }

    fn by_hand(&self, key: &str, value: &str, ends: bool) -> Result<Statement, EngineError> {
        let known = fact_subject(key).ok_or_else(|| {
            let problem = phrase!("engine.knowledge.unknown_subject", key);
            Invalid::new("subject", problem)
        })?;
        let now = self.now();
        Ok(Statement {
            id: StatementId::new(now, self.inner.config.dice.chance()),
            turn: None,
            at: now,
            subject: known.key.to_owned(),
            value: value.to_owned(),
            canonical: canonical_value(known, value).unwrap_or_else(|| value.to_lowercase()),
            category: known.category,
            single: known.single,
            ends,
            emotions: Emotions::default(),
            intensity: Unit::ZERO,
            importance: Unit::clamped(0.9),
            confidence: Unit::ONE,
        })
    }

    async fn stated(&self, statement: Statement) -> Result<Facts, EngineError> {
        let lock = self.intake().turn_lock();
        let mut cached = lock.lock().await;
        let before = self.intake().turn_context(&mut cached).await?.facts;
        let mut facts = before.clone();
        facts.state(&statement, &ValueComparison);
        let mut commit = self.commit(Op::State, &[]).because(format!("{} by hand", statement.subject));
        commit.changes.push(Change::Stated(Box::new(statement)));
        commit.changes.extend(facts.differences(&before).0.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        self.write(commit).await?;
        Ok(facts)
    }

    /// Returns the relationship with its last `limit` changes.
    pub async fn standing(&self, limit: usize) -> Result<Standing, EngineError> {
        self.may(Deed::Read).await?;
        let present = self.intake().current_context().await?;
        let shared = Filter { category: Some(saegim_core::Category::SharedEvents), ..Filter::default() };
        let turns = self.store().turns(self.id, TurnPage { limit: 20, ..TurnPage::default() }).await?;
        let felt = turns.iter().rev().filter(|turn| turn.role == saegim_core::Role::User).filter_map(|turn| Some((turn.at, turn.face?)));
        Ok(Standing {
            relationship: present.relationship,
            speech_style: present.style.unwrap_or_else(|| present.relationship.level().speech_style()),
            style_is_set: present.style.is_some(),
            changes: self.store().relationship_changes(self.id, None, limit).await?,
            shared: self.store().list(self.id, &shared, Page { limit: self.policy().context.shared, before: None }).await?,
            feelings: felt.take(10).collect(),
        })
    }

    /// Sets the speech style, as the owner. `None` derives it from the relationship level again.
    pub async fn set_speech_style(&self, style: Option<SpeechStyle>) -> Result<(), EngineError> {
        self.may(Deed::SetStyle).await?;
        retrying(|| async {
            let mut commit = self.commit(Op::State, &[]).because("the speech style was set");
            commit.changes.push(Change::SpeechStyleSet(style));
            self.write(commit).await.map(drop)
        })
        .await
    }

    /// Returns the timeline, newest last.
    pub async fn timeline(&self, query: TimelineQuery) -> Result<Vec<Moment>, EngineError> {
        self.may(Deed::Read).await?;
        let within = |at: Timestamp| query.since.is_none_or(|since| at >= since) && query.until.is_none_or(|until| at < until);
        let filter = Filter { since: query.since, until: query.until, ..Filter::default() };
        let memories = self.store().list(self.id, &filter, Page { limit: query.limit, before: None }).await?;
        let mut moments: Vec<Moment> = memories.into_iter().map(|memory| Moment::Remembered(Box::new(memory))).collect();
        for fact in self.store().facts(self.id).await? {
            if fact.valid_to.is_some_and(within) {
                moments.push(Moment::Over(Box::new(fact.clone())));
            }
            if within(fact.valid_from) {
                moments.push(Moment::Learned(Box::new(fact)));
            }
        }
        let scenes = self.store().scenes(self.id, query.limit).await?;
        moments.extend(scenes.into_iter().filter(|scene| within(scene.began_at)).map(|scene| Moment::Began(Box::new(scene))));
        if query.turns {
            let page = TurnPage { limit: query.limit, until: query.until, ..TurnPage::default() };
            let turns = self.store().turns(self.id, page).await?;
            moments.extend(turns.into_iter().filter(|turn| within(turn.at)).map(|turn| Moment::Said(Box::new(turn))));
        }
        moments.sort_by_key(Moment::at);
        moments.drain(..moments.len().saturating_sub(query.limit));
        Ok(moments)
    }

    /// Returns turns, newest last.
    pub async fn turns(&self, page: TurnPage) -> Result<Vec<Turn>, EngineError> {
        self.may(Deed::Read).await?;
        Ok(self.store().turns(self.id, page).await?)
    }

    /// Returns one turn.
    pub async fn turn(&self, id: TurnId) -> Result<Turn, EngineError> {
        self.may(Deed::Read).await?;
        let found = self.store().turns_by_id(self.id, &[id]).await?.pop();
        found.ok_or_else(|| EngineError::NotFound(phrase!("engine.knowledge.message_not_found", id)))
    }

    /// Returns the sessions, latest first.
    pub async fn sessions(&self) -> Result<Vec<Session>, EngineError> {
        self.may(Deed::Read).await?;
        Ok(self.store().sessions(self.id).await?)
    }

    /// Returns candidates with their verdicts, newest first.
    pub async fn candidates(&self, page: CandidatePage) -> Result<Vec<Candidate>, EngineError> {
        self.may(Deed::Read).await?;
        Ok(self.store().candidates(self.id, page).await?)
    }

    /// Returns the current or last scene.
    pub async fn scene(&self) -> Result<Option<Scene>, EngineError> {
        self.may(Deed::Read).await?;
        Ok(self.store().latest_scene(self.id).await?)
    }
}
