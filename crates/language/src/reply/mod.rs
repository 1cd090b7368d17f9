//! Replies without a model.

/// Brief replies in character.
pub(crate) mod brief;
/// Wording of answers.
pub(crate) mod wording;
