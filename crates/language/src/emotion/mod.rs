//! Feelings, their causes and their effects.

/// Appraisal.
pub(crate) mod appraise;
/// Bare feelings.
pub(crate) mod bare;
/// Cause of a feeling.
pub(crate) mod emotion_cause;
/// Feeling of a text.
pub(crate) mod feeling;
/// Detects major life events.
pub(crate) mod life_event;
/// Sarcasm and hyperbole.
pub(crate) mod sarcasm;
/// Effects on the relationship.
pub(crate) mod toward;
