//! Collects the usage of models in a task-local, without passing it through every call.

use std::cell::RefCell;
use std::future::Future;

use saegim_core::{Cause, Spent, Thought};

/// Usage of one model for one thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// Type of request.
    pub thought: Thought,
    /// Model id.
    pub model: String,
    /// Tokens and requests used.
    pub spent: Spent,
}

/// Usage and events of the model calls of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelCalls {
    /// Usage records.
    pub used: Vec<Used>,
    /// Cause, if an accepted answer was interrupted or only partly used.
    pub broke_off: Option<Cause>,
    /// Whether the rules added findings to those of a model.
    pub rules_added: bool,
}

tokio::task_local! {
    static GATHERED: RefCell<ModelCalls>;
}

/// Runs `work` and returns its result with the usage and events of its model calls.
pub async fn following<T>(work: impl Future<Output = T>) -> (T, ModelCalls) {
    GATHERED
        .scope(RefCell::default(), async {
            let done = work.await;
            (done, GATHERED.with(RefCell::take))
        })
        .await
}

/// Runs `work` and returns its result with the usage of its model calls.
pub async fn gathering<T>(work: impl Future<Output = T>) -> (T, Vec<Used>) {
    let (done, course) = following(work).await;
    (done, course.used)
}

/// Records usage if a collector is active.
pub(crate) fn note(used: Used) {
    // No collector is active while a model is only tested.
    let _ = GATHERED.try_with(|gathered| gathered.borrow_mut().used.push(used));
}

/// Records that the rules added findings to those of a model.
pub(crate) fn rules_added() {
    let _ = GATHERED.try_with(|gathered| gathered.borrow_mut().rules_added = true);
}

/// Records that an accepted answer was interrupted.
pub(crate) fn broke_off(cause: Cause) {
    let _ = GATHERED.try_with(|gathered| gathered.borrow_mut().broke_off = Some(cause));
}

/// Records that the free text of an answer was rejected although the rest was accepted.
pub(crate) fn left_out(cause: Cause) {
    broke_off(cause);
}
