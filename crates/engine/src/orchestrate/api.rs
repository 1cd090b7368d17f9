//! Public methods of [`MindHandle`] that [`Orchestrator`] implements.

use saegim_core::{EvaluatedCycle, Orchestration, OrchestrationId};
use saegim_store::OrchestrationPage;

use super::Orchestrator;
use super::evaluate::HostEvaluation;
use super::run::{OrchestrationEvent, OrchestrationRequest, ShownOrchestration};
use crate::mind::boxed;
use crate::{EngineError, MindHandle};

impl MindHandle {
    pub(crate) const fn orchestrator(&self) -> Orchestrator<'_> {
        Orchestrator { mind: self }
    }

    /// Runs a cycle of personas over a prompt, or continues an interrupted run. Every step is stored before it is passed on.
    pub async fn orchestrate(
        &self,
        request: OrchestrationRequest,
        hear: &mut (dyn FnMut(OrchestrationEvent) + Send),
    ) -> Result<Orchestration, EngineError> {
        boxed(self.orchestrator().orchestrate(request, hear)).await
    }

    /// Returns runs, the latest change first.
    pub async fn orchestrations(&self, page: OrchestrationPage) -> Result<Vec<Orchestration>, EngineError> {
        boxed(self.orchestrator().runs(page)).await
    }

    /// Returns a run with its answers, as far as they are still stored.
    pub async fn orchestration(&self, id: OrchestrationId) -> Result<ShownOrchestration, EngineError> {
        boxed(self.orchestrator().show(id)).await
    }

    /// Resolves a run by its id, or some digits of it.
    pub async fn resolve_orchestration(&self, text: &str) -> Result<OrchestrationId, EngineError> {
        boxed(self.orchestrator().resolve(text)).await
    }

    /// Records the evaluation of a host for the last cycle of a run. The adjustments that follow apply to the next run.
    pub async fn evaluate_orchestration(&self, evaluation: HostEvaluation) -> Result<EvaluatedCycle, EngineError> {
        boxed(self.orchestrator().evaluate_by_host(evaluation)).await
    }
}
