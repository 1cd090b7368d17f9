//! What awaits a memory if nothing else happens, and what would change it.

use jiff::tz::TimeZone;
use serde::Serialize;

use crate::{Around, Memory, Policy, Promotion, Round, Span, Standing, Tier, Timestamp, Unit, next_round, promotion, shield};

/// What would let a memory be kept longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// So many recalls more.
    Recalls(u32),
    /// So many more memories on its topic.
    Topic(u32),
    /// Someone saying to remember it.
    Remember,
    /// Someone saying that it changed how the character behaves.
    ChangedBehaviour,
    /// A place on an island.
    Island,
    /// A strong feeling, of several emotions at once.
    StrongFeelings,
    /// The owner's word.
    Owner,
}

/// Why a memory falls by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Its term runs out.
    Term,
    /// By then nobody will have recalled it for too long, and it lies in the cloud. A recall puts that off.
    Cloud,
}

/// What awaits a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fate {
    /// When it is next weighed for a longer tier, if it has earned one by now, and which and why.
    pub rises: Option<(Timestamp, Promotion)>,
    /// When it falls to the cliff; never, for what has no term or is held fast.
    pub falls_at: Option<Timestamp>,
    /// Why it falls then.
    pub falls_because: Option<Ending>,
    /// When it is gone for good.
    pub gone_at: Option<Timestamp>,
    /// Whether it is let go before that once it has faded: nothing protects it, and nobody told it again.
    pub fades: bool,
    /// What would let it be kept longer; empty where it rises already or needs nothing.
    pub needs: Vec<Need>,
}

/// From when on a memory's fate is told.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// When it is.
    pub now: Timestamp,
    /// When the caretaker last looked: a round between then and now is still to come.
    pub looked_at: Timestamp,
    /// Where the caretaker's days begin.
    pub zone: &'a TimeZone,
}

impl Outlook<'_> {
    /// When a memory born at `born` is next weighed in a round. One that is overdue comes at the next look.
    fn next(&self, round: Round, born: Timestamp) -> Option<Timestamp> {
        let after = self.looked_at.min(self.now).max(born.minus(Span::millis(1)));
        next_round(after, round, self.zone).map(|at| at.max(self.now))
    }
}

/// When `memory` is let go because nobody recalled it: the first midnight at which it lies in the cloud and has lain untouched
/// for `auto_forget_days`, if nothing else happens. Never, for what is held fast or matters so much that it stays in the belt.
pub fn forgotten_at(memory: &Memory, zone: &TimeZone, policy: &Policy) -> Option<Timestamp> {
    if memory.pinned || memory.expires_at.is_none() {
        return None;
    }
    let in_cloud = memory.nearness(Unit::ZERO).falls_below(policy.zone.belt_from, &policy.zone)?;
    let untouched = memory.untouched_since(&policy.tier).plus(Span::days(i64::from(policy.zone.auto_forget_days)));
    next_round(in_cloud.max(untouched).minus(Span::millis(1)), Round::Daily, zone)
}

/// What awaits `memory` from now on.
pub fn fate(memory: &Memory, around: Around, outlook: Outlook<'_>, policy: &Policy) -> Fate {
    let now = outlook.now;
    let Some(ends) = memory.expires_at.filter(|_| memory.standing == Standing::Alive) else { return Fate::default() };
    let mut fate = Fate::default();
    let round = if memory.tier == Tier::M30 { Round::Weekly } else { Round::Monthly };
    let earned = promotion(memory, around, now, &policy.promotion);
    match earned {
        // Nothing becomes core by itself: what has earned it is put before the owner.
        Some(promotion) if memory.tier != Tier::M365 => {
            // What has earned it is kept longer at the next round, or when its term runs out before that.
            fate.rises = outlook.next(round, memory.created_at).map(|at| (at.min(ends.max(now)), promotion))
        }
        _ => fate.needs = needs(memory, around, policy),
    }
    if !memory.pinned {
        // What a belief or an island is founded on is not let go for lying untouched.
        let forgotten = forgotten_at(memory, outlook.zone, policy).filter(|at| *at < ends && !around.belief && !around.founds);
        let falls = forgotten.unwrap_or(ends).max(now);
        fate.falls_because = Some(if forgotten.is_some() { Ending::Cloud } else { Ending::Term });
        fate.falls_at = Some(falls);
        fate.gone_at = Some(falls.plus(Span::days(i64::from(policy.cliff.days))));
        // Youth protects it for some days only: what counts is what will still protect it at its end.
        let shielded = shield(memory, around.belief || around.founds, ends, policy).is_some();
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

    fn of(change: impl FnOnce(&mut Memory), topic: u32) -> Fate {
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
        assert_eq!(of(|memory| (memory.tier, memory.expires_at) = (Tier::M0, None), 1), Fate::default());
        assert_eq!(of(|memory| memory.pinned = true, 1).falls_at, None);
        assert_eq!(of(|memory| memory.standing = Standing::OnCliff, 1), Fate::default());
    }

    #[test]
    fn what_nothing_protects_is_let_go_once_it_has_faded() {
        let fades = |change: fn(&mut Memory)| of(change, 1).fades;
        assert!(fades(|_| {}), "a plain memory, however young it still is");
        assert!(!fades(|memory| memory.mentions = 1) && !fades(|memory| memory.tier = Tier::M90));
        assert!(!fades(|memory| memory.remember_this = true) && !fades(|memory| memory.importance = Unit::ONE));
        assert!(!fades(|memory| memory.pinned = true));
    }

    #[test]
    fn what_nobody_recalls_falls_out_of_the_cloud_before_its_year_is_over_and_says_so_from_its_first_day() {
        let year = |memory: &mut Memory| (memory.tier, memory.expires_at) = (Tier::M365, Some(born().plus(Span::days(365))));
        // Ninety days after its birth at nine in the morning; the caretaker lets go at the midnight after.
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
