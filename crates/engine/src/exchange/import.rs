//! Imports memories from other minds and programs.

use std::collections::{HashMap, HashSet};

use saegim_core::{
    Change, Deed, Feeling, Hash, Link, Memory, MemoryId, MemoryState, Op, Principal, Role, Strength, Tier, Unit, Zone, content, phrase,
};
use saegim_language::{RuleThinker, SkipReason, Utterance};

use crate::engine::retrying;
use crate::exchange::{ForeignMemory, ImportItem, ImportLink, ImportName, SkippedItem, Transfer};
use crate::lifecycle::zone_occupancy::ZoneOccupancy;
use crate::{Draft, EngineError};

/// Result of importing a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportResult {
    /// Number of added memories.
    pub added: usize,
    /// Number of added memories that are on the cliff.
    pub on_cliff: usize,
    /// Number of memories that already existed, by id or external id.
    pub known: usize,
    /// Items that were skipped, with the reason.
    pub left_out: Vec<SkippedItem>,
}

impl Transfer<'_> {
    pub(crate) async fn import_memories(&self, arrivals: Vec<ImportItem>, tier: Tier) -> Result<ImportResult, EngineError> {
        self.mind.may(Deed::Import).await?;
        // If another process imports the same batch concurrently, the retry finds it as known.
        retrying(|| self.import_batch(arrivals.clone(), tier)).await
    }

    async fn import_batch(&self, arrivals: Vec<ImportItem>, tier: Tier) -> Result<ImportResult, EngineError> {
        let mut known = self.known(&arrivals).await?;
        let (mut imported, mut occupancy) = (ImportResult::default(), self.mind.lifecycle().occupancy().await?);
        let mut fresh: Vec<(Memory, Option<saegim_core::CliffEntry>)> = Vec::new();
        for arrival in arrivals {
            if !known.insert(name_of(&arrival)) {
                imported.known += 1;
                continue;
            }
            let what = display_name(&arrival);
            let taken = match arrival {
                ImportItem::Whole(memory) => self.adopted(*memory, &mut occupancy).await.map(|memory| (memory, None)),
                ImportItem::Fallen(_, entry) if entry.is_gone(self.mind.now()) => {
                    let why = phrase!("engine.import.cliff_time_ended", gone_at = entry.gone_at);
                    imported.left_out.push(SkippedItem { what, why });
                    continue;
                }
                ImportItem::Fallen(memory, entry) => self.adopted(*memory, &mut occupancy).await.map(|memory| (memory, Some(entry))),
                ImportItem::New(newcomer) => self.converted(*newcomer, tier, &mut occupancy).await.map(|memory| (memory, None)),
            };
            match taken {
                Ok(taken) => fresh.push(taken),
                Err(EngineError::Invalid(invalid)) => imported.left_out.push(SkippedItem { what, why: invalid.phrase() }),
                Err(EngineError::Unsure(why)) => imported.left_out.push(SkippedItem { what, why }),
                Err(error) => return Err(error),
            }
        }
        self.keep_external_ids_unique(&mut fresh).await?;
        imported.added = fresh.len();
        imported.on_cliff = fresh.iter().filter(|(_, entry)| entry.is_some()).count();
        if fresh.is_empty() {
            return Ok(imported);
        }
        let about: Vec<&Memory> = fresh.iter().map(|(memory, _)| memory).collect();
        let mut commit = self.mind.commit_as(Principal::Owner, Op::Import, &about);
        let vectors = self.vectors_of(&about).await;
        for (mut memory, entry) in fresh {
            match entry {
                None => commit.changes.push(Change::MemoryAdded(Box::new(memory))),
                Some(entry) => {
                    memory.standing = MemoryState::OnCliff;
                    commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
                    commit.changes.push(Change::CliffEntered(Box::new(memory), entry));
                }
            }
        }
        commit.changes.extend(vectors);
        self.mind.write(commit).await?;
        self.mind.inner.occupancy.unknown(self.mind.id);
        Ok(imported)
    }

    /// Ensures that each external id belongs to one live memory: the existing one, otherwise the first of the batch.
    async fn keep_external_ids_unique(&self, fresh: &mut [(Memory, Option<saegim_core::CliffEntry>)]) -> Result<(), EngineError> {
        let names: Vec<String> = fresh.iter().filter_map(|(memory, _)| memory.external_id.clone()).collect();
        let ids: Vec<MemoryId> = self.mind.store().by_external_id(self.mind.id, &names).await?.into_iter().map(|(_, id)| id).collect();
        let here = self.mind.store().memories(self.mind.id, &ids).await?;
        let alive = here.into_iter().filter(|memory| memory.standing == MemoryState::Alive);
        let mut taken: HashSet<String> = alive.filter_map(|memory| memory.external_id).collect();
        for (memory, _) in fresh.iter_mut().filter(|(_, entry)| entry.is_none()) {
            memory.external_id = memory.external_id.take().filter(|name| taken.insert(name.clone()));
        }
        Ok(())
    }

    pub(crate) async fn import_links(&self, bonds: &[ImportLink]) -> Result<(usize, Vec<SkippedItem>), EngineError> {
        self.mind.may(Deed::Import).await?;
        let ends: Vec<&ImportName> = bonds.iter().flat_map(|bond| [&bond.from, &bond.to]).collect();
        let ids = self.ids_of(&ends).await?;
        let mut here: HashSet<Link> = self.mind.store().all_links(self.mind.id).await?.into_iter().collect();
        let (mut links, mut left_out) = (Vec::new(), Vec::new());
        for bond in bonds {
            match (ids.get(&bond.from), ids.get(&bond.to)) {
                (Some(from), Some(to)) if from != to => {
                    let link = Link { from: *from, to: *to, kind: bond.kind };
                    if here.insert(link) {
                        links.push(link);
                    }
                }
                _ => {
                    let what = format!("{} -> {}", written(&bond.from), written(&bond.to));
                    left_out.push(SkippedItem { what, why: phrase!("engine.import.link_end_missing") });
                }
            }
        }
        for batch in links.chunks(500) {
            let mut commit = self.mind.commit_as(Principal::Owner, Op::Import, &[]).because(format!("{} links", batch.len()));
            commit.changes.extend(batch.iter().copied().map(Change::LinkAdded));
            self.mind.write(commit).await?;
        }
        Ok((links.len(), left_out))
    }

    /// Returns the names of arrivals that already exist here.
    async fn known(&self, arrivals: &[ImportItem]) -> Result<HashSet<ImportName>, EngineError> {
        let names: Vec<ImportName> = arrivals.iter().map(name_of).collect();
        Ok(self.ids_of(&names.iter().collect::<Vec<_>>()).await?.into_keys().collect())
    }

    /// Resolves names to the memories of this mind. An external id may be the id of a memory that was exported from this mind.
    async fn ids_of(&self, names: &[&ImportName]) -> Result<HashMap<ImportName, MemoryId>, EngineError> {
        let external: Vec<String> = names
            .iter()
            .filter_map(|name| match name {
                ImportName::External(external) => Some(external.clone()),
                ImportName::Id(_) => None,
            })
            .collect();
        let mut found: HashMap<ImportName, MemoryId> = self
            .mind
            .store()
            .by_external_id(self.mind.id, &external)
            .await?
            .into_iter()
            .map(|(name, id)| (ImportName::External(name), id))
            .collect();
        let meant = |name: &&ImportName| match name {
            ImportName::Id(id) => Some(*id),
            ImportName::External(external) => MemoryId::parse(external).ok(),
        };
        let ids: Vec<MemoryId> = names.iter().filter_map(meant).collect();
        let here: HashSet<MemoryId> = self.mind.store().memories(self.mind.id, &ids).await?.iter().map(|memory| memory.id).collect();
        for name in names {
            if let Some(id) = meant(name).filter(|id| here.contains(id)) {
                found.entry((*name).clone()).or_insert(id);
            }
        }
        Ok(found)
    }

    /// Adapts a memory of another mind to this one.
    async fn adopted(&self, mut memory: Memory, occupancy: &mut ZoneOccupancy) -> Result<Memory, EngineError> {
        memory.content = content(&memory.content)?;
        memory.standing = MemoryState::Alive;
        memory.revision = 0;
        let here = self.mind.store().turns_by_id(self.mind.id, &memory.turns).await?;
        memory.turns.retain(|turn| here.iter().any(|known| known.id == *turn));
        if let Some(id) = memory.island {
            let here = self.mind.store().islands(self.mind.id).await?.iter().any(|island| island.id == id);
            memory.island = Some(id).filter(|_| here);
        }
        memory.strength = Strength { as_of_turn: occupancy.turns, ..memory.strength };
        // A memory that a client stored under an external id without an expiry keeps none.
        if memory.tier != Tier::M0 && memory.is_endless() && memory.external_id.is_none() {
            memory.expires_at = memory.tier.expires(self.mind.now(), &self.mind.policy().tier);
        }
        Ok(self.placed(memory, occupancy))
    }

    fn placed(&self, mut memory: Memory, occupancy: &mut ZoneOccupancy) -> Memory {
        let policy = &self.mind.policy().zone;
        memory.zone_score = memory.nearness(Unit::ZERO).score(self.mind.now(), policy);
        memory.zone = occupancy.zone(Zone::of(memory.zone_score, policy), policy);
        occupancy.born(memory.zone);
        memory
    }

    /// Converts an item of another program to a memory of this mind.
    async fn converted(&self, newcomer: ForeignMemory, tier: Tier, occupancy: &mut ZoneOccupancy) -> Result<Memory, EngineError> {
        content(&newcomer.draft.content)?;
        if newcomer.expires_at.is_some_and(|end| end <= self.mind.now()) {
            return Err(EngineError::Unsure(phrase!("engine.import.already_expired")));
        }
        if self.commands(&newcomer.draft.content).await? {
            return Err(EngineError::Unsure(phrase!("engine.import.injection")));
        }
        let born = newcomer.draft.born;
        let external = newcomer.draft.external_id.clone().unwrap_or_default();
        let mut memory = self.mind.intake().conceive(Draft { tier: Some(tier), ..newcomer.draft }).await?;
        // The id is derived from the external id, so that concurrent imports cannot store an item twice. Items without a date sort
        // before all others.
        let digest = Hash::of(external.as_bytes());
        let chance = digest.bytes()[..10].try_into().expect("a hash has more than ten bytes");
        memory.id = MemoryId::new(born.unwrap_or_default(), chance);
        memory.recalls = newcomer.recalls;
        memory.last_recalled_at = newcomer.last_recalled_at;
        memory.edited_at = newcomer.edited_at;
        memory.rating = newcomer.rating;
        memory.summary = newcomer.summary;
        if let Some(Feeling { sentiment, affect_amplitude, confidence, keywords, .. }) = newcomer.feeling {
            memory.feeling = Feeling { sentiment, affect_amplitude, confidence, keywords, ..memory.feeling };
        }
        (memory.tier, memory.expires_at) = self.term(tier, newcomer.expires_at);
        memory.importance = memory.weighed(0, &self.mind.policy().importance);
        Ok(self.placed(memory, occupancy))
    }

    /// Returns the tier and expiry of an imported item: a full term of `tier`, or its original expiry with the longest tier that is
    /// not longer.
    fn term(&self, tier: Tier, ends: Option<saegim_core::Timestamp>) -> (Tier, Option<saegim_core::Timestamp>) {
        let policy = &self.mind.policy().tier;
        let Some(ends) = ends else { return (tier, tier.expires(self.mind.now(), policy)) };
        let fits = |tier: &&Tier| tier.expires(self.mind.now(), policy).is_some_and(|whole| whole <= ends);
        (Tier::ALL.iter().rev().find(fits).copied().unwrap_or(Tier::M30), Some(ends))
    }

    /// Checks whether a text tries to give instructions to the memory or the character. Returns false without a thinker.
    async fn commands(&self, text: &str) -> Result<bool, EngineError> {
        if self.mind.thinker.is_none() {
            return Ok(false);
        }
        let (user, character) = (self.mind.key().user(), self.mind.key().character());
        let utterance = Utterance { role: Role::User, text, at: self.mind.now(), user, character, before: None };
        // Imports always use the rules: they detect instructions best, and a model would be called thousands of times.
        let reading = RuleThinker.read(&utterance);
        Ok(reading.left_alone.iter().any(|(_, why)| *why == SkipReason::Instruction))
    }

    /// Returns the vectors of memories whose script the embedder supports. The next tick creates missing ones.
    pub(crate) async fn vectors_of(&self, memories: &[&Memory]) -> Vec<Change> {
        let Some(embedder) = self.mind.inner.config.embedder.as_ref().filter(|_| self.mind.inner.config.vectors) else { return Vec::new() };
        let known: Vec<&&Memory> = memories.iter().filter(|memory| embedder.knows(&memory.content)).collect();
        let texts: Vec<&str> = known.iter().map(|memory| memory.content.as_str()).collect();
        if texts.is_empty() {
            return Vec::new();
        }
        match self.mind.inner.vectors_at_leisure(&texts).await {
            Ok(vectors) => known.iter().zip(vectors).map(|(memory, vector)| self.mind.models().embedded(memory.id, vector)).collect(),
            Err(_) => Vec::new(),
        }
    }
}

/// Returns the name that identifies an arrival.
fn name_of(arrival: &ImportItem) -> ImportName {
    match arrival {
        ImportItem::Whole(memory) | ImportItem::Fallen(memory, _) => ImportName::Id(memory.id),
        ImportItem::New(newcomer) => ImportName::External(newcomer.draft.external_id.clone().unwrap_or_default()),
    }
}

fn display_name(arrival: &ImportItem) -> String {
    written(&name_of(arrival))
}

fn written(name: &ImportName) -> String {
    match name {
        ImportName::Id(id) => id.to_string(),
        ImportName::External(external) => external.clone(),
    }
}
