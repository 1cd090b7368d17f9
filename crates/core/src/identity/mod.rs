//! The character's beliefs, islands, self document and the proposals that change them.

/// Beliefs of the character about itself.
pub(crate) mod belief;
/// Limits how much of the self may change per session.
pub(crate) mod change_limit;
/// Whether a request becomes a proposal.
pub(crate) mod filing;
/// Imaginations and their feedback weights.
pub(crate) mod imagination;
/// Islands of the personality.
pub(crate) mod island;
/// Changes that wait for the owner.
pub(crate) mod proposal;
/// The exact change a proposal asks for.
pub(crate) mod proposed;
/// Compares derived beliefs with current ones.
pub(crate) mod reflection;
/// The generated section of SOUL.md.
pub(crate) mod soul;
