//! What awaits a memory if nothing else happens, and what would change it.

use jiff::tz::TimeZone;
use serde::Serialize;

use crate::{Around, Memory, Policy, Promotion, Round, Span, Standing, Tier, Timestamp, Zone, next_round, promotion};

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
    /// The owner's word.
    Owner,
}

/// What awaits a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fate {
    /// When it is next weighed for a longer tier, if it has earned one by now, and which and why.
    pub rises: Option<(Timestamp, Promotion)>,
    /// When it falls to the cliff; never, for what has no term or is held fast.
    pub falls_at: Option<Timestamp>,
    /// When it is gone for good.
    pub gone_at: Option<Timestamp>,
    /// What would let it be kept longer; empty where it rises already or needs nothing.
    pub needs: Vec<Need>,
}

/// What awaits `memory` from `now` on.
pub fn fate(memory: &Memory, around: Around, (now, zone): (Timestamp, &TimeZone), policy: &Policy) -> Fate {
    let Some(ends) = memory.expires_at.filter(|_| memory.standing == Standing::Alive) else { return Fate::default() };
    let mut fate = Fate::default();
    let round = if memory.tier == Tier::M30 { Round::Weekly } else { Round::Monthly };
    let earned = promotion(memory, around, now, &policy.promotion);
    match earned {
        Some(promotion) => fate.rises = next_round(now, round, zone).filter(|at| *at <= ends).map(|at| (at, promotion)),
        None => fate.needs = needs(memory, around, policy),
    }
    if !memory.pinned {
        let forgotten = memory.untouched_since(&policy.tier).plus(Span::days(i64::from(policy.zone.auto_forget_days)));
        let falls = if memory.zone == Zone::Cloud { ends.min(forgotten) } else { ends }.max(now);
        fate.falls_at = Some(falls);
        fate.gone_at = Some(falls.plus(Span::days(i64::from(policy.cliff.days))));
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
        Tier::M90 => vec![Need::Recalls(promotion.m90_recalls.saturating_sub(memory.recalls))],
        Tier::M365 => vec![Need::Owner],
        Tier::M0 => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PromotionReason;
    use crate::memory::tests::plain;

    /// A Thursday.
    fn born() -> Timestamp {
        Timestamp::parse("2026-01-01T09:00:00Z").unwrap()
    }

    fn of(change: impl FnOnce(&mut Memory), topic: u32) -> Fate {
        let mut memory = plain(born());
        memory.expires_at = Some(born().plus(Span::days(30)));
        change(&mut memory);
        let around = Around { topic, ..Around::default() };
        fate(&memory, around, (born().plus(Span::days(1)), &TimeZone::UTC), &Policy::default())
    }

    #[test]
    fn a_plain_memory_falls_with_its_term_and_says_what_would_keep_it() {
        let plain = of(|_| {}, 1);
        assert_eq!(plain.falls_at, Some(born().plus(Span::days(30))));
        assert_eq!(plain.gone_at, Some(born().plus(Span::days(37))));
        assert_eq!(plain.needs, [Need::Recalls(3), Need::Topic(2), Need::Remember]);
        assert_eq!(of(|memory| memory.recalls = 1, 2).needs, [Need::Recalls(2), Need::Topic(1), Need::Remember]);
        let m90 = of(|memory| (memory.tier, memory.recalls) = (Tier::M90, 1), 1);
        assert_eq!(m90.needs, [Need::Recalls(4)]);
        assert_eq!(of(|memory| memory.tier = Tier::M365, 1).needs, [Need::Owner]);
    }

    #[test]
    fn what_has_earned_it_rises_on_the_next_monday_and_its_original_still_runs_out() {
        let told = of(|memory| memory.remember_this = true, 1);
        let (at, promotion) = told.rises.unwrap();
        assert_eq!((at, promotion.to), (Timestamp::parse("2026-01-05T00:00:00Z").unwrap(), Tier::M90));
        assert_eq!(promotion.reasons, [PromotionReason::Remember]);
        assert!(told.needs.is_empty() && told.falls_at.is_some());
        let too_late = of(|memory| (memory.remember_this, memory.expires_at) = (true, Some(born().plus(Span::days(2)))), 1);
        assert_eq!(too_late.rises, None);
    }

    #[test]
    fn core_pinned_and_fallen_memories_await_nothing() {
        assert_eq!(of(|memory| (memory.tier, memory.expires_at) = (Tier::M0, None), 1), Fate::default());
        assert_eq!(of(|memory| memory.pinned = true, 1).falls_at, None);
        assert_eq!(of(|memory| memory.standing = Standing::OnCliff, 1), Fate::default());
    }

    #[test]
    fn what_lies_in_the_cloud_may_fall_before_its_term() {
        let year = |memory: &mut Memory| {
            memory.tier = Tier::M365;
            memory.expires_at = Some(born().plus(Span::days(365)));
        };
        assert_eq!(of(year, 1).falls_at, Some(born().plus(Span::days(365))));
        let cloud = of(|memory| (year(memory), memory.zone = Zone::Cloud).1, 1);
        assert_eq!(cloud.falls_at, Some(born().plus(Span::days(90))));
    }
}
