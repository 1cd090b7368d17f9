//! Imports memories from other minds and programs.

use std::collections::{HashMap, HashSet};

use saegim_core::{
    Change, Deed, Feeling, Hash, Link, Memory, MemoryId, Op, Principal, Role, Standing, Strength, Tier, Unit, Zone, content, phrase,
};
use saegim_language::{RuleThinker, SkipReason, Utterance};

use crate::engine::retrying;
use crate::exchange::{Arrival, Bond, LeftOut, Name, Newcomer};
use crate::lifecycle::zone_occupancy::Nursery;
use crate::{Draft, EngineError, MindHandle};

/// Result of importing a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// Number of added memories.
    pub added: usize,
    /// Number of added memories that are on the cliff.
    pub on_cliff: usize,
    /// Number of memories that already existed, by id or external id.
    pub known: usize,
    /// Items that were skipped, with the reason.
    pub left_out: Vec<LeftOut>,
}

impl MindHandle {
    /// Imports a batch in one commit. Existing memories stay unchanged, so an interrupted import can be repeated.
    ///
    /// Memories of a saegim mind keep their ids, times, feelings, trust and terms, and the turns and islands that exist here; their
    /// zones are calculated again. Memories of another program get the trust of imports (0.7) and a term of `tier` from now on, and
    /// are judged here; text that tries to give instructions to the memory is skipped for the owner to review.
    pub async fn take_in(&self, arrivals: Vec<Arrival>, tier: Tier) -> Result<Imported, EngineError> {
        self.may(Deed::Import).await?;
        // If another process imports the same batch concurrently, the retry finds it as known.
        retrying(|| self.take_in_now(arrivals.clone(), tier)).await
    }

    async fn take_in_now(&self, arrivals: Vec<Arrival>, tier: Tier) -> Result<Imported, EngineError> {
        let mut known = self.known(&arrivals).await?;
        let (mut imported, mut nursery) = (Imported::default(), self.nursery().await?);
        let mut fresh: Vec<(Memory, Option<saegim_core::CliffEntry>)> = Vec::new();
        for arrival in arrivals {
            if !known.insert(name_of(&arrival)) {
                imported.known += 1;
                continue;
            }
            let what = display_name(&arrival);
            let taken = match arrival {
                Arrival::Whole(memory) => self.moved_in(*memory, &mut nursery).await.map(|memory| (memory, None)),
                Arrival::Fallen(_, entry) if entry.is_gone(self.now()) => {
                    let why = phrase!("engine.import.cliff_time_ended", gone_at = entry.gone_at);
                    imported.left_out.push(LeftOut { what, why });
                    continue;
                }
                Arrival::Fallen(memory, entry) => self.moved_in(*memory, &mut nursery).await.map(|memory| (memory, Some(entry))),
                Arrival::New(newcomer) => self.newcomer(*newcomer, tier, &mut nursery).await.map(|memory| (memory, None)),
            };
            match taken {
                Ok(taken) => fresh.push(taken),
                Err(EngineError::Invalid(invalid)) => imported.left_out.push(LeftOut { what, why: invalid.phrase() }),
                Err(EngineError::Unsure(why)) => imported.left_out.push(LeftOut { what, why }),
                Err(error) => return Err(error),
            }
        }
        self.name_once(&mut fresh).await?;
        imported.added = fresh.len();
        imported.on_cliff = fresh.iter().filter(|(_, entry)| entry.is_some()).count();
        if fresh.is_empty() {
            return Ok(imported);
        }
        let about: Vec<&Memory> = fresh.iter().map(|(memory, _)| memory).collect();
        let mut commit = self.commit_as(Principal::Owner, Op::Import, &about);
        let vectors = self.vectors_of(&about).await;
        for (mut memory, entry) in fresh {
            match entry {
                None => commit.changes.push(Change::MemoryAdded(Box::new(memory))),
                Some(entry) => {
                    memory.standing = Standing::OnCliff;
                    commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
                    commit.changes.push(Change::CliffEntered(Box::new(memory), entry));
                }
            }
        }
        commit.changes.extend(vectors);
        self.write(commit).await?;
        self.inner.births.unknown(self.id);
        Ok(imported)
    }

