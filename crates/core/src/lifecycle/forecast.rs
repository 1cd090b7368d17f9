//! Forecast for a memory if nothing else happens, and what would extend its retention.

use jiff::tz::TimeZone;
use serde::Serialize;

use crate::{Around, Memory, MemoryState, Policy, Promotion, Round, SelfRole, Span, Tier, Timestamp, Unit, next_round, promotion, shield};

/// Condition under which a memory is kept longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// This many more recalls.
    Recalls(u32),
    /// This many more memories on its topic.
    Topic(u32),
    /// The user asks to remember it.
    Remember,
    /// It is marked as having changed the character's behaviour.
    ChangedBehaviour,
    /// It belongs to an island.
    Island,
    /// It has an intense feeling with several emotions.
    StrongFeelings,
    /// The owner approves it.
    Owner,
}

/// Why a memory is forgotten automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Its term ends.
    Term,
    /// It will be in the cloud without a recall for too long. A recall postpones this.
    Cloud,
}

/// Forecast for a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryForecast {
    /// Time of its next promotion and the promotion with its reasons, if it qualifies now.
    pub rises: Option<(Timestamp, Promotion)>,
    /// Time it enters the cliff; `None` for memories that do not expire or are pinned.
    pub falls_at: Option<Timestamp>,
    /// Why it enters the cliff.
    pub falls_because: Option<Ending>,
    /// Time of permanent deletion.
    pub gone_at: Option<Timestamp>,
    /// Whether pruning forgets it earlier once it has faded: it is not protected and was never mentioned again.
    pub fades: bool,
    /// Conditions under which it is kept longer; empty if it is promoted anyway or needs none.
    pub needs: Vec<Need>,
}

/// Reference times of a forecast.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// Current time.
    pub now: Timestamp,
    /// Time of the last worker run; runs due between then and now are still pending.
    pub looked_at: Timestamp,
    /// Time zone of the worker's calendar.
    pub zone: &'a TimeZone,
}

impl Outlook<'_> {
    /// Returns the next run in which a memory created at `born` is considered. Overdue runs happen at the next worker run.
    fn next(&self, round: Round, born: Timestamp) -> Option<Timestamp> {
        let after = self.looked_at.min(self.now).max(born.minus(Span::millis(1)));
        next_round(after, round, self.zone).map(|at| at.max(self.now))
    }
}

/// Returns the time `memory` is forgotten for lack of recalls: the first midnight at which it is in the cloud and has been
/// untouched for `auto_forget_days`, if nothing else happens. `None` if it is pinned, does not expire, or is important enough to
/// stay in the belt.
pub fn forgotten_at(memory: &Memory, zone: &TimeZone, policy: &Policy) -> Option<Timestamp> {
    if memory.pinned || memory.expires_at.is_none() {
        return None;
    }
    let in_cloud = memory.nearness(Unit::ZERO).falls_below(policy.zone.belt_from, &policy.zone)?;
    let untouched = memory.untouched_since(&policy.tier).plus(Span::days(i64::from(policy.zone.auto_forget_days)));
    next_round(in_cloud.max(untouched).minus(Span::millis(1)), Round::Daily, zone)
}

