//! Maintenance of a mind over time: expires memories, purges the cliff, updates importance and rebalances zones.

use saegim_core::{
    Change, CliffReason, Commit, Fall, Look, Memory, MemoryState, Mind, Op, Phrase, Principal, Round, Span, Step, Tier, Timestamp, Wait,
    Zone, steps,
};
use saegim_store::{CliffMemory, Filter, MaintenanceRecord, Page};
use serde::Serialize;

use crate::EngineError;
use crate::engine::retrying;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::zones::Move;
use crate::models::embed::AT_A_TICK;
use crate::reporting::report::Year;

/// Returns the same day one year earlier.
fn year_before(at: Timestamp, zone: &jiff::tz::TimeZone) -> Timestamp {
    let civil = at.civil(zone);
    let before = civil.date().checked_sub(jiff::ToSpan::year(1)).ok().and_then(|date| date.to_zoned(zone.clone()).ok());
    before.map_or(at.minus(Span::days(365)), |zoned| Timestamp::from_millis(zoned.timestamp().as_millisecond()))
}

/// Longest pause that is replayed step by step. After this time every memory that existed at the start has expired in any tier it
/// could reach, so further steps would do nothing.
const LONGEST_WAY: Span = Span::days(1200);

/// Maximum number of memories per maintenance commit. Bounds how long other writers wait.
const BATCH: usize = 500;

/// Result of one maintenance tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TickResult {
    /// Number of expired memories, now on the cliff.
    pub expired: usize,
    /// Number of purged memories.
    pub gone: usize,
    /// Whether the purged data is completely removed from the database file.
    pub swept: bool,
    /// Number of memories whose importance changed.
    pub weighed: usize,
    /// Number of memories that got a missing vector.
    pub embedded: usize,
    /// Number of essences created or extended by promotion.
    pub promoted: usize,
    /// Number of memories merged with others of the same content.
    pub joined: usize,
    /// Number of memories pruned because they faded or capacity was exceeded.
    pub pruned: usize,
    /// Number of memories beyond a per-session retention limit, now on the cliff.
    pub displaced: usize,
    /// Number of archived memories of old sessions.
    pub archived: usize,
    /// Number of completed model jobs.
    pub thought: usize,
    /// Number of memories that changed zones.
    pub moved: usize,
    /// The individual zone changes.
    pub moves: Vec<Move>,
    /// Messages for the owner: islands that shake, fall or recover.
    pub told: Vec<Phrase>,
}

impl TickResult {
    /// Adds the counts of another tick.
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

/// Whether a tick also runs the jobs of a new day.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TickScope {
    /// It is the first tick of the day.
    NewDay,
    /// The day's jobs are done.
    SameDay,
}

