//! Promotion and distillation: what deserves it is kept longer, as its essence, with the originals for evidence.

use std::collections::{HashMap, HashSet};

use saegim_core::{
    Around, Change, Commit, Emotions, Feeling, Kind, Knowledge, Link, LinkKind, Memory, MemoryId, Op, PromotionReason, Source, Standing,
    Strength, Theme, Thought, Tier, Timestamp, Unit, cut, promotion, topics,
};
use saegim_store::{Filter, Page};

use crate::{EngineError, MindHandle};

/// How many memories are listed at a time.
const PAGE: usize = 500;

/// Memories that go up together, and why.
struct Rise {
    members: Vec<Memory>,
    reasons: Vec<PromotionReason>,
    /// The essence they have already, if this topic has one.
    essence: Option<Memory>,
}

impl MindHandle {
    /// Promotes what of a tier deserves it as of `at`; how many essences were made or grew.
    pub(crate) async fn promote(&self, tier: Tier, at: Timestamp) -> Result<usize, EngineError> {
        let to = if tier == Tier::M30 { Tier::M90 } else { Tier::M365 };
        let memories: Vec<Memory> = self.alive(tier).await?.into_iter().filter(|memory| memory.created_at <= at).collect();
        if memories.is_empty() {
            return Ok(0);
        }
        let essences = self.essences(to).await?;
        let rises = self.rises(memories, &essences, at).await?;
        let count = rises.len();
        for rise in rises {
            self.raise(rise, to, at).await?;
        }
        Ok(count)
    }

    /// Every living memory of a tier, oldest first; of those born at one moment the order is that of their texts, so that
    /// what becomes of a mind does not hang on the chance in its ids.
    pub(crate) async fn alive(&self, tier: Tier) -> Result<Vec<Memory>, EngineError> {
        let (filter, mut page) = (Filter { tier: Some(tier), ..Filter::default() }, Page { limit: PAGE, before: None });
        let mut all = Vec::new();
        loop {
            let memories = self.store().list(self.id, &filter, page.clone()).await?;
            page.before = memories.last().map(|memory| memory.id);
            let last = memories.len() < PAGE;
            all.extend(memories);
            if last {
                all.sort_by(|one, other| (one.created_at, &one.content, one.id).cmp(&(other.created_at, &other.content, other.id)));
                return Ok(all);
            }
        }
    }

    /// Which original has which living essence in a tier.
    async fn essences(&self, tier: Tier) -> Result<HashMap<MemoryId, Memory>, EngineError> {
        let alive: HashMap<MemoryId, Memory> = self.alive(tier).await?.into_iter().map(|memory| (memory.id, memory)).collect();
        let links = self.store().all_links(self.id).await?;
        let distilled = links.into_iter().filter(|link| link.kind == LinkKind::DistilledFrom);
        Ok(distilled.filter_map(|link| Some((link.to, alive.get(&link.from)?.clone()))).collect())
    }

    /// What goes up: a topic that came up often as one, everything else by itself. What has its essence stays.
    async fn rises(&self, memories: Vec<Memory>, essences: &HashMap<MemoryId, Memory>, at: Timestamp) -> Result<Vec<Rise>, EngineError> {
        let groups = self.topics_of(&memories).await?;
        let policy = &self.policy().promotion;
        let mut rises = Vec::new();
        for group in groups {
            let around = Around { topic: group.len() as u32, ..Around::default() };
            let essence = group.iter().find_map(|&place| essences.get(&memories[place].id)).cloned();
            let fresh: Vec<usize> = group.iter().copied().filter(|&place| !essences.contains_key(&memories[place].id)).collect();
            let promoted: Vec<(usize, Vec<PromotionReason>)> =
                fresh.iter().filter_map(|&place| Some((place, promotion(&memories[place], around, at, policy)?.reasons))).collect();
            if promoted.is_empty() {
                continue;
            }
            let repeated = promoted.iter().any(|(_, reasons)| reasons.contains(&PromotionReason::Repeated));
            if repeated || essence.is_some() {
                let mut reasons: Vec<PromotionReason> = promoted.into_iter().flat_map(|(_, reasons)| reasons).collect();
                reasons.sort();
                reasons.dedup();
                let members = fresh.iter().map(|&place| memories[place].clone()).collect();
                rises.push(Rise { members, reasons, essence });
            } else {
                let alone = |(place, reasons): (usize, Vec<PromotionReason>)| Rise {
                    members: vec![memories[place].clone()],
                    reasons,
                    essence: None,
                };
                rises.extend(promoted.into_iter().map(alone));
            }
        }
        Ok(rises)
    }

