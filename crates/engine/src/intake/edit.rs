//! Manual changes to a memory: edit, rate, pin, link.

use saegim_core::{
    Change, CliffReason, Deed, Embedding, Emotions, Fall, Feeling, Link, LinkKind, Memory, MemoryId, MemoryState, Op, Principal, Rating,
    Tier, Timestamp, Unit, phrase,
};

use crate::EngineError;
use crate::engine::retrying;
use crate::intake::Intake;
use crate::intake::remember::{AGENT_TRUST, tags};

/// Changes to a memory. Fields that are `None` stay unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit {
    /// New text.
    pub content: Option<String>,
    /// New importance.
    pub importance: Option<Unit>,
    /// New emotions.
    pub emotions: Option<Emotions>,
    /// New tags.
    pub tags: Option<Vec<String>>,
    /// New tier. Its term starts now.
    pub tier: Option<Tier>,
    /// Rating, one to five stars.
    pub rating: Option<Rating>,
    /// Whether to pin or unpin it.
    pub pinned: Option<Pinned>,
    /// Whether it changed how the character behaves. Such memories are kept longer.
    pub changed_behaviour: Option<bool>,
    /// Expiry that differs from that of its tier.
    pub ends: Option<Ends>,
    /// New id in an external system.
    pub external_id: Option<String>,
    /// New creation time: when the user said it.
    pub told_at: Option<Timestamp>,
    /// What happens to the replaced text.
    pub before: Before,
}

/// What happens to replaced text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// An agent's edit keeps the previous version on the cliff; the owner's edit does not.
    #[default]
    AsUsual,
    /// The previous version stays on the cliff for seven days, for edits by the owner too. For clients that report the previous
    /// text.
    Kept,
}

impl Edit {
    /// Returns the deeds that must be permitted. Rating and pinning are deeds of their own.
    pub(crate) fn deeds(&self) -> Vec<Deed> {
        let plain = Self { rating: None, pinned: None, before: Before::AsUsual, ..self.clone() } != Self::default();
        let wanted = [(plain, Deed::Edit), (self.rating.is_some(), Deed::Rate), (self.pinned.is_some(), Deed::Pin)];
        let mut deeds: Vec<Deed> = wanted.into_iter().filter(|(wanted, _)| *wanted).map(|(_, deed)| deed).collect();
        if self.tier == Some(Tier::M0) {
            deeds.push(Deed::MakeCore);
        }
        deeds
    }

    /// Returns the ledger note for the edit. A text change needs none, because the operation records it.
    pub(crate) fn note(&self) -> Option<String> {
        let tier = self.tier.map(|tier| format!("kept as {tier}"));
        let behaviour = match self.changed_behaviour {
            Some(true) => Some("it changed how the character behaves".to_owned()),
            Some(false) => Some("it no longer changes how the character behaves".to_owned()),
            None => None,
        };
        let words: Vec<String> = [tier, behaviour].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// When a memory expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// At this time.
    At(Timestamp),
    /// When the term of its tier ends, counted from now.
    WithItsTier,
    /// Never automatically; it stays until someone forgets it.
    WhenLetGo,
}

/// A validated edit with its normalised text and vector.
pub(crate) struct Wanted {
    pub(crate) edit: Edit,
    pub(crate) text: Option<String>,
    pub(crate) vector: Option<Embedding>,
}

impl Intake<'_> {
    /// Edits a memory. An agent's edit lowers the trust of the memory and keeps the previous version on the cliff.
    pub(crate) async fn edit(&self, id: MemoryId, edit: Edit) -> Result<Memory, EngineError> {
        let mut edited = self.edit_all(vec![(id, edit)]).await?;
        Ok(edited.pop().expect("one was asked for, and all were edited"))
    }

