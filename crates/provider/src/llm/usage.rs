//! What models used while something was worked out, gathered without passing it through every call.

use std::cell::RefCell;
use std::future::Future;

use saegim_core::{Cause, Spent, Thought};

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

/// What models used on the way to something, and how they went about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// What was used.
    pub used: Vec<Used>,
    /// Why an answer that was given broke off before its end, or was not taken whole.
    pub broke_off: Option<Cause>,
    /// Whether rules have put something of their own beside what a model found.
    pub rules_added: bool,
}

tokio::task_local! {
    static GATHERED: RefCell<Course>;
}

/// Runs `work` and gives back, beside what it came to, how models went about it.
pub async fn following<T>(work: impl Future<Output = T>) -> (T, Course) {
    GATHERED
        .scope(RefCell::default(), async {
            let done = work.await;
            (done, GATHERED.with(RefCell::take))
        })
        .await
}

/// The same, with only what was used.
pub async fn gathering<T>(work: impl Future<Output = T>) -> (T, Vec<Used>) {
    let (done, course) = following(work).await;
    (done, course.used)
}

/// Notes what was used, if anyone gathers it.
pub(crate) fn note(used: Used) {
    // Nobody gathers where a model is only tried.
    let _ = GATHERED.try_with(|gathered| gathered.borrow_mut().used.push(used));
}

/// Notes that rules have put something of their own beside a model's.
pub(crate) fn rules_added() {
    let _ = GATHERED.try_with(|gathered| gathered.borrow_mut().rules_added = true);
}

/// Notes that an answer which stands broke off.
pub(crate) fn broke_off(cause: Cause) {
    let _ = GATHERED.try_with(|gathered| gathered.borrow_mut().broke_off = Some(cause));
}

/// Notes that what an answer said in words of its own was not taken, though the rest of it stands.
pub(crate) fn left_out(cause: Cause) {
    broke_off(cause);
}
