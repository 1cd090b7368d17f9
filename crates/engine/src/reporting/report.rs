//! Report on a mind for a period: new memories, recalls, promotions, and losses with their reasons.

use std::collections::{BTreeMap, HashMap, HashSet};

use saegim_core::{
    Axis, Deed, Fact, Hash, Idempotency, LedgerEntry, Memory, MemoryId, MemoryState, Op, Principal, PromotionReason, Timestamp,
};
use saegim_store::{CliffMemory, Counts};
use serde::Serialize;

use crate::EngineError;
use crate::reporting::Reporting;

/// Number of ledger entries per page.
const PAGE: usize = 1000;

/// Maximum number of memories listed as most recalled.
const NAMED: usize = 10;

/// An essence that was created or extended by a promotion.
#[derive(Clone, Debug, PartialEq)]
pub struct PromotedEssence {
    /// Current state of the essence, if it still exists.
    pub essence: Option<Memory>,
    /// Time of its creation or of its first extension in the period.
    pub at: Timestamp,
    /// Reasons of all these promotions.
    pub reasons: Vec<PromotionReason>,
    /// Number of these promotions.
    pub times: usize,
}

/// Why a memory that is permanently deleted had been forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// It expired.
    Expired,
    /// It had faded or there was no room.
    Faded,
    /// It was merged with memories of the same content.
    Joined,
    /// Someone forgot it manually.
    LetGo,
}

/// Report on a period.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Start of the period, inclusive.
    pub since: Timestamp,
    /// End of the period, exclusive.
    pub until: Timestamp,
    /// Number of exchanges.
    pub exchanges: usize,
    /// Number of new memories.
    pub born: usize,
    /// Number of recalls.
    pub recalls: usize,
    /// Most recalled memories with their number of recalls.
    pub most_recalled: Vec<(Memory, usize)>,
    /// Promotions, one entry per essence.
    pub risen: Vec<PromotedEssence>,
    /// Number of memories that were merged into others.
    pub joined: usize,
    /// Memories that moved to the cliff and can still be restored; the next to be deleted first.
    pub fallen: Vec<CliffMemory>,
    /// Those of `fallen` that have an essence in a longer tier.
    pub distilled: Vec<MemoryId>,
    /// Number of memories that moved to the cliff, including those that were restored or deleted since.
    pub fell: usize,
    /// Number of memories that were restored.
    pub restored: usize,
    /// Number of memories that were permanently deleted after seven days on the cliff.
    pub gone: usize,
    /// Reasons why those had been forgotten, most frequent first.
    pub gone_for: Vec<(Loss, usize)>,
    /// Number of memories that were erased immediately.
    pub erased: usize,
    /// Number of memories that were archived with their session.
    pub archived: usize,
    /// Facts that became valid in the period and still are.
    pub learned: Vec<Fact>,
    /// Facts that stopped being valid in the period.
    pub over: Vec<Fact>,
    /// Total change of each axis of the relationship.
    pub moved: Vec<(Axis, f32)>,
    /// Current counts.
    pub counts: Counts,
}

/// A completed year.
#[derive(Clone, Copy)]
pub(crate) struct Year {
    /// Start of the year, or creation time of the mind if that is later.
    pub(crate) began: Timestamp,
    /// End of the year.
    pub(crate) ended: Timestamp,
    /// Number of times a clock had been found to be ahead by then.
    pub(crate) returns: u32,
}

/// Totals from the ledger entries of the period.
#[derive(Default)]
struct Tally {
    /// Whether there are any entries.
    lived: bool,
    exchanges: usize,
    born: HashSet<MemoryId>,
    recalled: HashMap<MemoryId, usize>,
    risen: Vec<(MemoryId, PromotedEssence)>,
    joined: usize,
    fell: usize,
    restored: usize,
    gone: usize,
    gone_for: BTreeMap<Loss, usize>,
    erased: usize,
    archived: usize,
    /// Reason of the last loss of each memory, at any time.
    lost: HashMap<MemoryId, Loss>,
}

