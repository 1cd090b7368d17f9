//! Statistics of a simulation: counts, the occupancy of tiers and zones by day, and examples.

use std::collections::BTreeMap;

use saegim_core::{
    CandidateVerdict, CliffReason, Emotions, LedgerEntry, Memory, MemoryId, Op, Principal, PromotionReason, Tier, Timestamp, Unit, Zone,
};
use serde::Serialize;

use saegim_engine::TickResult;
use saegim_engine::{EngineError, MindHandle};
use saegim_engine::{FactNews, Observed};

/// Number of reported examples of each kind.
const EXAMPLES: usize = 4;

/// Number of collected examples of lost memories. Larger than `EXAMPLES`, because some may be restored.
const GATHERED: usize = 3 * EXAMPLES;

/// Number of ledger entries per page.
const PAGE: usize = 1000;

/// Counts of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SimulationCounts {
    /// Messages by anyone.
    pub turns: usize,
    /// Exchanges.
    pub exchanges: usize,
    /// Candidates by verdict.
    pub verdicts: BTreeMap<CandidateVerdict, usize>,
    /// Memories stored explicitly.
    pub given: usize,
    /// Recalls.
    pub used: usize,
    /// Changes of facts about the user.
    pub facts: FactTally,
    /// Promotions by target tier and reason. A promotion can have several reasons.
    pub promoted: BTreeMap<Tier, BTreeMap<PromotionReason, usize>>,
    /// Essences created or extended, by target tier.
    pub essences: BTreeMap<Tier, usize>,
    /// Essences created, by tier. The rest of `essences` are extensions.
    pub made: BTreeMap<Tier, usize>,
    /// Memories merged with others of the same content.
    pub joined: usize,
    /// Memories pruned because they had faded or for lack of room.
    pub pruned: usize,
    /// Expired memories.
    pub expired: usize,
    /// Memories forgotten manually.
    #[serde(rename = "let_go")]
    pub forgotten: usize,
    /// Memories restored from the cliff.
    pub restored: usize,
    /// Memories permanently deleted after their time on the cliff.
    pub gone: usize,
    /// Memories erased immediately.
    pub erased: usize,
    /// Maintenance runs.
    pub ticks: usize,
}

/// Changes of facts about the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FactTally {
    /// New facts.
    pub learned: usize,
    /// Known facts mentioned again.
    pub mentioned: usize,
    /// Facts superseded by another value.
    pub superseded: usize,
    /// Facts that ended.
    pub ended: usize,
}

/// Occupancy of tiers and zones on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Day, from 0.
    pub day: i64,
    /// Living memories by tier, from the shortest to the longest, at the end of the day.
    pub tiers: [u64; 4],
    /// Living memories by zone, from the core outward, at the time of the day when the core zone was fullest: the core zone
    /// follows the conversation, and there is none at midnight. At the end of the day if nothing reached the core zone.
    pub zones: [u64; 5],
    /// Memories on the cliff.
    pub cliff: u64,
}

/// A lost memory and the reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostMemory {
    /// Id of the memory.
    #[serde(skip)]
    pub memory: MemoryId,
    /// Content.
    pub content: String,
    /// Tier.
    pub tier: Tier,
    /// Reason why it moved to the cliff.
    pub reason: CliffReason,
    /// Note of the worker.
    pub note: String,
    /// Age in days when it was lost.
    pub days: i64,
    /// Importance.
    pub importance: Unit,
    /// Day on which it was lost.
    pub day: i64,
}

/// A remaining memory and the reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RemainingMemory {
    /// Content.
    pub content: String,
    /// Tier.
    pub tier: Tier,
    /// Promotion reasons; empty in the first tier.
    pub because: Vec<PromotionReason>,
    /// Number of recalls.
    pub recalls: u32,
    /// Number of further mentions.
    pub mentions: u32,
    /// Importance.
    pub importance: Unit,
    /// Emotions.
    pub emotions: Emotions,
    /// Age in days.
    pub days: i64,
}

/// Data collected during a simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diary {
    pub(crate) tally: SimulationCounts,
    pub(crate) samples: Vec<Sample>,
    pub(crate) lost: BTreeMap<CliffReason, Vec<LostMemory>>,
    /// Promotion reasons of each essence.
    reasons: BTreeMap<MemoryId, Vec<PromotionReason>>,
    ledger_read: u64,
    cliff_read: Option<Timestamp>,
    nearest: Option<[u64; 5]>,
}

