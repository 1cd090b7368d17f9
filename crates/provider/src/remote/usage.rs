//! What models used while something was worked out, gathered without passing it through every call.

use std::cell::RefCell;
use std::future::Future;

use saegim_core::{Spent, Thought};

/// What one model used for one thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// What it was asked.
    pub thought: Thought,
    /// Which model.
    pub model: String,
    /// How much.
    pub spent: Spent,
}

tokio::task_local! {
    static GATHERED: RefCell<Vec<Used>>;
}

/// Runs `work` and gives back, beside what it came to, what models used on the way.
pub async fn gathering<T>(work: impl Future<Output = T>) -> (T, Vec<Used>) {
    GATHERED
        .scope(RefCell::new(Vec::new()), async {
            let done = work.await;
            (done, GATHERED.with(RefCell::take))
        })
        .await
}

/// Notes what was used, if anyone gathers it.
pub(crate) fn note(used: Used) {
    // Nobody gathers where a model is only tried.
    let _ = GATHERED.try_with(|gathered| gathered.borrow_mut().push(used));
}
