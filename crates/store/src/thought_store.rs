//! Queries about model work: jobs, notes and usage.

use async_trait::async_trait;
use saegim_core::{Expense, Job, MindId, Note, Turn};

use crate::StoreError;

/// The part of a [`Store`](crate::Store) about models. All writes go through `Store::commit`.
#[async_trait]
pub trait ThoughtStore: Send + Sync {
    /// Returns the jobs that wait for a model, oldest first. Includes jobs that were given up.
    async fn jobs(&self, mind: MindId) -> Result<Vec<Job>, StoreError>;

    /// Returns the notes that models wrote for the character.
    async fn notes(&self, mind: MindId) -> Result<Vec<Note>, StoreError>;

    /// Returns the model usage of all minds since a day (`2026-11-16`), newest day first.
    async fn expenses(&self, since: &str) -> Result<Vec<Expense>, StoreError>;

    /// Counts the alive memories of all minds, and those with a vector of this embedder. Counts every vector, which is slow if
    /// there are many.
    async fn embedded(&self, embedder: &str) -> Result<(u64, u64), StoreError>;

    /// Returns turns without a vector of this embedder, oldest first.
    async fn turns_without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Turn>, StoreError>;
}
