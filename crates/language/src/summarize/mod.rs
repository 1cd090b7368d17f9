//! Essences, beliefs, island names and imagined scenes without a model.

/// Beliefs from core memories.
pub(crate) mod believe;
/// Distillation without a model.
pub(crate) mod distil;
/// Imagination without a model.
pub(crate) mod imagine;
/// Names of islands.
pub(crate) mod island;
