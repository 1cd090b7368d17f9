//! Essences and their originals: updates essences when originals are recalled, mentioned again, forgotten or erased.

use std::collections::{HashMap, HashSet, VecDeque};

use saegim_core::{
    Again, Change, CliffReason, Commit, Kind, Lineage, Link, LinkKind, Memory, MemoryId, MemoryState, Op, OrphanedEssences, Source, Tier,
    inherited, restated, tellings_of,
};
use saegim_language::{
    EssenceSource, TopicMentions, TopicName, WordedEssence, counted_essence, negates, topic_essence, without_circumstances,
};

use crate::EngineError;
use crate::intake::retract::TAKEN_BACK;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::promote::PAGE;
use crate::lifecycle::topic::is_same_subject;

/// Share of an original's words from which on an essence repeats it.
const SAME_WORDS: f32 = 0.9;

/// The essences above some memories, the nearest first, with their originals.
pub(crate) struct Above {
    pub(crate) essences: Vec<Memory>,
    lineage: Lineage,
    originals: Vec<MemoryId>,
}

/// Commits that are written atomically, with the resulting state of the memories. A half-written round would find other topics when
/// it is repeated.
#[derive(Default)]
pub(crate) struct Together {
    pub(crate) commits: Vec<Commit>,
    changed: HashMap<MemoryId, Memory>,
    /// Memories with new text that have no vector of it yet.
    reworded: Vec<MemoryId>,
    /// Essences and their originals.
    stands: Vec<(MemoryId, Vec<MemoryId>)>,
}

impl Together {
    /// Returns the memory with the pending changes applied.
    pub(crate) fn so_far(&self, memory: Memory) -> Memory {
        self.changed.get(&memory.id).cloned().unwrap_or(memory)
    }

    pub(crate) fn push(&mut self, commit: Commit) {
        for change in &commit.changes {
            if let Change::MemoryChanged(memory) = change {
                self.changed.insert(memory.id, Memory { revision: memory.revision + 1, ..(**memory).clone() });
            }
        }
        self.commits.push(commit);
    }

    /// Records the originals of an essence.
    pub(crate) fn stands_on(&mut self, essence: MemoryId, members: Vec<MemoryId>) {
        self.stands.push((essence, members));
    }

    /// Marks a memory as reworded.
    pub(crate) fn reworded(&mut self, memory: MemoryId) {
        if !self.reworded.contains(&memory) {
            self.reworded.push(memory);
        }
    }
}

/// Effect of an erasure on the essences above the erased memories.
pub(crate) struct ErasureEffect {
    /// Essences that have no other originals.
    pub(crate) gone: Vec<Memory>,
    /// Essences that have other originals, reworded from those alone.
    pub(crate) reworded: Vec<Memory>,
}

/// Checks whether an essence repeats its original, so that showing both adds nothing.
pub(crate) fn says_again(distilled: &Memory, original: &Memory) -> bool {
    let (one, other) = (distilled.said(), original.said());
    !negates(one, other) && restated(&without_circumstances(other), one) >= SAME_WORDS
}

