//! The memory and mind records, and the numbers that describe a memory.

/// Whether a candidate is new enough to store.
pub(crate) mod admission;
/// Candidates and their six-factor score.
pub(crate) mod candidate;
/// Position in time, space and dialogue.
pub(crate) mod coordinate;
/// The ten emotions and how they mix.
pub(crate) mod emotion;
/// Subject and count of an essence.
pub(crate) mod essence;
/// The importance formula.
pub(crate) mod importance;
/// Links between memories.
pub(crate) mod link;
/// The memory record.
pub(crate) mod memory;
/// The mind record.
pub(crate) mod mind;
/// Assigns memories to zones within their capacities.
pub(crate) mod placement;
/// Vividness and its decay.
pub(crate) mod strength;
/// Retention periods.
pub(crate) mod tier;
/// Recomputes importance when its inputs change.
pub(crate) mod weighing;
/// Zones and the memory function.
pub(crate) mod zone;
