//! Turns, scenes, facts, mood and relationship.

/// Chooses the statements that a message may change.
pub(crate) mod affected_statements;
/// Detects text that restates injected memories.
pub(crate) mod echo;
/// The one-hot face.
pub(crate) mod face;
/// Facts about the user.
pub(crate) mod fact;
/// The character's current emotion.
pub(crate) mod mood;
/// When a plan is over.
pub(crate) mod plan_end;
/// The five relationship axes.
pub(crate) mod relationship;
/// How freely messages may be retracted or edited.
pub(crate) mod retraction;
/// Scenes of a conversation.
pub(crate) mod scene;
/// What statements mean for each other.
pub(crate) mod settle_statements;
/// Clauses about a life, in the user's own words.
pub(crate) mod statement;
/// Turns and sessions.
pub(crate) mod turn;
