//! Queries: one memory in detail, lists, zones, counts.

use std::collections::HashMap;

use saegim_core::{
    Around, Candidate, CandidateVerdict, Deed, Hash, LedgerEntry, Link, Memory, MemoryForecast, MemoryId, MemoryState, Mood, Outlook,
    Score, SessionId, Source, Tier, Timestamp, Unit, Zone, fate,
};
use saegim_store::{CandidatePage, CliffMemory, Counts, Filter, Page};

use crate::EngineError;
use crate::retrieval::Retrieval;

/// Maximum number of memories that a query compares.
const COMPARED: usize = 2000;

/// A memory with everything that explains its state.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryDetails {
    /// The memory.
    pub memory: Memory,
    /// Current strength.
    pub strength: Unit,
    /// Current zone score, by part.
    pub nearness: Score,
    /// Cliff entry, if the memory is on the cliff.
    pub fallen: Option<CliffMemory>,
    /// Links from and to the memory.
    pub links: Vec<Link>,
    /// Linked memories: those it is derived from and those derived from it.
    pub kin: Vec<Memory>,
    /// Candidate from which the memory was created, if it comes from a turn.
    pub judged: Option<Candidate>,
    /// Forecast of its promotion or expiry.
    pub fate: MemoryForecast,
    /// Session it was archived with, if it is archived.
    pub archived_in: Option<SessionId>,
    /// Time when it will be archived, if nothing else happens and sessions are limited.
    pub archives_at: Option<Timestamp>,
    /// Ledger entries about it, in order.
    pub history: Vec<LedgerEntry>,
}

