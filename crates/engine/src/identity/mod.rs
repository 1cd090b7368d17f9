//! Beliefs, islands, SOUL.md, imagination, and the proposals that change them.

/// Public methods.
mod api;
/// The owner's decisions on proposals.
pub(crate) mod approvals;
/// Imaginations.
pub(crate) mod imagine;
/// Islands.
pub(crate) mod islands;
/// Proposals that follow from other changes.
pub(crate) mod proposal_upkeep;
/// Proposals.
pub(crate) mod proposals;
/// Beliefs and versions of the self.
pub(crate) mod self_model;
/// SOUL.md.
pub(crate) mod soul;

use crate::MindHandle;

/// Beliefs, islands, imaginations and proposals of one mind.
#[derive(Clone, Copy)]
pub(crate) struct SelfModel<'a> {
    pub(crate) mind: &'a MindHandle,
}
