//! What happened to a mind in a stretch of time: what came, what came back, what was kept longer, what was lost and why.

use std::collections::{BTreeMap, HashMap, HashSet};

use saegim_core::{
    Axis, Deed, Fact, Hash, Idempotency, LedgerEntry, Memory, MemoryId, Op, Principal, PromotionReason, Standing, Timestamp,
};
use saegim_store::{Counts, Fallen};
use serde::Serialize;

use crate::{EngineError, MindHandle};

/// How many entries of the ledger are read at a time.
const PAGE: usize = 1000;

/// How many memories are named where only some are.
const NAMED: usize = 10;

/// An essence in which memories are kept longer.
#[derive(Clone, Debug, PartialEq)]
pub struct Risen {
    /// The essence as it is now, if it is still there.
    pub essence: Option<Memory>,
    /// When it was made, or first grew in this stretch.
    pub at: Timestamp,
    /// Why, all reasons it was made or grew for.
    pub reasons: Vec<PromotionReason>,
    /// How often it was made or grew.
    pub times: usize,
}

/// Why a memory that is gone for good had fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Its time was over.
    Expired,
    /// It had faded, or there was no room.
    Faded,
    /// It was joined with others that told the same.
    Joined,
    /// Somebody let it go.
    LetGo,
}

/// A stretch of a mind's life.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// From when on.
    pub since: Timestamp,
    /// Until when, that moment aside.
    pub until: Timestamp,
    /// Exchanges that were taken.
    pub exchanges: usize,
    /// Memories that came.
    pub born: usize,
    /// How often memories were brought back and used.
    pub recalls: usize,
    /// Those brought back most often, with how often.
    pub most_recalled: Vec<(Memory, usize)>,
    /// What was kept longer, each essence once.
    pub risen: Vec<Risen>,
    /// How many memories were joined with others that told the same.
    pub joined: usize,
    /// What fell and can still be restored, soonest gone first.
    pub fallen: Vec<Fallen>,
    /// Which of those have an essence that is kept longer.
    pub distilled: Vec<MemoryId>,
    /// How many memories fell, whatever became of them since.
    pub fell: usize,
    /// How many someone restored.
    pub restored: usize,
    /// How many are gone for good after their seven days.
    pub gone: usize,
    /// Why those had fallen, the most frequent reason first.
    pub gone_for: Vec<(Loss, usize)>,
    /// How many were erased at once.
    pub erased: usize,
    /// How many were put away with their session.
    pub put_away: usize,
    /// Facts that began to hold and still do.
    pub learned: Vec<Fact>,
    /// Facts that no longer hold since.
    pub over: Vec<Fact>,
    /// By how much each axis of the relationship moved.
    pub moved: Vec<(Axis, f32)>,
    /// What there is now.
    pub counts: Counts,
}

/// A year that is over.
#[derive(Clone, Copy)]
pub(crate) struct Year {
    /// When it began, or the mind did.
    pub(crate) began: Timestamp,
    /// When it ended.
    pub(crate) ended: Timestamp,
    /// How often a clock had turned out to have been ahead by then.
    pub(crate) returns: u32,
}

/// What the ledger tells of the stretch.
#[derive(Default)]
struct Tally {
    /// Whether anything happened at all.
    lived: bool,
    exchanges: usize,
    born: HashSet<MemoryId>,
    recalled: HashMap<MemoryId, usize>,
    risen: Vec<(MemoryId, Risen)>,
    joined: usize,
    fell: usize,
    restored: usize,
    gone: usize,
    gone_for: BTreeMap<Loss, usize>,
    erased: usize,
    put_away: usize,
    /// How what fell at any time last did.
    lost: HashMap<MemoryId, Loss>,
}

