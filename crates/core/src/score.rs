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
