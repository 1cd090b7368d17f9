//! Clock history of a mind: decides which of the observed timestamps to trust.
//!
//! A clock that jumps ahead may be wrong, or the machine was suspended. A clock that jumps back may be wrong, or it was wrong
//! before. A single timestamp cannot tell; later ones can. If the clock returns to just after the start of a forward jump, the
//! jump was an error. If it returns to where a backward jump started, the clock was behind in between.

use serde::{Deserialize, Serialize};

use crate::{Span, Timestamp};

/// Maximum difference between two correct clocks.
pub const CLOCK_SLACK: Span = Span::days(1);

/// If this much time passed in small steps after a jump, the clock was right to jump. A clock that is behind is also trusted after
/// advancing this much in small steps.
const WALKED: Span = Span::days(32);

/// Longest plausible suspension of a machine. A longer jump is attributed to the clock.
const LONGEST_SLEEP: Span = Span::days(400);

/// Maximum number of latest jumps that one backward step may undo. A clock that goes back further is considered behind, because
/// many successive jumps indicate a mind that is opened rarely.
const MOST_TAKEN_BACK: usize = 6;

/// Maximum number of jumps stored.
const MOST_KEPT: usize = 24;

/// A forward step of the clock of more than [`CLOCK_SLACK`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leap {
    /// Last timestamp before the jump.
    pub from: Timestamp,
    /// First timestamp after the jump.
    pub to: Timestamp,
}

/// Progress of a clock that is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Walk {
    from: Timestamp,
    until: Timestamp,
}

/// Periods with wrong timestamps in a mind, to be repaired once the clock is trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Astray {
    /// The clock was ahead: time from which it had jumped.
    pub ahead: Option<Timestamp>,
    /// The clock was behind: last timestamp it showed.
    pub behind: Option<Timestamp>,
}

impl Astray {
    /// Whether there is nothing to repair.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// History of a mind's clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockHistory {
    /// Latest trusted timestamp; `None` before the first observation.
    #[serde(skip)]
    pub latest: Option<Timestamp>,
    leaps: Vec<Leap>,
    walk: Option<Walk>,
    /// Periods to repair.
    pub astray: Astray,
    /// Number of times a clock turned out to have been ahead.
    pub returns: u32,
}

impl ClockHistory {
    /// Returns the history after one more observed timestamp.
    pub fn seen(&self, at: Timestamp) -> Self {
        let mut course = self.clone();
        let Some(latest) = self.latest else {
            course.latest = Some(at);
            return course;
        };
        if at.plus(CLOCK_SLACK) >= latest {
            course.caught_up();
            course.goes_on(latest, at);
            return course;
        }
        match course.leap_before(at) {
            Some(place) => {
                let from = course.leaps[place].from;
                course.caught_up();
                course.leaps.truncate(place);
                course.returns += 1;
                course.astray.ahead = Some(course.astray.ahead.map_or(from, |earlier| earlier.min(from)));
                course.goes_on(from, at);
            }
            None => course.walk_behind(at),
        }
        course
    }

    /// Returns the history with this latest timestamp.
    pub fn at(mut self, latest: Option<Timestamp>) -> Self {
        self.latest = latest;
        self
    }

    /// Whether the last observed clock is behind the trusted time. Nothing may be done by such a clock.
    pub fn is_behind(&self) -> bool {
        self.walk.is_some()
    }

    /// Whether the clock jumped by more than 400 days and may still return. Permanent deletions by such a clock could
    /// not be repaired.
    pub fn is_in_doubt(&self) -> bool {
        self.leaps.iter().rev().take(MOST_TAKEN_BACK).any(|leap| leap.to.since(leap.from) > LONGEST_SLEEP)
    }

    /// Whether only the latest timestamp needs to be stored.
    pub fn is_plain(&self) -> bool {
        *self == Self { latest: self.latest, ..Self::default() }
    }

    /// Returns the history after the repair.
    pub fn repaired(&self) -> Self {
        Self { astray: Astray::default(), ..self.clone() }
    }

    /// Advances the trusted clock from `latest` to `at`.
    fn goes_on(&mut self, latest: Timestamp, at: Timestamp) {
        if at > latest.plus(CLOCK_SLACK) {
            self.leaps.push(Leap { from: latest, to: at });
            if self.leaps.len() > MOST_KEPT {
                self.leaps.remove(0);
            }
        }
        let now = latest.max(at);
        self.latest = Some(now);
        // Time that passed in small steps since each jump.
        let mut walked = Span::ZERO;
        let mut until = now;
        for place in (0..self.leaps.len()).rev() {
            walked = Span::millis(walked.as_millis() + until.since(self.leaps[place].to).as_millis());
            if walked > WALKED {
                self.leaps.drain(..=place);
                break;
            }
            until = self.leaps[place].from;
        }
    }

    /// Returns the index of the jump that a clock showing `at` has undone, if any.
    fn leap_before(&self, at: Timestamp) -> Option<usize> {
        let place = self.leaps.iter().rposition(|leap| leap.from <= at.plus(CLOCK_SLACK))?;
        (self.leaps[place].to > at.plus(CLOCK_SLACK) && self.leaps.len() - place <= MOST_TAKEN_BACK).then_some(place)
    }

