//! Turns, scenes, facts, mood and relationship.

/// Detects text that restates injected memories.
pub(crate) mod echo;
/// The one-hot face.
pub(crate) mod face;
/// Facts about the user.
pub(crate) mod fact;
/// The character's current emotion.
pub(crate) mod mood;
/// The five relationship axes.
pub(crate) mod relationship;
/// What a retracted turn invalidates.
pub(crate) mod retraction;
/// Scenes of a conversation.
pub(crate) mod scene;
/// Turns and sessions.
pub(crate) mod turn;
