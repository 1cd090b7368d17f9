//! What is due when: the steps of the caretaker's calendar between two moments, in order.

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::primitives::word_enum::word_enum;
use crate::{Span, Timestamp};

word_enum! {
    /// A round of the caretaker.
    Round "round" {
        /// Every midnight: terms run out, references are counted, importance is worked out anew.
        Daily = "daily",
        /// Mondays: M30 is promoted.
        Weekly = "weekly",
        /// The first of a month: M90 is promoted, and what may become core is recommended.
        Monthly = "monthly",
        /// New Year: the report.
        Yearly = "yearly",
    }
}

/// One step: the rounds that fall on one midnight, the rarest first. A longer term is decided before the shorter one
/// runs out, so that nothing deserving falls for want of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The midnight.
    pub at: Timestamp,
    /// The rounds.
    pub rounds: Vec<Round>,
}

/// The steps after `last` up to `now`, in order. A clock that went back has none.
pub fn steps(last: Timestamp, now: Timestamp, zone: &TimeZone) -> impl Iterator<Item = Step> {
    let zone = zone.clone();
    let mut date = last.civil(&zone).date();
    std::iter::from_fn(move || {
        loop {
            date = date.checked_add(1.day()).ok()?;
            let midnight = date.to_zoned(zone.clone()).ok()?.timestamp();
            let at = Timestamp::from_millis(midnight.as_millisecond());
            if at > now {
                return None;
            }
            if at <= last {
                continue;
            }
            return Some(Step { at, rounds: rounds_on(date) });
        }
    })
}

/// The rounds that fall on the midnight a day begins with, the rarest first.
fn rounds_on(date: Date) -> Vec<Round> {
    let mut rounds = Vec::new();
    if date.day() == 1 {
        if date.month() == 1 {
            rounds.push(Round::Yearly);
        }
        rounds.push(Round::Monthly);
    }
    if date.weekday() == jiff::civil::Weekday::Monday {
        rounds.push(Round::Weekly);
    }
    rounds.push(Round::Daily);
    rounds
}

/// When a round was last before `now`, or is at this very moment.
pub fn last_round(now: Timestamp, round: Round, zone: &TimeZone) -> Option<Timestamp> {
    let today = now.civil(zone).date();
    let days = (0..367i64).filter_map(|back| today.checked_sub(back.days()).ok());
    let date = days.into_iter().find(|date| rounds_on(*date).contains(&round))?;
    Some(Timestamp::from_millis(date.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond()))
}

/// When a round comes next after `now`.
pub fn next_round(now: Timestamp, round: Round, zone: &TimeZone) -> Option<Timestamp> {
    let until = now.plus(Span::days(367));
    steps(now, until, zone).find(|step| step.rounds.contains(&round)).map(|step| step.at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moment(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_fortnight_has_its_rounds_in_order() {
        let zone = TimeZone::UTC;
        let all: Vec<Step> = steps(moment("2025-12-28T13:00:00Z"), moment("2026-01-05T00:00:00Z"), &zone).collect();
        assert_eq!(all.len(), 8);
        assert_eq!(all[0].rounds, [Round::Weekly, Round::Daily], "Monday the 29th");
        assert_eq!(all[3].rounds, [Round::Yearly, Round::Monthly, Round::Daily]);
        assert_eq!(all[7].at, moment("2026-01-05T00:00:00Z"));
    }

    #[test]
    fn a_round_has_a_last_and_a_next_time() {
        let (now, zone) = (moment("2026-01-07T13:00:00Z"), TimeZone::UTC);
        for (round, last, next) in [
            (Round::Daily, "2026-01-07", "2026-01-08"),
            (Round::Weekly, "2026-01-05", "2026-01-12"),
            (Round::Monthly, "2026-01-01", "2026-02-01"),
            (Round::Yearly, "2026-01-01", "2027-01-01"),
        ] {
            assert_eq!((last_round(now, round, &zone), next_round(now, round, &zone)), (Some(moment(last)), Some(moment(next))), "{round}");
        }
        let midnight = moment("2026-01-05");
        assert_eq!(last_round(midnight, Round::Weekly, &zone), Some(midnight));
    }

    #[test]
    fn a_day_begins_where_people_live() {
        let seoul = TimeZone::fixed(jiff::tz::offset(9));
        let all: Vec<Step> = steps(moment("2026-03-01T14:00:00Z"), moment("2026-03-01T16:00:00Z"), &seoul).collect();
        assert_eq!(all, [Step { at: moment("2026-03-01T15:00:00Z"), rounds: vec![Round::Weekly, Round::Daily] }]);
    }

    proptest! {
        #[test]
        fn stopping_on_the_way_changes_no_step(start in 0i64..2_000_000_000_000, first in 0i64..4_000_000_000, second in 0i64..4_000_000_000) {
            let at = Timestamp::from_millis;
            let (one, two, three) = (at(start), at(start + first), at(start + first + second));
            let whole: Vec<Step> = steps(one, three, &TimeZone::UTC).collect();
            let mut parts: Vec<Step> = steps(one, two, &TimeZone::UTC).collect();
            parts.extend(steps(two, three, &TimeZone::UTC));
            prop_assert_eq!(whole, parts);
            prop_assert_eq!(steps(three, one, &TimeZone::UTC).count(), 0);
        }
    }
}