    /// Ensures that each external id belongs to one live memory: the existing one, otherwise the first of the batch.
    async fn name_once(&self, fresh: &mut [(Memory, Option<saegim_core::CliffEntry>)]) -> Result<(), EngineError> {
        let names: Vec<String> = fresh.iter().filter_map(|(memory, _)| memory.external_id.clone()).collect();
        let ids: Vec<MemoryId> = self.store().by_external_id(self.id, &names).await?.into_iter().map(|(_, id)| id).collect();
        let here = self.store().memories(self.id, &ids).await?;
        let alive = here.into_iter().filter(|memory| memory.standing == Standing::Alive);
        let mut taken: HashSet<String> = alive.filter_map(|memory| memory.external_id).collect();
        for (memory, _) in fresh.iter_mut().filter(|(_, entry)| entry.is_none()) {
            memory.external_id = memory.external_id.take().filter(|name| taken.insert(name.clone()));
        }
        Ok(())
    }

    /// Creates links between imported memories. Returns the number of new links and the links that could not be created.
    pub async fn bind(&self, bonds: &[Bond]) -> Result<(usize, Vec<LeftOut>), EngineError> {
        self.may(Deed::Import).await?;
        let ends: Vec<&Name> = bonds.iter().flat_map(|bond| [&bond.from, &bond.to]).collect();
        let ids = self.ids_of(&ends).await?;
        let mut here: HashSet<Link> = self.store().all_links(self.id).await?.into_iter().collect();
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
                    left_out.push(LeftOut { what, why: phrase!("engine.import.link_end_missing") });
                }
            }
        }
        for batch in links.chunks(500) {
            let mut commit = self.commit_as(Principal::Owner, Op::Import, &[]).because(format!("{} links", batch.len()));
            commit.changes.extend(batch.iter().copied().map(Change::LinkAdded));
            self.write(commit).await?;
        }
        Ok((links.len(), left_out))
    }

    /// Returns the names of arrivals that already exist here.
    async fn known(&self, arrivals: &[Arrival]) -> Result<HashSet<Name>, EngineError> {
        let names: Vec<Name> = arrivals.iter().map(name_of).collect();
        Ok(self.ids_of(&names.iter().collect::<Vec<_>>()).await?.into_keys().collect())
    }

    /// Resolves names to the memories of this mind. An external id may be the id of a memory that was exported from this mind.
    async fn ids_of(&self, names: &[&Name]) -> Result<HashMap<Name, MemoryId>, EngineError> {
        let external: Vec<String> = names
            .iter()
            .filter_map(|name| match name {
                Name::External(external) => Some(external.clone()),
                Name::Id(_) => None,
            })
            .collect();
        let mut found: HashMap<Name, MemoryId> =
            self.store().by_external_id(self.id, &external).await?.into_iter().map(|(name, id)| (Name::External(name), id)).collect();
        let meant = |name: &&Name| match name {
            Name::Id(id) => Some(*id),
            Name::External(external) => MemoryId::parse(external).ok(),
        };
        let ids: Vec<MemoryId> = names.iter().filter_map(meant).collect();
        let here: HashSet<MemoryId> = self.store().memories(self.id, &ids).await?.iter().map(|memory| memory.id).collect();
        for name in names {
            if let Some(id) = meant(name).filter(|id| here.contains(id)) {
                found.entry((*name).clone()).or_insert(id);
            }
        }
        Ok(found)
    }

    /// Adapts a memory of another mind to this one.
    async fn moved_in(&self, mut memory: Memory, nursery: &mut Nursery) -> Result<Memory, EngineError> {
        memory.content = content(&memory.content)?;
        memory.standing = Standing::Alive;
        memory.revision = 0;
        let here = self.store().turns_by_id(self.id, &memory.turns).await?;
        memory.turns.retain(|turn| here.iter().any(|known| known.id == *turn));
        if let Some(id) = memory.island {
            let here = self.store().islands(self.id).await?.iter().any(|island| island.id == id);
            memory.island = Some(id).filter(|_| here);
        }
        memory.strength = Strength { as_of_turn: nursery.turns, ..memory.strength };
        // A memory that a client stored under an external id without an expiry keeps none.
        if memory.tier != Tier::M0 && memory.is_endless() && memory.external_id.is_none() {
            memory.expires_at = memory.tier.expires(self.now(), &self.policy().tier);
        }
        Ok(self.placed(memory, nursery))
    }

    fn placed(&self, mut memory: Memory, nursery: &mut Nursery) -> Memory {
        let policy = &self.policy().zone;
        memory.zone_score = memory.nearness(Unit::ZERO).score(self.now(), policy);
        memory.zone = nursery.zone(Zone::of(memory.zone_score, policy), policy);
        nursery.born(memory.zone);
        memory
    }

    /// Converts an item of another program to a memory of this mind.
    async fn newcomer(&self, newcomer: Newcomer, tier: Tier, nursery: &mut Nursery) -> Result<Memory, EngineError> {
        content(&newcomer.draft.content)?;
        if newcomer.expires_at.is_some_and(|end| end <= self.now()) {
            return Err(EngineError::Unsure(phrase!("engine.import.already_expired")));
        }
        if self.commands(&newcomer.draft.content).await? {
            return Err(EngineError::Unsure(phrase!("engine.import.injection")));
        }
        let born = newcomer.draft.born;
        let external = newcomer.draft.external_id.clone().unwrap_or_default();
        let mut memory = self.intake().conceive(Draft { tier: Some(tier), ..newcomer.draft }).await?;
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
        memory.importance = memory.weighed(0, &self.policy().importance);
        Ok(self.placed(memory, nursery))
    }

    /// Returns the tier and expiry of an imported item: a full term of `tier`, or its original expiry with the longest tier that is
    /// not longer.
    fn term(&self, tier: Tier, ends: Option<saegim_core::Timestamp>) -> (Tier, Option<saegim_core::Timestamp>) {
        let policy = &self.policy().tier;
        let Some(ends) = ends else { return (tier, tier.expires(self.now(), policy)) };
        let fits = |tier: &&Tier| tier.expires(self.now(), policy).is_some_and(|whole| whole <= ends);
        (Tier::ALL.iter().rev().find(fits).copied().unwrap_or(Tier::M30), Some(ends))
    }

    /// Checks whether a text tries to give instructions to the memory or the character. Returns false without a thinker.
    async fn commands(&self, text: &str) -> Result<bool, EngineError> {
        if self.thinker.is_none() {
            return Ok(false);
        }
        let (user, character) = (self.key().user(), self.key().character());
        let utterance = Utterance { role: Role::User, text, at: self.now(), user, character, before: None };
        // Imports always use the rules: they detect instructions best, and a model would be called thousands of times.
        let reading = RuleThinker.read(&utterance);
        Ok(reading.left_alone.iter().any(|(_, why)| *why == SkipReason::Instruction))
    }

    /// Returns the vectors of memories whose script the embedder supports. The next tick creates missing ones.
    pub(crate) async fn vectors_of(&self, memories: &[&Memory]) -> Vec<Change> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else { return Vec::new() };
        let known: Vec<&&Memory> = memories.iter().filter(|memory| embedder.knows(&memory.content)).collect();
        let texts: Vec<&str> = known.iter().map(|memory| memory.content.as_str()).collect();
        if texts.is_empty() {
            return Vec::new();
        }
        match self.inner.vectors_at_leisure(&texts).await {
            Ok(vectors) => known.iter().zip(vectors).map(|(memory, vector)| self.embedded(memory.id, vector)).collect(),
            Err(_) => Vec::new(),
        }
    }
}

/// Returns the name that identifies an arrival.
fn name_of(arrival: &Arrival) -> Name {
    match arrival {
        Arrival::Whole(memory) | Arrival::Fallen(memory, _) => Name::Id(memory.id),
        Arrival::New(newcomer) => Name::External(newcomer.draft.external_id.clone().unwrap_or_default()),
    }
}

fn display_name(arrival: &Arrival) -> String {
    written(&name_of(arrival))
}

fn written(name: &Name) -> String {
    match name {
        Name::Id(id) => id.to_string(),
        Name::External(external) => external.clone(),
    }
}
