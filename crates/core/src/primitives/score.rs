//! Scores that can explain themselves.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::shortest;

/// One named part of a score: its weight and its value before weighing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What it is; mostly a word of ours, which costs nothing to name.
    pub name: Cow<'static, str>,
    /// How much it weighs.
    #[serde(serialize_with = "short")]
    pub weight: f32,
    /// What it was worth.
    #[serde(serialize_with = "short")]
    pub value: f32,
}

fn short<S: serde::Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(shortest(*value))
}

impl Part {
    /// Names a part.
    pub fn new(name: impl Into<Cow<'static, str>>, weight: f32, value: f32) -> Self {
        Self { name: name.into(), weight, value }
    }
}

/// A score as the sum of its weighed parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    parts: Vec<Part>,
}

impl Score {
    /// The score that is the sum of these parts.
    pub fn sum(parts: Vec<Part>) -> Self {
        Self { parts }
    }

    /// The number.
    pub fn total(&self) -> f32 {
        self.parts.iter().map(|part| part.weight * part.value).sum()
    }

    /// What it is made of.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Two numbers with as many digits, from two on, as it takes to see which is less.
pub fn told_apart(less: f32, more: f32) -> (String, String) {
    let told = |digits: usize| (format!("{less:.digits$}"), format!("{more:.digits$}"));
    (2..7).map(told).find(|(less, more)| less != more).unwrap_or_else(|| told(7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_less_reads_as_less() {
        for (less, more, told) in
            [(0.48, 0.65, ("0.48", "0.65")), (0.6478, 0.65, ("0.648", "0.650")), (0.64999, 0.65, ("0.64999", "0.65000"))]
        {
            let (one, other) = told_apart(less, more);
            assert_eq!((one.as_str(), other.as_str()), told);
        }
    }
}
