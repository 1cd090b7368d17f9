//! Numbers with a checked range.

use serde::{Deserialize, Serialize};

use crate::{Phrase, phrase};

/// A value that is out of range or malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct Invalid {
    /// Field name as used in the SPEC.
    pub field: &'static str,
    /// What is wrong and what is expected.
    pub problem: Phrase,
}

impl Invalid {
    /// Creates an error for a field.
    pub fn new(field: &'static str, problem: impl Into<Phrase>) -> Self {
        Self { field, problem: problem.into() }
    }

    /// Returns the error message with the field name. Configuration settings keep their name from the file.
    pub fn phrase(&self) -> Phrase {
        phrase!("core.unit.invalid", field = Phrase::name("field", self.field), problem = &self.problem)
    }
}

/// A number in 0..=1: importance, strength, intensity, confidence, similarity.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f32", into = "f64")]
pub struct Unit(f32);

impl Unit {
    /// Returns the larger of two values.
    pub const fn max(self, other: Self) -> Self {
        if other.0 > self.0 { other } else { self }
    }

    /// Zero.
    pub const ZERO: Self = Self(0.0);
    /// One.
    pub const ONE: Self = Self(1.0);

    /// Creates a value; fails outside 0..=1.
    pub fn new(value: f32) -> Result<Self, Invalid> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(Invalid::new("share", phrase!("core.unit.share_out_of_range", value)))
        }
    }

    /// Clamps a number to 0..=1; NaN becomes 0.
    pub const fn clamped(value: f32) -> Self {
        if value.is_nan() { Self(0.0) } else { Self(value.clamp(0.0, 1.0)) }
    }

    /// Returns the number.
    pub const fn get(self) -> f32 {
        self.0
    }
}

impl TryFrom<f32> for Unit {
    type Error = Invalid;
    fn try_from(value: f32) -> Result<Self, Invalid> {
        Self::new(value)
    }
}

/// Converts to the shortest decimal that reads back as the same `f32`: 0.7 instead of 0.699999988079071.
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().expect("a number reads back")
}

impl From<Unit> for f64 {
    fn from(unit: Unit) -> f64 {
        shortest(unit.0)
    }
}

impl From<Unit> for f32 {
    fn from(unit: Unit) -> f32 {
        unit.0
    }
}

/// Valence, -1..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f32", into = "f64")]
pub struct Sentiment(f32);

impl Sentiment {
    /// Creates a value; fails outside -1..=1.
    pub fn new(value: f32) -> Result<Self, Invalid> {
        if (-1.0..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(Invalid::new("sentiment", phrase!("core.unit.sentiment_out_of_range", value)))
        }
    }

    /// Clamps a number to -1..=1; NaN becomes 0.
    pub const fn clamped(value: f32) -> Self {
        if value.is_nan() { Self(0.0) } else { Self(value.clamp(-1.0, 1.0)) }
    }

    /// Returns the number.
    pub const fn get(self) -> f32 {
        self.0
    }
}

impl TryFrom<f32> for Sentiment {
    type Error = Invalid;
    fn try_from(value: f32) -> Result<Self, Invalid> {
        Self::new(value)
    }
}

impl From<Sentiment> for f64 {
    fn from(sentiment: Sentiment) -> f64 {
        shortest(sentiment.0)
    }
}

impl From<Sentiment> for f32 {
    fn from(sentiment: Sentiment) -> f32 {
        sentiment.0
    }
}

/// Rating of a memory by the owner, one to five stars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Rating(u8);

impl Rating {
    /// Creates a rating; fails outside 1..=5.
    pub fn new(stars: u8) -> Result<Self, Invalid> {
        if (1..=5).contains(&stars) { Ok(Self(stars)) } else { Err(Invalid::new("rating", phrase!("core.unit.stars_out_of_range", stars))) }
    }

    /// Returns the number of stars.
    pub const fn stars(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Rating {
    type Error = Invalid;
    fn try_from(stars: u8) -> Result<Self, Invalid> {
        Self::new(stars)
    }
}

impl From<Rating> for u8 {
    fn from(rating: Rating) -> u8 {
        rating.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_short_as_it_is_precise_and_reads_back() {
        for value in [0.0, 0.1, 0.3, 0.7, 1.0 / 3.0, f32::MIN_POSITIVE, 1.0] {
            let unit = Unit::clamped(value);
            assert_eq!(serde_json::from_value::<Unit>(serde_json::to_value(unit).unwrap()).unwrap(), unit);
            // Ledger entries are hashed in their text form, so the text must not depend on how the number was computed.
            let written = serde_json::to_string(&value).unwrap();
            assert_eq!(
                (serde_json::to_string(&unit).unwrap(), serde_json::to_value(unit).unwrap().to_string()),
                (written.clone(), written)
            );
        }
        assert_eq!(serde_json::to_value(Unit::clamped(0.7)).unwrap().to_string(), "0.7");
        assert_eq!(serde_json::to_value(Sentiment::clamped(-0.2)).unwrap().to_string(), "-0.2");
    }

    #[test]
    fn a_share_outside_its_range_is_refused_or_clamped() {
        for (value, refused, clamped) in
            [(0.0, false, 0.0), (1.0, false, 1.0), (-0.01, true, 0.0), (1.01, true, 1.0), (f32::NAN, true, 0.0)]
        {
            assert_eq!(Unit::new(value).is_err(), refused, "{value}");
            assert_eq!(Unit::clamped(value).get(), clamped, "{value}");
        }
    }

    #[test]
    fn stars_go_from_one_to_five() {
        assert!(Rating::new(0).is_err() && Rating::new(6).is_err());
        assert_eq!(Rating::new(5).unwrap().stars(), 5);
    }
}
