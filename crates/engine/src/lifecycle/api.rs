//! Public methods of [`MindHandle`] that [`Lifecycle`] implements.

use saegim_core::Timestamp;

use super::Lifecycle;
use crate::mind::boxed;
use crate::{EngineError, MindHandle, Move, TickResult};

impl MindHandle {
    pub(crate) const fn lifecycle(&self) -> Lifecycle<'_> {
        Lifecycle { mind: self }
    }

    /// Recomputes the zone of every memory. `context` is the topic of the conversation; if absent, the recent turns of the
    /// current conversation are used.
    pub async fn rebalance(&self, context: Option<&str>) -> Result<Vec<Move>, EngineError> {
        boxed(self.lifecycle().rebalance(context)).await
    }

    /// Returns when the next maintenance is due, or `None` if nothing waits. The present, if the stored time was written by a clock
    /// that ran ahead.
    pub async fn next_maintenance(&self) -> Result<Option<Timestamp>, EngineError> {
        boxed(self.lifecycle().next_maintenance()).await
    }

    /// Runs all maintenance that is due. Idempotent.
    pub async fn tick(&self) -> Result<TickResult, EngineError> {
        boxed(self.lifecycle().tick()).await
    }
}
