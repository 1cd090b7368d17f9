//! Timestamps and durations. Nothing here reads the clock; the caller passes the current time.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Invalid, phrase};

/// A UTC timestamp with millisecond precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from Unix milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns Unix milliseconds.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Parses an RFC 3339 timestamp, or a date, which means midnight UTC.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let text = text.trim();
        let moment = text.parse::<jiff::Timestamp>().ok().or_else(|| {
            let date = text.parse::<jiff::civil::Date>().ok()?;
            Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
        });
        moment.map(|moment| Self(moment.as_millisecond())).ok_or_else(|| {
            let problem = phrase!("core.time.not_a_time", text);
            Invalid::new("time", problem)
        })
    }

    /// Returns the timestamp `span` later, saturating.
    pub const fn plus(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// Returns the timestamp `span` earlier, saturating.
    pub const fn minus(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// Returns the time since `earlier`; zero if `earlier` is later (the clock went back).
    pub const fn since(self, earlier: Self) -> Span {
        let millis = self.0.saturating_sub(earlier.0);
        Span(if millis < 0 { 0 } else { millis })
    }

    /// Returns the civil date and time in `zone`.
    pub fn civil(self, zone: &jiff::tz::TimeZone) -> jiff::civil::DateTime {
        zone.to_datetime(jiff::Timestamp::from_millisecond(self.0).unwrap_or_default())
    }

    /// Returns the start of the timestamp's day in `zone`.
    pub fn midnight(self, zone: &jiff::tz::TimeZone) -> Self {
        let midnight = self.civil(zone).date().to_zoned(zone.clone());
        midnight.map_or(self, |midnight| Self(midnight.timestamp().as_millisecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment:.3}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A duration in milliseconds, never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(i64);

impl Span {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// Creates a duration from milliseconds; negative values become zero.
    pub const fn millis(millis: i64) -> Self {
        Self(if millis < 0 { 0 } else { millis })
    }

    /// Creates a duration from seconds.
    pub const fn seconds(seconds: i64) -> Self {
        Self::millis(seconds.saturating_mul(1000))
    }

    /// Creates a duration from hours.
    pub const fn hours(hours: i64) -> Self {
        Self::seconds(hours.saturating_mul(3600))
    }

    /// Creates a duration from days of 24 hours.
    pub const fn days(days: i64) -> Self {
        Self::hours(days.saturating_mul(24))
    }

    /// Returns the duration in milliseconds.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the duration in fractional days.
    pub fn as_days(self) -> f64 {
        self.0 as f64 / 86_400_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_reads_back_as_it_was_written() {
        for (text, shown) in [
            ("2026-03-15T09:30:00Z", "2026-03-15T09:30:00.000Z"),
            ("2026-03-15T18:30:00.250+09:00", "2026-03-15T09:30:00.250Z"),
            ("2026-03-15", "2026-03-15T00:00:00.000Z"),
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), shown);
        }
        assert!(Timestamp::parse("어제").unwrap_err().to_string().contains("2026-03-15"));
    }

    #[test]
    fn a_clock_that_went_back_gives_no_time() {
        let now = Timestamp::from_millis(1_000);
        assert_eq!(now.since(Timestamp::from_millis(5_000)), Span::ZERO);
        assert_eq!(Timestamp::from_millis(i64::MAX).plus(Span::days(1)).millis(), i64::MAX);
    }

    #[test]
    fn midnight_is_the_first_moment_of_the_day_there() {
        let seoul = jiff::tz::TimeZone::fixed(jiff::tz::offset(9));
        let moment = Timestamp::parse("2026-03-15T16:00:00Z").unwrap();
        assert_eq!(moment.midnight(&seoul), Timestamp::parse("2026-03-15T15:00:00Z").unwrap());
    }
}