    /// Returns the edited memory and the additional changes.
    pub(crate) fn edited(&self, mut memory: Memory, wanted: &Wanted) -> (Memory, Vec<Change>) {
        let Wanted { edit, text, vector } = wanted;
        let mut more = Vec::new();
        memory.rating = edit.rating.or(memory.rating);
        memory.pinned = edit.pinned.map_or(memory.pinned, |pinned| pinned == Pinned::Fast);
        if let Some(text) = text {
            let agent = self.mind.principal() == Principal::Agent;
            if (agent || edit.before == Before::Kept) && *text != memory.content {
                more = self.kept_version(&memory);
            }
            if agent && *text != memory.content {
                memory.trust = Unit::clamped(memory.trust.get().min(AGENT_TRUST));
            }
            memory.content.clone_from(text);
        }
        if let Some(importance) = edit.importance {
            memory.stated_importance = Some(importance);
            memory.appraisal = Some(importance);
        }
        if let Some(emotions) = edit.emotions {
            memory.feeling = Feeling::named(emotions, Unit::clamped(memory.feeling.intensity.get().max(0.5)));
        }
        if let Some(labels) = &edit.tags {
            memory.tags = tags(labels.clone());
        }
        if let Some(tier) = edit.tier {
            memory.tier = tier;
            memory.expires_at = tier.expires(self.mind.now(), &self.mind.policy().tier);
        }
        match edit.ends {
            Some(Ends::At(end)) => {
                memory.expires_at = Some(end);
                more.push(Change::CareBy(end));
            }
            Some(Ends::WithItsTier) => memory.expires_at = memory.tier.expires(self.mind.now(), &self.mind.policy().tier),
            Some(Ends::WhenLetGo) => memory.expires_at = None,
            None => {}
        }
        if let Some(name) = &edit.external_id {
            memory.external_id = Some(name.clone());
        }
        memory.created_at = edit.told_at.unwrap_or(memory.created_at);
        if let Some(changed) = edit.changed_behaviour {
            memory.changed_behaviour = changed;
        }
        // Marking behaviour or expiry does not count as an edit, so the worker may still rewrite the text.
        if (Edit { changed_behaviour: None, ends: None, ..edit.clone() }).deeds().first() == Some(&Deed::Edit) {
            memory.edited_at = Some(self.mind.now());
        }
        more.extend(text.as_ref().and(vector.clone()).map(|vector| self.mind.models().embedded(memory.id, vector)));
        (memory, more)
    }

    /// Returns the changes that put the previous version of a memory on the cliff.
    fn kept_version(&self, memory: &Memory) -> Vec<Change> {
        let now = self.mind.now();
        let (id, expires_at) =
            (MemoryId::new(now, self.mind.inner.config.dice.chance()), memory.tier.expires(now, &self.mind.policy().tier));
        let old = Memory { id, expires_at, revision: 0, external_id: None, ..memory.clone() };
        let who = if self.mind.principal() == Principal::Agent { "an agent" } else { "the owner" };
        let note = format!("as it was before {who} rewrote {}", memory.id);
        let (old, entry) = old.to_cliff(Fall { at: now, reason: CliffReason::Displaced, note }, &self.mind.policy().cliff);
        vec![Change::MemoryAdded(Box::new(old.clone())), Change::CliffEntered(Box::new(old), entry)]
    }

    /// Rates a memory with one to five stars.
    pub(crate) async fn rate(&self, id: MemoryId, rating: Rating) -> Result<Memory, EngineError> {
        self.change(id, Deed::Rate, |_, mut memory| {
            memory.rating = Some(rating);
            (memory, Vec::new())
        })
        .await
    }

    /// Pins or unpins a memory.
    pub(crate) async fn pin(&self, id: MemoryId, pinned: Pinned) -> Result<Memory, EngineError> {
        self.change(id, Deed::Pin, |_, mut memory| {
            memory.pinned = pinned == Pinned::Fast;
            (memory, Vec::new())
        })
        .await
    }

