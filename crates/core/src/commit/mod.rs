//! What one commit contains: changes, ledger entry, jobs, model operations.

/// Changes and commits.
pub(crate) mod change;
/// Hashes of contents and ledger entries.
pub(crate) mod hash;
/// Durable background jobs.
pub(crate) mod job;
/// The hash-chained ledger.
pub(crate) mod ledger;
/// Operations that the ledger records.
pub(crate) mod operation;
/// Operations a thinker performs.
pub(crate) mod thought;
/// Verification of a ledger chain.
pub(crate) mod verification;
