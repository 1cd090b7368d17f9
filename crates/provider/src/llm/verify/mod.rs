//! Checks that model output has the expected form and comes from its input.

/// Bounds free text that a model writes.
pub(in crate::llm) mod advice;
/// Parses structured answers.
pub(in crate::llm) mod answer;
/// Decides whose statement it is and whether it is real.
pub(in crate::llm) mod attribution;
/// Validates facts that a model extracted.
pub(in crate::llm) mod extract;
/// Checks that model text is grounded in its input.
pub(in crate::llm) mod grounding;
/// Reconciles a model's extraction with the rules' reading.
pub(in crate::llm) mod reconcile;
/// Strips `<think>` blocks from model output.
pub(in crate::llm) mod strip_reasoning;
