//! Creation of memories.

use saegim_core::{
    Appraisal, Category, Change, Coordinate, Deed, Emotions, Feeling, Hash, Idempotency, Kind, Knowledge, LedgerCoordinate, Memory,
    MemoryId, MemoryState, Op, Phrase, Principal, Source, Strength, Thought, Tier, Timestamp, Unit, Zone, content, phrase,
};

use crate::EngineError;
use crate::intake::Intake;

/// Maximum trust of statements by an agent. Too low to become core or to support a belief.
pub(crate) const AGENT_TRUST: f32 = 0.5;

/// A memory to create. Only the text is required.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Text.
    pub content: String,
    /// Importance stated by the owner; if absent, it is judged from the text.
    pub importance: Option<Unit>,
    /// Emotions; if absent, they are judged from the text.
    pub emotions: Option<Emotions>,
    /// Intensity of `emotions`.
    pub intensity: Option<Unit>,
    /// Answers to the four appraisal questions, if they are known.
    pub appraisal: Option<Appraisal>,
    /// Free-form tags.
    pub tags: Vec<String>,
    /// Tier; M30 if absent.
    pub tier: Option<Tier>,
    /// Whether it is pinned.
    pub pinned: bool,
    /// Kind; episodic if absent.
    pub kind: Option<Kind>,
    /// Category.
    pub category: Option<Category>,
    /// Source; the user if absent.
    pub source: Option<Source>,
    /// Position in time, space and dialogue.
    pub coordinate: Coordinate,
    /// Expiry; if absent, the end of the tier's term.
    pub ends_at: Option<Timestamp>,
    /// Whether it never expires. Used for texts that a client stores under its own name.
    pub endless: bool,
    /// Id in another system.
    pub external_id: Option<String>,
    /// Creation time; the current time if absent.
    pub born: Option<Timestamp>,
    /// Idempotency key of the caller. The same request under the same key is executed once.
    pub idempotency: Option<String>,
}

impl Draft {
    /// Creates a draft with this text.
    pub fn text(content: impl Into<String>) -> Self {
        Self { content: content.into(), ..Self::default() }
    }
}

/// A stored memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// The memory.
    pub memory: Memory,
    /// Whether the same request had already stored it.
    pub repeated: bool,
    /// Reason why it has no vector yet, if it has none. Until then it can be found by keywords.
    pub degraded: Option<Phrase>,
}

