//! Forgetting, archiving and permanent erasure.

/// Public methods.
mod api;
/// Session limits and archives.
pub(crate) mod archive;
/// Permanent erasure.
pub(crate) mod erase;
/// Soft deletion and restore.
pub(crate) mod forget;
/// Facts and statements whose only source was forgotten.
pub(crate) mod orphaned_facts;

use crate::MindHandle;

/// Forgetting, archiving and erasure in one mind.
#[derive(Clone, Copy)]
pub(crate) struct Removal<'a> {
    pub(crate) mind: &'a MindHandle,
}
