//! What one commit contains: changes, ledger entry, jobs, model operations.

/// Changes and commits.
pub(crate) mod change;
/// Durable background jobs.
pub(crate) mod job;
/// The hash-chained ledger.
pub(crate) mod ledger;
/// Operations a thinker performs.
pub(crate) mod thought;
