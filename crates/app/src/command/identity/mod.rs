//! The self: beliefs, islands, proposals, imagination and grants.

/// Imagination, and grants of the owner to the operator.
mod imagine;
/// Pending proposals and decisions.
mod inbox;
/// Islands, beliefs, SOUL.md.
mod selfhood;
