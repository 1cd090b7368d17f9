//! Looking at a mind: one memory's life, zones, numbers.

use std::collections::HashMap;

use saegim_core::{
    Around, Candidate, CandidateVerdict, Deed, Fate, Hash, LedgerEntry, Link, Memory, MemoryId, Mood, Outlook, Score, SessionId, Source,
    Standing, Tier, Timestamp, Unit, Zone, fate,
};
use saegim_store::{CandidatePage, Counts, Fallen, Filter, Page};

use crate::{EngineError, MindHandle};

/// How many memories of a tier are compared for the sake of showing one.
const COMPARED: u64 = 2000;

/// A memory with everything that explains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The memory.
    pub memory: Memory,
    /// How vivid it is now.
    pub strength: Unit,
    /// How near to mind it is now, part by part.
    pub nearness: Score,
    /// Where it waits, if it is on the cliff.
    pub fallen: Option<Fallen>,
    /// Links from and to it.
    pub links: Vec<Link>,
    /// What it is derived from, and what is derived from it.
    pub kin: Vec<Memory>,
    /// How it was judged when it came, if it was taken from what was said.
    pub judged: Option<Candidate>,
    /// What awaits it.
    pub fate: Fate,
    /// The session it was put away with, if it was.
    pub put_away: Option<SessionId>,
    /// When it is put away, if nothing else happens and sessions have limits.
    pub put_away_at: Option<Timestamp>,
    /// Everything the ledger tells of it, in order.
    pub history: Vec<LedgerEntry>,
}

impl MindHandle {
    /// A memory's life: what it is, why it is where it is, what happened to it.
    pub async fn show(&self, id: MemoryId) -> Result<Shown, EngineError> {
        self.may(Deed::Read).await?;
        let (mut memory, put_away) = match self.get(id).await {
            Err(EngineError::NotFound(missing)) => match self.put_away_in(id).await? {
                Some((memory, archive)) => (memory, Some(archive.session)),
                None => return Err(EngineError::NotFound(missing)),
            },
            found => (found?, None),
        };
        let mind = self.mind().await?;
        // What was put away has neither a vector nor links at hand.
        let at_hand = put_away.is_none();
        let context = if at_hand { self.nearness_to_context(id).await? } else { Unit::ZERO };
        memory.zone_score = memory.nearness(context).score(self.now(), &self.policy().zone);
        let (turns, zone) = (mind.turns, &self.inner.config.time_zone);
        let outlook = Outlook { now: self.now(), looked_at: mind.walked_until(self.now()), zone };
        let links = if at_hand { self.store().links(self.id, id).await? } else { Vec::new() };
        let ends: Vec<MemoryId> = links.iter().map(|link| if link.from == id { link.to } else { link.from }).collect();
        Ok(Shown {
            strength: memory.strength_at(turns, &self.policy().strength),
            nearness: memory.nearness(context).explain(self.now(), &self.policy().zone),
            kin: self.store().memories(self.id, &ends).await?,
            judged: self.judged(&memory).await?,
            fate: self.fate_of(&memory, outlook).await?,
            history: self.store().ledger_of(self.id, id).await?.into_iter().filter(|entry| self.may_see(entry)).collect(),
            fallen: self.cliff().await?.into_iter().find(|fallen| fallen.memory.id == id),
            put_away_at: if at_hand { self.put_away_at(&memory).await? } else { None },
            put_away,
            links,
            memory,
        })
    }

    /// What a memory said after each step of its history, where anyone still knows: what an agent rewrote waits on the
    /// cliff beside it, what it was taken from is told with how it was judged, and the ledger's hash tells which text it was.
    pub async fn texts_then(&self, shown: &Shown) -> Result<Vec<Option<String>>, EngineError> {
        let mut known = vec![shown.memory.content.clone()];
        known.extend(self.cliff().await?.into_iter().map(|fallen| fallen.memory.content));
        known.extend(shown.judged.iter().map(|candidate| candidate.content.clone()));
        let known: HashMap<[u8; 32], String> = known.into_iter().map(|text| (*Hash::salted(self.salt(), &text).bytes(), text)).collect();
        let text = |entry: &LedgerEntry| {
            let about = entry.memories.iter().find(|about| about.memory == shown.memory.id)?;
            known.get(about.digest.bytes()).cloned()
        };
        Ok(shown.history.iter().map(text).collect())
    }

