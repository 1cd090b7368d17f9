//! Permissions, grants and API keys.

/// The owner's grants to the operator.
pub(crate) mod grants;
/// API keys.
pub(crate) mod keys;
/// Permission checks and refusal records.
pub(crate) mod rights;
