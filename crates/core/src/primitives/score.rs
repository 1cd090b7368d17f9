//! Scores with a breakdown by part.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::shortest;

/// One named part of a score, with its weight and unweighted value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Name; usually a static string, which needs no allocation.
    pub name: Cow<'static, str>,
    /// Weight.
    #[serde(serialize_with = "short")]
    pub weight: f32,
    /// Unweighted value.
    #[serde(serialize_with = "short")]
    pub value: f32,
}

fn short<S: serde::Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(shortest(*value))
}

impl Part {
    /// Creates a part.
    pub fn new(name: impl Into<Cow<'static, str>>, weight: f32, value: f32) -> Self {
        Self { name: name.into(), weight, value }
    }
}

/// A score as the sum of its weighted parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    parts: Vec<Part>,
}

impl Score {
    /// Creates a score from its parts.
    pub fn sum(parts: Vec<Part>) -> Self {
        Self { parts }
    }

    /// Returns the total.
    pub fn total(&self) -> f32 {
        self.parts.iter().map(|part| part.weight * part.value).sum()
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Formats two numbers with as many digits as needed to tell them apart, at least two.
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
