//! The trained reader: what a message says, clause by clause, with probabilities, and what follows from it.

/// What the reader finds in a message.
#[allow(dead_code)]
pub(crate) mod analysis;
/// Probabilities and thresholds from scores.
#[allow(dead_code)]
pub(crate) mod calibration;
/// The reader together with the rules.
#[allow(dead_code)]
pub(crate) mod combine;
/// Facts from marked values.
#[allow(dead_code)]
pub(crate) mod fact;
/// The feeling of a message.
#[allow(dead_code)]
pub(crate) mod feeling;
/// The model that reads.
#[allow(dead_code)]
pub(crate) mod model;
/// Clauses that belong together.
#[allow(dead_code)]
pub(crate) mod passage;
/// Whom a passage is about.
#[allow(dead_code)]
pub(crate) mod person;
/// Statements from passages.
#[allow(dead_code)]
pub(crate) mod statement;
