//! Public methods of [`MindHandle`] that [`Models`] implements.

use saegim_core::{Cause, Job, Note};
use saegim_provider::{Relayed, Sampling, Saying};
use serde_json::Value;

use super::Models;
use crate::mind::boxed;
use crate::{EngineError, JobsResult, MindHandle, MissingVectors, ModelReply, RefusedTexts, ReplyRequest};

impl MindHandle {
    pub(crate) const fn models(&self) -> Models<'_> {
        Models { mind: self }
    }

    /// Runs the due model jobs. A failed job is retried with back-off until it is given up.
    pub async fn run_jobs(&self) -> Result<JobsResult, EngineError> {
        boxed(self.models().run_jobs()).await
    }

    /// Returns the queued model jobs, the oldest first. Jobs that were given up remain in the list.
    pub async fn jobs(&self) -> Result<Vec<Job>, EngineError> {
        boxed(self.models().jobs()).await
    }

    /// Returns the notes that models wrote for the character.
    pub async fn notes(&self) -> Result<Vec<Note>, EngineError> {
        boxed(self.models().notes()).await
    }

    /// Creates the missing vectors that the embedder can create, and reports the count to `progress`.
    pub async fn embed_missing(&self, progress: impl Fn(usize)) -> Result<usize, EngineError> {
        self.models().embed_missing(progress).await
    }

    /// Returns the error that keeps the embedder from creating the missing vectors. `None` if none are missing or the embedder
    /// works.
    pub async fn why_lacking(&self) -> Result<Option<EngineError>, EngineError> {
        boxed(self.models().why_lacking()).await
    }

    /// Returns the memories and turns that this embedder refused. They are found by words only.
    pub async fn unembeddable(&self) -> Result<RefusedTexts, EngineError> {
        boxed(self.models().unembeddable()).await
    }

    /// Returns the number of items without a vector although the embedder supports their script.
    pub async fn lacking(&self) -> Result<MissingVectors, EngineError> {
        boxed(self.models().lacking()).await
    }

    /// Checks whether a request in the OpenAI format can be passed on to the model.
    pub fn relays(&self) -> bool {
        self.models().relays()
    }

    /// Passes an OpenAI request on to the model and streams the events to `saying`. Returns the cause if the model is not
    /// available. Nothing is stored; the caller must observe the exchange.
    pub async fn relay(&self, request: &Value, saying: Saying<'_>) -> Result<Result<Relayed, Cause>, EngineError> {
        boxed(self.models().relay(request, saying)).await
    }

    /// Returns the OpenAI name of a sampling parameter that the thinker does not support, if there is one.
    pub fn cannot(&self, sampling: &Sampling) -> Option<&'static str> {
        self.models().cannot(sampling)
    }

    /// Checks whether a model generates the answers (and can stream them).
    pub fn speaks(&self) -> bool {
        self.models().speaks()
    }

    /// Answers a message with the thinker. Nothing is stored; the caller must observe the exchange.
    pub async fn reply(&self, text: &str) -> Result<String, EngineError> {
        boxed(self.models().reply(text)).await
    }

    /// Like [`reply`](Self::reply), but streams the answer and uses the context given by the caller.
    pub async fn speak(&self, spoken: &ReplyRequest<'_>, saying: Saying<'_>) -> Result<ModelReply, EngineError> {
        boxed(self.models().speak(spoken, saying)).await
    }

    /// Answers with rules in place of a model that is not available.
    pub async fn stand_in(&self, spoken: &ReplyRequest<'_>, cause: Cause) -> Result<ModelReply, EngineError> {
        boxed(self.models().stand_in(spoken, cause)).await
    }
}
