//! Evaluation of answers by rules: counts of sources, repeated claims, explained steps and examples, as shares of the claims.

use crate::{Evaluation, OrchestrationPolicy, Unit};

/// Counts in the answers of a cycle, or in a single one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerSigns {
    /// Claims: sentences that state something as certain.
    pub claims: usize,
    /// Claims that name a source.
    pub sources: usize,
    /// Claims that an earlier answer of the run or a past example states, too.
    pub repeated: usize,
    /// Sentences that explain a step: a reason, a consequence, an order.
    pub explained: usize,
    /// Examples: past examples that the answer takes up, and examples it gives.
    pub examples: usize,
}

impl AnswerSigns {
    /// Adds the counts of another answer.
    pub fn add(&mut self, other: Self) {
        self.claims += other.claims;
        self.sources += other.sources;
        self.repeated += other.repeated;
        self.explained += other.explained;
        self.examples += other.examples;
    }
}

/// Returns the evaluation of answers:
///
/// ```text
/// verifiability   = sources / claims
/// reproducibility = repeated claims / claims
/// transparency    = claims_per_explanation * explained / claims
/// impact          = examples / wanted_examples
/// ```
///
/// Each is at most 1. Answers without a claim have nothing to verify and score 0 on the first three.
pub fn evaluated(signs: &AnswerSigns, policy: &OrchestrationPolicy) -> Evaluation {
    let share = |part: f32, of: usize| Unit::clamped(if of == 0 { 0.0 } else { part / of as f32 });
    Evaluation {
        impact: share(signs.examples as f32, policy.wanted_examples),
        transparency: share(policy.claims_per_explanation * signs.explained as f32, signs.claims),
        reproducibility: share(signs.repeated as f32, signs.claims),
        verifiability: share(signs.sources as f32, signs.claims),
    }
}

/// Returns the importance of an answer: `step_importance + quality_adds * mean of the four scores`, or `failed_importance` if the
/// answer replaces one that failed. Failed answers therefore never become examples.
pub fn step_importance(evaluation: &Evaluation, failed: Failure, policy: &OrchestrationPolicy) -> Unit {
    if failed == Failure::Occurred {
        return Unit::clamped(policy.failed_importance);
    }
    let scores = [evaluation.impact, evaluation.transparency, evaluation.reproducibility, evaluation.verifiability];
    let quality = scores.iter().map(|score| score.get()).sum::<f32>() / 4.0;
    Unit::clamped(policy.step_importance + policy.quality_adds * quality)
}

/// Whether the model of a persona failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It answered.
    None,
    /// It failed, and rules answered.
    Occurred,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(signs: [usize; 5], expected: [f32; 4]) {
        let [claims, sources, repeated, explained, examples] = signs;
        let found = evaluated(&AnswerSigns { claims, sources, repeated, explained, examples }, &OrchestrationPolicy::default());
        let found = [found.impact, found.transparency, found.reproducibility, found.verifiability].map(Unit::get);
        assert!(found.iter().zip(expected).all(|(found, value)| (found - value).abs() < 1e-6), "{signs:?}: {found:?}");
    }

    #[test]
    fn golden_numbers() {
        check([0, 0, 0, 0, 0], [0.0, 0.0, 0.0, 0.0]);
        check([5, 2, 0, 0, 0], [0.0, 0.0, 0.0, 0.4]);
        check([5, 3, 1, 1, 1], [0.5, 0.4, 0.2, 0.6]);
        check([4, 4, 2, 2, 2], [1.0, 1.0, 0.5, 1.0]);
        check([4, 9, 9, 9, 9], [1.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn better_answers_are_more_important_and_failed_ones_are_no_examples() {
        let policy = OrchestrationPolicy::default();
        let of = |sources| evaluated(&AnswerSigns { claims: 4, sources, ..AnswerSigns::default() }, &policy);
        assert!((step_importance(&of(0), Failure::None, &policy).get() - 0.6).abs() < 1e-6);
        assert!((step_importance(&of(4), Failure::None, &policy).get() - 0.65).abs() < 1e-6);
        assert!(step_importance(&of(4), Failure::Occurred, &policy).get() < policy.example_importance);
    }

    proptest! {
        #[test]
        fn every_score_is_a_share_and_more_evidence_never_lowers_it(
            claims in 0usize..20, sources in 0usize..20, repeated in 0usize..20, explained in 0usize..20, examples in 0usize..20,
        ) {
            let policy = OrchestrationPolicy::default();
            let signs = AnswerSigns { claims, sources, repeated, explained, examples };
            let found = evaluated(&signs, &policy);
            let more = evaluated(&AnswerSigns { sources: sources + 1, repeated: repeated + 1, explained: explained + 1, examples: examples + 1, claims }, &policy);
            for (one, other) in [(found.impact, more.impact), (found.transparency, more.transparency),
                (found.reproducibility, more.reproducibility), (found.verifiability, more.verifiability)] {
                prop_assert!((0.0..=1.0).contains(&one.get()) && other >= one);
            }
        }
    }
}
