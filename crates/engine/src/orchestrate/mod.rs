//! Dialogues between personas: runs that store every answer, learn from earlier runs, and survive interruptions.

/// Public methods.
mod api;
/// Evaluates cycles and adjusts the plan.
pub(crate) mod evaluate;
/// Chooses past examples and evidence.
mod examples;
/// Personas from a file.
pub(crate) mod registry;
/// Starts, continues and shows runs.
pub(crate) mod run;
/// One answer.
mod step;

use crate::MindHandle;

/// Runs of personas in one mind.
#[derive(Clone, Copy)]
pub(crate) struct Orchestrator<'a> {
    pub(crate) mind: &'a MindHandle,
}