    /// Records that a clock that was behind has caught up.
    fn caught_up(&mut self) {
        if let Some(walk) = self.walk.take() {
            self.astray.behind = Some(self.astray.behind.map_or(walk.until, |earlier| earlier.max(walk.until)));
        }
    }

    /// Advances a clock that is behind. After [`WALKED`] in small steps it is trusted.
    fn walk_behind(&mut self, at: Timestamp) {
        let on_foot = |walk: &Walk| at.plus(CLOCK_SLACK) >= walk.until && at <= walk.until.plus(Span::days(2));
        let walk = match self.walk.filter(on_foot) {
            Some(walk) => Walk { until: walk.until.max(at), ..walk },
            None => {
                self.caught_up();
                Walk { from: at, until: at }
            }
        };
        self.walk = Some(walk);
        if walk.until.since(walk.from) > WALKED {
            *self = Self {
                latest: Some(walk.until),
                astray: Astray { ahead: Some(walk.from), behind: None },
                returns: self.returns + 1,
                ..Self::default()
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_millis(1_780_000_000_000 + number * 86_400_000)
    }

    fn walked(days: &[i64]) -> ClockHistory {
        days.iter().fold(ClockHistory::default(), |course, number| course.seen(day(*number)))
    }

    #[test]
    fn a_leap_over_years_is_in_doubt_until_it_was_lived_on_from() {
        for (days, in_doubt) in [
            (&[0, 300][..], false),
            (&[0, 3650], true),
            (&[0, 3650, 3658], true),
            (&[0, 3650, 1], false),
            (&[0, 3650, 3660, 3670, 3680, 3690, 3700], true),
            (&[0, 3650, 3660, 3670, 3680, 3690, 3700, 3710], false),
        ] {
            assert_eq!(walked(days).is_in_doubt(), in_doubt, "{days:?}");
        }
        let lived: Vec<i64> = [0].into_iter().chain(3650..3684).collect();
        assert!(!walked(&lived).is_in_doubt());
    }

    #[test]
    fn the_way_back_shows_which_clock_was_wrong() {
        for (days, ahead, behind, is_behind) in [
            (&[0, 1, 2][..], None, None, false),
            (&[0, 3650], None, None, false),
            (&[0, 3650, 1], Some(0), None, false),
            (&[0, 3650, 1, 3651], Some(0), None, false),
            (&[0, 3650, 1, 3651, 2], Some(0), None, false),
            (&[0, 20, 1], Some(0), None, false),
            (&[0, -3650], None, None, true),
            (&[0, -3650, 1], None, Some(-3650), false),
            (&[0, -7000, -100, 9000, 1], Some(0), Some(-100), false),
            (&[0, 3650, 1800, 1], Some(0), None, false),
            (&[0, 3650, -10], None, None, true),
            (&[0, 3650, -10, 1], Some(0), Some(-10), false),
        ] {
            let course = walked(days);
            assert_eq!(course.astray, Astray { ahead: ahead.map(day), behind: behind.map(day) }, "{days:?}");
            assert_eq!(course.is_behind(), is_behind, "{days:?}");
        }
        assert_eq!(walked(&[0, 3650, 1, 3651, 2]).latest, Some(day(2)));
        assert_eq!(walked(&[0, 3650, 1, 3651, 2]).returns, 2);
        assert!(walked(&[0, 1, 2]).is_plain());
    }

    #[test]
    fn a_machine_that_slept_for_years_is_believed_once_it_has_lived_on() {
        let mut days: Vec<i64> = vec![0];
        days.extend(3650..3690);
        assert!(walked(&days).is_plain(), "the leap was a sleep");
        days.push(5);
        assert!(walked(&days).is_behind(), "and a clock that is back before it is behind");
    }

    #[test]
    fn a_clock_that_is_walked_by_for_a_month_is_right_wherever_it_stands() {
        let mut days: Vec<i64> = vec![3650];
        days.extend(0..=32);
        assert!(walked(&days).is_behind());
        days.push(33);
        let course = walked(&days);
        assert_eq!((course.is_behind(), course.latest, course.astray.ahead), (false, Some(day(33)), Some(day(0))));
    }

    #[test]
    fn a_mind_that_is_seldom_looked_at_does_not_lose_half_a_year_to_a_clock_that_is_behind() {
        let monthly: Vec<i64> = (0..20).map(|month| month * 31).chain([200]).collect();
        assert!(walked(&monthly).is_behind());
    }

    proptest! {
        #[test]
        fn a_corrected_clock_is_believed_again(wrong in prop::collection::vec(-3650i64..3650, 1..6)) {
            let mut course = walked(&[0, 1]);
            for (number, wrong) in (2..).zip(&wrong) {
                // Less than the slack is not a wrong clock.
                let wrong = if wrong.abs() <= 2 { 3 } else { *wrong };
                course = course.seen(day(number + wrong)).seen(day(number));
            }
            let right = wrong.len() as i64 + 1;
            prop_assert!(!course.is_behind());
            prop_assert_eq!(course.latest, Some(day(right)));
            for number in right..right + 40 {
                course = course.repaired().seen(day(number));
                prop_assert!(course.astray.is_nothing() && !course.is_behind());
            }
        }
    }
}