impl Lifecycle<'_> {
    /// Returns the essences above these memories, over any number of levels.
    pub(crate) async fn above(&self, ids: &[MemoryId]) -> Result<Above, EngineError> {
        let mut next: VecDeque<MemoryId> = ids.iter().copied().collect();
        let mut seen: HashSet<MemoryId> = ids.iter().copied().collect();
        let (mut links, mut essences): (Vec<Link>, Vec<Memory>) = (Vec::new(), Vec::new());
        while let Some(id) = next.pop_front() {
            let own = self.mind.store().links(self.mind.id, id).await?;
            let own: Vec<Link> = own.into_iter().filter(|link| link.kind == LinkKind::DistilledFrom).collect();
            let above: Vec<MemoryId> =
                own.iter().filter(|link| link.to == id).map(|link| link.from).filter(|id| seen.insert(*id)).collect();
            links.extend(own.into_iter().filter(|link| link.from == id));
            // A manual link does not make the source an essence; user-written text is not changed.
            for memory in
                self.mind.store().memories(self.mind.id, &above).await?.into_iter().filter(|memory| memory.source == Source::Distillation)
            {
                next.push_back(memory.id);
                essences.push(memory);
            }
        }
        links.retain(|link| essences.iter().any(|memory| memory.id == link.from));
        let originals = links.iter().map(|link| link.to).collect();
        Ok(Above { essences, lineage: Lineage::of(&links), originals })
    }

    /// Returns those of these memories that an essence may still use: live ones and those that fell automatically. Memories that
    /// someone forgot or retracted are excluded.
    pub(crate) async fn readable(&self, ids: &[MemoryId]) -> Result<HashMap<MemoryId, Memory>, EngineError> {
        let memories = self.mind.store().memories(self.mind.id, ids).await?;
        let fallen = match memories.iter().any(|memory| memory.standing == MemoryState::OnCliff) {
            true => self.mind.store().cliff(self.mind.id).await?,
            false => Vec::new(),
        };
        let waits = |id: MemoryId| {
            let entry = fallen.iter().find(|fallen| fallen.memory.id == id).map(|fallen| &fallen.entry);
            entry.is_some_and(|entry| entry.reason != CliffReason::Manual && entry.note != TAKEN_BACK)
        };
        let there = memories.into_iter().filter(|memory| memory.standing == MemoryState::Alive || waits(memory.id));
        Ok(there.map(|memory| (memory.id, memory)).collect())
    }

    /// Returns what remains of the essences above `going`, so that no erased text survives in them.
    pub(crate) async fn remains(&self, going: &[Memory]) -> Result<ErasureEffect, EngineError> {
        let ids: Vec<MemoryId> = going.iter().map(|memory| memory.id).collect();
        let above = self.above(&ids).await?;
        let mut there = self.readable(&above.originals).await?;
        let OrphanedEssences { alone, beside } = above.lineage.without(&ids, |id| there.contains_key(&id));
        let find = |id: &MemoryId| above.essences.iter().find(|memory| memory.id == *id).cloned();
        let mut remains = ErasureEffect { gone: alone.iter().filter_map(find).collect(), reworded: Vec::new() };
        let mut lost: HashMap<MemoryId, Memory> = going.iter().chain(&remains.gone).map(|memory| (memory.id, memory.clone())).collect();
        for (id, left) in beside {
            let Some(essence) = find(&id) else { continue };
            let left: Vec<Memory> = left.iter().filter_map(|id| there.get(id).cloned()).collect();
            // A mention that a remaining original also covers is not lost.
            let taken: Vec<&Memory> = above.lineage.originals(id).filter_map(|id| lost.get(&id)).collect();
            let less = tellings_of(left.iter().chain(taken.iter().copied())).saturating_sub(tellings_of(&left));
            let gone = Memory { mentions: less.saturating_sub(1), turns: Vec::new(), ..essence.clone() };
            let reworded = resting_on(&left, Memory { mentions: essence.mentions.saturating_sub(less), ..essence });
            if less > 0 {
                lost.insert(id, gone);
            }
            there.insert(id, reworded.clone());
            remains.reworded.push(reworded);
        }
        Ok(remains)
    }

    /// Returns the memories that say only what `memory` says, and therefore fall and return with it: essences based only on it, and
    /// the single original it is the essence of.
    pub(crate) async fn companions(&self, memory: &Memory) -> Result<Vec<Memory>, EngineError> {
        let root = self.only_original(memory).await?.unwrap_or_else(|| memory.clone());
        let above = self.above(&[root.id]).await?;
        let there = self.readable(&above.originals).await?;
        let alone = above.lineage.without(&[root.id], |id| there.contains_key(&id)).alone;
        let same = |other: &Memory| {
            // An essence that counts more mentions than this memory stays, unless it says exactly the same. So does one that the
            // owner reworded.
            let again = says_again(other, &root);
            alone.contains(&other.id) && (again || other.told() <= root.told() && other.edited_at.is_none())
        };
        let mut all: Vec<Memory> = above.essences.iter().filter(|other| same(other)).cloned().collect();
        all.insert(0, root.clone());
        // Only the owner removes core and pinned memories.
        let free = |other: &Memory| other.standing == MemoryState::Alive && !other.pinned && other.tier != Tier::M0;
        all.retain(|other| other.id != memory.id && free(other));
        Ok(all)
    }

    /// Returns the original that an essence repeats word for word, if it is its only one. Follows the chain to the lowest level.
    async fn only_original(&self, memory: &Memory) -> Result<Option<Memory>, EngineError> {
        let mut lowest: Option<Memory> = None;
        loop {
            let here = lowest.as_ref().unwrap_or(memory);
            if here.source != Source::Distillation {
                return Ok(lowest);
            }
            let links = self.mind.store().links(self.mind.id, here.id).await?;
            let below = links.iter().filter(|link| link.from == here.id && link.kind == LinkKind::DistilledFrom);
            let below: Vec<MemoryId> = below.map(|link| link.to).collect();
            let mut originals = self.mind.store().memories(self.mind.id, &below).await?;
            match (originals.pop(), originals.is_empty()) {
                (Some(original), true) if original.standing == MemoryState::Alive && says_again(here, &original) => lowest = Some(original),
                _ => return Ok(lowest),
            }
        }
    }

    /// Returns the live essences above memories. A recall of a memory counts once for them too.
    pub(crate) async fn essences_above(&self, memories: &[MemoryId]) -> Result<Vec<Memory>, EngineError> {
        Ok(self.above(memories).await?.essences.into_iter().filter(|memory| memory.standing == MemoryState::Alive).collect())
    }

    /// Returns the essences above a memory that `text` mentions too. A mention of the memory counts once for them too.
    pub(crate) async fn essences_mentioned(&self, memory: MemoryId, text: &str) -> Result<Vec<Memory>, EngineError> {
        // An essence with a count but no subject: it is unknown whether this was mentioned again.
        let mentions = |essence: &Memory| match essence.subject() {
            Some(subject) => TopicName::of(subject).covers(&TopicMentions::of(text)),
            None => !essence.states_count(),
        };
        Ok(self.essences_above(&[memory]).await?.into_iter().filter(mentions).collect())
    }

    /// Counts what an essence absorbed for the essences above it too, and updates the counts in their text.
    pub(crate) async fn extend_essences(&self, together: &mut Together, grown: MemoryId, again: Again) -> Result<(), EngineError> {
        let Some(below) = self.mind.store().memories(self.mind.id, &[grown]).await?.pop().map(|below| together.so_far(below)) else {
            return Ok(());
        };
        let counts = |memory: &Memory| memory.standing == MemoryState::Alive && is_same_subject(memory, &below);
        for memory in self.above(&[grown]).await?.essences.into_iter().filter(counts) {
            let memory = together.so_far(memory);
            let mut commit = self.worker_commit(Op::Weigh).because("what it stands on was told again");
            commit.memories = self.mind.commit(Op::Weigh, &[&memory]).memories;
            let essence = memory.told_again(again, self.mind.policy()).recounted();
            commit.changes.push(Change::MemoryChanged(Box::new(essence)));
            together.push(commit);
        }
        Ok(())
    }

    /// Updates the counts in the text of essences that were mentioned since.
    pub(crate) async fn count_mentions(&self, essences: &[Memory]) -> Result<(), EngineError> {
        let grown = |essence: &Memory| {
            let counted = essence.clone().recounted();
            (counted.content != essence.content).then_some(counted)
        };
        let grown: Vec<Memory> = essences.iter().filter_map(grown).collect();
        for batch in grown.chunks(PAGE) {
            // A different number does not change the meaning, so the vector stays.
            let commit = |essence: &Memory| {
                let mut commit = self.worker_commit(Op::Weigh).because("it was told again");
                commit.memories = self.mind.commit(Op::Weigh, &[essence]).memories;
                commit.changes.push(Change::MemoryChanged(Box::new(essence.clone())));
                commit
            };
            self.mind.write_all(batch.iter().map(commit).collect()).await?;
        }
        Ok(())
    }

    /// Commits everything atomically, with the vectors of reworded memories.
    pub(crate) async fn write_commits(&self, mut together: Together) -> Result<(), EngineError> {
        let mut last: HashMap<MemoryId, (usize, &Memory)> = HashMap::new();
        for (place, commit) in together.commits.iter().enumerate() {
            for change in &commit.changes {
                if let Change::MemoryAdded(memory) | Change::MemoryChanged(memory) = change {
                    last.insert(memory.id, (place, memory));
                }
            }
        }
        let reworded: Vec<(usize, &Memory)> = together.reworded.iter().filter_map(|id| last.get(id).copied()).collect();
        let memories: Vec<&Memory> = reworded.iter().map(|(_, memory)| *memory).collect();
        let vectors = self.mind.transfer().vectors_of(&memories).await;
        let places: HashMap<MemoryId, usize> = reworded.iter().map(|(place, memory)| (memory.id, *place)).collect();
        for change in vectors {
            if let Change::Embedded { memory, .. } = &change
                && let Some(&place) = places.get(memory)
            {
                together.commits[place].changes.push(change);
            }
        }
        // Islands founded on an original are founded on its essence too.
        for mut island in self.mind.store().islands(self.mind.id).await? {
            let before = island.founding.len();
            for (essence, members) in &together.stands {
                if !island.founding.contains(essence) && members.iter().any(|member| island.founding.contains(member)) {
                    island.founding.push(*essence);
                }
            }
            if let Some(last) = together.commits.last_mut().filter(|_| island.founding.len() > before) {
                last.changes.push(Change::IslandSet(Box::new(island)));
            }
        }
        self.mind.write_all(together.commits).await
    }

    /// Returns the memories without those that an essence among them repeats.
    pub(crate) async fn remove_duplicate_sources(&self, memories: Vec<Memory>) -> Result<Vec<Memory>, EngineError> {
        let again = self.restore_duplicate_sources(&memories.iter().collect::<Vec<_>>()).await?;
        Ok(memories.into_iter().filter(|memory| !again.contains(&memory.id)).collect())
    }

    /// Returns those of `memories` that an essence among them repeats.
    pub(crate) async fn restore_duplicate_sources(&self, memories: &[&Memory]) -> Result<HashSet<MemoryId>, EngineError> {
        let mut again = HashSet::new();
        for &distilled in memories.iter().filter(|memory| memory.source == Source::Distillation) {
            let (mut below, mut next) = (HashSet::new(), vec![distilled.id]);
            while let Some(id) = next.pop() {
                let links = self.mind.store().links(self.mind.id, id).await?;
                let originals = links.iter().filter(|link| link.from == id && link.kind == LinkKind::DistilledFrom).map(|link| link.to);
                next.extend(originals.filter(|original| below.insert(*original)));
            }
            let same = memories.iter().filter(|other| below.contains(&other.id) && says_again(distilled, other));
            again.extend(same.map(|other| other.id));
        }
        Ok(again)
    }
}

