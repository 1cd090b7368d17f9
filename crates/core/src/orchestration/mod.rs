//! Rules of a dialogue between personas: the coordinate of a prompt, the phase of the dialogue, the evaluation of a cycle, and the
//! adjustments of the plan that follow from it.

/// Coordinate of a prompt and its answer.
pub(crate) mod bqi;
/// Evaluation of answers by rules.
pub(crate) mod evaluation;
/// Personas and their order.
pub(crate) mod persona;
/// Rhythm state of the dialogue.
pub(crate) mod phase;
/// Adjustments of the plan.
pub(crate) mod plan;
/// The durable record of a run.
pub(crate) mod run;
