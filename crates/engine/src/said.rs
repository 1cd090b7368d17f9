//! Finding again what was said: turns, searched like memories but never counted as recalled.

use std::sync::Arc;

use saegim_core::{Embedding, Turn, TurnId};
use tokio::sync::RwLock;

use crate::index::Index;
use crate::recall::{Depth, Query};
use crate::{EngineError, MindHandle};

/// A turn that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTurn {
    /// The turn.
    pub turn: Turn,
    /// How well it fits the question, 0..=1.
    pub relevance: f32,
}

impl MindHandle {
    /// Turns that have to do with a question, best first, those of `apart` left out.
    pub(crate) async fn said_about(
        &self,
        query: &Query,
        vector: Option<Embedding>,
        apart: &[TurnId],
    ) -> Result<Vec<FoundTurn>, EngineError> {
        let index = self.turn_index().await?;
        let wider = Query { limit: query.limit + apart.len(), depth: Depth::Everything, ..query.clone() };
        let answer = self.ask(index, &wider, vector).await?;
        let hits: Vec<(TurnId, f32)> = answer
            .hits
            .into_iter()
            .map(|hit| (TurnId::from_bytes(*hit.memory.bytes()), hit.relevance))
            .filter(|(id, _)| !apart.contains(id))
            .take(query.limit)
            .collect();
        let ids: Vec<TurnId> = hits.iter().map(|(id, _)| *id).collect();
        let turns = self.store().turns_by_id(self.id, &ids).await?;
        let relevance = |turn: &Turn| hits.iter().find(|(id, _)| *id == turn.id).map_or(0.0, |(_, relevance)| *relevance);
        Ok(turns.into_iter().map(|turn| FoundTurn { relevance: relevance(&turn), turn }).collect())
    }

    /// The conversation in memory, brought up to date.
    async fn turn_index(&self) -> Result<Arc<RwLock<Index>>, EngineError> {
        let (index, _) = self.inner.turn_indexes.of(self.id).await;
        let seen = index.read().await.seen();
        let changes = self.store().turn_index_rows(self.id, self.embedder_id(), seen).await?;
        if index.read().await.is_current(&changes) {
            return Ok(index);
        }
        let mut writing = Arc::clone(&index).write_owned().await;
        let anew = !writing.can_take(&changes);
        if anew || writing.seen() == 0 {
            *writing = Index::with_mean(self.inner.config.embedder.as_ref().map_or(&[], |embedder| embedder.mean()));
        }
        let changes = if anew { self.store().turn_index_rows(self.id, self.embedder_id(), 0).await? } else { changes };
        let policy = self.policy().relevance.clone();
        let task = tokio::task::spawn_blocking(move || {
            writing.take(changes);
            writing.settle(&policy);
            writing.bytes()
        });
        let bytes = task.await.map_err(|error| EngineError::Busy(format!("indexing: {error}").into()))?;
        self.inner.turn_indexes.weighed(self.id, bytes, self.policy().recall.index_megabytes << 20).await;
        Ok(index)
    }
}