impl Diary {
    /// Records an exchange.
    pub(crate) fn observed(&mut self, observed: &Observed) {
        self.tally.exchanges += 1;
        self.tally.turns += observed.turns.len();
        self.tally.used += observed.used.len();
        for candidate in &observed.candidates {
            *self.tally.verdicts.entry(candidate.verdict).or_default() += 1;
        }
        observed.facts.iter().for_each(|news| self.tally.facts.count(news));
    }

    /// Records a maintenance run.
    pub(crate) fn ticked(&mut self, ticked: &TickResult) {
        self.tally.ticks += 1;
        self.tally.expired += ticked.expired;
        self.tally.gone += ticked.gone;
        self.tally.joined += ticked.joined;
        self.tally.pruned += ticked.pruned;
    }

    /// Records the zones at a time when a memory reached the core zone.
    pub(crate) fn came_near(&mut self, zones: [u64; 5]) {
        if self.nearest.is_none_or(|before| zones[Zone::Core as usize] > before[Zone::Core as usize]) {
            self.nearest = Some(zones);
        }
    }

    /// Closes a day: records the occupancy, lost memories and promotions. `start` is the start of day 0.
    pub(crate) async fn close_day(&mut self, mind: &MindHandle, day: i64, start: Timestamp) -> Result<(), EngineError> {
        let counts = mind.counts().await?;
        let zones = self.nearest.take().unwrap_or(counts.zones);
        self.samples.push(Sample { day, tiers: counts.tiers, zones, cliff: counts.on_cliff });
        if counts.on_cliff > 0 {
            self.read_cliff(mind, start).await?;
        }
        self.read_ledger(mind).await
    }

    /// Records memories that moved to the cliff since the last call. They stay there for seven days, so a daily call misses none.
    async fn read_cliff(&mut self, mind: &MindHandle, start: Timestamp) -> Result<(), EngineError> {
        for fallen in mind.cliff().await? {
            let (memory, entry) = (fallen.memory, fallen.entry);
            if self.cliff_read.is_some_and(|read| entry.entered_at <= read) {
                continue;
            }
            let lost = LostMemory {
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
            // Skip restatements of an earlier example.
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
                    Op::Forget => self.tally.forgotten += entry.memories.len(),
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

    /// Returns examples of lost memories that were not restored.
    pub(crate) fn lost(&self, alive: &[Memory]) -> Vec<LostMemory> {
        let stands = |lost: &&LostMemory| !alive.iter().any(|memory| memory.id == lost.memory);
        self.lost.values().flat_map(|examples| examples.iter().filter(stands).take(EXAMPLES)).cloned().collect()
    }

    /// Returns examples of living memories, the most recalled first.
    pub(crate) fn kept(&self, memories: &[Memory], now: Timestamp) -> Vec<RemainingMemory> {
        let mut kept: Vec<RemainingMemory> = Vec::new();
        for tier in Tier::ALL.iter().rev() {
            let mut of_tier: Vec<&Memory> = memories.iter().filter(|memory| memory.tier == *tier).collect();
            let worth = |memory: &Memory| (memory.recalls, memory.mentions);
            of_tier.sort_by(|a, b| worth(b).cmp(&worth(a)).then(b.importance.get().total_cmp(&a.importance.get())).then(a.id.cmp(&b.id)));
            let mut examples: Vec<RemainingMemory> = Vec::new();
            for memory in of_tier {
                if examples.len() < EXAMPLES && examples.iter().all(|other| saegim_core::restated(&other.content, &memory.content) < 0.5) {
                    examples.push(self.example(memory, now));
                }
            }
            kept.extend(examples);
        }
        kept
    }

    fn example(&self, memory: &Memory, now: Timestamp) -> RemainingMemory {
        RemainingMemory {
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

/// Parses the note of a promotion into tier and reasons: "to M90: repeated, recalled".
pub(crate) fn promotion_of(note: &str) -> Option<(Tier, Vec<PromotionReason>)> {
    let (tier, reasons) = note.strip_prefix("to ")?.split_once(": ")?;
    let reasons: Result<Vec<PromotionReason>, _> = reasons.split(", ").map(PromotionReason::parse).collect();
    Some((Tier::parse(tier).ok()?, reasons.ok()?))
}

/// Returns the day of a time, counted from `start`.
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
