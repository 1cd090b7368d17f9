//! Splits and normalises text.

/// Splitting a sentence into clauses.
pub(crate) mod clauses;
/// Number words.
pub(crate) mod number;
/// Word order normalisation.
pub(crate) mod reorder;
/// Splitting into sentences.
pub(crate) mod split;
/// Removal of openings, closings and fillers.
pub(crate) mod trim;
