//! Comparison of two texts or values.

/// The activity a sentence describes.
pub(crate) mod activity;
/// Whether two sentences describe the same event.
pub(crate) mod event_equivalence;
/// Merged text of memories about the same event.
pub(crate) mod merge_text;
/// Pairs of words that contradict each other.
pub(crate) mod opposites;
/// Comparison of statements.
pub(crate) mod statement;
/// Canonical values of facts.
pub(crate) mod value;
