//! Beliefs, islands, SOUL.md, imagination, and the proposals that change them.

/// The owner's decisions on proposals.
pub(crate) mod approvals;
/// Imaginations.
pub(crate) mod imagine;
/// Islands.
pub(crate) mod islands;
/// Proposals.
pub(crate) mod proposals;
/// Beliefs and versions of the self.
pub(crate) mod self_model;
/// SOUL.md.
pub(crate) mod soul;