    /// Links two memories. The importance of the target grows with its references.
    pub(crate) async fn link(&self, from: MemoryId, to: MemoryId, kind: LinkKind) -> Result<Link, EngineError> {
        self.may_link(kind).await?;
        if from == to {
            return Err(EngineError::Conflict(phrase!("engine.edit.link_to_itself")));
        }
        let link = Link { from, to, kind };
        let (source, target) = (self.mind.fetch(from).await?, self.mind.fetch(to).await?);
        let mut commit = self.mind.commit(Op::Link, &[&source, &target]).because(kind.as_str());
        commit.changes.push(Change::LinkAdded(link));
        self.mind.write(commit).await?;
        Ok(link)
    }

    /// Checks whether the principal may create or remove a link of this kind. `Founds` and `Supports` also need permission to touch
    /// core memories, because they mark a memory as a foundation.
    async fn may_link(&self, kind: LinkKind) -> Result<(), EngineError> {
        self.mind.may(Deed::Link).await?;
        if matches!(kind, LinkKind::Founds | LinkKind::Supports) {
            self.mind.may(Deed::TouchCore).await?;
        }
        Ok(())
    }

    /// Removes a link.
    pub(crate) async fn unlink(&self, link: Link) -> Result<(), EngineError> {
        self.may_link(link.kind).await?;
        let (source, target) = (self.mind.fetch(link.from).await?, self.mind.fetch(link.to).await?);
        let mut commit = self.mind.commit(Op::Link, &[&source, &target]).because(format!("no longer {}", link.kind));
        commit.changes.push(Change::LinkRemoved(link));
        self.mind.write(commit).await.map(drop)
    }

    /// Reads a memory, applies `decide`, recalculates its importance and commits it. Retries on a conflict.
    async fn change(
        &self,
        id: MemoryId,
        deed: Deed,
        decide: impl Fn(&Self, Memory) -> (Memory, Vec<Change>),
    ) -> Result<Memory, EngineError> {
        self.mind.may(deed).await?;
        retrying(|| async {
            let before = self.changeable(id, deed).await?;
            let (memory, more) = decide(self, before.clone());
            let mut memory = self.weighed_anew(memory, &before).await?;
            let mut commit = self.mind.commit(operation(deed), &[&memory]);
            if deed == Deed::Pin && !memory.pinned {
                commit = commit.because("let loose");
            }
            commit.changes.push(Change::MemoryChanged(Box::new(memory.clone())));
            commit.changes.extend(more);
            self.mind.write(commit).await?;
            memory.revision += 1;
            Ok(memory)
        })
        .await
    }
}

impl Intake<'_> {
    /// Returns a live memory that the principal may change.
    pub(crate) async fn changeable(&self, id: MemoryId, deed: Deed) -> Result<Memory, EngineError> {
        let memory = self.mind.fetch(id).await?;
        self.mind.access().may_change(&memory, deed).await?;
        self.mind.check_revision(&memory)?;
        if memory.standing == MemoryState::OnCliff {
            return Err(EngineError::NotFound(phrase!("engine.edit.on_cliff", id)));
        }
        Ok(memory)
    }

    /// Returns the memory with recalculated importance.
    pub(crate) async fn weighed_anew(&self, memory: Memory, before: &Memory) -> Result<Memory, EngineError> {
        let links = self.mind.store().links(self.mind.id, memory.id).await?;
        let references = links.iter().filter(|link| link.to == memory.id).count() as u32;
        let policy = &self.mind.policy().importance;
        Ok(memory.reweighed(before, policy).referred(references, policy))
    }
}

/// Returns the ledger operation for a change of a memory.
pub(crate) const fn operation(deed: Deed) -> Op {
    match deed {
        Deed::Rate => Op::Rate,
        Deed::Pin => Op::Pin,
        _ => Op::Edit,
    }
}

/// Whether a memory is pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinned {
    /// Pinned: it neither fades nor falls.
    Fast,
    /// Not pinned.
    Loose,
}