    /// How a memory was judged when it came.
    async fn judged(&self, memory: &Memory) -> Result<Option<Candidate>, EngineError> {
        // An essence was not judged; what it rests on was.
        if memory.source == Source::Distillation {
            return Ok(None);
        }
        let mut first = None;
        for turn in &memory.turns {
            let page = CandidatePage { limit: 1000, turn: Some(*turn), verdict: None };
            let own = self.store().candidates(self.id, page).await?.into_iter().filter(|candidate| candidate.memory == Some(memory.id));
            let own: Vec<Candidate> = own.collect();
            // What made it stronger later is not why it was kept.
            if let Some(stored) = own.iter().find(|candidate| candidate.verdict == CandidateVerdict::Stored) {
                return Ok(Some(stored.clone()));
            }
            first = first.or_else(|| own.into_iter().next());
        }
        Ok(first)
    }

    /// What awaits a memory. Whether it goes up with its topic is what the next round itself would find; a topic is only looked
    /// for among as many as can be read at once.
    async fn fate_of(&self, memory: &Memory, outlook: Outlook<'_>) -> Result<Fate, EngineError> {
        let mut around = self.around(memory).await?;
        let counts = self.counts().await?;
        if memory.tier != Tier::M30 || memory.standing != Standing::Alive || counts.tiers[Tier::M30 as usize] > COMPARED {
            return Ok(fate(memory, around, outlook, self.policy()));
        }
        let (found, least) = (self.topic_of(memory).await?, self.policy().promotion.m30_topic);
        // More of a topic that has its essence joins it however little was told since.
        around.topic = if found.rises || found.has { found.told.max(least) } else { found.told.min(least.saturating_sub(1)) };
        let mut fate = fate(memory, around, outlook, self.policy());
        if found.has {
            fate.rises = None;
        }
        Ok(fate)
    }

    /// What promotion looks at beside the memory itself.
    async fn around(&self, memory: &Memory) -> Result<Around, EngineError> {
        let mut around = Around { topic: memory.told(), ..Around::default() };
        if memory.tier == Tier::M365 {
            let believed = self.store().current_self(self.id).await?.map(|version| version.beliefs).unwrap_or_default();
            around.belief = believed.iter().any(|belief| belief.supporting.contains(&memory.id));
            around.founds = self.founds(memory.id).await?;
        }
        Ok(around)
    }

    /// The memory that bore this name elsewhere, alive or on the cliff.
    pub async fn by_external_id(&self, name: &str) -> Result<Option<MemoryId>, EngineError> {
        Ok(self.store().by_external_id(self.id, &[name.to_owned()]).await?.pop().map(|(_, id)| id))
    }

    /// Alive memories that pass, newest first.
    pub async fn list(&self, filter: &Filter, page: Page) -> Result<Vec<Memory>, EngineError> {
        self.may(Deed::Read).await?;
        let mut memories = self.store().list(self.id, filter, page).await?;
        memories.iter_mut().for_each(|memory| memory.zone_score = self.nearness(memory, self.now()));
        Ok(memories)
    }

    /// The memories of a zone, nearest to mind first, at most `limit`; of a zone that holds more than can be compared, among its
    /// newest.
    pub async fn zone(&self, zone: Zone, limit: usize) -> Result<Vec<Memory>, EngineError> {
        let page = Page { limit: limit.max(COMPARED as usize), before: None };
        let mut memories = self.list(&Filter { zone: Some(zone), ..Filter::default() }, page).await?;
        memories.sort_by(|one, other| other.zone_score.total_cmp(&one.zone_score));
        memories.truncate(limit);
        Ok(memories)
    }

    /// How much there is.
    pub async fn counts(&self) -> Result<Counts, EngineError> {
        Ok(self.store().counts(self.id, self.embedder_id()).await?)
    }

    /// What the character feels now.
    pub async fn mood(&self) -> Result<Mood, EngineError> {
        Ok(self.mind().await?.mood.at(self.now(), &self.policy().mood))
    }

    /// How near to mind a memory is at `now`, context aside.
    pub fn nearness(&self, memory: &Memory, now: Timestamp) -> f32 {
        memory.nearness(Unit::ZERO).score(now, &self.policy().zone)
    }
}
