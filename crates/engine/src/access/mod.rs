//! Permissions, grants and API keys.

/// Public methods.
mod api;
/// The owner's grants to the operator.
pub(crate) mod grants;
/// API keys.
pub(crate) mod keys;
/// Permission checks and refusal records.
pub(crate) mod rights;

use crate::MindHandle;

/// Permissions and grants of one mind.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a> {
    pub(crate) mind: &'a MindHandle,
}
