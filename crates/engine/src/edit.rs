//! A memory is rewritten, rated, pinned or linked by a hand.

use saegim_core::{
    Change, CliffReason, Deed, Embedding, Emotions, Fall, Feeling, Link, LinkKind, Memory, MemoryId, Op, Principal, Rating, Standing, Tier,
    Timestamp, Unit, phrase,
};

use crate::engine::retrying;
use crate::remember::{AGENT_TRUST, tags};
use crate::{EngineError, MindHandle};

/// What is to be different about a memory; what is `None` stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit {
    /// Another text.
    pub content: Option<String>,
    /// Another importance.
    pub importance: Option<Unit>,
    /// Other feelings.
    pub emotions: Option<Emotions>,
    /// Other labels.
    pub tags: Option<Vec<String>>,
    /// Another tier, with a new term from now on.
    pub tier: Option<Tier>,
    /// One to five stars.
    pub rating: Option<Rating>,
    /// Held fast, or let loose.
    pub pinned: Option<Pinned>,
    /// Whether it changed how the character behaves: then it deserves to be kept longer.
    pub changed_behaviour: Option<bool>,
    /// Another end than its tier's.
    pub ends: Option<Ends>,
    /// Another name elsewhere.
    pub external_id: Option<String>,
    /// Another moment at which it was told.
    pub told_at: Option<Timestamp>,
    /// What becomes of the words that stood there.
    pub before: Before,
}

/// What becomes of words that are rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// What the owner writes stands in their place; what an agent rewrites is kept.
    #[default]
    AsUsual,
    /// They wait on the cliff for seven days, whoever writes: for clients that tell what was there.
    Kept,
}

impl Edit {
    /// What has to be allowed for it: rating and pinning are deeds of their own.
    pub(crate) fn deeds(&self) -> Vec<Deed> {
        let plain = Self { rating: None, pinned: None, before: Before::AsUsual, ..self.clone() } != Self::default();
        let wanted = [(plain, Deed::Edit), (self.rating.is_some(), Deed::Rate), (self.pinned.is_some(), Deed::Pin)];
        let mut deeds: Vec<Deed> = wanted.into_iter().filter(|(wanted, _)| *wanted).map(|(_, deed)| deed).collect();
        if self.tier == Some(Tier::M0) {
            deeds.push(Deed::MakeCore);
        }
        deeds
    }

    /// What of it the ledger tells in words; that it was rewritten is in the operation.
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

/// When a memory is let go of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Then.
    At(Timestamp),
    /// When its tier's term runs out, counted from now.
    WithItsTier,
    /// Never by itself: it is there until someone lets go of it.
    WhenLetGo,
}

/// An edit that was looked over, with what it needs.
pub(crate) struct Wanted {
    pub(crate) edit: Edit,
    pub(crate) text: Option<String>,
    pub(crate) vector: Option<Embedding>,
}

impl MindHandle {
    /// Rewrites a memory. What an agent rewrites is trusted as its own word, and what stood there before waits on the cliff.
    pub async fn edit(&self, id: MemoryId, edit: Edit) -> Result<Memory, EngineError> {
        let mut edited = self.edit_all(vec![(id, edit)]).await?;
        Ok(edited.pop().expect("one was asked for, and all were edited"))
    }

