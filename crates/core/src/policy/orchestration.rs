//! Policy for dialogues between personas.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Personas: examples, phase, evaluation and adjustments of the plan.
    OrchestrationPolicy "orchestration" {
        /// Number of past examples in a prompt; more would crowd out the question.
        examples: usize = 2, 0 => 10;
        /// Minimum importance of a past example.
        example_importance: f32 = 0.6, 0.0 => 1.0;
        /// Importance of an answer before its evaluation counts; equal to the minimum of an example, so that every run can learn from the last.
        step_importance: f32 = 0.6, 0.0 => 1.0;
        /// Importance that a perfect evaluation adds; better answers become examples first.
        quality_adds: f32 = 0.2, 0.0 => 1.0;
        /// Importance of an answer by rules in place of a model that failed; too low to become an example.
        failed_importance: f32 = 0.4, 0.0 => 1.0;
        /// Trust in an answer; too low to become core or to support a belief.
        trust: f32 = 0.5, 0.0 => 0.59;
        /// Lower border of the affect window; below it, the voices are too alike.
        affect_from: f32 = 0.3, 0.0 => 1.0;
        /// Upper border of the affect window; above it, the voices are too far apart.
        affect_to: f32 = 0.7, 0.0 => 1.0;
        /// Share of the previous affect in the new one; smooths single answers.
        affect_inertia: f32 = 0.5, 0.0 => 1.0;
        /// Verifiability below which the plan asks for fact checking.
        least_verifiability: f32 = 0.6, 0.0 => 1.0;
        /// Impact below which the plan asks for more examples.
        least_impact: f32 = 0.5, 0.0 => 1.0;
        /// Risk from which the opposing voice speaks first.
        high_risk: f32 = 0.7, 0.0 => 1.0;
        /// Intensity from which an emotion raises the priority.
        strong_emotion: f32 = 0.7, 0.0 => 1.0;
        /// Number of examples for full impact.
        wanted_examples: usize = 2, 1 => 100;
        /// Number of claims that one explained step covers.
        claims_per_explanation: f32 = 2.0, 0.1 => 100.0;
        /// Maximum depth of a run; each level is one cycle.
        deepest: u32 = 8, 1 => 100;
        /// Number of the latest answers in a prompt.
        history: usize = 12, 1 => 100;
        /// Number of memories a rule-based answer may use as evidence.
        evidence: usize = 4, 0 => 50;
    }
}
