//! Maintenance of a mind over time: promotion, distillation, consolidation, zones.

/// Public methods.
mod api;
/// Repairs data written under a wrong clock.
pub(crate) mod clock_repair;
/// Consolidation and pruning by exchange count.
pub(crate) mod consolidate;
/// When a mind needs maintenance next.
pub(crate) mod due;
/// Text of essences.
pub(crate) mod essence_text;
/// Essences and their sources.
pub(crate) mod essences;
/// Promotes memories that qualify when their term ends.
pub(crate) mod late_promotion;
/// Runs due maintenance (`tick`).
pub(crate) mod maintenance;
/// Merges two essences of one subject.
pub(crate) mod merge_essences;
/// Weekly and monthly promotion.
pub(crate) mod promote;
/// Replaces rule-written essences by model-written ones.
pub(crate) mod rewrite_essences;
/// Topics that qualify for distillation.
pub(crate) mod topic;
/// Cached zone counts for bulk inserts.
pub(crate) mod zone_occupancy;
/// Rebalances zones.
pub(crate) mod zones;

use crate::MindHandle;

/// Maintenance of one mind.
#[derive(Clone, Copy)]
pub(crate) struct Lifecycle<'a> {
    pub(crate) mind: &'a MindHandle,
}
