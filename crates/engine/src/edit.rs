//! A memory is rewritten, rated, pinned or linked by a hand.

use saegim_core::{
    Change, CliffReason, Deed, Emotions, Fall, Feeling, Link, LinkKind, Memory, MemoryId, Op, Principal, Rating, Standing, Tier, Unit,
    content, phrase,
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
    /// Whether it changed how the character behaves: then it deserves to be kept longer.
    pub changed_behaviour: Option<bool>,
}

impl Edit {
    /// What of it the ledger tells in words; that it was rewritten is in the operation.
    fn note(&self) -> Option<String> {
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

impl MindHandle {
    /// Rewrites a memory. What an agent rewrites is trusted as its own word, and what stood there before waits on the cliff.
    pub async fn edit(&self, id: MemoryId, edit: Edit) -> Result<Memory, EngineError> {
        self.may(Deed::Edit).await?;
        let text = edit.content.as_deref().map(content).transpose()?;
        let before = self.fetch(id).await?;
        self.may_touch(&before, Deed::Edit).await?;
        if edit.tier == Some(Tier::M0) {
            self.may(Deed::MakeCore).await?;
        }
        let vector = match &text {
            Some(text) => self.vector_of(text).await.0,
            None => None,
        };
        let edit = &edit;
        let (text, vector) = (&text, &vector);
        let edited = self
            .change(id, (Deed::Edit, edit.note()), |handle, mut memory| {
                let mut more = Vec::new();
                if let Some(text) = text {
                    if handle.principal() == Principal::Agent && *text != memory.content {
                        more = handle.kept_version(&memory);
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
                    memory.expires_at = tier.expires(handle.now(), &handle.policy().tier);
                }
                if let Some(changed) = edit.changed_behaviour {
                    memory.changed_behaviour = changed;
                }
                // What someone only said of it leaves its words the caretaker's own.
                let said_only = Edit { changed_behaviour: edit.changed_behaviour, ..Edit::default() };
                if *edit != said_only {
                    memory.edited_at = Some(handle.now());
                }
                more.extend(text.as_ref().and(vector.clone()).map(|vector| handle.embedded(id, vector)));
                (memory, more)
            })
            .await?;
        if edited.tier == Tier::M0 && before.tier != Tier::M0 {
            self.core_came(&edited).await?;
        } else if before.tier == Tier::M0 {
            self.core_changed().await?;
        }
        Ok(edited)
    }

    /// A memory as it was, put on the cliff beside the rewritten one.
    fn kept_version(&self, memory: &Memory) -> Vec<Change> {
        let now = self.now();
        let old = Memory { id: MemoryId::new(now, self.inner.config.dice.chance()), revision: 0, external_id: None, ..memory.clone() };
        let note = format!("as it was before an agent rewrote {}", memory.id);
        let (old, entry) = old.to_cliff(Fall { at: now, reason: CliffReason::Displaced, note }, &self.policy().cliff);
        vec![Change::MemoryAdded(Box::new(old.clone())), Change::CliffEntered(Box::new(old), entry)]
    }

    /// Gives a memory one to five stars.
    pub async fn rate(&self, id: MemoryId, rating: Rating) -> Result<Memory, EngineError> {
        self.change(id, (Deed::Rate, None), |_, mut memory| {
            memory.rating = Some(rating);
            (memory, Vec::new())
        })
        .await
    }

    /// Holds a memory fast, or lets it loose.
    pub async fn pin(&self, id: MemoryId, pinned: Pinned) -> Result<Memory, EngineError> {
        self.change(id, (Deed::Pin, None), |_, mut memory| {
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
                "a memory cannot be linked to itself; name two",
                "기억을 자기 자신과 이을 수 없습니다. 둘을 골라 주세요"
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
        (deed, note): (Deed, Option<String>),
        decide: impl Fn(&Self, Memory) -> (Memory, Vec<Change>),
    ) -> Result<Memory, EngineError> {
        self.may(deed).await?;
        retrying(|| async {
            let before = self.fetch(id).await?;
            self.may_touch(&before, deed).await?;
            if before.standing == Standing::OnCliff {
                return Err(EngineError::NotFound(phrase!(
                    "memory {id} waits on the cliff; restore it first",
                    "{id}: 절벽에 있는 기억입니다. 먼저 되살려 주세요"
                )));
            }
            let (memory, more) = decide(self, before.clone());
            let links = self.store().links(self.id, id).await?;
            let references = links.iter().filter(|link| link.to == id).count() as u32;
            let mut memory = memory.reweighed(&before, &self.policy().importance).referred(references, &self.policy().importance);
            let operation = match deed {
                Deed::Rate => Op::Rate,
                Deed::Pin => Op::Pin,
                _ => Op::Edit,
            };
            let mut commit = self.commit(operation, &[&memory]);
            commit.note.clone_from(&note);
            commit.changes.push(Change::MemoryChanged(Box::new(memory.clone())));
            commit.changes.extend(more);
            self.write(commit).await?;
            memory.revision += 1;
            Ok(memory)
        })
        .await
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
