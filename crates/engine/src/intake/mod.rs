//! Turns and memories on their way in: observe, judge, store, edit, retract.

/// Public methods.
mod api;
/// Stores several memories atomically.
pub(crate) mod batch;
/// Stores a turn first and extracts with a model afterwards.
mod deferred_extraction;
/// Edits, rates, pins and links memories.
pub(crate) mod edit;
/// Facts a model disputes.
pub(crate) mod fact_conflicts;
/// Admits held candidates.
mod held;
/// Idempotency records.
pub(crate) mod idempotency;
/// Ingests one exchange.
pub(crate) mod observe;
/// Stores one memory.
pub(crate) mod remember;
/// Edits and retracts turns.
pub(crate) mod retract;
/// The steps of one turn.
pub(crate) mod turn;

use crate::MindHandle;

/// Ingestion of turns and memories into one mind.
#[derive(Clone, Copy)]
pub(crate) struct Intake<'a> {
    pub(crate) mind: &'a MindHandle,
}