impl Lifecycle<'_> {
    pub(crate) async fn tick(&self) -> Result<TickResult, EngineError> {
        self.mind.access().flush_attempts().await?;
        let worker = self.mind.as_worker();
        // Another worker may run at the same time and may already have removed something; retry in that case.
        retrying(|| async {
            match worker.lifecycle().run_due().await {
                Err(EngineError::NotFound(gone)) => Err(EngineError::Conflict(gone)),
                done => done,
            }
        })
        .await
    }

    /// Runs all due maintenance.
    pub(crate) async fn run_due(&self) -> Result<TickResult, EngineError> {
        let now = self.mind.now();
        let course = self.observe_clock().await?;
        if course.is_behind() {
            return self.skip_run(now).await;
        }
        let mind = self.mind.mind().await?;
        let starts_day = mind.ticked_at.is_none_or(|last| last < now.midnight(&self.mind.inner.config.time_zone) || last > now);
        let scope = if starts_day { TickScope::NewDay } else { TickScope::SameDay };
        let mut ticked = TickResult { swept: true, ..TickResult::default() };
        ticked.gone = self.purge_cliff(Look { now, last: mind.ticked_at.unwrap_or(mind.made_at), in_doubt: course.is_in_doubt() }).await?;
        // After a pause, missed steps run in calendar order, because a promotion must be decided before the shorter term expires.
        let walked = mind.walked_until(now);
        let in_time = |step: &Step| step.at <= walked.plus(LONGEST_WAY);
        for step in steps(walked, now, &self.mind.inner.config.time_zone).take_while(in_time) {
            ticked.expired += self.expire(step.at.minus(Span::millis(1)), now).await?;
            for round in step.rounds {
                match round {
                    Round::Weekly => ticked.promoted += self.promote(Tier::M30, step.at).await?,
                    Round::Monthly => {
                        ticked.promoted += self.promote(Tier::M90, step.at).await?;
                        self.mind.self_model().recommend(step.at).await?;
                    }
                    Round::Daily => ticked.expired += self.expire(step.at, now).await?,
                    Round::Yearly => {
                        let began = mind.made_at.max(year_before(step.at, &self.mind.inner.config.time_zone));
                        self.mind.reporting().close_year(Year { began, ended: step.at, returns: course.returns }).await?;
                    }
                }
            }
        }
        ticked.expired += self.expire(now, now).await?;
        if scope == TickScope::NewDay {
            // Rebalance first: what counts is the current zone, not the one as of the last tick.
            ticked.moves = self.rebalance(None).await?;
            ticked.expired += self.forget_cloud(now).await?;
        }
        (ticked.joined, ticked.pruned) = self.consolidate_and_prune(now).await?;
        if ticked.gone > 0 || self.mind.store().is_unswept() {
            ticked.swept = self.mind.store().sweep().await?;
        }
        if scope == TickScope::NewDay {
            ticked.weighed = self.weigh().await?;
            let retained = self.mind.removal().retain(now).await?;
            (ticked.displaced, ticked.archived) = (retained.displaced, retained.archived);
        }
        ticked.told = self.mind.self_model().maintain_self(scope).await?;
        if scope == TickScope::NewDay {
            self.queue_distillations().await?;
        }
        ticked.thought = self.mind.models().run_jobs().await?.done;
        if self.may_lack_vectors().await? {
            ticked.embedded = self.mind.models().embed_some(AT_A_TICK, |_| ()).await?;
        }
        ticked.moves.extend(self.rebalance(None).await?);
        ticked.moved = ticked.moves.len();
        self.record_maintenance(&mind, &ticked, scope).await?;
        Ok(ticked)
    }

    /// Runs while the clock is behind the believed time. Does no calendar work, only embeds missing vectors and tries again in one
    /// hour.
    async fn skip_run(&self, now: Timestamp) -> Result<TickResult, EngineError> {
        let mut ticked = TickResult { swept: true, ..TickResult::default() };
        if self.may_lack_vectors().await? {
            ticked.embedded = self.mind.models().embed_some(AT_A_TICK, |_| ()).await?;
        }
        let (due_at, head) = (Some(now.plus(Span::hours(1))), self.mind.store().head(self.mind.id).await?);
        self.mind.store().record_maintenance(self.mind.id, MaintenanceRecord { at: now, new_day: false, due_at, head }).await?;
        Ok(ticked)
    }

    /// Stores the time of this tick and of the next one.
    async fn record_maintenance(&self, mind: &Mind, ticked: &TickResult, scope: TickScope) -> Result<(), EngineError> {
        let (now, head) = (self.mind.now(), self.mind.store().head(self.mind.id).await?);
        // One tick embeds a limited number of memories; more may be missing.
        let due_at = if ticked.embedded >= AT_A_TICK { Some(now) } else { self.care_due(now).await? };
        if scope == TickScope::SameDay && mind.care_due_at == due_at {
            return Ok(());
        }
        Ok(self
            .mind
            .store()
            .record_maintenance(self.mind.id, MaintenanceRecord { at: now, new_day: scope == TickScope::NewDay, due_at, head })
            .await?)
    }

    pub(crate) fn worker_commit(&self, operation: Op) -> Commit {
        self.mind.commit_as(Principal::Worker, operation, &[])
    }

    /// Moves memories to the cliff whose term ended by `as_of`. They fall at `now`, so that the owner always has seven days to
    /// restore them.
    async fn expire(&self, as_of: Timestamp, now: Timestamp) -> Result<usize, EngineError> {
        let mut count = 0;
        while self.mind.store().pending(self.mind.id).await?.ends_at.is_some_and(|end| end <= as_of) {
            let due = self.mind.store().expired(self.mind.id, as_of, BATCH).await?;
            if due.is_empty() {
                break;
            }
            count += due.len();
            self.promote_expiring(&due, as_of).await?;
            let asked = self.mind.self_model().proposed_for_core(&due).await?;
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

    /// Moves memories to the cliff that stayed in the cloud without a recall for too long.
    async fn forget_cloud(&self, now: Timestamp) -> Result<usize, EngineError> {
        let mut count = 0;
        let horizon = now.minus(Span::days(i64::from(self.mind.policy().zone.auto_forget_days)));
        let cloud = Filter { zone: Some(Zone::Cloud), ..Filter::default() };
        let mut founding = None;
        let mut page = Page { limit: BATCH, before: None };
        loop {
            let memories = self.mind.store().list(self.mind.id, &cloud, page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            let untouched = |memory: &Memory| memory.untouched_since(&self.mind.policy().tier) <= horizon;
            let passing = |memory: &Memory| memory.expires_at.is_some() && !memory.pinned;
            let mut forgotten: Vec<Memory> = memories.into_iter().filter(|memory| passing(memory) && untouched(memory)).collect();
            if !forgotten.is_empty() {
                // Memories that a belief or an island is founded on stay, however rarely they are recalled.
                let founding = match &mut founding {
                    Some(founding) => founding,
                    none => none.insert(self.founding().await?),
                };
                forgotten.retain(|memory| !founding.contains(&memory.id));
            }
            let falls: Vec<(Memory, Fall)> = forgotten
                .into_iter()
                .map(|memory| {
                    let note = format!("unrecalled in the cloud for {} days", self.mind.policy().zone.auto_forget_days);
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

    /// Moves memories to the cliff in commits of at most [`BATCH`] memories, so that other writers do not wait long.
    pub(crate) async fn fall(&self, operation: Op, falls: Vec<(Memory, Fall)>) -> Result<(), EngineError> {
        for batch in falls.chunks(BATCH) {
            let mut commit = self.worker_commit(operation);
            for (memory, fall) in batch {
                commit = self.mind.removal().move_to_cliff(memory.clone(), fall.clone(), commit).1;
            }
            self.mind.write(commit).await?;
        }
        Ok(())
    }

    /// Purges memories whose seven days on the cliff are over, and repairs cliff entries that a wrong clock created.
    async fn purge_cliff(&self, look: Look) -> Result<usize, EngineError> {
        let Some((first, last)) = self.mind.store().pending(self.mind.id).await?.gone else { return Ok(0) };
        if first > look.now && !self.mind.policy().cliff.is_doubtful(last, look.now) {
            return Ok(0);
        }
        let (mut due, mut doubted) = (Vec::new(), self.worker_commit(Op::Restore).because("the clock had been wrong"));
        let woke = look.now.civil(&self.mind.inner.config.time_zone).strftime("%Y-%m-%d");
        let mut slept = self.worker_commit(Op::Restore).because(format!("asleep until {woke}: its days on the cliff begin again"));
        let mut by_hand = Vec::new();
        for CliffMemory { entry, memory } in self.mind.removal().cliff().await? {
            match entry.looked_at(look, &self.mind.policy().cliff) {
                Wait::On => {}
                Wait::Over => {
                    by_hand.extend((entry.reason == CliffReason::Manual).then(|| memory.clone()));
                    due.push(memory);
                }
                Wait::Anew(entry) => {
                    doubted.memories.extend(self.mind.commit(Op::Restore, &[&memory]).memories);
                    doubted.changes.push(Change::CliffEntered(Box::new(memory), entry));
                }
                Wait::Slept(entry) => {
                    slept.memories.extend(self.mind.commit(Op::Restore, &[&memory]).memories);
                    slept.changes.push(Change::CliffEntered(Box::new(memory), entry));
                }
                Wait::Mistaken => {
                    doubted.memories.extend(self.mind.commit(Op::Restore, &[&memory]).memories);
                    doubted.changes.push(Change::CliffLeft(Box::new(Memory { standing: MemoryState::Alive, ..memory })));
                }
            }
        }
        for commit in [doubted, slept].into_iter().filter(|commit| !commit.changes.is_empty()) {
            self.mind.write(commit).await?;
        }
        self.reword_essences_of(&by_hand).await?;
        let mut known = self.mind.removal().end_orphaned_facts(&by_hand).await?;
        known.extend(self.mind.removal().end_orphaned_statements(&by_hand).await?);
        for batch in due.chunks(BATCH) {
            let mut commit = self
                .mind
                .commit_as(Principal::Worker, Op::Purge, &batch.iter().collect::<Vec<_>>())
                .because("seven days on the cliff are over");
            commit.changes.append(&mut known);
            commit.changes.extend(batch.iter().map(|memory| Change::MemoryGone(memory.id)));
            self.mind.write(commit).await?;
        }
        Ok(due.len())
    }

    /// Updates importance for new references. Reference counts only grow here; nothing else is recalculated.
    async fn weigh(&self) -> Result<usize, EngineError> {
        let policy = &self.mind.policy().importance;
        let mut changed: Vec<Memory> = Vec::new();
        for (memory, references) in self.mind.store().referenced(self.mind.id).await? {
            if references > memory.counted_references {
                changed.push(memory.referred(references, policy));
            }
        }
        for batch in changed.chunks(BATCH) {
            let mut commit =
                self.mind.commit_as(Principal::Worker, Op::Weigh, &batch.iter().collect::<Vec<_>>()).because("references were counted");
            commit.changes.extend(batch.iter().map(|memory| Change::MemoryChanged(Box::new(memory.clone()))));
            self.mind.write(commit).await?;
        }
        Ok(changed.len())
    }

    /// Checks whether vectors may be missing. A mind without an index in memory always answers `true`.
    async fn may_lack_vectors(&self) -> Result<bool, EngineError> {
        if !self.mind.retrieval().is_loaded().await {
            return Ok(true);
        }
        Ok(match self.mind.retrieval().index().await? {
            Some(index) => {
                index.read().await.lacking().0 > 0 || self.mind.retrieval().near_turn_index().await?.read().await.lacking().0 > 0
            }
            None => true,
        })
    }
}
