//! The course of a mind's clock: which of the moments it was shown are to be believed.
//!
//! A clock that leaps ahead may be wrong, or the machine slept; a clock that goes back may be wrong, or it had been wrong
//! before. The moment alone tells nothing. The way back does: whoever comes back to just after where a leap began shows that
//! the leap was none, and whoever comes back to where a fall began shows that the clock had been behind in between.

use serde::{Deserialize, Serialize};

use crate::{Span, Timestamp};

/// Right clocks differ by less than this.
pub const CLOCK_SLACK: Span = Span::days(1);

/// A leap after which so much time was walked through step by step was none of a wrong clock; and a clock that is walked by
/// for so long is believed, wherever it stands.
const WALKED: Span = Span::days(32);

/// No machine sleeps this long: a longer leap is more likely one of the clock.
const LONGEST_SLEEP: Span = Span::days(400);

/// A clock that is back before so many leaps in a row is behind: several that follow one another are a mind that is seldom
/// looked at.
const MOST_TAKEN_BACK: usize = 6;

/// So many leaps are kept at most.
const MOST_KEPT: usize = 24;

/// A step of the clock that is longer than those of an ordinary day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leap {
    /// The last moment before it.
    pub from: Timestamp,
    /// The first moment after it.
    pub to: Timestamp,
}

/// How far a clock that is not believed has walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Walk {
    from: Timestamp,
    until: Timestamp,
}

/// What wrong clocks have left behind in a mind, to be set right by one that is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Astray {
    /// A clock had been ahead: the moment it had leapt from.
    pub ahead: Option<Timestamp>,
    /// A clock had been behind: the last moment it showed.
    pub behind: Option<Timestamp>,
}

impl Astray {
    /// Whether there is nothing to set right.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The course a mind's clock has taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// The latest moment that is believed; none before anything was seen.
    #[serde(skip)]
    pub latest: Option<Timestamp>,
    leaps: Vec<Leap>,
    walk: Option<Walk>,
    /// What is to be set right.
    pub astray: Astray,
    /// How often a clock has turned out to have been ahead.
    pub returns: u32,
}

impl Course {
    /// The course with one more moment seen.
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

    /// The same course with this latest moment.
    pub fn at(mut self, latest: Option<Timestamp>) -> Self {
        self.latest = latest;
        self
    }

    /// Whether the clock that was seen last is behind what is believed, so that nothing may be done by it.
    pub fn is_behind(&self) -> bool {
        self.walk.is_some()
    }

    /// Whether the clock has leapt over more than a year and may yet come back: what ends for good by such a clock could not be
    /// set right any more.
    pub fn is_in_doubt(&self) -> bool {
        self.leaps.iter().rev().take(MOST_TAKEN_BACK).any(|leap| leap.to.since(leap.from) > LONGEST_SLEEP)
    }

    /// Whether nothing of it has to be kept but its latest moment.
    pub fn is_plain(&self) -> bool {
        *self == Self { latest: self.latest, ..Self::default() }
    }

    /// The course once what had gone astray is right.
    pub fn set_right(&self) -> Self {
        Self { astray: Astray::default(), ..self.clone() }
    }

    /// A believed clock goes on from `latest`.
    fn goes_on(&mut self, latest: Timestamp, at: Timestamp) {
        if at > latest.plus(CLOCK_SLACK) {
            self.leaps.push(Leap { from: latest, to: at });
            if self.leaps.len() > MOST_KEPT {
                self.leaps.remove(0);
            }
        }
        let now = latest.max(at);
        self.latest = Some(now);
        // What was walked through since a leap, other leaps aside.
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

    /// The leap a clock that shows `at` has come back before, if it has.
    fn leap_before(&self, at: Timestamp) -> Option<usize> {
        let place = self.leaps.iter().rposition(|leap| leap.from <= at.plus(CLOCK_SLACK))?;
        (self.leaps[place].to > at.plus(CLOCK_SLACK) && self.leaps.len() - place <= MOST_TAKEN_BACK).then_some(place)
    }

    /// A clock that was behind is not any more.
    fn caught_up(&mut self) {
        if let Some(walk) = self.walk.take() {
            self.astray.behind = Some(self.astray.behind.map_or(walk.until, |earlier| earlier.max(walk.until)));
        }
    }

    /// A clock that is behind goes on; for so long that it must be right, at last.
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

    fn walked(days: &[i64]) -> Course {
        days.iter().fold(Course::default(), |course, number| course.seen(day(*number)))
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
        fn whoever_comes_back_right_is_believed_and_goes_on(wrong in prop::collection::vec(-3650i64..3650, 1..6)) {
            let mut course = walked(&[0, 1]);
            for (number, wrong) in (2..).zip(&wrong) {
                // Less than the slack is no wrong clock.
                let wrong = if wrong.abs() <= 2 { 3 } else { *wrong };
                course = course.seen(day(number + wrong)).seen(day(number));
            }
            let right = wrong.len() as i64 + 1;
            prop_assert!(!course.is_behind());
            prop_assert_eq!(course.latest, Some(day(right)));
            for number in right..right + 40 {
                course = course.set_right().seen(day(number));
                prop_assert!(course.astray.is_nothing() && !course.is_behind());
            }
        }
    }
}