impl Retrieval<'_> {
    pub(crate) async fn show(&self, id: MemoryId) -> Result<MemoryDetails, EngineError> {
        self.mind.may(Deed::Read).await?;
        let (mut memory, archived_in) = match self.mind.get(id).await {
            Err(EngineError::NotFound(missing)) => match self.mind.removal().archive_with(id).await? {
                Some((memory, archive)) => (memory, Some(archive.session)),
                None => return Err(EngineError::NotFound(missing)),
            },
            found => (found?, None),
        };
        let mind = self.mind.mind().await?;
        // An archived memory has no vector and no links.
        let is_stored = archived_in.is_none();
        let context = if is_stored { self.mind.lifecycle().nearness_to_context(id).await? } else { Unit::ZERO };
        memory.zone_score = memory.nearness(context).score(self.mind.now(), &self.mind.policy().zone);
        let (turns, zone) = (mind.turns, &self.mind.inner.config.time_zone);
        let outlook = Outlook { now: self.mind.now(), looked_at: mind.walked_until(self.mind.now()), zone };
        let links = if is_stored { self.mind.store().links(self.mind.id, id).await? } else { Vec::new() };
        let ends: Vec<MemoryId> = links.iter().map(|link| if link.from == id { link.to } else { link.from }).collect();
        Ok(MemoryDetails {
            strength: memory.strength_at(turns, &self.mind.policy().strength),
            nearness: memory.nearness(context).explain(self.mind.now(), &self.mind.policy().zone),
            kin: self.mind.store().memories(self.mind.id, &ends).await?,
            judged: self.judged(&memory).await?,
            fate: self.forecast(&memory, outlook).await?,
            history: self
                .mind
                .store()
                .ledger_of(self.mind.id, id)
                .await?
                .into_iter()
                .filter(|entry| self.mind.reporting().may_see(entry))
                .collect(),
            fallen: self.mind.removal().cliff().await?.into_iter().find(|fallen| fallen.memory.id == id),
            archives_at: if is_stored { self.mind.removal().archived_at(&memory).await? } else { None },
            archived_in,
            links,
            memory,
        })
    }

    pub(crate) async fn text_history(&self, shown: &MemoryDetails) -> Result<Vec<Option<String>>, EngineError> {
        let mut known = vec![shown.memory.content.clone()];
        known.extend(self.mind.removal().cliff().await?.into_iter().map(|fallen| fallen.memory.content));
        known.extend(shown.judged.iter().map(|candidate| candidate.content.clone()));
        let known: HashMap<[u8; 32], String> =
            known.into_iter().map(|text| (*Hash::salted(self.mind.salt(), &text).bytes(), text)).collect();
        let text = |entry: &LedgerEntry| {
            let about = entry.memories.iter().find(|about| about.memory == shown.memory.id)?;
            known.get(about.digest.bytes()).cloned()
        };
        Ok(shown.history.iter().map(text).collect())
    }

    /// Returns the candidate from which a memory was created.
    async fn judged(&self, memory: &Memory) -> Result<Option<Candidate>, EngineError> {
        // An essence has no candidate of its own; only its originals do.
        if memory.source == Source::Distillation {
            return Ok(None);
        }
        let mut first = None;
        for turn in &memory.turns {
            let page = CandidatePage { limit: 1000, turn: Some(*turn), verdict: None };
            let own =
                self.mind.store().candidates(self.mind.id, page).await?.into_iter().filter(|candidate| candidate.memory == Some(memory.id));
            let own: Vec<Candidate> = own.collect();
            // Prefer the candidate that created the memory over those that reinforced it later.
            if let Some(stored) = own.iter().find(|candidate| candidate.verdict == CandidateVerdict::Stored) {
                return Ok(Some(stored.clone()));
            }
            first = first.or_else(|| own.into_iter().next());
        }
        Ok(first)
    }

    /// Forecasts what happens to a memory. Uses the same topic search as the next promotion round, but only if the tier is small
    /// enough to read at once.
    async fn forecast(&self, memory: &Memory, outlook: Outlook<'_>) -> Result<MemoryForecast, EngineError> {
        let mut around = self.around(memory).await?;
        let most = COMPARED + 1;
        let held = || self.mind.store().tier_holds(self.mind.id, Tier::M30, most);
        if memory.tier != Tier::M30 || memory.standing != MemoryState::Alive || held().await? == most {
            return Ok(fate(memory, around, outlook, self.mind.policy()));
        }
        let (found, least) = (self.mind.lifecycle().topic_of(memory).await?, self.mind.policy().promotion.m30_topic);
        // A memory whose topic already has an essence joins it, however few mentions there are.
        around.topic = if found.rises || found.has { found.told.max(least) } else { found.told.min(least.saturating_sub(1)) };
        let mut fate = fate(memory, around, outlook, self.mind.policy());
        if found.has {
            fate.rises = None;
        }
        Ok(fate)
    }

    /// Returns the context that promotion considers besides the memory itself.
    async fn around(&self, memory: &Memory) -> Result<Around, EngineError> {
        let mut around = Around { topic: memory.told(), ..Around::default() };
        if memory.tier == Tier::M365 {
            let believed = self.mind.store().current_self(self.mind.id).await?.map(|version| version.beliefs).unwrap_or_default();
            around.belief = believed.iter().any(|belief| belief.supporting.contains(&memory.id));
            around.founds = self.mind.self_model().founds(memory.id).await?;
        }
        Ok(around)
    }

    pub(crate) async fn by_external_id(&self, name: &str) -> Result<Option<MemoryId>, EngineError> {
        Ok(self.mind.store().by_external_id(self.mind.id, &[name.to_owned()]).await?.pop().map(|(_, id)| id))
    }

    pub(crate) async fn list(&self, filter: &Filter, page: Page) -> Result<Vec<Memory>, EngineError> {
        self.mind.may(Deed::Read).await?;
        let mut memories = self.mind.store().list(self.mind.id, filter, page).await?;
        memories.iter_mut().for_each(|memory| memory.zone_score = self.nearness(memory, self.mind.now()));
        Ok(memories)
    }

    pub(crate) async fn zone(&self, zone: Zone, limit: usize) -> Result<Vec<Memory>, EngineError> {
        let page = Page { limit: limit.max(COMPARED), before: None };
        let mut memories = self.list(&Filter { zone: Some(zone), ..Filter::default() }, page).await?;
        memories.sort_by(|one, other| other.zone_score.total_cmp(&one.zone_score).then_with(|| one.order().cmp(&other.order())));
        memories.truncate(limit);
        Ok(memories)
    }

    pub(crate) async fn counts(&self) -> Result<Counts, EngineError> {
        Ok(self.mind.store().counts(self.mind.id, self.mind.models().embedder_id()).await?)
    }

    pub(crate) async fn mood(&self) -> Result<Mood, EngineError> {
        Ok(self.mind.mind().await?.mood.at(self.mind.now(), &self.mind.policy().mood))
    }

    pub(crate) fn nearness(&self, memory: &Memory, now: Timestamp) -> f32 {
        memory.nearness(Unit::ZERO).score(now, &self.mind.policy().zone)
    }
}
