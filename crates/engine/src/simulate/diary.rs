//! The diary of a simulated life: what was counted, how full tiers and zones were each day, and what stood out.

use std::collections::BTreeMap;

use saegim_core::{
    CandidateVerdict, CliffReason, Emotions, LedgerEntry, Memory, MemoryId, Op, Principal, PromotionReason, Tier, Timestamp, Unit, Zone,
};
use serde::Serialize;

use crate::intake::observe::{FactNews, Observed};
use crate::lifecycle::maintenance::Ticked;
use crate::{EngineError, MindHandle};

/// How many examples of each kind are kept.
const EXAMPLES: usize = 4;

/// How many examples of what fell are gathered: some of them may be brought back.
const GATHERED: usize = 3 * EXAMPLES;

/// How many ledger entries are read at a time.
const PAGE: usize = 1000;

/// Everything that is counted while a life is lived.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Messages said by anyone.
    pub turns: usize,
    /// Messages with their answers.
    pub exchanges: usize,
    /// How candidates were judged.
    pub verdicts: BTreeMap<CandidateVerdict, usize>,
    /// Memories given by hand.
    pub given: usize,
    /// Memories that were brought back and used.
    pub used: usize,
    /// What is known of the user and how it changed.
    pub facts: FactTally,
    /// Essences made, by the tier they went to and why; one may have several reasons.
    pub promoted: BTreeMap<Tier, BTreeMap<PromotionReason, usize>>,
    /// Essences made or grown, by the tier they went to.
    pub essences: BTreeMap<Tier, usize>,
    /// How many essences were made, by tier; the others of those had grown.
    pub made: BTreeMap<Tier, usize>,
    /// Memories joined with others that told the same.
    pub joined: usize,
    /// Memories that had faded, or for which there was no room.
    pub pruned: usize,
    /// Memories whose time ran out.
    pub expired: usize,
    /// Memories let go by hand.
    pub let_go: usize,
    /// Memories brought back from the cliff.
    pub restored: usize,
    /// Memories gone for good after their days on the cliff.
    pub gone: usize,
    /// Memories erased at once.
    pub erased: usize,
    /// How often the caretaker looked.
    pub ticks: usize,
}

/// What is known of the user and how it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FactTally {
    /// New.
    pub learned: usize,
    /// Known and said again.
    pub mentioned: usize,
    /// Another value took the place of a known one.
    pub superseded: usize,
    /// No longer so.
    pub ended: usize,
}

/// How full tiers and zones were on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// The day, from 0.
    pub day: i64,
    /// Living memories by tier, from the shortest to the longest, at the end of the day.
    pub tiers: [u64; 4],
    /// Living memories by zone, from the centre outward, when most were at the core: core holds what the talk is about, and
    /// at midnight nobody talks. On a day on which nothing came so near, at its end.
    pub zones: [u64; 5],
    /// What waited on the cliff.
    pub cliff: u64,
}

/// A memory that was lost, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lost {
    /// Which memory.
    #[serde(skip)]
    pub memory: MemoryId,
    /// What it said.
    pub content: String,
    /// The tier it was in.
    pub tier: Tier,
    /// Why it fell.
    pub reason: CliffReason,
    /// Why, in the caretaker's words.
    pub note: String,
    /// How many days it had been alive.
    pub days: i64,
    /// How much it mattered.
    pub importance: Unit,
    /// The day it fell on.
    pub day: i64,
}

/// A memory that is still there, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kept {
    /// What it says.
    pub content: String,
    /// The tier it is in.
    pub tier: Tier,
    /// Why it was kept longer; nothing for what is in its first tier.
    pub because: Vec<PromotionReason>,
    /// How often it was recalled.
    pub recalls: u32,
    /// How often it came up again.
    pub mentions: u32,
    /// How much it matters.
    pub importance: Unit,
    /// What it feels like.
    pub emotions: Emotions,
    /// How many days it has been alive.
    pub days: i64,
}

