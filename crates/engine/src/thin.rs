//! Thinning by turn count: what was told twice is joined, what has faded is let go, never more than a budget, always to the
//! cliff, and always saying why.

use std::collections::{HashMap, HashSet};

use saegim_core::{
    Change, CliffReason, Faded, Fall, Kind, Link, LinkKind, Memory, MemoryId, Mind, Op, Span, Tier, Timestamp, Unit, budget, can_be_same,
    pruned, settled, shield,
};

use crate::{EngineError, MindHandle};

/// What thinning looks at: living memories that may run out, and which of them found something.
struct Thinnable {
    passing: Vec<Memory>,
    founding: HashSet<MemoryId>,
}

impl MindHandle {
    /// Thins where enough turns have passed; how many memories were joined, settled and let go.
    pub(crate) async fn thin(&self, now: Timestamp) -> Result<(usize, usize), EngineError> {
        let (mind, policy) = (self.mind().await?, &self.policy().thinning);
        let consolidates = mind.turns >= mind.consolidated_turn + u64::from(policy.consolidate_turns);
        let prunes = mind.turns >= mind.pruned_turn + u64::from(policy.prune_turns);
        if !consolidates && !prunes {
            return Ok((0, 0));
        }
        let mut all = self.thinnable().await?;
        let mut done = (0, 0);
        if consolidates {
            let settled;
            (done.0, settled) = self.consolidate(&mind, &all, now).await?;
            if prunes && done.0 + settled > 0 {
                all = self.thinnable().await?;
            }
        }
        if prunes {
            done.1 = self.prune(mind.turns, all, now).await?;
        }
        Ok(done)
    }

    /// What thinning looks at.
    async fn thinnable(&self) -> Result<Thinnable, EngineError> {
        Ok(Thinnable { passing: self.passing().await?, founding: self.founding().await? })
    }

    /// All living memories that may run out.
    pub(crate) async fn passing(&self) -> Result<Vec<Memory>, EngineError> {
        let mut all = self.alive(Tier::M30).await?;
        all.extend(self.alive(Tier::M90).await?);
        all.extend(self.alive(Tier::M365).await?);
        Ok(all)
    }

    /// What founds an island, carries a belief, or is linked as doing so.
    pub(crate) async fn founding(&self) -> Result<HashSet<MemoryId>, EngineError> {
        let links = self.store().all_links(self.id).await?;
        let founds = |link: &Link| matches!(link.kind, LinkKind::Founds | LinkKind::Supports);
        let mut founding: HashSet<MemoryId> = links.into_iter().filter(founds).map(|link| link.from).collect();
        for island in self.store().islands(self.id).await? {
            founding.extend(island.founding.iter().chain(&island.rebuilding));
        }
        let believed = self.store().current_self(self.id).await?.map(|version| version.beliefs).unwrap_or_default();
        founding.extend(believed.iter().flat_map(|belief| belief.supporting.iter().copied()));
        Ok(founding)
    }

    /// Joins events that tell one thing into one memory, and lets what was told three times become what is so.
    async fn consolidate(&self, mind: &Mind, thinnable: &Thinnable, now: Timestamp) -> Result<(usize, usize), EngineError> {
        let policy = &self.policy().thinning;
        let Thinnable { passing: all, founding } = thinnable;
        let mut commit = self.worker_commit(Op::Consolidate);
        commit.changes.push(Change::Consolidated(mind.turns));
        let free = |memory: &Memory| memory.kind == Kind::Episodic && shield(memory, founding.contains(&memory.id), now, policy).is_none();
        let candidates: Vec<&Memory> = all.iter().filter(|memory| free(memory)).collect();
        let mut left = budget(all.len(), policy);
        let mut joined = 0;
        let mut taken: HashSet<MemoryId> = HashSet::new();
        // What was old enough a day before the last look has been compared then.
        let compared = mind.ticked_at.unwrap_or(mind.made_at).min(now).minus(Span::days(i64::from(policy.young_days) + 1));
        for mut group in self.told_twice(&candidates, compared).await? {
            group.truncate(left);
            if group.len() < 2 {
                continue;
            }
            left -= group.len();
            joined += group.len();
            let members: Vec<Memory> = group.iter().map(|&place| candidates[place].clone()).collect();
            taken.extend(members.iter().map(|memory| memory.id));
            let mut one = self.joined(&members, now).await?;
            one.mentions = members.iter().map(|memory| memory.mentions + 1).sum::<u32>().saturating_sub(1);
            let (vector, _) = self.vector_of(&one.content).await;
            commit.memories.extend(self.commit(Op::Consolidate, &[&one]).memories);
            commit.changes.push(Change::MemoryAdded(Box::new(one.clone())));
            commit.changes.extend(vector.map(|vector| self.embedded(one.id, vector)));
            for member in members {
                commit.changes.push(Change::LinkAdded(Link { from: one.id, to: member.id, kind: LinkKind::DistilledFrom }));
                let note = format!("told again, and joined into {}", one.id);
                commit = self.falling(member, Fall { at: now, reason: CliffReason::Displaced, note }, commit).1;
            }
        }
        let mut so = 0;
        for memory in all.iter().filter(|memory| !taken.contains(&memory.id)) {
            if let Some(changed) = settled(memory, policy) {
                commit.memories.extend(self.commit(Op::Consolidate, &[&changed]).memories);
                commit.changes.push(Change::MemoryChanged(Box::new(changed)));
                so += 1;
            }
        }
        commit.note = Some(format!("{joined} joined, {so} settled"));
        self.write(commit).await?;
        Ok((joined, so))
    }

