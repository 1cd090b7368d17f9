//! Decides what an exchange changes: which findings become memories, reinforce known ones or are skipped.
//!
//! The caller looks everything up first: the reading of each message, the nearest memories and the earlier mentions of each
//! finding. [`decide_exchange`] then runs without waiting for anything.

/// Admits findings as new memories.
mod admit;
/// What the decision starts from.
pub(crate) mod context;
/// Decides about findings, turn by turn.
pub(crate) mod decide;
/// Applies the pending changes of a decision.
mod draft;
/// Findings and what was looked up about them.
pub(crate) mod finding;
/// DecisionIds that a decision assigns.
pub(crate) mod ids;
/// Selects the memory that a finding repeats.
mod nearest;
/// Builds the memory of a finding.
mod new_memory;
/// Reasons of verdicts, in words.
mod reason;
/// Reinforces known memories.
mod reinforce;
/// Updates the relationship after a message.
mod relate;
/// Scores findings.
pub(crate) mod score;
/// Applies assertions to the facts about the user.
pub(crate) mod settle;
#[cfg(test)]
mod tests;
