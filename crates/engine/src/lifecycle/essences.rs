//! Essences and what they stand on: what follows for them when that is used, told again, let go or erased.

use std::collections::{HashMap, HashSet, VecDeque};

use saegim_core::{
    Again, Bereft, Change, CliffReason, Commit, Descent, Kind, Link, LinkKind, Memory, MemoryId, Op, Source, Standing, Tier, Timestamp,
    TurnId, denies, inherited, restated, tellings_of,
};
use saegim_provider::rules::{essence, essence_subject, is_about, is_told_of, recounted, told_of, told_often, uncounted};

use crate::intake::observe::Working;
use crate::intake::retract::TAKEN_BACK;
use crate::lifecycle::promote::PAGE;
use crate::lifecycle::topic::is_same_subject;
use crate::{EngineError, MindHandle};

/// From this share of an original's words on an essence says the same.
const SAME_WORDS: f32 = 0.9;

/// The essences above some memories, the nearest first, and what each of them stands on.
pub(crate) struct Above {
    pub(crate) essences: Vec<Memory>,
    descent: Descent,
    originals: Vec<MemoryId>,
}

/// Commits that are written together, all or none, and the memories as they are with them: half a round would find other
/// topics when it is done again.
#[derive(Default)]
pub(crate) struct Together {
    pub(crate) commits: Vec<Commit>,
    changed: HashMap<MemoryId, Memory>,
    /// What says something new and has no vector of it yet.
    reworded: Vec<MemoryId>,
    /// Which essence stands on what.
    stands: Vec<(MemoryId, Vec<MemoryId>)>,
}

impl Together {
    /// A memory as it is with what is to be written so far.
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

    /// Takes down what an essence stands on.
    pub(crate) fn stands_on(&mut self, essence: MemoryId, members: Vec<MemoryId>) {
        self.stands.push((essence, members));
    }

    /// Takes down that a memory says something new.
    pub(crate) fn reworded(&mut self, memory: MemoryId) {
        if !self.reworded.contains(&memory) {
            self.reworded.push(memory);
        }
    }
}

/// What erasing memories does to the essences above them.
pub(crate) struct Remains {
    /// Those that stood on nothing else.
    pub(crate) gone: Vec<Memory>,
    /// Those that stand on others too, in words made of those alone.
    pub(crate) reworded: Vec<Memory>,
}

/// Whether an essence says what its original does: beside it the original's line tells nothing.
pub(crate) fn says_again(distilled: &Memory, original: &Memory) -> bool {
    let (one, other) = (uncounted(&distilled.content), uncounted(&original.content));
    !denies(one, other) && restated(&essence(other), one) >= SAME_WORDS
}

impl MindHandle {
    /// The essences above these memories, over any number of steps.
    pub(crate) async fn above(&self, ids: &[MemoryId]) -> Result<Above, EngineError> {
        let mut next: VecDeque<MemoryId> = ids.iter().copied().collect();
        let mut seen: HashSet<MemoryId> = ids.iter().copied().collect();
        let (mut links, mut essences): (Vec<Link>, Vec<Memory>) = (Vec::new(), Vec::new());
        while let Some(id) = next.pop_front() {
            let own = self.store().links(self.id, id).await?;
            let own: Vec<Link> = own.into_iter().filter(|link| link.kind == LinkKind::DistilledFrom).collect();
            let above: Vec<MemoryId> =
                own.iter().filter(|link| link.to == id).map(|link| link.from).filter(|id| seen.insert(*id)).collect();
            links.extend(own.into_iter().filter(|link| link.from == id));
            // A link someone made by hand makes no essence: what they wrote stays theirs.
            for memory in self.store().memories(self.id, &above).await?.into_iter().filter(|memory| memory.source == Source::Distillation) {
                next.push_back(memory.id);
                essences.push(memory);
            }
        }
        links.retain(|link| essences.iter().any(|memory| memory.id == link.from));
        let originals = links.iter().map(|link| link.to).collect();
        Ok(Above { essences, descent: Descent::of(&links), originals })
    }

    /// Those of these memories that can still be read for an essence: alive, or fallen because their time was over. What
    /// someone let go or took back is not to be read again.
    pub(crate) async fn readable(&self, ids: &[MemoryId]) -> Result<HashMap<MemoryId, Memory>, EngineError> {
        let memories = self.store().memories(self.id, ids).await?;
        let fallen = match memories.iter().any(|memory| memory.standing == Standing::OnCliff) {
            true => self.store().cliff(self.id).await?,
            false => Vec::new(),
        };
        let waits = |id: MemoryId| {
            let entry = fallen.iter().find(|fallen| fallen.memory.id == id).map(|fallen| &fallen.entry);
            entry.is_some_and(|entry| entry.reason != CliffReason::Manual && entry.note != TAKEN_BACK)
        };
        let there = memories.into_iter().filter(|memory| memory.standing == Standing::Alive || waits(memory.id));
        Ok(there.map(|memory| (memory.id, memory)).collect())
    }

