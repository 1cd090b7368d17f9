//! Implementation of [`ThoughtStore`].

use async_trait::async_trait;
use saegim_core::{Expense, Job, MindId, Note, Turn};

use super::{SqliteStore, expense, job, note, turn, vector};
use crate::{StoreError, ThoughtStore};

#[async_trait]
impl ThoughtStore for SqliteStore {
    async fn jobs(&self, mind: MindId) -> Result<Vec<Job>, StoreError> {
        self.few_of_mind(mind, job::all)
    }

    async fn notes(&self, mind: MindId) -> Result<Vec<Note>, StoreError> {
        self.few_of_mind(mind, note::all)
    }

    async fn expenses(&self, since: &str) -> Result<Vec<Expense>, StoreError> {
        let since = since.to_owned();
        self.readers.read(move |connection| expense::since(connection, &since)).await
    }

    async fn embedded(&self, embedder: &str) -> Result<(u64, u64), StoreError> {
        let embedder = embedder.to_owned();
        self.readers.read(move |connection| vector::progress(connection, &embedder)).await
    }

    async fn turns_without_vector(&self, mind: MindId, embedder: &str, limit: usize) -> Result<Vec<Turn>, StoreError> {
        let embedder = embedder.to_owned();
        self.of_mind(mind, move |connection, mind| {
            let embedder = vector::embedder(connection, &embedder)?;
            turn::without_vector(connection, mind, embedder, limit)
        })
        .await
    }
}
