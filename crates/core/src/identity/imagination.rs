//! Imagination: what the character thinks of by itself, how often it may, and how what was liked steers what comes next.

use jiff::ToSpan;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Emotions, ImaginationId, ImaginationPolicy, MemoryId, Span, Timestamp};

word_enum! {
    /// What set an imagination off.
    Trigger "trigger" {
        /// Nothing happened for a while.
        Idle = "idle",
        /// The host told of something.
        Context = "context",
        /// A time of day came.
        Time = "time",
    }
}

word_enum! {
    /// A time of day the character wakes up to by itself.
    TimeOfDay "time_of_day" {
        /// The morning.
        Morning = "morning",
        /// The evening.
        Evening = "evening",
    }
}

impl TimeOfDay {
    /// The time of day at a moment, where it is one of these.
    pub fn at(now: Timestamp, zone: &TimeZone, policy: &ImaginationPolicy) -> Option<Self> {
        let hour = u32::try_from(now.civil(zone).hour()).unwrap_or(0);
        if (policy.morning_from..policy.morning_to).contains(&hour) {
            Some(Self::Morning)
        } else if (policy.evening_from..policy.evening_to).contains(&hour) {
            Some(Self::Evening)
        } else {
            None
        }
    }

    /// The nearer of the two: before noon the morning, after it the evening.
    pub fn nearest(now: Timestamp, zone: &TimeZone) -> Self {
        if now.civil(zone).hour() < 12 { Self::Morning } else { Self::Evening }
    }
}

/// Something the character thought of by itself. Never a fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imagination {
    /// Its identity.
    pub id: ImaginationId,
    /// What set it off.
    pub trigger: Trigger,
    /// What it turns around.
    pub theme: String,
    /// The memories it was made of.
    pub memories: Vec<MemoryId>,
    /// What was imagined.
    pub scenario: String,
    /// What the character could do.
    pub action: Option<String>,
    /// What it feels.
    pub emotions: Emotions,
    /// When.
    pub at: Timestamp,
    /// The memory it is kept as.
    pub memory: Option<MemoryId>,
    /// Whether it was liked; nothing when nobody said.
    pub liked: Option<bool>,
    /// Whether its silence was counted as being ignored.
    pub ignored: bool,
}

/// How much a trigger or a theme is worth imagining.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// The trigger, for a trigger's weight.
    pub trigger: Option<Trigger>,
    /// The theme, for a theme's weight.
    pub theme: Option<String>,
    /// The weight; one for what nobody said anything about.
    pub weight: f32,
}

/// How something was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Someone liked it.
    Liked,
    /// Someone did not.
    Disliked,
    /// Nobody said anything.
    Ignored,
}

/// The weight of a trigger.
pub fn trigger_weight(weights: &[Weight], trigger: Trigger) -> f32 {
    weights.iter().find(|weight| weight.trigger == Some(trigger)).map_or(1.0, |weight| weight.weight)
}

/// The weight of a theme.
pub fn theme_weight(weights: &[Weight], theme: &str) -> f32 {
    weights.iter().find(|weight| weight.theme.as_deref() == Some(theme)).map_or(1.0, |weight| weight.weight)
}

/// The two weights of an imagination after it was taken like this.
pub fn taken(weights: &[Weight], imagination: &Imagination, how: Taken, policy: &ImaginationPolicy) -> [Weight; 2] {
    let factor = match how {
        Taken::Liked => policy.liked,
        Taken::Disliked => policy.disliked,
        Taken::Ignored => policy.ignored,
    };
    let moved = |weight: f32| match how {
        Taken::Ignored => (weight * factor).max(policy.ignored_to).min(weight),
        Taken::Liked | Taken::Disliked => (weight * factor).clamp(policy.lightest, policy.heaviest),
    };
    [
        Weight { trigger: Some(imagination.trigger), theme: None, weight: moved(trigger_weight(weights, imagination.trigger)) },
        Weight { trigger: None, theme: Some(imagination.theme.clone()), weight: moved(theme_weight(weights, &imagination.theme)) },
    ]
}

