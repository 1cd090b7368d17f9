//! The care of a mind over time: terms run out, the cliff lets go, importance and places are worked out anew.

use saegim_core::{
    Change, CliffReason, Commit, Fall, Look, Memory, Mind, Op, Phrase, Principal, Round, Span, Standing, Step, Tier, Timestamp, Wait, Zone,
    steps,
};
use saegim_store::{Cared, Fallen, Filter, Page};
use serde::Serialize;

use crate::lifecycle::zones::Move;
use crate::models::embed::AT_A_TICK;
use crate::reporting::report::Year;
use crate::{EngineError, MindHandle};

/// The same day a year before.
fn year_before(at: Timestamp, zone: &jiff::tz::TimeZone) -> Timestamp {
    let civil = at.civil(zone);
    let before = civil.date().checked_sub(jiff::ToSpan::year(1)).ok().and_then(|date| date.to_zoned(zone.clone()).ok());
    before.map_or(at.minus(Span::days(365)), |zoned| Timestamp::from_millis(zoned.timestamp().as_millisecond()))
}

/// Everything there was at the beginning of a pause has run its course by then, whatever it rose to on the way: what a clock
/// leaps over beyond that has nothing to be done in it.
const LONGEST_WAY: Span = Span::days(1200);

/// How many memories one commit of the caretaker touches at most, so that nobody waits long behind it.
const BATCH: usize = 500;

/// What a tick did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ticked {
    /// Memories whose time ran out, now on the cliff.
    pub expired: usize,
    /// Memories gone for good.
    pub gone: usize,
    /// Whether no byte of what is gone is left in the file.
    pub swept: bool,
    /// Memories whose importance changed.
    pub weighed: usize,
    /// Memories that got the vector they lacked.
    pub embedded: usize,
    /// Essences made or grown of what is kept longer.
    pub promoted: usize,
    /// Memories joined with others that told the same.
    pub joined: usize,
    /// Memories let go because they had faded or there was no room.
    pub pruned: usize,
    /// Memories beyond a limit of retention by session, now on the cliff.
    pub displaced: usize,
    /// Memories of old sessions that were put away.
    pub archived: usize,
    /// Pieces of work that had waited for a model.
    pub thought: usize,
    /// Memories that moved between zones.
    pub moved: usize,
    /// Which, from where to where.
    pub moves: Vec<Move>,
    /// What the owner should know: islands that shake, fall or stand again.
    pub told: Vec<Phrase>,
}

impl Ticked {
    /// Adds what another tick did.
    pub fn add(&mut self, other: &Self) {
        self.expired += other.expired;
        self.gone += other.gone;
        self.swept &= other.swept;
        self.weighed += other.weighed;
        self.embedded += other.embedded;
        self.promoted += other.promoted;
        self.joined += other.joined;
        self.pruned += other.pruned;
        self.displaced += other.displaced;
        self.archived += other.archived;
        self.thought += other.thought;
        self.moved += other.moved;
        self.moves.extend_from_slice(&other.moves);
        self.told.extend_from_slice(&other.told);
    }
}

impl MindHandle {
    /// Does everything that is due by now.
    pub(crate) async fn look_after(&self) -> Result<Ticked, EngineError> {
        let now = self.now();
        let course = self.by_the_clock().await?;
        if course.is_behind() {
            return self.wait_for_the_clock(now).await;
        }
        let mind = self.mind().await?;
        let new_day = mind.ticked_at.is_none_or(|last| last < now.midnight(&self.inner.config.time_zone) || last > now);
        let mut ticked = Ticked { swept: true, ..Ticked::default() };
        ticked.gone = self.let_go(Look { now, last: mind.ticked_at.unwrap_or(mind.made_at), in_doubt: course.is_in_doubt() }).await?;
        // Whatever a pause left undone is done in its order: a longer term is decided before the shorter one runs out.
        let walked = mind.walked_until(now);
        let in_time = |step: &Step| step.at <= walked.plus(LONGEST_WAY);
        for step in steps(walked, now, &self.inner.config.time_zone).take_while(in_time) {
            ticked.expired += self.expire(step.at.minus(Span::millis(1)), now).await?;
            for round in step.rounds {
                match round {
                    Round::Weekly => ticked.promoted += self.promote(Tier::M30, step.at).await?,
                    Round::Monthly => {
                        ticked.promoted += self.promote(Tier::M90, step.at).await?;
                        self.recommend(step.at).await?;
                    }
                    Round::Daily => ticked.expired += self.expire(step.at, now).await?,
                    Round::Yearly => {
                        let began = mind.made_at.max(year_before(step.at, &self.inner.config.time_zone));
                        self.close_year(Year { began, ended: step.at, returns: course.returns }).await?;
                    }
                }
            }
        }
        ticked.expired += self.expire(now, now).await?;
        if new_day {
            // Where it lies by now counts, not where it lay when somebody last looked.
            ticked.moves = self.rebalance(None).await?;
            ticked.expired += self.forget_cloud(now).await?;
        }
        (ticked.joined, ticked.pruned) = self.thin(now).await?;
        if ticked.gone > 0 || self.store().is_unswept() {
            ticked.swept = self.store().sweep().await?;
        }
        if new_day {
            ticked.weighed = self.weigh().await?;
            let retained = self.retain(now).await?;
            (ticked.displaced, ticked.archived) = (retained.displaced, retained.archived);
        }
        ticked.told = self.tend_self(new_day).await?;
        if new_day {
            self.queue_distillations().await?;
        }
        ticked.thought = self.attend().await?.done;
        if self.may_lack_vectors().await? {
            ticked.embedded = self.embed_some(AT_A_TICK, |_| ()).await?;
        }
        ticked.moves.extend(self.rebalance(None).await?);
        ticked.moved = ticked.moves.len();
        self.looked_after(&mind, &ticked, new_day).await?;
        Ok(ticked)
    }

