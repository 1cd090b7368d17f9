//! Checks of messages and of model output.

/// Filters free text that a model writes for the character.
pub(crate) mod advice;
/// Decides whose statement it is and whether it is real.
pub(crate) mod attribution;
/// Checks that model text is grounded in its input.
pub(crate) mod grounding;
/// The instruction guard.
pub(crate) mod instruction;
/// Reconciles a model's extraction with the rules' reading.
pub(crate) mod reconcile;
/// Text that must not reach the character.
pub(crate) mod unsafe_text;
