//! What a backend tells of models: what waits for them, what they wrote, what they used.

use async_trait::async_trait;
use saegim_core::{Expense, Job, MindId, Note, Turn};

use crate::StoreError;

/// The part of a [`Store`](crate::Store) that has to do with models. Everything is written by `Store::commit`.
#[async_trait]
pub trait ThoughtStore: Send + Sync {
    /// What waits for a model, the oldest first; what was given up stays to be seen.
    async fn jobs(&self, mind: MindId) -> Result<Vec<Job>, StoreError>;

    /// What models wrote for the character to mind.
    async fn notes(&self, mind: MindId) -> Result<Vec<Note>, StoreError>;

    /// What models used for all minds together since a day (`2026-11-16`), the newest day first.
    async fn expenses(&self, since: &str) -> Result<Vec<Expense>, StoreError>;

    /// How many living memories all minds have together, and how many of them have a vector of this embedder. Every such
    /// vector is counted, which takes a moment where there are many.
    async fn embedded(&self, embedder: &str) -> Result<(u64, u64), StoreError>;

    /// Turns of the conversation without a vector of this embedder, oldest first.
    async fn turns_without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Turn>, StoreError>;
}