/// Returns the forecast for `memory`.
pub fn fate(memory: &Memory, around: Around, outlook: Outlook<'_>, policy: &Policy) -> MemoryForecast {
    let now = outlook.now;
    let Some(ends) = memory.expires_at.filter(|_| memory.standing == MemoryState::Alive) else { return MemoryForecast::default() };
    let mut fate = MemoryForecast::default();
    let round = if memory.tier == Tier::M30 { Round::Weekly } else { Round::Monthly };
    let earned = promotion(memory, around, now, &policy.promotion);
    match earned {
        // Promotion to core is not automatic; it is recommended to the owner.
        Some(promotion) if memory.tier != Tier::M365 => {
            // Promotion happens in the next run, or when the term ends if that is earlier.
            fate.rises = outlook.next(round, memory.created_at).map(|at| (at.min(ends.max(now)), promotion))
        }
        _ => fate.needs = needs(memory, around, policy),
    }
    if !memory.pinned {
        // Memories that support a belief or found an island are not forgotten for lack of recalls.
        let forgotten = forgotten_at(memory, outlook.zone, policy).filter(|at| *at < ends && !around.belief && !around.founds);
        let falls = forgotten.unwrap_or(ends).max(now);
        fate.falls_because = Some(if forgotten.is_some() { Ending::Cloud } else { Ending::Term });
        fate.falls_at = Some(falls);
        fate.gone_at = Some(falls.plus(Span::days(i64::from(policy.cliff.days))));
        // Being new protects a memory only for some days, so check the protection at the end of its term.
        let role = if around.belief || around.founds { SelfRole::Founding } else { SelfRole::None };
        let shielded = shield(memory, role, ends, policy).is_some();
        fate.fades = memory.tier == Tier::M30 && memory.mentions == 0 && !shielded;
    }
    fate
}