impl Tally {
    /// Records the reason of a loss. A memory deleted in the period may have been forgotten before it.
    fn note_loss(&mut self, entry: &LedgerEntry) {
        let loss = match entry.operation {
            Op::Expire => Loss::Expired,
            Op::Prune => Loss::Faded,
            // The entry also lists the merged memory. It is alive; if it is lost later, another entry overwrites this reason.
            Op::Consolidate => Loss::Joined,
            Op::Forget | Op::Withdraw | Op::Approve | Op::Undo => Loss::LetGo,
            _ => return,
        };
        self.lost.extend(entry.memories.iter().map(|reference| (reference.memory, loss)));
    }

    fn take(&mut self, entry: &LedgerEntry, since: Timestamp) {
        let count = entry.memories.len();
        self.lived = true;
        match entry.operation {
            Op::Observe => self.exchanges += 1,
            Op::Recall => entry.memories.iter().for_each(|reference| self.recalled(reference.memory)),
            Op::Promote => {
                let words = entry.note.as_deref().and_then(|note| note.split_once(": ")).map_or("", |(_, words)| words);
                let reasons = words.split(", ").filter_map(|word| PromotionReason::parse(word).ok()).collect();
                if let Some(essence) = entry.memories.first() {
                    self.rose(essence.memory, entry.at, reasons);
                }
            }
            // The note starts with the number of merged memories, if there are any.
            Op::Consolidate => {
                let joined = entry.note.as_deref().and_then(|note| note.split(' ').next()?.parse::<usize>().ok()).unwrap_or(0);
                self.joined += joined;
                self.fell += joined;
            }
            Op::Forget | Op::Expire | Op::Prune => self.fell += count,
            // Repairs by the worker after a pause or a wrong clock do not count as restores.
            Op::Restore if entry.principal != Principal::Worker => self.restored += count,
            Op::Purge => {
                self.gone += count;
                for loss in entry.memories.iter().filter_map(|reference| self.lost.get(&reference.memory)) {
                    *self.gone_for.entry(*loss).or_default() += 1;
                }
            }
            Op::Erase => {
                let words = entry.note.as_deref().and_then(|note| note.split_once("; ")).map_or("", |(_, words)| words);
                let reworded = words.strip_suffix(" worded anew").and_then(|count| count.parse().ok()).unwrap_or(0);
                self.erased += count.saturating_sub(reworded);
            }
            Op::Archive if entry.note.as_deref().is_some_and(|note| note.ends_with("put away")) => self.archived += count,
            _ => {}
        }
        // Essences are not counted as new memories, because they are derived from existing ones.
        if matches!(entry.operation, Op::Remember | Op::Observe | Op::Import) {
            let new = entry.memories.iter().map(|reference| reference.memory).filter(|memory| memory.made_at() >= since);
            self.born.extend(new);
        }
        entry.used.iter().for_each(|memory| self.recalled(*memory));
    }

    fn recalled(&mut self, memory: MemoryId) {
        *self.recalled.entry(memory).or_default() += 1;
    }

    fn rose(&mut self, essence: MemoryId, at: Timestamp, reasons: Vec<PromotionReason>) {
        let known = self.risen.iter().position(|(known, _)| *known == essence);
        let place = known.unwrap_or_else(|| {
            self.risen.push((essence, PromotedEssence { essence: None, at, reasons: Vec::new(), times: 0 }));
            self.risen.len() - 1
        });
        let risen = &mut self.risen[place].1;
        risen.times += 1;
        risen.reasons.extend(reasons);
        risen.reasons.sort();
        risen.reasons.dedup();
    }
}

