//! A memory is rewritten, rated, pinned or linked by a hand.

use saegim_core::{Change, Emotions, Feeling, Link, LinkKind, Memory, MemoryId, Op, Rating, Standing, Tier, Unit, content, phrase};

use crate::engine::retrying;
use crate::mind::Deed;
use crate::remember::tags;
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
}

impl MindHandle {
    /// Rewrites a memory.
    pub async fn edit(&self, id: MemoryId, edit: Edit) -> Result<Memory, EngineError> {
        let text = edit.content.as_deref().map(content).transpose()?;
        let vector = match &text {
            Some(text) => self.vector_of(text).await.0,
            None => None,
        };
        let edit = &edit;
        let (text, vector) = (&text, &vector);
        self.change(id, Op::Edit, |handle, mut memory| {
            handle.may_touch(&memory, Deed::Edit)?;
            if edit.tier == Some(Tier::M0) {
                handle.owner_only(Deed::MakeCore)?;
            }
            if let Some(text) = text {
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
            memory.edited_at = Some(handle.now());
            let vector = text.as_ref().and(vector.clone());
            Ok((memory, vector.map(|vector| handle.embedded(id, vector))))
        })
        .await
    }

    /// Gives a memory one to five stars.
    pub async fn rate(&self, id: MemoryId, rating: Rating) -> Result<Memory, EngineError> {
        self.change(id, Op::Rate, |handle, mut memory| {
            handle.may_touch(&memory, Deed::Rate)?;
            memory.rating = Some(rating);
            Ok((memory, None))
        })
        .await
    }

    /// Holds a memory fast, or lets it loose.
    pub async fn pin(&self, id: MemoryId, pinned: Pinned) -> Result<Memory, EngineError> {
        self.owner_only(Deed::Pin)?;
        self.change(id, Op::Pin, |_, mut memory| {
            memory.pinned = pinned == Pinned::Fast;
            Ok((memory, None))
        })
        .await
    }

    /// Says that a memory changed how the character behaves: it deserves to be kept longer.
    pub async fn changed_behaviour(&self, id: MemoryId) -> Result<Memory, EngineError> {
        self.change(id, Op::Edit, |handle, mut memory| {
            handle.may_touch(&memory, Deed::Edit)?;
            memory.changed_behaviour = true;
            Ok((memory, None))
        })
        .await
    }

    /// Links two memories; the target's importance grows with what refers to it.
    pub async fn link(&self, from: MemoryId, to: MemoryId, kind: LinkKind) -> Result<Link, EngineError> {
        self.may_write(Deed::Link)?;
        if from == to {
            return Err(EngineError::Conflict(phrase!(
                "a memory cannot be linked to itself; name two",
                "기억을 자기 자신과 이을 수 없습니다. 둘을 골라 주세요"
            )));
        }
        let link = Link { from, to, kind };
        let (source, target) = (self.get(from).await?, self.get(to).await?);
        let mut commit = self.commit(Op::Link, &[&source, &target]).because(kind.as_str());
        commit.changes.push(Change::LinkAdded(link));
        self.write(commit).await?;
        Ok(link)
    }

    /// Takes a link away.
    pub async fn unlink(&self, link: Link) -> Result<(), EngineError> {
        self.may_write(Deed::Link)?;
        let (source, target) = (self.get(link.from).await?, self.get(link.to).await?);
        let mut commit = self.commit(Op::Link, &[&source, &target]).because(format!("no longer {}", link.kind));
        commit.changes.push(Change::LinkRemoved(link));
        self.write(commit).await.map(drop)
    }

    /// Reads a memory, changes it, weighs it anew and writes it, looking again when someone was quicker.
    async fn change(
        &self,
        id: MemoryId,
        operation: Op,
        decide: impl Fn(&Self, Memory) -> Result<(Memory, Option<Change>), EngineError>,
    ) -> Result<Memory, EngineError> {
        retrying(|| async {
            let before = self.get(id).await?;
            if before.standing == Standing::OnCliff {
                return Err(EngineError::NotFound(phrase!(
                    "memory {id} waits on the cliff; restore it first",
                    "{id}: 절벽에 있는 기억입니다. 먼저 되살려 주세요"
                )));
            }
            let (mut memory, more) = decide(self, before)?;
            let links = self.store().links(self.id, id).await?;
            let references = links.iter().filter(|link| link.to == id).count() as u32;
            memory.importance = memory.weighed(references, &self.policy().importance);
            let mut commit = self.commit(operation, &[&memory]);
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