fn needs(memory: &Memory, around: Around, policy: &Policy) -> Vec<Need> {
    let promotion = &policy.promotion;
    match memory.tier {
        Tier::M30 => vec![
            Need::Recalls(promotion.m30_recalls.saturating_sub(memory.recalls)),
            Need::Topic(promotion.m30_topic.saturating_sub(around.topic.max(1))),
            Need::Remember,
        ],
        Tier::M90 => vec![
            Need::Recalls(promotion.m90_recalls.saturating_sub(memory.recalls)),
            Need::ChangedBehaviour,
            Need::Island,
            Need::StrongFeelings,
        ],
        Tier::M365 => vec![Need::Owner],
        Tier::M0 => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PromotionReason;
    use crate::memories::memory::tests::plain;

    /// A Thursday.
    fn born() -> Timestamp {
        Timestamp::parse("2026-01-01T09:00:00Z").unwrap()
    }

    fn of(change: impl FnOnce(&mut Memory), topic: u32) -> MemoryForecast {
        let mut memory = plain(born());
        memory.expires_at = Some(born().plus(Span::days(30)));
        change(&mut memory);
        let around = Around { topic, ..Around::default() };
        let now = born().plus(Span::days(1));
        fate(&memory, around, Outlook { now, looked_at: now, zone: &TimeZone::UTC }, &Policy::default())
    }

    #[test]
    fn a_plain_memory_falls_with_its_term_and_says_what_would_keep_it() {
        let plain = of(|_| {}, 1);
        assert_eq!(plain.falls_at, Some(born().plus(Span::days(30))));
        assert_eq!(plain.gone_at, Some(born().plus(Span::days(37))));
        assert_eq!(plain.needs, [Need::Recalls(3), Need::Topic(2), Need::Remember]);
        assert_eq!(of(|memory| memory.recalls = 1, 2).needs, [Need::Recalls(2), Need::Topic(1), Need::Remember]);
        let m90 = of(|memory| (memory.tier, memory.recalls) = (Tier::M90, 1), 1);
        assert_eq!(m90.needs, [Need::Recalls(4), Need::ChangedBehaviour, Need::Island, Need::StrongFeelings]);
        assert_eq!(of(|memory| memory.tier = Tier::M365, 1).needs, [Need::Owner]);
        let dear = of(|memory| (memory.tier, memory.recalls) = (Tier::M365, 40), 1);
        assert_eq!((dear.rises, dear.needs), (None, vec![Need::Owner]), "however dear, it becomes core by the owner's word alone");
    }

    #[test]
    fn what_has_earned_it_rises_on_the_next_monday_or_as_it_ends_and_its_original_still_runs_out() {
        let told = of(|memory| memory.remember_this = true, 1);
        let (at, promotion) = told.rises.unwrap();
        assert_eq!((at, promotion.to), (Timestamp::parse("2026-01-05T00:00:00Z").unwrap(), Tier::M90));
        assert_eq!(promotion.reasons, [PromotionReason::Remember]);
        assert!(told.needs.is_empty() && told.falls_at.is_some());
        let ends = born().plus(Span::days(2));
        let late = of(|memory| (memory.remember_this, memory.expires_at) = (true, Some(ends)), 1);
        assert_eq!(late.rises.map(|(at, _)| at), Some(ends), "what runs out before Monday rises when it does");
    }

    #[test]
    fn core_pinned_and_fallen_memories_await_nothing() {
        assert_eq!(of(|memory| (memory.tier, memory.expires_at) = (Tier::M0, None), 1), MemoryForecast::default());
        assert_eq!(of(|memory| memory.pinned = true, 1).falls_at, None);
        assert_eq!(of(|memory| memory.standing = MemoryState::OnCliff, 1), MemoryForecast::default());
    }

    #[test]
    fn an_unprotected_memory_is_forgotten_once_it_has_faded() {
        let fades = |change: fn(&mut Memory)| of(change, 1).fades;
        assert!(fades(|_| {}), "a plain memory, however young it still is");
        assert!(!fades(|memory| memory.mentions = 1) && !fades(|memory| memory.tier = Tier::M90));
        assert!(!fades(|memory| memory.remember_this = true) && !fades(|memory| memory.importance = Unit::ONE));
        assert!(!fades(|memory| memory.pinned = true));
    }

    #[test]
    fn what_nobody_recalls_falls_out_of_the_cloud_before_its_year_is_over_and_says_so_from_its_first_day() {
        let year = |memory: &mut Memory| (memory.tier, memory.expires_at) = (Tier::M365, Some(born().plus(Span::days(365))));
        // Ninety days after its creation at nine in the morning; the worker forgets it at the following midnight.
        let first = Timestamp::parse("2026-04-02").unwrap();
        let unrecalled = of(year, 1);
        assert_eq!((unrecalled.falls_at, unrecalled.falls_because), (Some(first), Some(Ending::Cloud)));
        assert_eq!(unrecalled.gone_at, Some(first.plus(Span::days(7))));
        let recalled = of(|memory| (year(memory), memory.last_recalled_at = Some(born().plus(Span::days(10)))).1, 1);
        assert_eq!(recalled.falls_at, Some(first.plus(Span::days(10))), "a recall puts it off");
        // 0.25 of 0.9 is 0.225, and 0.225 less 0.30 stays above the cloud's -0.10.
        let mattering = of(|memory| (year(memory), memory.appraisal = Some(Unit::clamped(0.9))).1, 1);
        assert_eq!((mattering.falls_at, mattering.falls_because), (Some(born().plus(Span::days(365))), Some(Ending::Term)));
        let month = of(|_| {}, 1);
        assert_eq!((month.falls_at, month.falls_because), (Some(born().plus(Span::days(30))), Some(Ending::Term)));
        let founding = fate(
            &Memory { tier: Tier::M365, expires_at: Some(born().plus(Span::days(365))), ..plain(born()) },
            Around { founds: true, ..Around::default() },
            Outlook { now: born(), looked_at: born(), zone: &TimeZone::UTC },
            &Policy::default(),
        );
        assert_eq!(founding.falls_because, Some(Ending::Term), "what an island is founded on stays");
    }

    #[test]
    fn a_round_that_is_overdue_comes_at_the_next_look() {
        let mut memory = plain(born());
        memory.remember_this = true;
        let (now, monday) = (born().plus(Span::days(6)), Timestamp::parse("2026-01-05").unwrap());
        let rises = |looked_at| {
            let outlook = Outlook { now, looked_at, zone: &TimeZone::UTC };
            fate(&memory, Around::default(), outlook, &Policy::default()).rises.map(|(at, _)| at)
        };
        assert_eq!(rises(born()), Some(now));
        assert_eq!(rises(monday), Some(monday.plus(Span::days(7))));
    }
}