/// What is written down while a life is lived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diary {
    pub(crate) tally: Tally,
    pub(crate) samples: Vec<Sample>,
    pub(crate) lost: BTreeMap<CliffReason, Vec<Lost>>,
    /// Why each essence was made.
    reasons: BTreeMap<MemoryId, Vec<PromotionReason>>,
    ledger_read: u64,
    cliff_read: Option<Timestamp>,
    nearest: Option<[u64; 5]>,
}

impl Diary {
    /// Takes down an exchange.
    pub(crate) fn observed(&mut self, observed: &Observed) {
        self.tally.exchanges += 1;
        self.tally.turns += observed.turns.len();
        self.tally.used += observed.used.len();
        for candidate in &observed.candidates {
            *self.tally.verdicts.entry(candidate.verdict).or_default() += 1;
        }
        observed.facts.iter().for_each(|news| self.tally.facts.count(news));
    }

    /// Takes down what the caretaker did.
    pub(crate) fn ticked(&mut self, ticked: &Ticked) {
        self.tally.ticks += 1;
        self.tally.expired += ticked.expired;
        self.tally.gone += ticked.gone;
        self.tally.joined += ticked.joined;
        self.tally.pruned += ticked.pruned;
    }

    /// Takes down zones at a moment at which something had come to the core.
    pub(crate) fn came_near(&mut self, zones: [u64; 5]) {
        if self.nearest.is_none_or(|before| zones[Zone::Core as usize] > before[Zone::Core as usize]) {
            self.nearest = Some(zones);
        }
    }

    /// Closes a day: how full everything is, what fell, what was kept longer. `start` is when day 0 began.
    pub(crate) async fn close_day(&mut self, mind: &MindHandle, day: i64, start: Timestamp) -> Result<(), EngineError> {
        let counts = mind.counts().await?;
        let zones = self.nearest.take().unwrap_or(counts.zones);
        self.samples.push(Sample { day, tiers: counts.tiers, zones, cliff: counts.on_cliff });
        if counts.on_cliff > 0 {
            self.read_cliff(mind, start).await?;
        }
        self.read_ledger(mind).await
    }

    /// Looks for what fell since the last look; whatever falls waits seven days, so a daily look misses nothing.
    async fn read_cliff(&mut self, mind: &MindHandle, start: Timestamp) -> Result<(), EngineError> {
        for fallen in mind.cliff().await? {
            let (memory, entry) = (fallen.memory, fallen.entry);
            if self.cliff_read.is_some_and(|read| entry.entered_at <= read) {
                continue;
            }
            let lost = Lost {
                memory: memory.id,
                content: memory.content,
                tier: memory.tier,
                reason: entry.reason,
                note: entry.note,
                days: entry.entered_at.since(memory.created_at).as_days() as i64,
                importance: memory.importance,
                day: day_of(entry.entered_at, start),
            };
            let examples = self.lost.entry(lost.reason).or_default();
            let place = examples.partition_point(|other| other.importance >= lost.importance);
            // One thing told in many ways is one example.
            if place < GATHERED && examples.iter().all(|other| saegim_core::restated(&other.content, &lost.content) < 0.5) {
                examples.insert(place, lost);
                examples.truncate(GATHERED);
            }
        }
        self.cliff_read = Some(mind.now());
        Ok(())
    }

    async fn read_ledger(&mut self, mind: &MindHandle) -> Result<(), EngineError> {
        loop {
            let entries = mind.ledger(self.ledger_read, PAGE).await?;
            for (entry, _) in &entries {
                self.ledger_read = entry.sequence;
                match entry.operation {
                    Op::Promote => self.promoted(entry),
                    Op::Forget => self.tally.let_go += entry.memories.len(),
                    Op::Restore if entry.principal != Principal::Worker => self.tally.restored += entry.memories.len(),
                    Op::Erase => self.tally.erased += entry.memories.len(),
                    Op::Recall => self.tally.used += entry.memories.len(),
                    _ => {}
                }
            }
            if entries.len() < PAGE {
                return Ok(());
            }
        }
    }

