//! The trained reader: what a message says, clause by clause, with probabilities, and what follows from it.

/// What the reader finds in a message.
pub(crate) mod analysis;
/// Probabilities and thresholds from scores.
pub(crate) mod calibration;
/// The reader together with the rules.
pub(crate) mod combine;
/// Facts from marked values.
pub(crate) mod fact;
/// The feeling of a message.
pub(crate) mod feeling;
/// The model that reads.
pub(crate) mod model;
/// Clauses that belong together.
pub(crate) mod passage;
/// Whom a passage is about.
pub(crate) mod person;
/// Statements from passages.
pub(crate) mod statement;
