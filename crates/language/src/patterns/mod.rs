//! Vocabulary tables and their pattern language.

/// Literal prefilter for patterns.
pub(crate) mod literal_prefilter;
/// Data files and their pattern language.
pub(crate) mod table;
