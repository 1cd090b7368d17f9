//! Calculates when a mind needs maintenance again: at the earliest time at which something in it can change without input.

use saegim_core::{Nearness, Round, Span, Tier, Timestamp, Unit, forgotten_at, last_round, next_round};
use saegim_store::{Filter, Page, TurnPage, ZoneRow};

use crate::EngineError;
use crate::engine::{AHEAD, FARTHEST};
use crate::lifecycle::Lifecycle;

/// Maximum time between two maintenance runs. A mistake in the calculation must not leave a mind without maintenance for a year.
const LONGEST: Span = Span::days(31);

impl Lifecycle<'_> {
    /// Returns when the next run is due. A time that only a clock that ran ahead can have written counts as due now.
    pub(crate) async fn next_maintenance(&self) -> Result<Option<Timestamp>, EngineError> {
        let (mind, now) = (self.mind.mind().await?, self.mind.now());
        if mind.ticked_at.is_some_and(|ticked| ticked > now.plus(AHEAD)) {
            return Ok(Some(now));
        }
        Ok(mind.care_due_at.map(|due| if due > now.plus(FARTHEST) { now } else { due }))
    }

    /// Returns when maintenance must run again: soon during a conversation, then when the conversation ends, then at the next time
    /// something can change without input. `None` if nothing can change.
    pub(crate) async fn care_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let soon = Span::seconds(i64::from(self.mind.policy().zone.rebalance_seconds));
        let last = self.mind.store().turns(self.mind.id, TurnPage { limit: 1, ..TurnPage::default() }).await?.pop();
        let last = last.map(|turn| turn.at).filter(|at| self.is_recent(*at));
        let waits = self.mind.store().jobs(self.mind.id).await?.into_iter().filter_map(|job| job.due_at).min();
        if last.is_some_and(|at| now.since(at) < soon) {
            return Ok(Some(waits.unwrap_or(now.plus(soon)).min(now.plus(soon))));
        }
        // Nothing moves while nothing is said. When the conversation is over, its topic no longer affects the zones.
        let over = [last.map(|at| at.plus(self.silence())), waits].into_iter().flatten().min();
        let pending = self.mind.store().pending(self.mind.id).await?;
        let archives = self.mind.policy().retention.limits && !self.mind.removal().archives().await?.is_empty();
        let own = self.mind.self_model().self_due().await?;
        if !pending.passing && pending.gone.is_none() && !archives && own.is_none() {
            return Ok(over);
        }
        let known = [over, own, pending.ends_at, pending.gone.map(|(first, _)| first), self.round_due(now).await?, Some(now.plus(LONGEST))];
        let first = known.into_iter().flatten().min();
        // All other changes happen at midnight. If something is due by the next midnight, there is no need to calculate them.
        if first.is_some_and(|first| self.midnight_after(now, now).is_some_and(|midnight| first <= midnight)) {
            return Ok(first);
        }
        let at_midnights = [self.move_due(now).await?, self.forgetting_due(now).await?, self.mind.self_model().unanswered_due(now).await?];
        Ok(at_midnights.into_iter().chain([first]).flatten().min())
    }

    /// Returns the next round that may have work. New work since the last round of its kind can only come from a ledger entry
    /// written since, or from a memory that completes a year.
    async fn round_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let zone = &self.mind.inner.config.time_zone;
        let head = self.mind.store().head(self.mind.id).await?;
        let written = self.mind.store().ledger(self.mind.id, head.saturating_sub(1), 1).await?.pop().map(|(entry, _)| entry.at);
        let since = |round| written.zip(last_round(now, round, zone)).is_some_and(|(written, last)| written >= last);
        let weekly = since(Round::Weekly) && self.holds(Tier::M30).await?;
        let monthly = since(Round::Monthly) && (self.holds(Tier::M90).await? || self.holds(Tier::M365).await?);
        let lasting = !monthly && self.year_ends_before(now, next_round(now, Round::Monthly, zone)).await?;
        let rounds = [
            (Round::Daily, since(Round::Daily) || self.mind.policy().retention.limits),
            (Round::Weekly, weekly),
            (Round::Monthly, monthly || lasting),
            (Round::Yearly, since(Round::Yearly)),
        ];
        Ok(rounds.into_iter().filter(|(_, finds)| *finds).filter_map(|(round, _)| next_round(now, round, zone)).min())
    }

    /// Checks whether a tier has memories.
    async fn holds(&self, tier: Tier) -> Result<bool, EngineError> {
        self.any(Filter { tier: Some(tier), ..Filter::default() }).await
    }

    /// Checks whether a memory will complete a year between `now` and `then`.
    async fn year_ends_before(&self, now: Timestamp, then: Option<Timestamp>) -> Result<bool, EngineError> {
        let Some(then) = then else { return Ok(false) };
        let a_year_before = |at: Timestamp| at.minus(Span::days(i64::from(self.mind.policy().promotion.m365_days))).plus(Span::millis(1));
        let (since, until) = (Some(a_year_before(now)), Some(a_year_before(then)));
        self.any(Filter { tier: Some(Tier::M365), since, until, ..Filter::default() }).await
    }

    /// Checks whether any live memory matches the filter.
    async fn any(&self, filter: Filter) -> Result<bool, EngineError> {
        Ok(!self.mind.store().list(self.mind.id, &filter, Page { limit: 1, before: None }).await?.is_empty())
    }

    /// Returns the midnight by which the first memory leaves its zone if it is not recalled.
    async fn move_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let policy = &self.mind.policy().zone;
        let leaves = |row: ZoneRow| {
            let appraisal = row.appraisal.unwrap_or(Unit::clamped(0.5));
            let nearness = Nearness { recalls: row.recalls, freshened: row.freshened, appraisal, context: Unit::ZERO };
            nearness.leaves_at(now, policy)
        };
        let first = match self.mind.retrieval().loaded_index().await? {
            Some(index) => index.read().await.zone_rows(None).filter_map(|(row, _)| leaves(row)).min(),
            None => self.mind.store().zone_rows(self.mind.id).await?.into_iter().filter_map(leaves).min(),
        };
        Ok(first.and_then(|at| self.midnight_after(at, now)))
    }

    /// Returns the midnight at which the first unrecalled memory falls out of the cloud. Only tiers with a longer term than that
    /// are checked.
    async fn forgetting_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let days = Span::days(i64::from(self.mind.policy().zone.auto_forget_days));
        let mut first: Option<Timestamp> = None;
        for &tier in Tier::ALL.iter().filter(|tier| tier.term(&self.mind.policy().tier).is_some_and(|term| term > days)) {
            let memories = self.alive(tier).await?;
            let founding = if memories.is_empty() { Default::default() } else { self.founding().await? };
            let passing = memories.iter().filter(|memory| !founding.contains(&memory.id));
            let of_tier = passing.filter_map(|memory| forgotten_at(memory, &self.mind.inner.config.time_zone, self.mind.policy())).min();
            first = [first, of_tier].into_iter().flatten().min();
        }
        Ok(first.and_then(|at| self.midnight_after(at.minus(Span::millis(1)), now)))
    }

    /// Returns the first midnight after both `at` and `now`.
    pub(crate) fn midnight_after(&self, at: Timestamp, now: Timestamp) -> Option<Timestamp> {
        next_round(at.max(now), Round::Daily, &self.mind.inner.config.time_zone)
    }
}