impl Reporting<'_> {
    pub(crate) async fn report(&self, since: Timestamp, until: Timestamp) -> Result<Report, EngineError> {
        self.mind.may(Deed::Read).await?;
        let tally = self.tally(since, until).await?;
        let within = |at: Timestamp| at >= since && at < until;
        let mut ranked: Vec<(MemoryId, usize)> = tally.recalled.iter().map(|(memory, count)| (*memory, *count)).collect();
        ranked.sort_by_key(|(memory, count)| (std::cmp::Reverse(*count), *memory));
        ranked.truncate(NAMED);
        let mut most_recalled = Vec::new();
        for (id, count) in ranked {
            most_recalled.extend(self.mind.store().memories(self.mind.id, &[id]).await?.pop().map(|memory| (memory, count)));
        }
        let mut risen = Vec::new();
        for (id, rose) in tally.risen {
            risen.push(PromotedEssence { essence: self.mind.store().memories(self.mind.id, &[id]).await?.pop(), ..rose });
        }
        let mut gone_for: Vec<(Loss, usize)> = tally.gone_for.into_iter().collect();
        gone_for.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let facts = self.mind.store().facts(self.mind.id).await?;
        let (learned, over) = (
            facts.iter().filter(|fact| within(fact.valid_from) && fact.is_current()).cloned().collect(),
            facts.iter().filter(|fact| fact.valid_to.is_some_and(within)).cloned().collect(),
        );
        let fallen: Vec<CliffMemory> =
            self.mind.removal().cliff().await?.into_iter().filter(|fallen| within(fallen.entry.entered_at)).collect();
        let mut distilled = Vec::new();
        for memory in fallen.iter().map(|fallen| fallen.memory.id) {
            if self.mind.lifecycle().above(&[memory]).await?.essences.iter().any(|essence| essence.standing == MemoryState::Alive) {
                distilled.push(memory);
            }
        }
        Ok(Report {
            since,
            until,
            exchanges: tally.exchanges,
            born: tally.born.len(),
            recalls: tally.recalled.values().sum(),
            most_recalled,
            risen,
            joined: tally.joined,
            fallen,
            distilled,
            fell: tally.fell,
            restored: tally.restored,
            gone: tally.gone,
            gone_for,
            erased: tally.erased,
            archived: tally.archived,
            learned,
            over,
            moved: self.moved_between(since, until).await?,
            counts: self.mind.retrieval().counts().await?,
        })
    }

    async fn tally(&self, since: Timestamp, until: Timestamp) -> Result<Tally, EngineError> {
        let (mut tally, mut after) = (Tally::default(), 0);
        loop {
            let page = self.mind.store().ledger(self.mind.id, after, PAGE).await?;
            let Some((last, _)) = page.last() else { return Ok(tally) };
            after = last.sequence;
            for (entry, _) in &page {
                tally.note_loss(entry);
                if entry.at >= since && entry.at < until {
                    tally.take(entry, since);
                }
            }
        }
    }

    async fn moved_between(&self, since: Timestamp, until: Timestamp) -> Result<Vec<(Axis, f32)>, EngineError> {
        let changes = self.mind.store().relationship_changes(self.mind.id, None, usize::MAX >> 1).await?;
        let within = |axis: Axis| {
            changes.iter().filter(move |change| change.axis == axis && change.at >= since && change.at < until).map(|change| change.delta)
        };
        Ok(Axis::ALL.iter().map(|&axis| (axis, within(axis).sum())).filter(|(_, sum): &(Axis, f32)| sum.abs() > 0.0).collect())
    }

    /// Writes the yearly summary to the ledger. The worker does this every New Year if something happened in that year.
    pub(crate) async fn close_year(&self, Year { began, ended, returns }: Year) -> Result<(), EngineError> {
        if !self.tally(began, ended).await?.lived {
            return Ok(());
        }
        let year = self.report(began, ended).await?;
        let note = format!(
            "a year: {} exchanges, {} came, {} kept longer, {} fell, {} gone",
            year.exchanges,
            year.born,
            year.risen.len(),
            year.fell,
            year.gone
        );
        let mut commit = self.mind.lifecycle().worker_commit(Op::Report).because(note);
        // The idempotency key prevents a second entry if the worker crashed and repeats this step. It contains `returns`, so that
        // a report on an unfinished year, written while the clock was ahead, does not block the real one.
        let key = if returns == 0 { format!("report until {ended}") } else { format!("report until {ended}, {returns} times right again") };
        commit.idempotency = Some(Idempotency { request: Hash::of(key.as_bytes()), key });
        self.mind.write(commit).await.map(drop)
    }
}