    /// A clock that is behind what is believed does nothing by the calendar; only what is missing is made.
    async fn wait_for_the_clock(&self, now: Timestamp) -> Result<Ticked, EngineError> {
        let mut ticked = Ticked { swept: true, ..Ticked::default() };
        if self.may_lack_vectors().await? {
            ticked.embedded = self.embed_some(AT_A_TICK, |_| ()).await?;
        }
        let (due_at, head) = (Some(now.plus(Span::hours(1))), self.store().head(self.id).await?);
        self.store().looked_after(self.id, Cared { at: now, new_day: false, due_at, head }).await?;
        Ok(ticked)
    }

    /// Keeps that the mind was looked after, and when it has to be again.
    async fn looked_after(&self, mind: &Mind, ticked: &Ticked, new_day: bool) -> Result<(), EngineError> {
        let (now, head) = (self.now(), self.store().head(self.id).await?);
        // There may be more to embed than one tick makes.
        let due_at = if ticked.embedded >= AT_A_TICK { Some(now) } else { self.care_due(now).await? };
        if !new_day && mind.care_due_at == due_at {
            return Ok(());
        }
        Ok(self.store().looked_after(self.id, Cared { at: now, new_day, due_at, head }).await?)
    }

    pub(crate) fn worker_commit(&self, operation: Op) -> Commit {
        self.commit_as(Principal::Worker, operation, &[])
    }

    /// Sends to the cliff what has run out its term by `as_of`; it falls `now`, so that the owner always has seven days.
    async fn expire(&self, as_of: Timestamp, now: Timestamp) -> Result<usize, EngineError> {
        let mut count = 0;
        while self.store().pending(self.id).await?.ends_at.is_some_and(|end| end <= as_of) {
            let due = self.store().expired(self.id, as_of, BATCH).await?;
            if due.is_empty() {
                break;
            }
            count += due.len();
            self.raise_earned(&due, as_of).await?;
            let asked = self.asked_to_keep(&due).await?;
            let falls = due.into_iter().map(|memory| {
                let note = match asked.contains(&memory.id) {
                    true => format!("its {} ran out while keeping it for ever waited for the owner's word", memory.tier),
                    false => format!("its {} ran out", memory.tier),
                };
                (memory, Fall { at: now, reason: CliffReason::Expired, note })
            });
            self.fall(Op::Expire, falls.collect()).await?;
        }
        Ok(count)
    }