    /// A memory as an edit makes it, and what changes beside it.
    pub(crate) fn edited(&self, mut memory: Memory, wanted: &Wanted) -> (Memory, Vec<Change>) {
        let Wanted { edit, text, vector } = wanted;
        let mut more = Vec::new();
        memory.rating = edit.rating.or(memory.rating);
        memory.pinned = edit.pinned.map_or(memory.pinned, |pinned| pinned == Pinned::Fast);
        if let Some(text) = text {
            let agent = self.principal() == Principal::Agent;
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
            memory.expires_at = tier.expires(self.now(), &self.policy().tier);
        }
        match edit.ends {
            Some(Ends::At(end)) => {
                memory.expires_at = Some(end);
                more.push(Change::CareBy(end));
            }
            Some(Ends::WithItsTier) => memory.expires_at = memory.tier.expires(self.now(), &self.policy().tier),
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
        // What someone only said of it leaves its words the caretaker's own.
        if (Edit { changed_behaviour: None, ends: None, ..edit.clone() }).deeds().first() == Some(&Deed::Edit) {
            memory.edited_at = Some(self.now());
        }
        more.extend(text.as_ref().and(vector.clone()).map(|vector| self.embedded(memory.id, vector)));
        (memory, more)
    }

    /// A memory as it was, put on the cliff beside the rewritten one.
    fn kept_version(&self, memory: &Memory) -> Vec<Change> {
        let now = self.now();
        let (id, expires_at) = (MemoryId::new(now, self.inner.config.dice.chance()), memory.tier.expires(now, &self.policy().tier));
        let old = Memory { id, expires_at, revision: 0, external_id: None, ..memory.clone() };
        let who = if self.principal() == Principal::Agent { "an agent" } else { "the owner" };
        let note = format!("as it was before {who} rewrote {}", memory.id);
        let (old, entry) = old.to_cliff(Fall { at: now, reason: CliffReason::Displaced, note }, &self.policy().cliff);
        vec![Change::MemoryAdded(Box::new(old.clone())), Change::CliffEntered(Box::new(old), entry)]
    }

    /// Gives a memory one to five stars.
    pub async fn rate(&self, id: MemoryId, rating: Rating) -> Result<Memory, EngineError> {
        self.change(id, Deed::Rate, |_, mut memory| {
            memory.rating = Some(rating);
            (memory, Vec::new())
        })
        .await
    }

    /// Holds a memory fast, or lets it loose.
    pub async fn pin(&self, id: MemoryId, pinned: Pinned) -> Result<Memory, EngineError> {
        self.change(id, Deed::Pin, |_, mut memory| {
            memory.pinned = pinned == Pinned::Fast;
            (memory, Vec::new())
        })
        .await
    }

    /// Links two memories; the target's importance grows with what refers to it.
    pub async fn link(&self, from: MemoryId, to: MemoryId, kind: LinkKind) -> Result<Link, EngineError> {
        self.may_link(kind).await?;
        if from == to {
            return Err(EngineError::Conflict(phrase!(
                "a memory cannot be linked to itself; choose two memories",
                "기억을 자기 자신과 연결할 수 없어요. 서로 다른 두 기억을 선택해 주세요"
            )));
        }
        let link = Link { from, to, kind };
        let (source, target) = (self.fetch(from).await?, self.fetch(to).await?);
        let mut commit = self.commit(Op::Link, &[&source, &target]).because(kind.as_str());
        commit.changes.push(Change::LinkAdded(link));
        self.write(commit).await?;
        Ok(link)
    }

    /// Refuses an agent's links that would make a memory look like the ground of something.
    async fn may_link(&self, kind: LinkKind) -> Result<(), EngineError> {
        self.may(Deed::Link).await?;
        if matches!(kind, LinkKind::Founds | LinkKind::Supports) {
            self.may(Deed::TouchCore).await?;
        }
        Ok(())
    }

    /// Takes a link away.
    pub async fn unlink(&self, link: Link) -> Result<(), EngineError> {
        self.may_link(link.kind).await?;
        let (source, target) = (self.fetch(link.from).await?, self.fetch(link.to).await?);
        let mut commit = self.commit(Op::Link, &[&source, &target]).because(format!("no longer {}", link.kind));
        commit.changes.push(Change::LinkRemoved(link));
        self.write(commit).await.map(drop)
    }

    /// Reads a memory, changes it, weighs it anew and writes it, looking again when someone was quicker.
    async fn change(
        &self,
        id: MemoryId,
        deed: Deed,
        decide: impl Fn(&Self, Memory) -> (Memory, Vec<Change>),
    ) -> Result<Memory, EngineError> {
        self.may(deed).await?;
        retrying(|| async {
            let before = self.changeable(id, deed).await?;
            let (memory, more) = decide(self, before.clone());
            let mut memory = self.weighed_anew(memory, &before).await?;
            let mut commit = self.commit(operation(deed), &[&memory]);
            if deed == Deed::Pin && !memory.pinned {
                commit = commit.because("let loose");
            }
            commit.changes.push(Change::MemoryChanged(Box::new(memory.clone())));
            commit.changes.extend(more);
            self.write(commit).await?;
            memory.revision += 1;
            Ok(memory)
        })
        .await
    }
}

impl MindHandle {
    /// A memory that is there to be changed by whoever asks.
    pub(crate) async fn changeable(&self, id: MemoryId, deed: Deed) -> Result<Memory, EngineError> {
        let memory = self.fetch(id).await?;
        self.may_touch(&memory, deed).await?;
        self.is_meant(&memory)?;
        if memory.standing == Standing::OnCliff {
            return Err(EngineError::NotFound(phrase!(
                "memory {id} is on the cliff; restore it first",
                "{id} 기억은 절벽에 있어요. 먼저 복원해 주세요"
            )));
        }
        Ok(memory)
    }

    /// A memory with its importance worked out anew.
    pub(crate) async fn weighed_anew(&self, memory: Memory, before: &Memory) -> Result<Memory, EngineError> {
        let links = self.store().links(self.id, memory.id).await?;
        let references = links.iter().filter(|link| link.to == memory.id).count() as u32;
        let policy = &self.policy().importance;
        Ok(memory.reweighed(before, policy).referred(references, policy))
    }
}

/// What the ledger calls a change of a memory.
pub(crate) const fn operation(deed: Deed) -> Op {
    match deed {
        Deed::Rate => Op::Rate,
        Deed::Pin => Op::Pin,
        _ => Op::Edit,
    }
}

/// Whether a memory is held fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinned {
    /// Held fast: it neither fades nor falls.
    Fast,
    /// Let loose.
    Loose,
}
