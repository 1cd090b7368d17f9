//! Finding again what was said: turns, searched like memories but never counted as recalled.

use saegim_core::{Embedding, Turn, TurnId};

use crate::retrieval::recall::{Depth, Query};
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
}