impl Intake<'_> {
    /// Stores a memory durably and returns it.
    pub(crate) async fn remember(&self, draft: Draft) -> Result<Remembered, EngineError> {
        self.mind.may(Deed::Remember).await?;
        if draft.tier == Some(Tier::M0) || draft.pinned {
            self.mind.may(Deed::MakeCore).await?;
        }
        self.mind.lifecycle().observe_clock().await?;
        let ends_at = draft.ends_at;
        let idempotency = draft.idempotency.clone().map(|key| Idempotency { key, request: request_of(&draft) });
        if let Some(name) = draft.external_id.clone()
            && !self.is_repeated(idempotency.as_ref()).await?
            && let Some((name, id)) = self.mind.store().by_external_id(self.mind.id, &[name]).await?.pop()
            && self.mind.fetch(id).await?.standing == MemoryState::Alive
        {
            return Err(EngineError::Conflict(phrase!("engine.remember.external_id_taken", name, id)));
        }
        let memory = self.conceive(draft).await?;
        let (vector, degraded) = self.mind.models().vector_of(&memory.content).await;
        let mut commit = self.mind.commit(Op::Remember, &[&memory]);
        commit.session = memory.coordinate.session.clone();
        commit.coordinate = LedgerCoordinate::of(&memory.coordinate, memory.feeling.emotions);
        commit.idempotency = idempotency;
        commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
        commit.changes.extend(vector.map(|vector| self.mind.models().embedded(memory.id, vector)));
        commit.changes.extend(ends_at.map(Change::CareBy));
        let receipt = self.mind.write(commit).await?;
        if receipt.repeated {
            let kept = receipt.memories.first().ok_or_else(|| EngineError::Conflict(phrase!("engine.remember.idempotency_key_reused")))?;
            return match self.mind.fetch(kept.memory).await {
                Ok(memory) => Ok(Remembered { memory, repeated: true, degraded: None }),
                Err(EngineError::NotFound(_)) => Err(EngineError::Conflict(phrase!("engine.remember.result_deleted"))),
                Err(error) => Err(error),
            };
        }
        self.mind.inner.occupancy.born(self.mind.id, memory.zone);
        if memory.tier == Tier::M0 {
            self.mind.self_model().core_added(&memory).await?;
        }
        Ok(Remembered { memory, repeated: false, degraded })
    }

    /// Checks whether the same request was already executed under its idempotency key.
    async fn is_repeated(&self, idempotency: Option<&Idempotency>) -> Result<bool, EngineError> {
        match idempotency {
            Some(idempotency) => Ok(self.mind.store().done_before(self.mind.id, idempotency).await?.is_some()),
            None => Ok(false),
        }
    }

    /// Builds the memory of a draft: appraises it, computes importance and emotions, and assigns a zone.
    pub(crate) async fn conceive(&self, draft: Draft) -> Result<Memory, EngineError> {
        let (policy, occupancy) = (self.mind.policy(), self.mind.lifecycle().occupancy().await?);
        let text = content(&draft.content)?;
        let born = draft.born.unwrap_or_else(|| self.mind.now());
        let source = draft.source.unwrap_or(Source::User);
        let tier = draft.tier.unwrap_or(Tier::M30);
        let mut memory = Memory {
            id: MemoryId::new(born, self.mind.inner.config.dice.chance()),
            external_id: draft.external_id,
            revision: 0,
            standing: MemoryState::Alive,
            kind: draft.kind.unwrap_or(Kind::Episodic),
            category: draft.category,
            source,
            knowledge: if source == Source::Imagination { Knowledge::Imagined } else { Knowledge::Told },
            turns: Vec::new(),
            feeling: self.feeling_of(&text, draft.emotions, draft.intensity).await,
            trust: if self.mind.principal() == Principal::Agent {
                Unit::clamped(source.trust().get().min(AGENT_TRUST))
            } else {
                source.trust()
            },
            importance: Unit::ZERO,
            stated_importance: draft.importance,
            appraisal: match &draft.appraisal {
                Some(appraisal) => Some(appraisal.overall(&policy.appraisal)),
                None => self.appraisal_of(&text, draft.importance).await,
            },
            counted_references: 0,
            strength: Strength::fresh(occupancy.turns),
            recalls: 0,
            mentions: 0,
            last_recalled_at: None,
            created_at: born,
            edited_at: None,
            tier,
            // The term starts at admission, however old the content is.
            expires_at: if draft.endless { None } else { draft.ends_at.or_else(|| tier.expires(born.max(self.mind.now()), &policy.tier)) },
            promoted_from: None,
            pinned: draft.pinned,
            remember_this: false,
            changed_behaviour: false,
            island: None,
            zone: Zone::Belt,
            zone_score: 0.0,
            essence: None,
            tags: tags(draft.tags),
            rating: None,
            coordinate: draft.coordinate,
            content: text,
            original_event: None,
            interpretation: None,
            summary: None,
        };
        memory.importance = memory.weighed(0, &policy.importance);
        let score = memory.nearness(Unit::ZERO).score(self.mind.now(), &policy.zone);
        memory.zone_score = score;
        memory.zone = occupancy.zone(Zone::of(score, &policy.zone), &policy.zone);
        Ok(memory)
    }

    /// Returns A(m): the importance stated by the owner, or else the thinker's appraisal.
    pub(crate) async fn appraisal_of(&self, text: &str, stated: Option<Unit>) -> Option<Unit> {
        if stated.is_some() {
            return stated;
        }
        let appraisal = self.mind.models().think(Thought::Appraise, |thinker| thinker.appraise(text)).await.ok()?;
        Some(appraisal.overall(&self.mind.policy().appraisal))
    }

    async fn feeling_of(&self, text: &str, emotions: Option<Emotions>, intensity: Option<Unit>) -> Feeling {
        if let Some(emotions) = emotions {
            return Feeling::named(emotions, intensity.unwrap_or(Unit::clamped(0.5)));
        }
        self.mind.models().think(Thought::Feel, |thinker| thinker.feel(text)).await.unwrap_or_default()
    }
}

/// Returns the digest that identifies equal requests.
fn request_of(draft: &Draft) -> Hash {
    Hash::of(format!("{:?}", Draft { idempotency: None, ..draft.clone() }).as_bytes())
}

/// Removes hash signs, surrounding whitespace, empty tags and duplicates.
pub(crate) fn tags(given: Vec<String>) -> Vec<String> {
    let mut tags: Vec<String> =
        given.iter().map(|tag| tag.trim().trim_start_matches('#').to_owned()).filter(|tag| !tag.is_empty()).collect();
    tags.sort();
    tags.dedup();
    tags
}
