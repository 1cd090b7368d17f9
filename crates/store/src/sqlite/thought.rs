//! Implementation of [`ThoughtStore`].

use async_trait::async_trait;
use saegim_core::{Expense, Job, MindId, Note, Orchestration, OrchestrationId, Turn};

use super::{SqliteStore, expense, job, note, orchestration, turn, vector};
use crate::{OrchestrationPage, StoreError, ThoughtStore};

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

    async fn orchestrations(&self, mind: MindId, page: OrchestrationPage) -> Result<Vec<Orchestration>, StoreError> {
        self.of_mind(mind, move |connection, mind| orchestration::page(connection, mind, &page)).await
    }

    async fn orchestration(&self, mind: MindId, id: OrchestrationId) -> Result<Option<Orchestration>, StoreError> {
        self.few_of_mind(mind, |connection, mind| orchestration::by_id(connection, mind, id))
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
