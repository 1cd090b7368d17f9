//! Embedders and language models.

/// The larger embedding model: installation and missing vectors.
mod install;
/// Calibration, token usage and jobs.
mod usage;

pub(crate) use install::refused_words;
