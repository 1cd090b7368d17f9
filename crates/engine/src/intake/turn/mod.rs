//! The steps of one turn: load the state of the mind, read the messages, look up what the decision needs, commit.

/// The activity that a text is about.
pub(crate) mod activity;
/// Chooses kind and category of a new memory.
mod classify;
/// Statements that a message ends.
pub(crate) mod ended_statements;
/// Looks up what the decision needs to know about one finding.
pub(crate) mod finding_lookup;
/// Looks up what the decision about an exchange needs.
pub(crate) mod gather;
/// Earlier mentions of a habit or topic.
mod mentions;
/// Readings of messages by models and rules.
pub(crate) mod model_reading;
/// Vectors, readings and appraisals, made before the lock of the mind is taken.
pub(crate) mod model_results;
/// Builds the turns of an exchange.
pub(crate) mod new_turns;
/// Retries of outdated commits.
mod retry;
/// Assigns turns to scenes.
mod scene;
/// Facts stated by a message.
mod stated_facts;
/// Statements that a commit touches.
pub(crate) mod statement_book;
/// Cached state that processing a turn needs.
pub(crate) mod turn_context;
/// The commit of an exchange while it is built.
pub(crate) mod turn_draft;