    /// What erasing `going` leaves of the essences above them, so that nothing of their text stays.
    pub(crate) async fn remains(&self, going: &[Memory]) -> Result<Remains, EngineError> {
        let ids: Vec<MemoryId> = going.iter().map(|memory| memory.id).collect();
        let above = self.above(&ids).await?;
        let mut there = self.readable(&above.originals).await?;
        let Bereft { alone, beside } = above.descent.without(&ids, |id| there.contains_key(&id));
        let find = |id: &MemoryId| above.essences.iter().find(|memory| memory.id == *id).cloned();
        let mut remains = Remains { gone: alone.iter().filter_map(find).collect(), reworded: Vec::new() };
        let mut lost: HashMap<MemoryId, Memory> = going.iter().chain(&remains.gone).map(|memory| (memory.id, memory.clone())).collect();
        for (id, left) in beside {
            let Some(essence) = find(&id) else { continue };
            let left: Vec<Memory> = left.iter().filter_map(|id| there.get(id).cloned()).collect();
            // A telling that is told by something left as well is not lost.
            let taken: Vec<&Memory> = above.descent.originals(id).filter_map(|id| lost.get(&id)).collect();
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

    /// What says nothing but what `memory` does, and so goes and comes with it: essences that stand on it alone, and the one
    /// original it is the essence of.
    pub(crate) async fn companions(&self, memory: &Memory) -> Result<Vec<Memory>, EngineError> {
        let root = self.only_original(memory).await?.unwrap_or_else(|| memory.clone());
        let above = self.above(&[root.id]).await?;
        let there = self.readable(&above.originals).await?;
        let alone = above.descent.without(&[root.id], |id| there.contains_key(&id)).alone;
        let same = |other: &Memory| {
            // What it counts beyond this one was told elsewhere, and is not let go with it unless it says just the same.
            // Nor is what the owner has put in words of their own.
            let again = says_again(other, &root);
            alone.contains(&other.id) && (again || other.told() <= root.told() && other.edited_at.is_none())
        };
        let mut all: Vec<Memory> = above.essences.iter().filter(|other| same(other)).cloned().collect();
        all.insert(0, root.clone());
        // Core and pinned memories go by the owner's own word only.
        let free = |other: &Memory| other.standing == Standing::Alive && !other.pinned && other.tier != Tier::M0;
        all.retain(|other| other.id != memory.id && free(other));
        Ok(all)
    }

    /// The memory an essence says again word for word, where it is the only one it stands on.
    async fn only_original(&self, memory: &Memory) -> Result<Option<Memory>, EngineError> {
        let mut lowest: Option<Memory> = None;
        loop {
            let here = lowest.as_ref().unwrap_or(memory);
            if here.source != Source::Distillation {
                return Ok(lowest);
            }
            let links = self.store().links(self.id, here.id).await?;
            let below = links.iter().filter(|link| link.from == here.id && link.kind == LinkKind::DistilledFrom);
            let below: Vec<MemoryId> = below.map(|link| link.to).collect();
            let mut originals = self.store().memories(self.id, &below).await?;
            match (originals.pop(), originals.is_empty()) {
                (Some(original), true) if original.standing == Standing::Alive && says_again(here, &original) => lowest = Some(original),
                _ => return Ok(lowest),
            }
        }
    }

    /// What was used counts for the essences above it too, once: they are what stays of it.
    pub(crate) async fn essences_used(&self, working: &mut Working<'_>, used: &[MemoryId], at: Timestamp) -> Result<(), EngineError> {
        for memory in self.above(used).await?.essences.into_iter().filter(|memory| memory.standing == Standing::Alive) {
            let known = working.memories.remove(&memory.id).unwrap_or(memory);
            working.memories.insert(known.id, known.recalled(at, working.present.turns, &self.policy().strength));
        }
        Ok(())
    }

    /// What was told in these turns was told to the essences above it too, once, where they speak of it.
    pub(crate) async fn essences_told(
        &self,
        working: &mut Working<'_>,
        (told, heard, text): (MemoryId, &[TurnId], &str),
        at: Timestamp,
    ) -> Result<(), EngineError> {
        // What an essence counts without a name for it is not known to be told again.
        let tells = |essence: &Memory| match essence_subject(&essence.content) {
            Some(subject) => is_told_of(text, subject),
            None => uncounted(&essence.content) == essence.content,
        };
        let counts = |essence: &Memory| essence.standing == Standing::Alive && tells(essence);
        for memory in self.above(&[told]).await?.essences.into_iter().filter(counts) {
            let mut known = working.memories.remove(&memory.id).unwrap_or(memory);
            known.heard_in(heard);
            let again = Again { times: 0, told_at: at, at, turn: working.present.turns };
            working.memories.insert(known.id, known.told_again(again, self.policy()));
        }
        Ok(())
    }

    /// What an essence took in was told to those above it too; where they say how often, they say it anew.
    pub(crate) async fn grow_above(&self, together: &mut Together, grown: MemoryId, again: Again) -> Result<(), EngineError> {
        let Some(below) = self.store().memories(self.id, &[grown]).await?.pop().map(|below| together.so_far(below)) else { return Ok(()) };
        let counts = |memory: &Memory| memory.standing == Standing::Alive && is_same_subject(memory, &below);
        for memory in self.above(&[grown]).await?.essences.into_iter().filter(counts) {
            let memory = together.so_far(memory);
            let mut commit = self.worker_commit(Op::Weigh).because("what it stands on was told again");
            commit.memories = self.commit(Op::Weigh, &[&memory]).memories;
            let mut essence = memory.told_again(again, self.policy());
            let content = recounted(&essence.content, essence.told());
            if essence.edited_at.is_none() {
                essence.content = content;
            }
            commit.changes.push(Change::MemoryChanged(Box::new(essence)));
            together.push(commit);
        }
        Ok(())
    }

    /// Lets essences that were mentioned since say how often that makes.
    pub(crate) async fn count_mentions(&self, essences: &[Memory]) -> Result<(), EngineError> {
        let grown = |essence: &Memory| {
            let content = recounted(&essence.content, essence.told());
            (essence.edited_at.is_none() && content != essence.content).then(|| Memory { content, ..essence.clone() })
        };
        let grown: Vec<Memory> = essences.iter().filter_map(grown).collect();
        for batch in grown.chunks(PAGE) {
            // Another number means nothing else: the vector stays as it was.
            let commit = |essence: &Memory| {
                let mut commit = self.worker_commit(Op::Weigh).because("it was told again");
                commit.memories = self.commit(Op::Weigh, &[essence]).memories;
                commit.changes.push(Change::MemoryChanged(Box::new(essence.clone())));
                commit
            };
            self.write_all(batch.iter().map(commit).collect()).await?;
        }
        Ok(())
    }

    /// Writes what belongs together, with the vectors of what says something new, which are made at once.
    pub(crate) async fn write_together(&self, mut together: Together) -> Result<(), EngineError> {
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
        let vectors = self.vectors_of(&memories).await;
        let places: HashMap<MemoryId, usize> = reworded.iter().map(|(place, memory)| (memory.id, *place)).collect();
        for change in vectors {
            if let Change::Embedded { memory, .. } = &change
                && let Some(&place) = places.get(memory)
            {
                together.commits[place].changes.push(change);
            }
        }
        // An island goes on standing on what is kept longer of its ground.
        for mut island in self.store().islands(self.id).await? {
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
        self.write_all(together.commits).await
    }

    /// Memories without those that an essence among them says again.
    pub(crate) async fn said_once(&self, memories: Vec<Memory>) -> Result<Vec<Memory>, EngineError> {
        let again = self.said_again(&memories.iter().collect::<Vec<_>>()).await?;
        Ok(memories.into_iter().filter(|memory| !again.contains(&memory.id)).collect())
    }

    /// Those of `memories` that an essence among them says again.
    pub(crate) async fn said_again(&self, memories: &[&Memory]) -> Result<HashSet<MemoryId>, EngineError> {
        let mut again = HashSet::new();
        for &distilled in memories.iter().filter(|memory| memory.source == Source::Distillation) {
            let (mut below, mut next) = (HashSet::new(), vec![distilled.id]);
            while let Some(id) = next.pop() {
                let links = self.store().links(self.id, id).await?;
                let originals = links.iter().filter(|link| link.from == id && link.kind == LinkKind::DistilledFrom).map(|link| link.to);
                next.extend(originals.filter(|original| below.insert(*original)));
            }
            let same = memories.iter().filter(|other| below.contains(&other.id) && says_again(distilled, other));
            again.extend(same.map(|other| other.id));
        }
        Ok(again)
    }
}

/// An essence in the rules' words, made of these originals and nothing else.
fn resting_on(originals: &[Memory], essence: Memory) -> Memory {
    let taken = inherited(originals);
    let texts: Vec<&str> = originals.iter().map(|memory| memory.content.as_str()).collect();
    let content = match originals {
        [alone] if alone.remember_this || alone.kind == Kind::Semantic => alone.content.clone(),
        // It keeps its name where what is left bears it.
        _ => match essence_subject(&essence.content).filter(|subject| texts.iter().any(|text| is_about(text, subject))) {
            Some(subject) => told_of(subject, &texts, essence.told() as usize),
            None => told_often(&texts, &[], essence.told() as usize, &[]),
        },
    };
    let content = if content.trim().is_empty() { originals[0].content.clone() } else { content };
    Memory {
        content,
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