    /// Groups of memories about one topic.
    pub(crate) async fn topics_of(&self, memories: &[Memory]) -> Result<Vec<Vec<usize>>, EngineError> {
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> = self.store().vectors_of(self.id, self.embedder_id(), &ids).await?.into_iter().collect();
        // That they are about the same two is true of all memories of a mind.
        let names: Vec<String> = [self.key().user(), self.key().character()].iter().flat_map(|name| cut(name).words).collect();
        let tells = |word: &String| word.chars().count() > 1 && !names.contains(word);
        let theme = |memory: &Memory| Theme {
            vector: vectors.get(&memory.id).cloned(),
            words: cut(&memory.content).words.into_iter().filter(tells).collect(),
        };
        let themes: Vec<Theme> = memories.iter().map(theme).collect();
        let calibration = self.inner.config.embedder.as_ref().map(|embedder| embedder.calibration().clone());
        let policy = self.policy().promotion.clone();
        let task = tokio::task::spawn_blocking(move || topics(&themes, calibration.as_ref(), &policy));
        task.await.map_err(|error| EngineError::Busy(format!("topics: {error}").into()))
    }

    /// Makes the essence of what goes up, or lets the one it has grow.
    async fn raise(&self, rise: Rise, to: Tier, at: Timestamp) -> Result<(), EngineError> {
        let why = rise.reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", ");
        let mut commit = self.worker_commit(Op::Promote).because(format!("to {to}: {why}"));
        // Two groups of one round may have the same essence: the second finds it grown already.
        let known = match &rise.essence {
            Some(known) => self.store().memories(self.id, &[known.id]).await?.pop(),
            None => None,
        };
        let made = known.is_none();
        let essence = match known {
            Some(known) => self.grown(&mut commit, known, &rise.members).await?,
            None => self.essence(&rise.members, to, at).await?,
        };
        if made {
            commit.changes.push(Change::MemoryAdded(Box::new(essence.clone())));
            let (vector, _) = self.vector_of(&essence.content).await;
            commit.changes.extend(vector.map(|vector| self.embedded(essence.id, vector)));
        }
        for member in &rise.members {
            commit.changes.push(Change::LinkAdded(Link { from: essence.id, to: member.id, kind: LinkKind::DistilledFrom }));
        }
        let about: Vec<&Memory> = std::iter::once(&essence).chain(&rise.members).collect();
        commit.memories = self.commit(Op::Promote, &about).memories;
        self.write(commit).await.map(drop)
    }

    /// The essence of memories, as a memory of its own.
    pub(crate) async fn essence(&self, members: &[Memory], to: Tier, at: Timestamp) -> Result<Memory, EngineError> {
        let texts: Vec<&str> = members.iter().map(|memory| memory.content.as_str()).collect();
        let content = match members {
            // What is so, or was asked for, has its day and hour in what it says: "약은 6시에 먹여야 해".
            [alone] if alone.remember_this || alone.kind == Kind::Semantic => alone.content.clone(),
            _ => self.distilled(&texts).await,
        };
        let strongest = members.iter().max_by(|a, b| a.feeling.intensity.get().total_cmp(&b.feeling.intensity.get()));
        let felt = strongest.map(|memory| memory.feeling.clone()).unwrap_or_default();
        let emotions = Emotions::mix(members.iter().flat_map(|memory| memory.feeling.emotions.iter()));
        let most = |value: fn(&Memory) -> Unit| members.iter().map(value).fold(Unit::ZERO, Unit::max);
        let first = &members[0];
        let turns: HashSet<_> = members.iter().flat_map(|memory| memory.turns.iter().copied()).collect();
        let mut turns: Vec<_> = turns.into_iter().collect();
        turns.sort();
        Ok(Memory {
            id: MemoryId::new(at, self.inner.config.dice.chance()),
            external_id: None,
            revision: 0,
            standing: Standing::Alive,
            content,
            original_event: None,
            interpretation: None,
            summary: None,
            kind: if members.len() > 1 { Kind::Semantic } else { first.kind },
            category: first.category,
            source: Source::Distillation,
            knowledge: Knowledge::Inferred,
            turns,
            feeling: Feeling { emotions, ..felt },
            // What is derived is trusted no more than the least of what it comes from.
            trust: Unit::clamped(members.iter().map(|memory| memory.trust.get()).fold(1.0, f32::min)),
            importance: most(|memory| memory.importance),
            stated_importance: members.iter().filter_map(|memory| memory.stated_importance).reduce(Unit::max),
            appraisal: members.iter().filter_map(|memory| memory.appraisal).reduce(Unit::max),
            counted_references: 0,
            strength: Strength::fresh(self.mind().await?.turns),
            recalls: 0,
            // Whatever came up in several memories has come up again.
            mentions: members.iter().map(|memory| memory.mentions.saturating_add(1)).sum::<u32>().saturating_sub(1),
            last_recalled_at: None,
            created_at: at,
            edited_at: None,
            tier: to,
            expires_at: to.expires(at, &self.policy().tier),
            promoted_from: Some(first.id),
            pinned: false,
            remember_this: members.iter().any(|memory| memory.remember_this),
            changed_behaviour: members.iter().any(|memory| memory.changed_behaviour),
            island: members.iter().find_map(|memory| memory.island),
            zone: first.zone,
            zone_score: first.zone_score,
            tags: first.tags.clone(),
            rating: members.iter().find_map(|memory| memory.rating),
            coordinate: saegim_core::Coordinate::default(),
        })
    }

    /// The essence a topic has, with more to rest on.
    async fn grown(&self, commit: &mut Commit, known: Memory, members: &[Memory]) -> Result<Memory, EngineError> {
        let links = self.store().links(self.id, known.id).await?;
        let before: Vec<MemoryId> =
            links.iter().filter(|link| link.from == known.id && link.kind == LinkKind::DistilledFrom).map(|link| link.to).collect();
        let mut texts: Vec<String> = self.store().memories(self.id, &before).await?.into_iter().map(|memory| memory.content).collect();
        texts.extend(members.iter().map(|memory| memory.content.clone()));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut grown = known;
        // What the owner wrote by hand stays as they wrote it.
        if grown.edited_at.is_none() {
            let content = self.distilled(&texts).await;
            if content != grown.content {
                grown.content = content;
                let (vector, _) = self.vector_of(&grown.content).await;
                commit.changes.extend(vector.map(|vector| self.embedded(grown.id, vector)));
            }
        }
        grown.mentions = grown.mentions.saturating_add(members.len() as u32);
        commit.changes.insert(0, Change::MemoryChanged(Box::new(grown.clone())));
        Ok(grown)
    }

    /// The essence of texts: the thinker's, or the first text where there is none.
    pub(crate) async fn distilled(&self, texts: &[&str]) -> String {
        let plain = || texts.first().map(|text| (*text).to_owned()).unwrap_or_default();
        let content = self
            .think(Thought::Distil, |thinker| thinker.distil(texts))
            .await
            .ok()
            .filter(|content| !content.trim().is_empty())
            .unwrap_or_else(plain);
        content.chars().take(saegim_core::LONGEST_CONTENT).collect()
    }
}
