//! Checks that model output has the expected form and comes from its input.

/// Parses structured answers.
pub(in crate::llm) mod answer;
/// Validates facts that a model extracted.
pub(in crate::llm) mod extract;
/// Reads the JSON of a model leniently.
pub(in crate::llm) mod lenient;
/// Strips `<think>` blocks from model output.
pub(in crate::llm) mod strip_reasoning;