/// One of the options, each as likely as its weight; `chance` is any number, evenly thrown. Nothing when there is none.
pub fn chosen<T>(options: &[(T, f32)], chance: u64) -> Option<&T> {
    let sum: f64 = options.iter().map(|(_, weight)| f64::from(weight.max(0.0))).sum();
    let mut left = chance as f64 / (u64::MAX as f64 + 1.0) * sum;
    for (option, weight) in options {
        left -= f64::from(weight.max(0.0));
        if left < 0.0 {
            return Some(option);
        }
    }
    options.last().map(|(option, _)| option)
}

/// Whether another may be imagined at `now`, given when the latest were; or else when the next may be. The day is the
/// host's, and between two of them there is a pause. A clock that went back does not open another day.
pub fn may_imagine(latest: &[Timestamp], now: Timestamp, zone: &TimeZone, policy: &ImaginationPolicy) -> Result<(), Timestamp> {
    let midnight = now.midnight(zone);
    let today = latest.iter().filter(|at| **at >= midnight).count();
    let pause = Span::seconds(i64::from(policy.cooldown_minutes) * 60);
    let rested = latest.iter().max().map(|last| last.plus(pause)).filter(|rested| *rested > now);
    let tomorrow = now.civil(zone).date().checked_add(1.day()).ok().and_then(|date| date.to_zoned(zone.clone()).ok());
    let tomorrow = tomorrow.map_or(midnight.plus(Span::days(1)), |day| Timestamp::from_millis(day.timestamp().as_millisecond()));
    let tomorrow = (today >= policy.per_day).then_some(tomorrow);
    match [rested, tomorrow].into_iter().flatten().max() {
        None => Ok(()),
        Some(next) => Err(next),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moment(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn seoul() -> TimeZone {
        TimeZone::fixed(jiff::tz::offset(9))
    }

    fn imagined(trigger: Trigger, theme: &str) -> Imagination {
        Imagination {
            id: ImaginationId::new(moment("2026-03-01"), [1; 10]),
            trigger,
            theme: theme.into(),
            memories: Vec::new(),
            scenario: String::new(),
            action: None,
            emotions: Emotions::default(),
            at: moment("2026-03-01"),
            memory: None,
            liked: None,
            ignored: false,
        }
    }

    #[test]
    fn the_fourth_of_a_day_waits_for_the_next_day_there() {
        let policy = ImaginationPolicy::default();
        let at = |hour: u32| moment(&format!("2026-03-01T{hour:02}:00:00+09:00"));
        let mut latest = Vec::new();
        for hour in [8, 12, 20] {
            assert_eq!(may_imagine(&latest, at(hour), &seoul(), &policy), Ok(()), "{hour}");
            latest.push(at(hour));
        }
        assert_eq!(may_imagine(&latest, at(22), &seoul(), &policy), Err(moment("2026-03-02T00:00:00+09:00")));
        assert_eq!(may_imagine(&latest, moment("2026-03-02T00:00:00+09:00"), &seoul(), &policy), Ok(()));
        // Elsewhere the day is another one.
        assert_eq!(may_imagine(&latest, at(22), &TimeZone::UTC, &policy), Err(moment("2026-03-02T00:00:00Z")).or(Ok(())));
    }

    #[test]
    fn two_of_them_have_a_pause_between() {
        let policy = ImaginationPolicy::default();
        let first = moment("2026-03-01T12:00:00Z");
        assert_eq!(may_imagine(&[first], first.plus(Span::seconds(3599)), &TimeZone::UTC, &policy), Err(first.plus(Span::hours(1))));
        assert_eq!(may_imagine(&[first], first.plus(Span::hours(1)), &TimeZone::UTC, &policy), Ok(()));
        let late = [moment("2026-03-01T08:00:00Z"), moment("2026-03-01T12:00:00Z"), moment("2026-03-01T23:50:00Z")];
        assert_eq!(may_imagine(&late, moment("2026-03-01T23:55:00Z"), &TimeZone::UTC, &policy), Err(moment("2026-03-02T00:50:00Z")));
    }

    #[test]
    fn a_day_with_a_changed_clock_ends_at_its_midnight() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap_or(TimeZone::UTC);
        let policy = ImaginationPolicy { cooldown_minutes: 0, ..ImaginationPolicy::default() };
        let now = moment("2026-03-29T20:00:00Z");
        let next = may_imagine(&[now, now, now], now, &berlin, &policy).unwrap_err();
        assert_eq!(next, next.midnight(&berlin));
        assert!(next > now);
    }

    #[test]
    fn times_of_day_have_their_hours() {
        let policy = ImaginationPolicy::default();
        for (hour, expected) in [
            (6, None),
            (7, Some(TimeOfDay::Morning)),
            (9, Some(TimeOfDay::Morning)),
            (10, None),
            (18, Some(TimeOfDay::Evening)),
            (22, None),
        ] {
            let now = moment(&format!("2026-03-01T{hour:02}:30:00+09:00"));
            assert_eq!(TimeOfDay::at(now, &seoul(), &policy), expected, "{hour}");
        }
    }

    #[test]
    fn feedback_moves_both_weights_within_their_bounds() {
        let policy = ImaginationPolicy::default();
        let mut weights: Vec<Weight> = Vec::new();
        let feed = |weights: &mut Vec<Weight>, how: Taken| {
            for weight in taken(weights, &imagined(Trigger::Idle, "people"), how, &policy) {
                weights.retain(|known| (known.trigger, &known.theme) != (weight.trigger, &weight.theme));
                weights.push(weight);
            }
        };
        feed(&mut weights, Taken::Liked);
        assert_eq!((trigger_weight(&weights, Trigger::Idle), theme_weight(&weights, "people")), (1.25, 1.25));
        assert_eq!((trigger_weight(&weights, Trigger::Time), theme_weight(&weights, "requests")), (1.0, 1.0));
        feed(&mut weights, Taken::Disliked);
        assert!((trigger_weight(&weights, Trigger::Idle) - 1.0).abs() < 1e-6);
        feed(&mut weights, Taken::Ignored);
        assert!((trigger_weight(&weights, Trigger::Idle) - 0.95).abs() < 1e-6);
        (0..200).for_each(|_| feed(&mut weights, Taken::Liked));
        assert_eq!(trigger_weight(&weights, Trigger::Idle), policy.heaviest);
        (0..200).for_each(|_| feed(&mut weights, Taken::Disliked));
        assert_eq!(trigger_weight(&weights, Trigger::Idle), policy.lightest);
        feed(&mut weights, Taken::Ignored);
        assert_eq!(trigger_weight(&weights, Trigger::Idle), policy.lightest, "silence lifts nothing");
        (0..20).for_each(|_| feed(&mut weights, Taken::Liked));
        (0..200).for_each(|_| feed(&mut weights, Taken::Ignored));
        assert_eq!(trigger_weight(&weights, Trigger::Idle), policy.ignored_to, "and says less than a no");
    }

    #[test]
    fn what_weighs_nothing_is_never_chosen_while_something_else_can_be() {
        assert_eq!(chosen::<u8>(&[], 7), None);
        assert_eq!(chosen(&[('a', 0.0), ('b', 1.0)], 0), Some(&'b'));
        assert_eq!(chosen(&[('a', 1.0), ('b', 1.0)], u64::MAX), Some(&'b'));
        assert_eq!(chosen(&[('a', 1.0), ('b', 1.0)], 0), Some(&'a'));
    }

    proptest! {
        #[test]
        fn a_refusal_names_a_moment_at_which_it_is_allowed(hours in prop::collection::vec(0i64..72, 0..12), now in 0i64..80) {
            let policy = ImaginationPolicy::default();
            let start = moment("2026-03-01T00:00:00Z");
            let latest: Vec<Timestamp> = hours.iter().filter(|hour| **hour <= now).map(|hour| start.plus(Span::hours(*hour))).collect();
            if let Err(next) = may_imagine(&latest, start.plus(Span::hours(now)), &TimeZone::UTC, &policy) {
                prop_assert!(next > start.plus(Span::hours(now)));
                prop_assert_eq!(may_imagine(&latest, next, &TimeZone::UTC, &policy), Ok(()));
            }
        }
    }
}
