//! Consolidation by turn count: merges duplicates and prunes faded memories. Every cycle is limited by a budget, moves memories
//! to the cliff and records the reason.

use std::collections::{HashMap, HashSet};

use saegim_core::{
    Change, CliffReason, Emotions, Faded, Fall, Kind, Link, LinkKind, Memory, MemoryId, Mind, Op, SelfRole, Span, Tier, Timestamp, Unit,
    budget, is_crowded, pruned, settled, shield, tellings_of,
};
use saegim_language::{EventRelation, EventText, compare_events};

use saegim_store::Filter;

use crate::EngineError;
use crate::lifecycle::Lifecycle;

/// Groups of duplicate memories, and the creation time up to which all memories have been compared.
struct ToldTwice {
    groups: Vec<Vec<usize>>,
    compared_to: Timestamp,
}

impl Lifecycle<'_> {
    /// Merges and prunes if enough turns have passed. Returns the number of merged (or settled) and of pruned memories.
    pub(crate) async fn consolidate_and_prune(&self, now: Timestamp) -> Result<(usize, usize), EngineError> {
        let (mind, policy) = (self.mind.mind().await?, &self.mind.policy().thinning);
        let consolidates = mind.turns >= mind.consolidated_turn + u64::from(policy.consolidate_turns);
        let prunes = mind.turns >= mind.pruned_turn + u64::from(policy.prune_turns);
        if !consolidates && !prunes {
            return Ok((0, 0));
        }
        let joined = if consolidates { self.consolidate(&mind, now).await? } else { 0 };
        let pruned = if prunes { self.prune(mind.turns, now).await? } else { 0 };
        Ok((joined, pruned))
    }

    /// Returns all living memories that can expire.
    pub(crate) async fn passing(&self) -> Result<Vec<Memory>, EngineError> {
        let mut all = self.alive(Tier::M30).await?;
        all.extend(self.alive(Tier::M90).await?);
        all.extend(self.alive(Tier::M365).await?);
        Ok(all)
    }

    /// Returns the memories that found an island or support a belief.
    pub(crate) async fn founding(&self) -> Result<HashSet<MemoryId>, EngineError> {
        self.founding_by(self.mind.store().all_links(self.mind.id).await?).await
    }

    async fn founding_by(&self, links: Vec<Link>) -> Result<HashSet<MemoryId>, EngineError> {
        let founds = |link: &Link| matches!(link.kind, LinkKind::Founds | LinkKind::Supports);
        let mut founding: HashSet<MemoryId> = links.into_iter().filter(founds).map(|link| link.from).collect();
        for island in self.mind.store().islands(self.mind.id).await? {
            founding.extend(island.founding.iter().chain(&island.rebuilding));
        }
        let believed = self.mind.store().current_self(self.mind.id).await?.map(|version| version.beliefs).unwrap_or_default();
        founding.extend(believed.iter().flat_map(|belief| belief.supporting.iter().copied()));
        Ok(founding)
    }

    /// Merges events with the same content into one memory, and turns events that were mentioned often enough into semantic
    /// memories.
    async fn consolidate(&self, mind: &Mind, now: Timestamp) -> Result<usize, EngineError> {
        let policy = &self.mind.policy().thinning;
        let events = self.memories_of(&Filter { kind: Some(Kind::Episodic), ..Filter::default() }).await?;
        let events: Vec<Memory> = events.into_iter().filter(|memory| memory.tier != Tier::M0).collect();
        let links = self.mind.store().all_links(self.mind.id).await?;
        let of_essences = links.iter().filter(|link| link.kind == LinkKind::DistilledFrom);
        let distilled: HashSet<MemoryId> = of_essences.flat_map(|link| [link.from, link.to]).collect();
        let founding = self.founding_by(links).await?;
        let mut commit = self.worker_commit(Op::Consolidate);
        // An essence has the same content as its original. Merging the two would lose the essence's tier and the original's role
        // as evidence.
        let free = |memory: &Memory| {
            !distilled.contains(&memory.id) && shield(memory, SelfRole::of(memory, &founding), now, self.mind.policy()).is_none()
        };
        let mut candidates: Vec<&Memory> = events.iter().filter(|memory| free(memory)).collect();
        candidates.sort_by_key(|memory| memory.created_at);
        let old_enough = now.minus(Span::days(i64::from(policy.young_days)));
        let mut told = self.duplicate_events(&candidates, mind.compared_to, old_enough).await?;
        let mut left = if told.groups.is_empty() { 0 } else { budget(self.passing().await?.len(), policy) };
        let mut joined = 0;
        let mut taken: HashSet<MemoryId> = HashSet::new();
        for mut group in std::mem::take(&mut told.groups) {
            let newest = group.iter().map(|&place| candidates[place].created_at).max().unwrap_or(now);
            group.truncate(left);
            let members: Vec<Memory> = group.iter().map(|&place| candidates[place].clone()).collect();
            if members.len() < 2 {
                // The budget is used up; compare them again in the next cycle.
                told.compared_to = told.compared_to.min(newest.minus(Span::millis(1)));
                continue;
            }
            let Some(one) = self.joined(&members, now).await? else { continue };
            left -= members.len();
            joined += members.len();
            taken.extend(members.iter().map(|memory| memory.id));
            let (vector, _) = self.mind.models().vector_of(&one.content).await;
            commit.memories.extend(self.mind.commit(Op::Consolidate, &[&one]).memories);
            commit.changes.push(Change::MemoryAdded(Box::new(one.clone())));
            commit.changes.extend(vector.map(|vector| self.mind.models().embedded(one.id, vector)));
            for member in members {
                commit.changes.push(Change::LinkAdded(Link { from: one.id, to: member.id, kind: LinkKind::DistilledFrom }));
                let note = format!("told again, and joined into {}", one.id);
                commit = self.mind.removal().move_to_cliff(member, Fall { at: now, reason: CliffReason::Displaced, note }, commit).1;
            }
        }
        commit.changes.insert(0, Change::Consolidated { turn: mind.turns, compared_to: told.compared_to });
        let mut so = 0;
        for memory in events.iter().filter(|memory| !taken.contains(&memory.id)) {
            if let Some(changed) = settled(memory, policy) {
                commit.memories.extend(self.mind.commit(Op::Consolidate, &[&changed]).memories);
                commit.changes.push(Change::MemoryChanged(Box::new(changed)));
                so += 1;
            }
        }
        commit.note = Some(format!("{joined} joined, {so} settled"));
        self.mind.write(commit).await?;
        Ok(joined)
    }

    /// Groups events with the same content, such that every pair of a group matches. Each pair is compared once, in the first
    /// cycle in which both are old enough: only memories created after `compared_to` are compared with all others.
    async fn duplicate_events(
        &self,
        candidates: &[&Memory],
        compared_to: Option<Timestamp>,
        old_enough: Timestamp,
    ) -> Result<ToldTwice, EngineError> {
        let nothing = |compared_to: Timestamp| Ok(ToldTwice { groups: Vec::new(), compared_to });
        // Without vectors nothing is compared, so `compared_to` does not advance.
        let Some(embedder) = &self.mind.inner.config.embedder else { return nothing(compared_to.unwrap_or(Timestamp::from_millis(0))) };
        let is_fresh = |place: &usize| compared_to.is_none_or(|compared| candidates[*place].created_at > compared);
        let fresh: Vec<usize> = (0..candidates.len()).filter(is_fresh).collect();
        if fresh.is_empty() {
            return nothing(old_enough);
        }
        let ids: Vec<MemoryId> = candidates.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> =
            self.mind.store().vectors_of(self.mind.id, embedder.id(), &ids).await?.into_iter().collect();
        let embedding = |memory: &Memory| {
            let vector = vectors.get(&memory.id)?;
            saegim_core::Embedding::new(vector.iter().map(|component| f32::from(*component)).collect()).ok()
        };
        let embeddings: Vec<_> = candidates.iter().map(|memory| embedding(memory)).collect();
        let said = |place: usize| EventText { text: &candidates[place].content, sentiment: candidates[place].feeling.sentiment };
        let same = |one: usize, other: usize| {
            let (Some(a), Some(b)) = (&embeddings[one], &embeddings[other]) else { return false };
            let alike = embedder.calibration().similarity(a.cosine(b));
            alike.get() >= self.mind.policy().thinning.merge_from && compare_events(said(one), said(other)) != EventRelation::Different
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: HashMap<usize, usize> = HashMap::new();
        for place in fresh {
            if group_of.contains_key(&place) {
                continue;
            }
            for other in (0..candidates.len()).filter(|other| *other != place) {
                if !same(place, other) {
                    continue;
                }
                // Similarity is not transitive, so a new member must match all members of the group.
                match group_of.get(&other) {
                    Some(&group) if groups[group].iter().all(|&member| member == other || same(place, member)) => {
                        group_of.insert(place, group);
                        groups[group].push(place);
                    }
                    Some(_) => continue,
                    None => {
                        groups.push(vec![other.min(place), other.max(place)]);
                        group_of.extend([(other, groups.len() - 1), (place, groups.len() - 1)]);
                    }
                }
                break;
            }
        }
        Ok(ToldTwice { groups, compared_to: old_enough })
    }

    /// Builds the merged memory: semantic, in the longest tier of the members, with a new term and the content of all of them.
    /// Returns `None` if the content would be too long for one memory.
    async fn joined(&self, members: &[Memory], now: Timestamp) -> Result<Option<Memory>, EngineError> {
        let texts: Vec<&str> = members.iter().map(|memory| memory.content.as_str()).collect();
        let Some(content) = saegim_language::merge_texts(&texts) else { return Ok(None) };
        let tier = members.iter().map(|memory| memory.tier).max_by_key(|tier| tier.term(&self.mind.policy().tier)).unwrap_or(Tier::M30);
        let mut one = self.essence(&[Memory { kind: Kind::Semantic, ..members[0].clone() }], tier, now).await?;
        let most = |value: fn(&Memory) -> Unit| members.iter().map(value).fold(Unit::ZERO, Unit::max);
        one.content = content;
        one.essence = None;
        one.importance = most(|memory| memory.importance);
        one.stated_importance = members.iter().filter_map(|memory| memory.stated_importance).reduce(Unit::max);
        one.appraisal = members.iter().filter_map(|memory| memory.appraisal).reduce(Unit::max);
        one.trust = Unit::clamped(members.iter().map(|memory| memory.trust.get()).fold(1.0, f32::min));
        if let Some(strongest) = members.iter().max_by(|a, b| a.feeling.intensity.get().total_cmp(&b.feeling.intensity.get())) {
            one.feeling = strongest.feeling.clone();
        }
        one.feeling.emotions = Emotions::mix(members.iter().flat_map(|memory| memory.feeling.emotions.iter()));
        one.turns = members.iter().flat_map(|memory| memory.turns.iter().copied()).collect();
        one.turns.sort();
        one.turns.dedup();
        one.remember_this = members.iter().any(|memory| memory.remember_this);
        one.changed_behaviour = members.iter().any(|memory| memory.changed_behaviour);
        one.island = members.iter().find_map(|memory| memory.island);
        one.rating = members.iter().find_map(|memory| memory.rating);
        one.mentions = tellings_of(members).saturating_sub(1);
        one.recalls = members.iter().map(|memory| memory.recalls).sum();
        one.last_recalled_at = members.iter().filter_map(|memory| memory.last_recalled_at).max();
        one.coordinate = members[0].coordinate.clone();
        Ok(Some(one))
    }

    /// Prunes faded memories that were never mentioned again and, if there is no room, the least important ones.
    async fn prune(&self, turn: u64, now: Timestamp) -> Result<usize, EngineError> {
        let policy = self.mind.policy();
        let size = self.mind.retrieval().counts().await?.tiers.iter().sum::<u64>() as usize;
        // Memories in longer tiers are pruned only for lack of room.
        let all = if is_crowded(size, &policy.thinning) { self.passing().await? } else { self.alive(Tier::M30).await? };
        let founding = if all.is_empty() { HashSet::new() } else { self.founding().await? };
        let faded = |memory: &Memory| Faded {
            memory: memory.id,
            importance: memory.importance,
            strength: memory.strength_at(turn, &policy.strength),
            mentions: memory.mentions,
            kept_longer: memory.tier != Tier::M30,
            free: shield(memory, SelfRole::of(memory, &founding), now, policy).is_none(),
        };
        let rows: Vec<Faded> = all.iter().map(faded).collect();
        let gone: HashSet<MemoryId> = pruned(&rows, size, &policy.thinning).into_iter().collect();
        let mut commit = self.worker_commit(Op::Prune).because(format!("{} let go", gone.len()));
        commit.changes.push(Change::Pruned(turn));
        for memory in all.into_iter().filter(|memory| gone.contains(&memory.id)) {
            let strength = memory.strength_at(turn, &policy.strength);
            let note = if strength.get() < policy.thinning.prune_below && memory.mentions == 0 {
                format!("faded to {:.2} and was not told again", strength.get())
            } else {
                "there was no room, and it mattered least".to_owned()
            };
            commit = self.mind.removal().move_to_cliff(memory, Fall { at: now, reason: CliffReason::Displaced, note }, commit).1;
        }
        self.mind.write(commit).await?;
        Ok(gone.len())
    }
}
