//! What a memory is, and the numbers that describe it.

/// Whether a candidate is new enough to store.
pub(crate) mod admission;
/// Candidates and their six-factor score.
pub(crate) mod candidate;
/// The ten emotions and how they mix.
pub(crate) mod emotion;
/// The importance formula.
pub(crate) mod importance;
/// Links between memories.
pub(crate) mod link;
/// The memory record.
pub(crate) mod memory;
/// The mind record.
pub(crate) mod mind;
/// Vividness and its decay.
pub(crate) mod strength;
/// Retention periods.
pub(crate) mod tier;
/// Recomputes importance when its inputs change.
pub(crate) mod weighing;
/// Zone scores and capacities.
pub(crate) mod zone;
