//! How memories are promoted, merged, expired and forgotten over time.

/// Scheduled maintenance steps.
pub(crate) mod calendar;
/// The soft-delete area.
pub(crate) mod cliff;
/// Decides which jumps of a mind's clock are plausible.
pub(crate) mod clock_history;
/// Detects whether rules or a model worded an essence.
pub(crate) mod essence;
/// Predicts when and why a memory will expire.
pub(crate) mod forecast;
/// Recurring events.
pub(crate) mod habit;
/// Properties an essence inherits from its sources.
pub(crate) mod inheritance;
/// Which essences were distilled from which memories.
pub(crate) mod lineage;
/// When a memory is promoted to a longer tier.
pub(crate) mod promotion;
/// Limits and exemptions of consolidation and pruning.
pub(crate) mod pruning_limits;
/// Optional limits per session.
pub(crate) mod retention;
/// Corrects timestamps written under a wrong clock.
pub(crate) mod timestamp_repair;
