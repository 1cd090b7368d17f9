//! Repair of timestamps written by a wrong clock.

use crate::{Astray, CLOCK_SLACK, CliffEntry, CliffPolicy, CliffReason, Memory, Span, TierPolicy, Timestamp, Wait};

/// Tolerance when matching the start of a term with the commit that wrote it.
const AT_ONCE: Span = Span::hours(1);

/// When timestamps are repaired, and by which terms.
#[derive(Clone, Copy)]
pub struct TimestampRepair<'a> {
    /// Time of the repair.
    pub now: Timestamp,
    /// Terms of the tiers.
    pub policy: &'a TierPolicy,
}

impl Memory {
    /// Repairs a memory written by a clock that was behind until `behind`: timestamps up to `behind` are raised to at least
    /// `known_at`, and its term restarts. Returns `None` if its timestamps are plausible.
    pub fn dated_on(mut self, known_at: Timestamp, behind: Timestamp, repair: TimestampRepair<'_>) -> Option<Self> {
        let TimestampRepair { now, policy } = repair;
        let (born_behind, over) = (self.created_at <= behind, self.expires_at.is_some_and(|end| end < known_at));
        if !born_behind && !over {
            return None;
        }
        if born_behind {
            self.created_at = self.created_at.max(known_at);
        }
        self.last_recalled_at = self.last_recalled_at.map(|at| if at <= behind { at.max(known_at) } else { at });
        self.expires_at = self.expires_at.and_then(|_| self.tier.expires(now, policy));
        Some(self)
    }

    /// Repairs a memory written by a clock that was ahead: no timestamp is later than `now`, and a term that started at one of
    /// the times `ahead` restarts now. Returns `None` if its timestamps are plausible.
    pub fn dated_back(mut self, ahead: &[Timestamp], repair: TimestampRepair<'_>) -> Option<Self> {
        let TimestampRepair { now, policy } = repair;
        let (dates, ends) = ((self.created_at, self.last_recalled_at, self.edited_at), self.expires_at);
        self.created_at = self.created_at.min(now);
        self.last_recalled_at = self.last_recalled_at.map(|at| at.min(now));
        self.edited_at = self.edited_at.map(|at| at.min(now));
        let began = ends.and_then(|end| self.tier.began(end, policy));
        let begun_ahead = |began: Timestamp| ahead.iter().any(|at| began.since(*at).max(at.since(began)) < AT_ONCE);
        if began.is_some_and(|began| began > now && begun_ahead(began)) {
            self.expires_at = self.tier.expires(now, policy);
        }
        (dates != (self.created_at, self.last_recalled_at, self.edited_at) || ends != self.expires_at).then_some(self)
    }
}

impl CliffEntry {
    /// Repairs an entry written or due under a wrong clock: a memory that expired by a clock that was ahead is restored; other
    /// affected entries get a full new waiting period. Returns `None` if the entry is not affected.
    pub fn repaired(&self, astray: &Astray, now: Timestamp, policy: &CliffPolicy) -> Option<Wait> {
        let days = Span::days(i64::from(policy.days));
        let anew = || Wait::Anew(Self { entered_at: now, gone_at: now.plus(days), ..self.clone() });
        let soon = now.plus(CLOCK_SLACK);
        if astray.ahead.is_some() && self.entered_at > soon && self.reason == CliffReason::Expired {
            return Some(Wait::Mistaken);
        }
        let late = astray.ahead.is_some() && (self.entered_at > soon || self.gone_at > soon.plus(days));
        let early = astray.behind.is_some_and(|behind| self.entered_at <= behind) && self.is_gone(now);
        (late || early).then(anew)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memories::memory::tests::plain;
    use crate::{Fall, MemoryId};

    fn day(number: i64) -> Timestamp {
        Timestamp::from_millis(1_780_000_000_000 + number * 86_400_000)
    }

    #[test]
    fn what_was_written_ahead_was_written_by_now_and_its_term_begins_now() {
        let policy = TierPolicy::default();
        let born = plain(day(3650)).dated_back(&[day(3650)], TimestampRepair { now: day(2), policy: &policy }).unwrap();
        assert_eq!((born.created_at, born.expires_at), (day(2), Some(day(32))));
        let recalled = Memory { last_recalled_at: Some(day(3650)), ..plain(day(0)) };
        let recalled = recalled.dated_back(&[day(3650)], TimestampRepair { now: day(2), policy: &policy }).unwrap();
        assert_eq!((recalled.created_at, recalled.last_recalled_at), (day(0), Some(day(2))));
        assert_eq!(recalled.expires_at, Some(day(30)), "its own term stands");
        let given = Memory { expires_at: Some(day(900)), ..plain(day(0)) };
        assert_eq!(
            given.dated_back(&[day(3650)], TimestampRepair { now: day(2), policy: &policy }),
            None,
            "so does an end somebody gave it"
        );
    }

    #[test]
    fn what_was_written_behind_is_no_older_than_what_was_known_and_nothing_else_is_born_anew() {
        let policy = TierPolicy::default();
        let born = plain(day(-3650)).dated_on(day(1), day(-3649), TimestampRepair { now: day(2), policy: &policy }).unwrap();
        assert_eq!((born.created_at, born.expires_at), (day(1), Some(day(32))));
        let restored = Memory { expires_at: Some(day(-3620)), ..plain(day(0)) };
        let restored = restored.dated_on(day(1), day(-3649), TimestampRepair { now: day(2), policy: &policy }).unwrap();
        assert_eq!((restored.created_at, restored.expires_at), (day(0), Some(day(32))));
        assert_eq!(plain(day(0)).dated_on(day(1), day(-3649), TimestampRepair { now: day(2), policy: &policy }), None);
    }

    #[test]
    fn what_fell_by_a_wrong_clock_stands_again_or_has_its_days_anew() {
        let policy = CliffPolicy::default();
        let entry =
            |at, reason| CliffEntry::entered(MemoryId::new(day(0), [0; 10]), Fall { at: day(at), reason, note: String::new() }, &policy);
        let (ahead, behind) = (Astray { ahead: Some(day(0)), behind: None }, Astray { ahead: None, behind: Some(day(-3649)) });
        assert_eq!(entry(20, CliffReason::Expired).repaired(&ahead, day(2), &policy), Some(Wait::Mistaken));
        let Some(Wait::Anew(manual)) = entry(20, CliffReason::Manual).repaired(&ahead, day(2), &policy) else { panic!("it waits anew") };
        assert_eq!((manual.entered_at, manual.gone_at), (day(2), day(9)));
        assert!(matches!(entry(-3650, CliffReason::Manual).repaired(&behind, day(2), &policy), Some(Wait::Anew(_))));
        for astray in [ahead, behind] {
            assert_eq!(entry(1, CliffReason::Manual).repaired(&astray, day(2), &policy), None);
        }
    }
}