    /// Groups of events so alike that they tell one thing. Only those born since `compared` are held against the others.
    async fn told_twice(&self, candidates: &[&Memory], compared: Timestamp) -> Result<Vec<Vec<usize>>, EngineError> {
        let Some(embedder) = &self.inner.config.embedder else { return Ok(Vec::new()) };
        let fresh: Vec<usize> = (0..candidates.len()).filter(|&place| candidates[place].created_at >= compared).collect();
        if fresh.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<MemoryId> = candidates.iter().map(|memory| memory.id).collect();
        let vectors: HashMap<MemoryId, Vec<i8>> = self.store().vectors_of(self.id, embedder.id(), &ids).await?.into_iter().collect();
        let embedding = |memory: &Memory| {
            let vector = vectors.get(&memory.id)?;
            saegim_core::Embedding::new(vector.iter().map(|component| f32::from(*component)).collect()).ok()
        };
        let embeddings: Vec<_> = candidates.iter().map(|memory| embedding(memory)).collect();
        let said = |place: usize| (candidates[place].content.as_str(), candidates[place].feeling.sentiment);
        let same = |one: usize, other: usize| {
            let (Some(a), Some(b)) = (&embeddings[one], &embeddings[other]) else { return false };
            let alike = embedder.calibration().similarity(a.cosine(b));
            alike.get() >= self.policy().thinning.merge_from && can_be_same(said(one), said(other))
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: HashMap<usize, usize> = HashMap::new();
        for place in fresh {
            if group_of.contains_key(&place) {
                continue;
            }
            let Some(other) = (0..candidates.len()).find(|&other| other != place && same(place, other)) else { continue };
            let group = *group_of.entry(other).or_insert_with(|| {
                groups.push(vec![other]);
                groups.len() - 1
            });
            group_of.insert(place, group);
            groups[group].push(place);
        }
        Ok(groups)
    }

    /// The one memory that several become: semantic, in the longest of their tiers, with a term of its own.
    async fn joined(&self, members: &[Memory], now: Timestamp) -> Result<Memory, EngineError> {
        let tier = members.iter().map(|memory| memory.tier).max_by_key(|tier| tier.term(&self.policy().tier)).unwrap_or(Tier::M30);
        let mut one = self.essence(members, tier, now).await?;
        one.kind = Kind::Semantic;
        one.recalls = members.iter().map(|memory| memory.recalls).sum();
        one.last_recalled_at = members.iter().filter_map(|memory| memory.last_recalled_at).max();
        one.coordinate = members[0].coordinate.clone();
        Ok(one)
    }

    /// Lets go of what has faded and never came up again, and of the least worth where there is no room.
    async fn prune(&self, turn: u64, thinnable: Thinnable, now: Timestamp) -> Result<usize, EngineError> {
        let policy = self.policy();
        let Thinnable { passing: all, founding } = thinnable;
        let core = self.alive(Tier::M0).await?.len();
        let faded = |memory: &Memory| Faded {
            memory: memory.id,
            importance: memory.importance,
            strength: memory.strength_at(turn, &policy.strength),
            mentions: memory.mentions,
            kept_longer: memory.tier != Tier::M30,
            free: shield(memory, founding.contains(&memory.id), now, &policy.thinning).is_none(),
        };
        let mut rows: Vec<Faded> = all.iter().map(faded).collect();
        // Core memories take room and are never taken.
        let id =
            |number: usize| MemoryId::new(Timestamp::from_millis(0), (number as u128).to_be_bytes()[6..].try_into().expect("ten bytes"));
        rows.extend((0..core).map(|number| Faded {
            memory: id(number),
            importance: Unit::ONE,
            strength: Unit::ONE,
            mentions: 1,
            kept_longer: true,
            free: false,
        }));
        let gone: HashSet<MemoryId> = pruned(&rows, &policy.thinning).into_iter().collect();
        let mut commit = self.worker_commit(Op::Prune).because(format!("{} let go", gone.len()));
        commit.changes.push(Change::Pruned(turn));
        for memory in all.into_iter().filter(|memory| gone.contains(&memory.id)) {
            let strength = memory.strength_at(turn, &policy.strength);
            let note = if strength.get() < policy.thinning.prune_below && memory.mentions == 0 {
                format!("faded to {:.2} and never came up again", strength.get())
            } else {
                "there was no room, and it mattered least".to_owned()
            };
            commit = self.falling(memory, Fall { at: now, reason: CliffReason::Displaced, note }, commit).1;
        }
        self.write(commit).await?;
        Ok(gone.len())
    }
}
