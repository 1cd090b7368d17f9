//! Turns and memories on their way in: observe, judge, store, edit, retract.

/// Stores several memories atomically.
pub(crate) mod batch;
/// Chooses kind and category of a new memory.
pub(crate) mod classify;
/// Stores a turn first and extracts with a model afterwards.
pub(crate) mod deferred_extraction;
/// Edits, rates, pins and links memories.
pub(crate) mod edit;
/// Facts a model disputes.
pub(crate) mod fact_conflicts;
/// Recurring events.
pub(crate) mod habit;
/// Idempotency records.
pub(crate) mod idempotency;
/// Scores candidates and decides what to store.
pub(crate) mod judge;
/// Ingests one exchange.
pub(crate) mod observe;
/// Stores one memory.
pub(crate) mod remember;
/// Edits and retracts turns.
pub(crate) mod retract;
/// Assigns turns to scenes.
pub(crate) mod scene;
/// Facts stated by a message.
pub(crate) mod stated_facts;
/// Cached state that processing a turn needs.
pub(crate) mod turn_context;