    fn promoted(&mut self, entry: &LedgerEntry) {
        let Some((tier, reasons)) = entry.note.as_deref().and_then(promotion_of) else { return };
        *self.tally.essences.entry(tier).or_default() += 1;
        let Some(essence) = entry.memories.first() else { return };
        if self.reasons.contains_key(&essence.memory) {
            return;
        }
        *self.tally.made.entry(tier).or_default() += 1;
        for reason in &reasons {
            *self.tally.promoted.entry(tier).or_default().entry(*reason).or_default() += 1;
        }
        self.reasons.insert(essence.memory, reasons);
    }

    /// Examples of what fell and was not brought back.
    pub(crate) fn lost(&self, alive: &[Memory]) -> Vec<Lost> {
        let stands = |lost: &&Lost| !alive.iter().any(|memory| memory.id == lost.memory);
        self.lost.values().flat_map(|examples| examples.iter().filter(stands).take(EXAMPLES)).cloned().collect()
    }

    /// The strongest of what is alive, as examples.
    pub(crate) fn kept(&self, memories: &[Memory], now: Timestamp) -> Vec<Kept> {
        let mut kept: Vec<Kept> = Vec::new();
        for tier in Tier::ALL.iter().rev() {
            let mut of_tier: Vec<&Memory> = memories.iter().filter(|memory| memory.tier == *tier).collect();
            let worth = |memory: &Memory| (memory.recalls, memory.mentions);
            of_tier.sort_by(|a, b| worth(b).cmp(&worth(a)).then(b.importance.get().total_cmp(&a.importance.get())).then(a.id.cmp(&b.id)));
            let mut examples: Vec<Kept> = Vec::new();
            for memory in of_tier {
                if examples.len() < EXAMPLES && examples.iter().all(|other| saegim_core::restated(&other.content, &memory.content) < 0.5) {
                    examples.push(self.example(memory, now));
                }
            }
            kept.extend(examples);
        }
        kept
    }

    fn example(&self, memory: &Memory, now: Timestamp) -> Kept {
        Kept {
            content: memory.content.clone(),
            tier: memory.tier,
            because: self.reasons.get(&memory.id).cloned().unwrap_or_default(),
            recalls: memory.recalls,
            mentions: memory.mentions,
            importance: memory.importance,
            emotions: memory.feeling.emotions,
            days: now.since(memory.created_at).as_days() as i64,
        }
    }
}

impl FactTally {
    fn count(&mut self, news: &FactNews) {
        match news.change {
            "new" => self.learned += 1,
            "mentioned" => self.mentioned += 1,
            "superseded" => self.superseded += 1,
            "ended" => self.ended += 1,
            _ => {}
        }
    }
}

/// The tier and the reasons in the note of a promotion: "to M90: repeated, recalled".
pub(crate) fn promotion_of(note: &str) -> Option<(Tier, Vec<PromotionReason>)> {
    let (tier, reasons) = note.strip_prefix("to ")?.split_once(": ")?;
    let reasons: Result<Vec<PromotionReason>, _> = reasons.split(", ").map(PromotionReason::parse).collect();
    Some((Tier::parse(tier).ok()?, reasons.ok()?))
}

/// Which day a moment belongs to, counted from the one life began on.
pub(crate) fn day_of(moment: Timestamp, start: Timestamp) -> i64 {
    (moment.millis() - start.millis()).div_euclid(86_400_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promotions_note_tells_its_tier_and_reasons() {
        assert_eq!(promotion_of("to M90: repeated, moved"), Some((Tier::M90, vec![PromotionReason::Repeated, PromotionReason::Moved])));
        assert_eq!(promotion_of("something else"), None);
    }
}
