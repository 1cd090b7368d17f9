//! Search in turns. They are searched like memories but never count as recalled.

use saegim_core::{Embedding, Turn, TurnId};

use crate::EngineError;
use crate::retrieval::Retrieval;
use crate::retrieval::recall::{Depth, Query};

/// A turn as a search result.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTurn {
    /// The turn.
    pub turn: Turn,
    /// Relevance to the query, 0..=1.
    pub relevance: f32,
}

impl Retrieval<'_> {
    /// Returns turns that are relevant to a query, best first, without those in `apart`.
    pub(crate) async fn search_turns(
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
        let turns = self.mind.store().turns_by_id(self.mind.id, &ids).await?;
        let relevance = |turn: &Turn| hits.iter().find(|(id, _)| *id == turn.id).map_or(0.0, |(_, relevance)| *relevance);
        Ok(turns.into_iter().map(|turn| FoundTurn { relevance: relevance(&turn), turn }).collect())
    }
}
