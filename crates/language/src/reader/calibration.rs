//! Calibration: turns the model's scores into probabilities, and the thresholds chosen on the development authors.

use std::sync::LazyLock;

use crate::Factor;
use crate::patterns::table::rows;

/// One line of the calibration: probability = sigmoid(slope · logit(score) + intercept).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Calibration {
    slope: f32,
    intercept: f32,
    /// Least probability to record it at all.
    pub(crate) kept_from: f32,
    /// Least probability to show it as current without confirmation.
    pub(crate) sure_from: f32,
}

impl Calibration {
    /// Returns the probability of a score, 0..=1.
    pub(crate) fn probability(&self, score: f32) -> f32 {
        sigmoid(self.slope * logit(score) + self.intercept)
    }
}

fn logit(probability: f32) -> f32 {
    let probability = probability.clamp(1e-4, 1.0 - 1e-4);
    (probability / (1.0 - probability)).ln()
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the score that several factors have together: sigmoid(sum of slope · logit(factor)). A factor without a line
/// has no weight.
pub(crate) fn combined(factors: &[Factor]) -> f32 {
    let line = |factor: &Factor| LINES.iter().find(|line| line.what == "factor" && line.which == factor.name);
    let part = |factor: &Factor| line(factor).map_or(0.0, |line| line.calibration.slope * logit(factor.probability));
    sigmoid(factors.iter().map(part).sum())
}

struct Line {
    what: &'static str,
    which: &'static str,
    calibration: Calibration,
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    rows(include_str!("../../model/calibration.tsv"))
        .filter_map(|row| match row[..] {
            [what, which, slope, intercept, kept_from, sure_from] => Some(Line {
                what,
                which,
                calibration: Calibration {
                    slope: slope.parse().ok()?,
                    intercept: intercept.parse().ok()?,
                    kept_from: kept_from.parse().ok()?,
                    sure_from: sure_from.parse().ok()?,
                },
            }),
            _ => None,
        })
        .collect()
});

/// Nothing is recorded without a calibration.
const NEVER: Calibration = Calibration { slope: 1.0, intercept: 0.0, kept_from: 1.0, sure_from: 1.0 };

/// Returns the calibration of `what` (`statement`, `fact`) for `which` (a group, a source, a factor), or the general one for `what`.
pub(crate) fn calibration(what: &str, which: &str) -> Calibration {
    let line = |which: &str| LINES.iter().find(|line| line.what == what && line.which == which).map(|line| line.calibration);
    line(which).or_else(|| line("*")).unwrap_or(NEVER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        assert_eq!(LINES.len(), rows(include_str!("../../model/calibration.tsv")).count());
        assert!(LINES.iter().all(|line| (0.0..=1.0).contains(&line.calibration.kept_from) && line.calibration.slope > 0.0));
    }

    #[test]
    fn a_higher_score_is_a_higher_probability() {
        let statement = calibration("statement", "work");
        assert!(statement.probability(0.9) > statement.probability(0.5));
        assert!(statement.probability(f32::INFINITY) <= 1.0 && statement.probability(0.0) >= 0.0);
        assert_eq!(calibration("weather", "work"), NEVER);
    }
}