impl Tally {
    /// Takes down by what a memory fell: what is gone within a stretch may have fallen before it.
    fn note_loss(&mut self, entry: &LedgerEntry) {
        let loss = match entry.operation {
            Op::Expire => Loss::Expired,
            Op::Prune => Loss::Faded,
            // What they became is named beside them and alive; should it fall, it falls by something else.
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
            // The first is what they became, unless nothing was joined.
            Op::Consolidate => {
                let joined = entry.note.as_deref().and_then(|note| note.split(' ').next()?.parse::<usize>().ok()).unwrap_or(0);
                self.joined += joined;
                self.fell += joined;
            }
            Op::Forget | Op::Expire | Op::Prune => self.fell += count,
            // What the caretaker puts right after a sleep or a wrong clock is nobody's restoring.
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
            Op::Archive if entry.note.as_deref().is_some_and(|note| note.ends_with("put away")) => self.put_away += count,
            _ => {}
        }
        // An essence is no memory that came: it is what is kept of some that had.
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
            self.risen.push((essence, Risen { essence: None, at, reasons: Vec::new(), times: 0 }));
            self.risen.len() - 1
        });
        let risen = &mut self.risen[place].1;
        risen.times += 1;
        risen.reasons.extend(reasons);
        risen.reasons.sort();
        risen.reasons.dedup();
    }
}

impl MindHandle {
    /// What happened from `since` on, before `until`.
    pub async fn report(&self, since: Timestamp, until: Timestamp) -> Result<Report, EngineError> {
        self.may(Deed::Read).await?;
        let tally = self.tally(since, until).await?;
        let within = |at: Timestamp| at >= since && at < until;
        let mut ranked: Vec<(MemoryId, usize)> = tally.recalled.iter().map(|(memory, count)| (*memory, *count)).collect();
        ranked.sort_by_key(|(memory, count)| (std::cmp::Reverse(*count), *memory));
        ranked.truncate(NAMED);
        let mut most_recalled = Vec::new();
        for (id, count) in ranked {
            most_recalled.extend(self.store().memories(self.id, &[id]).await?.pop().map(|memory| (memory, count)));
        }
        let mut risen = Vec::new();
        for (id, rose) in tally.risen {
            risen.push(Risen { essence: self.store().memories(self.id, &[id]).await?.pop(), ..rose });
        }
        let mut gone_for: Vec<(Loss, usize)> = tally.gone_for.into_iter().collect();
        gone_for.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let facts = self.store().facts(self.id).await?;
        let (learned, over) = (
            facts.iter().filter(|fact| within(fact.valid_from) && fact.is_current()).cloned().collect(),
            facts.iter().filter(|fact| fact.valid_to.is_some_and(within)).cloned().collect(),
        );
        let fallen: Vec<Fallen> = self.cliff().await?.into_iter().filter(|fallen| within(fallen.entry.entered_at)).collect();
        let mut distilled = Vec::new();
        for memory in fallen.iter().map(|fallen| fallen.memory.id) {
            if self.above(&[memory]).await?.essences.iter().any(|essence| essence.standing == Standing::Alive) {
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
            put_away: tally.put_away,
            learned,
            over,
            moved: self.moved_between(since, until).await?,
            counts: self.counts().await?,
        })
    }

    async fn tally(&self, since: Timestamp, until: Timestamp) -> Result<Tally, EngineError> {
        let (mut tally, mut after) = (Tally::default(), 0);
        loop {
            let page = self.store().ledger(self.id, after, PAGE).await?;
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
        let changes = self.store().relationship_changes(self.id, None, usize::MAX >> 1).await?;
        let within = |axis: Axis| {
            changes.iter().filter(move |change| change.axis == axis && change.at >= since && change.at < until).map(|change| change.delta)
        };
        Ok(Axis::ALL.iter().map(|&axis| (axis, within(axis).sum())).filter(|(_, sum): &(Axis, f32)| sum.abs() > 0.0).collect())
    }

    /// Takes down what the year was, in numbers; the caretaker does so every New Year, for years in which something happened.
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
        let mut commit = self.worker_commit(Op::Report).because(note);
        // A caretaker that was lost on the way does it again, and it is taken down once.
        // What a clock that was ahead had written of a year that was not over is no report of it.
        let key = if returns == 0 { format!("report until {ended}") } else { format!("report until {ended}, {returns} times right again") };
        commit.idempotency = Some(Idempotency { request: Hash::of(key.as_bytes()), key });
        self.write(commit).await.map(drop)
    }
}
