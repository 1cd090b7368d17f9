//! Recall, context, and read-only views of a mind.

/// Public methods.
mod api;
/// Builds the context for a model.
pub(crate) mod context;
/// Recall without an in-memory index.
pub(crate) mod disk_search;
/// The in-memory index of one mind.
pub(crate) mod index;
/// Keeps the in-memory index in step with the store.
pub(crate) mod index_sync;
/// Shows one memory and its history.
pub(crate) mod inspect;
/// Facts, relationship and timeline.
pub(crate) mod knowledge;
/// Recall.
pub(crate) mod recall;
/// Statements and people.
pub(crate) mod statements;
/// Searches past turns.
pub(crate) mod turn_search;

use crate::MindHandle;

/// Recall, context and read-only views of one mind.
#[derive(Clone, Copy)]
pub(crate) struct Retrieval<'a> {
    pub(crate) mind: &'a MindHandle,
}
