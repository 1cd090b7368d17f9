//! When a mind has to be looked after again: as soon as something in it can change by itself, and not before.

use saegim_core::{Nearness, Round, Span, Tier, Timestamp, Unit, forgotten_at, last_round, next_round};
use saegim_store::{Filter, Page, TurnPage, ZoneRow};

use crate::{EngineError, MindHandle};

/// Every mind is looked at this often, whatever was worked out: a mistake here must not leave one alone for a year.
const LONGEST: Span = Span::days(31);

impl MindHandle {
    /// When the caretaker has to look again: soon while they talk, when the conversation is over, and then at the next thing
    /// that can change by itself; never, where nothing can.
    pub(crate) async fn care_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let soon = Span::seconds(i64::from(self.policy().zone.rebalance_seconds));
        let last = self.store().turns(self.id, TurnPage { limit: 1, ..TurnPage::default() }).await?.pop();
        let last = last.map(|turn| turn.at).filter(|at| self.is_at_hand(*at));
        let waits = self.store().jobs(self.id).await?.into_iter().filter_map(|job| job.due_at).min();
        if last.is_some_and(|at| now.since(at) < soon) {
            return Ok(Some(waits.unwrap_or(now.plus(soon)).min(now.plus(soon))));
        }
        // Nothing moves while nothing is said; once the conversation is over what it was about counts no more.
        let over = [last.map(|at| at.plus(self.silence())), waits].into_iter().flatten().min();
        let pending = self.store().pending(self.id).await?;
        let put_away = self.policy().retention.limits && !self.archives().await?.is_empty();
        let own = self.self_due().await?;
        if !pending.passing && pending.gone.is_none() && !put_away && own.is_none() {
            return Ok(over);
        }
        let known = [over, own, pending.ends_at, pending.gone.map(|(first, _)| first), self.round_due(now).await?, Some(now.plus(LONGEST))];
        let first = known.into_iter().flatten().min();
        // Whatever else can change does so at a midnight: with something due by the next one there is no need to look for it.
        if first.is_some_and(|first| self.midnight_after(now, now).is_some_and(|midnight| first <= midnight)) {
            return Ok(first);
        }
        let at_midnights = [self.move_due(now).await?, self.forgetting_due(now).await?, self.unanswered_due(now).await?];
        Ok(at_midnights.into_iter().chain([first]).flatten().min())
    }

    /// The next round that may find something. What was not there at the last one can only come of something that was written
    /// since, and of a year that is over.
    async fn round_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let zone = &self.inner.config.time_zone;
        let head = self.store().head(self.id).await?;
        let written = self.store().ledger(self.id, head.saturating_sub(1), 1).await?.pop().map(|(entry, _)| entry.at);
        let since = |round| written.zip(last_round(now, round, zone)).is_some_and(|(written, last)| written >= last);
        let weekly = since(Round::Weekly) && self.holds(Tier::M30).await?;
        let monthly = since(Round::Monthly) && (self.holds(Tier::M90).await? || self.holds(Tier::M365).await?);
        let lasting = !monthly && self.year_ends_before(now, next_round(now, Round::Monthly, zone)).await?;
        let rounds = [
            (Round::Daily, since(Round::Daily) || self.policy().retention.limits),
            (Round::Weekly, weekly),
            (Round::Monthly, monthly || lasting),
            (Round::Yearly, since(Round::Yearly)),
        ];
        Ok(rounds.into_iter().filter(|(_, finds)| *finds).filter_map(|(round, _)| next_round(now, round, zone)).min())
    }

    /// Whether a tier holds anything.
    async fn holds(&self, tier: Tier) -> Result<bool, EngineError> {
        self.any(Filter { tier: Some(tier), ..Filter::default() }).await
    }

    /// Whether a memory will have been alive for a year by then, and is not yet.
    async fn year_ends_before(&self, now: Timestamp, then: Option<Timestamp>) -> Result<bool, EngineError> {
        let Some(then) = then else { return Ok(false) };
        let a_year_before = |at: Timestamp| at.minus(Span::days(i64::from(self.policy().promotion.m365_days))).plus(Span::millis(1));
        let (since, until) = (Some(a_year_before(now)), Some(a_year_before(then)));
        self.any(Filter { tier: Some(Tier::M365), since, until, ..Filter::default() }).await
    }

    /// Whether any living memory passes.
    async fn any(&self, filter: Filter) -> Result<bool, EngineError> {
        Ok(!self.store().list(self.id, &filter, Page { limit: 1, before: None }).await?.is_empty())
    }

    /// The midnight by which the first memory has left its zone with nobody recalling it.
    async fn move_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let policy = &self.policy().zone;
        let leaves = |row: ZoneRow| {
            let appraisal = row.appraisal.unwrap_or(Unit::clamped(0.5));
            let nearness = Nearness { recalls: row.recalls, freshened: row.freshened, appraisal, context: Unit::ZERO };
            nearness.leaves_at(now, policy)
        };
        let first = match self.index_at_hand().await? {
            Some(index) => index.read().await.zone_rows(None).filter_map(|(row, _)| leaves(row)).min(),
            None => self.store().zone_rows(self.id).await?.into_iter().filter_map(leaves).min(),
        };
        Ok(first.and_then(|at| self.midnight_after(at, now)))
    }

    /// The midnight at which the first memory falls out of the cloud because nobody recalled it. Only what is kept for longer
    /// than that can.
    async fn forgetting_due(&self, now: Timestamp) -> Result<Option<Timestamp>, EngineError> {
        let days = Span::days(i64::from(self.policy().zone.auto_forget_days));
        let mut first: Option<Timestamp> = None;
        for &tier in Tier::ALL.iter().filter(|tier| tier.term(&self.policy().tier).is_some_and(|term| term > days)) {
            let memories = self.alive(tier).await?;
            let founding = if memories.is_empty() { Default::default() } else { self.founding().await? };
            let passing = memories.iter().filter(|memory| !founding.contains(&memory.id));
            let of_tier = passing.filter_map(|memory| forgotten_at(memory, &self.inner.config.time_zone, self.policy())).min();
            first = [first, of_tier].into_iter().flatten().min();
        }
        Ok(first.and_then(|at| self.midnight_after(at.minus(Span::millis(1)), now)))
    }

    /// The first midnight after a moment that is still to come.
    pub(crate) fn midnight_after(&self, at: Timestamp, now: Timestamp) -> Option<Timestamp> {
        next_round(at.max(now), Round::Daily, &self.inner.config.time_zone)
    }
}
