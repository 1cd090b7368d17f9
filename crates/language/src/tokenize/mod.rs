//! Splits and normalises text.

/// Number words.
pub(crate) mod number;
/// Word order normalisation.
pub(crate) mod reorder;
/// Splitting into sentences and clauses.
pub(crate) mod split;
/// Removal of openings, closings and fillers.
pub(crate) mod trim;