    /// Sends to the cliff what lay unrecalled in the cloud for too long.
    async fn forget_cloud(&self, now: Timestamp) -> Result<usize, EngineError> {
        let mut count = 0;
        let horizon = now.minus(Span::days(i64::from(self.policy().zone.auto_forget_days)));
        let cloud = Filter { zone: Some(Zone::Cloud), ..Filter::default() };
        let mut founding = None;
        let mut page = Page { limit: BATCH, before: None };
        loop {
            let memories = self.store().list(self.id, &cloud, page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            let untouched = |memory: &Memory| memory.untouched_since(&self.policy().tier) <= horizon;
            let passing = |memory: &Memory| memory.expires_at.is_some() && !memory.pinned;
            let mut forgotten: Vec<Memory> = memories.into_iter().filter(|memory| passing(memory) && untouched(memory)).collect();
            if !forgotten.is_empty() {
                // What a belief or an island is founded on stays, however rarely it comes to mind.
                let founding = match &mut founding {
                    Some(founding) => founding,
                    none => none.insert(self.founding().await?),
                };
                forgotten.retain(|memory| !founding.contains(&memory.id));
            }
            let falls: Vec<(Memory, Fall)> = forgotten
                .into_iter()
                .map(|memory| {
                    let note = format!("unrecalled in the cloud for {} days", self.policy().zone.auto_forget_days);
                    (memory, Fall { at: now, reason: CliffReason::Expired, note })
                })
                .collect();
            count += falls.len();
            if !falls.is_empty() {
                self.fall(Op::Expire, falls).await?;
            }
        }
        Ok(count)
    }

    /// Sends memories to the cliff, so many in one commit that nobody waits long behind it.
    pub(crate) async fn fall(&self, operation: Op, falls: Vec<(Memory, Fall)>) -> Result<(), EngineError> {
        for batch in falls.chunks(BATCH) {
            let mut commit = self.worker_commit(operation);
            for (memory, fall) in batch {
                commit = self.falling(memory.clone(), fall.clone(), commit).1;
            }
            self.write(commit).await?;
        }
        Ok(())
    }

    /// Removes for good what has waited out its seven days; what a wrong clock had done is put right.
    async fn let_go(&self, look: Look) -> Result<usize, EngineError> {
        let Some((first, last)) = self.store().pending(self.id).await?.gone else { return Ok(0) };
        if first > look.now && !self.policy().cliff.is_doubtful(last, look.now) {
            return Ok(0);
        }
        let (mut due, mut doubted) = (Vec::new(), self.worker_commit(Op::Restore).because("the clock had been wrong"));
        let woke = look.now.civil(&self.inner.config.time_zone).strftime("%Y-%m-%d");
        let mut slept = self.worker_commit(Op::Restore).because(format!("asleep until {woke}: its days on the cliff begin again"));
        let mut by_hand = Vec::new();
        for Fallen { entry, memory } in self.cliff().await? {
            match entry.looked_at(look, &self.policy().cliff) {
                Wait::On => {}
                Wait::Over => {
                    by_hand.extend((entry.reason == CliffReason::Manual).then(|| memory.clone()));
                    due.push(memory);
                }
                Wait::Anew(entry) => {
                    doubted.memories.extend(self.commit(Op::Restore, &[&memory]).memories);
                    doubted.changes.push(Change::CliffEntered(Box::new(memory), entry));
                }
                Wait::Slept(entry) => {
                    slept.memories.extend(self.commit(Op::Restore, &[&memory]).memories);
                    slept.changes.push(Change::CliffEntered(Box::new(memory), entry));
                }
                Wait::Mistaken => {
                    doubted.memories.extend(self.commit(Op::Restore, &[&memory]).memories);
                    doubted.changes.push(Change::CliffLeft(Box::new(Memory { standing: Standing::Alive, ..memory })));
                }
            }
        }
        for commit in [doubted, slept].into_iter().filter(|commit| !commit.changes.is_empty()) {
            self.write(commit).await?;
        }
        let mut facts = self.facts_gone_with(&by_hand).await?;
        for batch in due.chunks(BATCH) {
            let mut commit =
                self.commit_as(Principal::Worker, Op::Purge, &batch.iter().collect::<Vec<_>>()).because("seven days on the cliff are over");
            commit.changes.append(&mut facts);
            commit.changes.extend(batch.iter().map(|memory| Change::MemoryGone(memory.id)));
            self.write(commit).await?;
        }
        Ok(due.len())
    }

    /// Adds to the importance of everything what refers to it by now: references grow, nothing else changes by itself.
    async fn weigh(&self) -> Result<usize, EngineError> {
        let policy = &self.policy().importance;
        let mut changed: Vec<Memory> = Vec::new();
        for (memory, references) in self.store().referenced(self.id).await? {
            if references > memory.counted_references {
                changed.push(memory.referred(references, policy));
            }
        }
        for batch in changed.chunks(BATCH) {
            let mut commit =
                self.commit_as(Principal::Worker, Op::Weigh, &batch.iter().collect::<Vec<_>>()).because("references were counted");
            commit.changes.extend(batch.iter().map(|memory| Change::MemoryChanged(Box::new(memory.clone()))));
            self.write(commit).await?;
        }
        Ok(changed.len())
    }

    /// Whether vectors may be missing; a mind in memory knows.
    async fn may_lack_vectors(&self) -> Result<bool, EngineError> {
        if !self.in_memory().await {
            return Ok(true);
        }
        Ok(match self.index().await? {
            Some(index) => index.read().await.lacking().0 > 0 || self.near_turn_index().await?.read().await.lacking().0 > 0,
            None => true,
        })
    }
}
