//! Calls to thinkers and embedders, and the background jobs that use them.

/// Public methods.
mod api;
/// Runs queued model jobs.
pub(crate) mod background_jobs;
/// Computes missing vectors.
pub(crate) mod embed;
/// Progress of re-embedding.
pub(crate) mod embedding_progress;
/// Answers without a model.
pub(crate) mod reply;
/// Calls the thinker with budget and fallback.
pub(crate) mod think;

use crate::MindHandle;

/// Calls to the thinker and the embedder for one mind, and its background jobs.
#[derive(Clone, Copy)]
pub(crate) struct Models<'a> {
    pub(crate) mind: &'a MindHandle,
}
