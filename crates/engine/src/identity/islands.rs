//! Islands: founded on core memories, they shake when those are removed, and the owner is warned.

use std::collections::{HashMap, HashSet};

use saegim_core::{
    Change, Commit, Deed, Ground, Island, IslandEvent, IslandId, IslandStatus, Memory, MemoryId, MemoryState, Op, Phrase, ProposalKind,
    Proposed, Thing, Thought, Tier, Unit, Wish, island_description, island_emoji, island_name, phrase,
};

use crate::EngineError;
use crate::access::grants::meant;
use crate::engine::retrying;
use crate::identity::SelfModel;

/// Values of a new or changed island. A `None` field keeps its value or gets a generated one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IslandDraft {
    /// Name.
    pub name: Option<String>,
    /// Emoji.
    pub emoji: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Memories it is founded on.
    pub founding: Vec<MemoryId>,
}

impl SelfModel<'_> {
    pub(crate) async fn islands(&self) -> Result<Vec<Island>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().islands(self.mind.id).await?)
    }

    pub(crate) async fn warnings(&self) -> Result<Vec<Phrase>, EngineError> {
        let shaking = self.islands().await?.into_iter().filter(|island| island.status == IslandStatus::Shaking);
        Ok(shaking.map(|island| IslandEvent::Shook.words(&island, &self.mind.policy().island)).collect())
    }

    pub(crate) async fn add_island(&self, draft: IslandDraft) -> Result<Island, EngineError> {
        self.mind.may(Deed::MakeIslands).await?;
        let island = self.drafted_island(draft).await?;
        let mut commit = self.mind.commit(Op::Island, &[]).because("made").about(Thing::Island(island.id));
        self.founded(&mut commit, &island).await?;
        self.mind.write(commit).await?;
        self.core_memories_changed().await?;
        self.island(island.id).await
    }

    pub(crate) async fn change_island(&self, id: IslandId, draft: IslandDraft) -> Result<Island, EngineError> {
        self.mind.may(Deed::MakeIslands).await?;
        retrying(|| async {
            let mut island = self.island(id).await?;
            if let Some(name) = &draft.name {
                island.name = island_name(name)?;
            }
            if let Some(emoji) = &draft.emoji {
                island.emoji = island_emoji(emoji)?;
            }
            if let Some(description) = &draft.description {
                island.description = island_description(description)?;
            }
            let mut commit = self.mind.commit(Op::Island, &[]).because("renamed").about(Thing::Island(id));
            commit.changes.push(Change::IslandSet(Box::new(island.clone())));
            self.mind.write(commit).await?;
            island.revision += 1;
            Ok(island)
        })
        .await
    }

    pub(crate) async fn remove_island(&self, id: IslandId) -> Result<Island, EngineError> {
        self.mind.may(Deed::MakeIslands).await?;
        let island = self.island(id).await?;
        let mut commit = self.mind.commit(Op::Island, &[]).because("removed").about(Thing::Island(id));
        commit.changes.push(Change::IslandGone(id));
        self.mind.write(commit).await?;
        Ok(island)
    }

    pub(crate) async fn resolve_island(&self, text: &str) -> Result<IslandId, EngineError> {
        let islands = self.mind.store().islands(self.mind.id).await?;
        let named: Vec<&Island> = islands.iter().filter(|island| island.name.eq_ignore_ascii_case(text.trim())).collect();
        if let [one] = named[..] {
            return Ok(one.id);
        }
        let ids: Vec<IslandId> = islands.iter().map(|island| island.id).collect();
        meant(&ids, text, || phrase!("engine.islands.no_match", text))
    }

    pub(crate) async fn island(&self, id: IslandId) -> Result<Island, EngineError> {
        let found = self.mind.store().islands(self.mind.id).await?.into_iter().find(|island| island.id == id);
        found.ok_or_else(|| EngineError::NotFound(phrase!("engine.islands.not_found")))
    }

    /// Creates an island from a draft.
    pub(crate) async fn drafted_island(&self, draft: IslandDraft) -> Result<Island, EngineError> {
        let founding = self.mind.store().memories(self.mind.id, &draft.founding).await?;
        let alive: Vec<Memory> = founding.into_iter().filter(|memory| memory.standing == MemoryState::Alive).collect();
        if alive.is_empty() || alive.len() < draft.founding.len() {
            return Err(EngineError::NotFound(phrase!("engine.islands.no_founding_memory")));
        }
        let texts: Vec<&str> = alive.iter().map(|memory| memory.content.as_str()).collect();
        let landmark = self.landmark(&texts).await;
        let now = self.mind.now();
        Ok(Island {
            id: IslandId::new(now, self.mind.inner.config.dice.chance()),
            revision: 0,
            name: island_name(draft.name.as_deref().unwrap_or(&landmark.name))?,
            emoji: island_emoji(draft.emoji.as_deref().unwrap_or(&landmark.emoji))?,
            description: island_description(draft.description.as_deref().unwrap_or(&landmark.description))?,
            founding: alive.iter().map(|memory| memory.id).collect(),
            rebuilding: Vec::new(),
            status: IslandStatus::Active,
            status_since: now,
            strength: Unit::ZERO,
            made_at: now,
        })
    }

    /// Adds an island, and its mark on the founding memories, to a commit.
    pub(crate) async fn founded(&self, commit: &mut Commit, island: &Island) -> Result<(), EngineError> {
        let ground = self.ground(std::slice::from_ref(island)).await?;
        let (standing, _) = island.settled(&ground[&island.id], self.mind.now(), &self.mind.policy().island);
        commit.changes.push(Change::IslandSet(Box::new(standing)));
        for memory in self.mind.store().memories(self.mind.id, &island.founding).await? {
            commit.memories.extend(self.mind.commit(commit.operation, &[&memory]).memories);
            commit.changes.push(Change::MemoryChanged(Box::new(Memory { island: Some(island.id), ..memory })));
        }
        Ok(())
    }

    /// Returns a name, emoji and description for a theme, from the thinker or defaults.
    async fn landmark(&self, texts: &[&str]) -> saegim_language::IslandLabel {
        let found = match &self.mind.thinker {
            Some(_) => self.mind.models().think(Thought::Name, |thinker| thinker.name_island(texts)).await.ok(),
            None => None,
        };
        // A model's answer is used only if it is valid.
        let part = |given: Option<&String>, check: fn(&str) -> Result<String, saegim_core::Invalid>, plain: &str| {
            given.and_then(|given| check(given).ok()).unwrap_or_else(|| plain.to_owned())
        };
        saegim_language::IslandLabel {
            name: part(found.as_ref().map(|found| &found.name), island_name, "✦"),
            emoji: part(found.as_ref().map(|found| &found.emoji), island_emoji, "🏝️"),
            description: part(found.as_ref().map(|found| &found.description), island_description, ""),
        }
    }

    /// Returns the live foundation of each island.
    async fn ground(&self, islands: &[Island]) -> Result<HashMap<IslandId, Ground>, EngineError> {
        let ids: Vec<MemoryId> = islands.iter().flat_map(|island| island.founding.iter().chain(&island.rebuilding)).copied().collect();
        let known: HashMap<MemoryId, Memory> =
            self.mind.store().memories(self.mind.id, &ids).await?.into_iter().map(|memory| (memory.id, memory)).collect();
        let core = self.mind.lifecycle().alive(Tier::M0).await?;
        let mut ground = HashMap::new();
        for island in islands {
            let members: Vec<&Memory> = island.founding.iter().chain(&island.rebuilding).filter_map(|id| known.get(id)).collect();
            let there: Vec<&&Memory> = members.iter().filter(|memory| memory.standing == MemoryState::Alive).collect();
            let joined =
                core.iter().filter(|memory| memory.island == Some(island.id) && !members.iter().any(|member| member.id == memory.id));
            let recalls = there.iter().map(|memory| memory.recalls).sum::<u32>() + joined.map(|memory| memory.recalls).sum::<u32>();
            ground.insert(island.id, Ground { alive: there.iter().map(|memory| memory.id).collect(), recalls });
        }
        Ok(ground)
    }

    /// Updates the status of every island from its foundation. Returns messages for the owner.
    pub(crate) async fn settle_islands(&self) -> Result<Vec<Phrase>, EngineError> {
        retrying(|| async {
            let islands = self.mind.store().islands(self.mind.id).await?;
            if islands.is_empty() {
                return Ok(Vec::new());
            }
            let (ground, now, policy) = (self.ground(&islands).await?, self.mind.now(), &self.mind.policy().island);
            let mut told = Vec::new();
            for island in islands {
                let (next, event) = island.settled(&ground[&island.id], now, policy);
                if next == island {
                    continue;
                }
                let operation = match event {
                    Some(IslandEvent::Shook) => Op::Shake,
                    Some(IslandEvent::Fell) => Op::Collapse,
                    Some(IslandEvent::Gathers) => Op::Rebuild,
                    Some(IslandEvent::Stands) => Op::Stand,
                    None => Op::Island,
                };
                told.extend(event.map(|event| event.words(&next, policy)));
                let mut commit = self.mind.lifecycle().worker_commit(operation).about(Thing::Island(island.id));
                commit.changes.push(Change::IslandSet(Box::new(next)));
                self.mind.write(commit).await?;
            }
            Ok(told)
        })
        .await
    }

    /// Handles a new core memory: adds it to the island of its theme or to one being rebuilt, then updates all islands.
    pub(crate) async fn core_added(&self, memory: &Memory) -> Result<(), EngineError> {
        let islands = self.mind.store().islands(self.mind.id).await?;
        for mut island in islands {
            let known = island.founding.contains(&memory.id) || island.rebuilding.contains(&memory.id);
            if known || !self.find_by_theme(memory, &island).await {
                continue;
            }
            let mut commit =
                self.mind.lifecycle().worker_commit(Op::Island).because("a core memory on its theme").about(Thing::Island(island.id));
            if island.status == IslandStatus::Active {
                let fresh = self.mind.fetch(memory.id).await?;
                commit.memories = self.mind.commit(Op::Island, &[&fresh]).memories;
                commit.changes.push(Change::MemoryChanged(Box::new(Memory { island: Some(island.id), ..fresh })));
            } else {
                island.rebuilding.push(memory.id);
                commit.changes.push(Change::IslandSet(Box::new(island)));
            }
            self.mind.write(commit).await?;
            break;
        }
        self.core_memories_changed().await
    }

    /// Checks whether a memory belongs to the theme of an island: by its name, by the thinker's name for it, or by similarity.
    async fn find_by_theme(&self, memory: &Memory, island: &Island) -> bool {
        let lower = memory.content.to_lowercase();
        if lower.contains(&island.name.to_lowercase()) || self.landmark(&[memory.content.as_str()]).await.name == island.name {
            return true;
        }
        let about = format!("{} {}", island.name, island.description);
        let Some(embedder) = &self.mind.inner.config.embedder else { return false };
        match self.mind.inner.vectors(&[memory.content.as_str(), about.as_str()]).await {
            Ok(vectors) => match &vectors[..] {
                [one, other] => embedder.calibration().similarity(one.cosine(other)).get() >= self.mind.policy().island.theme_from,
                _ => false,
            },
            Err(_) => false,
        }
    }

    /// Handles changed core memories: updates the islands and files proposals about the self.
    pub(crate) async fn core_memories_changed(&self) -> Result<(), EngineError> {
        self.settle_islands().await?;
        self.reflect().await
    }

    /// Checks whether an island is founded on or being rebuilt with a memory.
    pub(crate) async fn founds(&self, id: MemoryId) -> Result<bool, EngineError> {
        Ok(self
            .mind
            .store()
            .islands(self.mind.id)
            .await?
            .iter()
            .any(|island| island.founding.contains(&id) || island.rebuilding.contains(&id)))
    }

    /// Returns the islands that would shake without this memory.
    pub(crate) async fn endangered_islands(&self, id: MemoryId) -> Result<Vec<Island>, EngineError> {
        let islands = self.mind.store().islands(self.mind.id).await?;
        let ground = self.ground(&islands).await?;
        let last = |island: &Island| {
            let there = &ground[&island.id].alive;
            island.status == IslandStatus::Active
                && there.contains(&id)
                && !island.founding.iter().any(|other| *other != id && there.contains(other))
        };
        Ok(islands.into_iter().filter(|island| last(island)).collect())
    }

    /// Returns wishes for new islands from core memories whose themes have no island yet.
    pub(crate) async fn island_wishes(&self, core: &[Memory]) -> Result<Vec<Wish>, EngineError> {
        let islands = self.mind.store().islands(self.mind.id).await?;
        let taken: HashSet<MemoryId> =
            islands.iter().flat_map(|island| island.founding.iter().chain(&island.rebuilding)).copied().collect();
        let free: Vec<Memory> = core.iter().filter(|memory| memory.island.is_none() && !taken.contains(&memory.id)).cloned().collect();
        let mut wishes = Vec::new();
        for group in self.mind.lifecycle().topics_of(&free).await? {
            if group.len() < self.mind.policy().island.founded_by {
                continue;
            }
            let members: Vec<&Memory> = group.iter().map(|&place| &free[place]).collect();
            let founding: Vec<MemoryId> = members.iter().map(|memory| memory.id).collect();
            let mut island = self.drafted_island(IslandDraft { founding: founding.clone(), ..IslandDraft::default() }).await?;
            if islands.iter().any(|known| known.name == island.name) {
                continue;
            }
            // Derive the id from the theme, so that the same theme always proposes the same island.
            let newest = members.iter().map(|memory| memory.created_at).max().unwrap_or(island.made_at);
            let digest = saegim_core::Hash::salted(self.mind.salt(), &island.name);
            island.id = IslandId::new(newest, digest.bytes()[..10].try_into().expect("a hash has more than ten bytes"));
            (island.made_at, island.status_since) = (newest, newest);
            let count = members.len();
            let reason = phrase!("engine.islands.shared_theme", count);
            let subject = format!("island:{}", island.name);
            wishes.push(Wish {
                kind: ProposalKind::Island,
                subject,
                change: Proposed::Island { island: Box::new(island) },
                reasons: vec![reason.into()],
                evidence: founding,
                recalls: members.iter().map(|memory| memory.recalls).sum(),
            });
        }
        Ok(wishes)
    }
}
