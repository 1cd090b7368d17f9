//! Forgetting, archiving and permanent erasure.

/// Session limits and archives.
pub(crate) mod archive;
/// Permanent erasure.
pub(crate) mod erase;
/// Soft deletion and restore.
pub(crate) mod forget;
/// Facts whose only source was forgotten.
pub(crate) mod orphaned_facts;