/// Returns the text of a memory with what it counts, if it is an essence itself.
pub(crate) fn verbatim(memory: &Memory) -> WordedEssence {
    WordedEssence { text: memory.content.clone(), essence: memory.essence.clone() }
}

/// Rewords an essence by rules from these originals alone.
fn resting_on(originals: &[Memory], essence: Memory) -> Memory {
    let taken = inherited(originals);
    let sources: Vec<EssenceSource> = originals.iter().map(EssenceSource::of).collect();
    let told = essence.told() as usize;
    let is_named = |subject: &&str| {
        let subject = TopicName::of(subject);
        originals.iter().any(|original| subject.is_named_in(&TopicMentions::of(&original.content)))
    };
    let worded = match (originals, essence.subject().filter(is_named)) {
        ([alone], _) if alone.remember_this || alone.kind == Kind::Semantic => verbatim(alone),
        // Keep the subject if one of the remaining originals mentions it.
        (_, Some(subject)) => topic_essence(subject, &sources, told),
        (_, None) => counted_essence(&sources, &[], told, &[]),
    };
    let worded = if worded.text.trim().is_empty() { verbatim(&originals[0]) } else { worded };
    Memory {
        content: worded.text,
        essence: worded.essence,
        original_event: None,
        interpretation: None,
        summary: None,
        kind: taken.kind,
        category: taken.category,
        feeling: taken.feeling,
        turns: taken.turns,
        tags: taken.tags,
        created_at: taken.told_at,
        promoted_from: Some(originals[0].id),
        edited_at: None,
        ..essence
    }
}
