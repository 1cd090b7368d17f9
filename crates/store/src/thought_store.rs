//! Queries about model work: jobs, notes and usage, and about runs of personas.

use async_trait::async_trait;
use saegim_core::{Expense, Job, MindId, Note, Orchestration, OrchestrationId, RunStatus, SessionId, Turn};

use crate::StoreError;

/// Selects one page of orchestration runs, most recently changed first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrchestrationPage {
    /// Maximum number of results.
    pub limit: usize,
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only in this state.
    pub status: Option<RunStatus>,
}

/// The part of a [`Store`](crate::Store) about models and personas. All writes go through `Store::commit`.
#[async_trait]
pub trait ThoughtStore: Send + Sync {
    /// Returns the jobs that wait for a model, oldest first. Includes jobs that were given up.
    async fn jobs(&self, mind: MindId) -> Result<Vec<Job>, StoreError>;

    /// Returns the notes that models wrote for the character.
    async fn notes(&self, mind: MindId) -> Result<Vec<Note>, StoreError>;

    /// Returns the model usage of all minds since a day (`2026-11-16`), newest day first.
    async fn expenses(&self, since: &str) -> Result<Vec<Expense>, StoreError>;

    /// Returns orchestration runs, most recently changed first.
    async fn orchestrations(&self, mind: MindId, page: OrchestrationPage) -> Result<Vec<Orchestration>, StoreError>;

    /// Returns one run.
    async fn orchestration(&self, mind: MindId, id: OrchestrationId) -> Result<Option<Orchestration>, StoreError>;

    /// Counts the alive memories of all minds, and those with a vector of this embedder. Counts every vector, which is slow if
    /// there are many.
    async fn embedded(&self, embedder: &str) -> Result<(u64, u64), StoreError>;

    /// Returns turns without a vector of this embedder, oldest first.
    async fn turns_without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Turn>, StoreError>;
}
