//! The trained reader: what a message says, clause by clause, with probabilities.

/// What the reader finds in a message.
#[allow(dead_code)]
pub(crate) mod analysis;
