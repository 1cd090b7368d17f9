//! Public methods of [`MindHandle`] that [`Lifecycle`] implements.

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

    /// Runs all maintenance that is due. Idempotent.
    pub async fn tick(&self) -> Result<TickResult, EngineError> {
        boxed(self.lifecycle().tick()).await
    }
}
