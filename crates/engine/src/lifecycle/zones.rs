//! Rebalancing: computes the zone of every memory and records the moves.

use std::collections::HashMap;

use saegim_core::{Change, Deed, Embedding, MemoryId, Nearness, Op, Span, Timestamp, TurnId, Unit, Zone, ZoneClaim, place, running};
use saegim_provider::Purpose;
use saegim_store::{Filter, StoreError, TurnPage, VectorSearch, ZoneRow};
use serde::Serialize;

use crate::EngineError;
use crate::engine::no_vectors;
use crate::lifecycle::Lifecycle;

/// Maximum number of memories per commit, so that other writers do not wait long.
const BATCH: usize = 2000;

/// A move of a memory between zones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Move {
    /// Id of the memory.
    pub memory: MemoryId,
    /// Previous zone.
    pub from: Zone,
    /// New zone.
    pub to: Zone,
    /// Current zone score I(m).
    pub score: f32,
}

impl Lifecycle<'_> {
    pub(crate) async fn rebalance(&self, context: Option<&str>) -> Result<Vec<Move>, EngineError> {
        self.mind.may(Deed::Observe).await?;
        let now = self.mind.now();
        let direction = match context {
            Some(text) => self.direction_of(text).await,
            None => self.running_context().await?,
        };
        let moves = self.moves(direction.as_ref(), now).await?;
        for batch in moves.chunks(BATCH) {
            let mut commit = self.worker_commit(Op::Rebalance).because(format!("{} moved", batch.len()));
            let placed = |step: &Move| Change::MemoryPlaced { memory: step.memory, zone: step.to, score: step.score };
            commit.changes.extend(batch.iter().map(placed));
            self.mind.write(commit).await?;
        }
        Ok(moves)
    }

    /// Returns the direction (weighted mean vector) of the current conversation; `None` if it is over or there are no vectors.
    pub(crate) async fn running_context(&self) -> Result<Option<Embedding>, EngineError> {
        let policy = &self.mind.policy().zone;
        let Some(embedder) = &self.mind.inner.config.embedder else { return Ok(None) };
        let page = TurnPage { limit: policy.context_turns, ..TurnPage::default() };
        let mut said = self.mind.store().turns(self.mind.id, page).await?;
        said.retain(|turn| self.is_recent(turn.at));
        let newest_first: Vec<TurnId> = said.iter().rev().map(|turn| turn.id).collect();
        let vectors = self.mind.store().turn_vectors_of(self.mind.id, embedder.id(), &newest_first).await?;
        Ok(running(&vectors, policy.context_keeps))
    }

    /// Checks whether a turn at `at` belongs to the current conversation.
    pub(crate) fn is_recent(&self, at: Timestamp) -> bool {
        at <= self.mind.now().plus(self.silence()) && self.mind.now().since(at) < self.silence()
    }

    /// Silence after which a conversation is over.
    pub(crate) fn silence(&self) -> Span {
        self.mind.policy().relationship.scene_silence()
    }

    /// Returns the similarity of a memory to the current conversation.
    pub(crate) async fn nearness_to_context(&self, memory: MemoryId) -> Result<Unit, EngineError> {
        let (Some(direction), Some(embedder)) = (self.running_context().await?, &self.mind.inner.config.embedder) else {
            return Ok(Unit::ZERO);
        };
        let vectors = self.mind.store().vectors_of(self.mind.id, embedder.id(), &[memory]).await?;
        let own = vectors.into_iter().next().and_then(|(_, vector)| Embedding::new(vector.into_iter().map(f32::from).collect()).ok());
        Ok(own.map_or(Unit::ZERO, |own| embedder.calibration().similarity(direction.cosine(&own))))
    }

    /// Computes the moves, from the in-memory index if there is one, otherwise from the store.
    async fn moves(&self, direction: Option<&Embedding>, now: Timestamp) -> Result<Vec<Move>, EngineError> {
        let policy = &self.mind.policy().zone;
        let claim = |row: ZoneRow, context: Option<Unit>| {
            let (appraisal, context) = (row.appraisal.unwrap_or(Unit::clamped(0.5)), context.unwrap_or(Unit::ZERO));
            let nearness = Nearness { recalls: row.recalls, freshened: row.freshened, appraisal, context };
            ZoneClaim { id: row.memory, score: nearness.score(now, policy), born: row.created_at, at: row.zone }
        };
        let index = if direction.is_some() { self.mind.retrieval().index().await? } else { self.mind.retrieval().loaded_index().await? };
        let moves = if let Some(index) = index {
            let direction = direction.zip(self.mind.inner.config.embedder.as_ref());
            let vector = direction.map(|(direction, _)| direction.quantised());
            let near = |cosine| direction.map(|(_, embedder)| embedder.calibration().similarity(cosine));
            let index = index.read().await;
            place(index.zone_rows(vector.as_deref()).map(|(row, cosine)| claim(row, cosine.and_then(near))), policy)
        } else {
            let rows = self.mind.store().zone_rows(self.mind.id).await?;
            let context = match direction {
                Some(direction) => self.similarities(direction, rows.len()).await?,
                None => HashMap::new(),
            };
            place(rows.into_iter().map(|row| claim(row, context.get(&row.memory).copied())), policy)
        };
        let told = |(claim, to): (ZoneClaim<MemoryId>, Zone)| Move { memory: claim.id, from: claim.at, to, score: claim.score };
        let mut moves: Vec<Move> = moves.into_iter().map(told).collect();
        moves.sort_unstable_by_key(|step| step.memory);
        Ok(moves)
    }

    /// Embeds a text as a direction; `None` if it cannot be embedded, in which case zones are computed without context.
    async fn direction_of(&self, text: &str) -> Option<Embedding> {
        let embedder = self.mind.inner.config.embedder.as_ref()?;
        embedder.embed_within(&[text.to_owned()], Purpose::Query, self.mind.inner.waits()).await.ok()?.pop()
    }

    /// Returns the calibrated similarity of every memory to a direction, from the store; empty if there are no vectors.
    async fn similarities(&self, direction: &Embedding, limit: usize) -> Result<HashMap<MemoryId, Unit>, EngineError> {
        let Some(embedder) = &self.mind.inner.config.embedder else { return Ok(HashMap::new()) };
        let similar = |cosine| embedder.calibration().similarity(cosine);
        let search = VectorSearch { mind: self.mind.id, embedder: embedder.id(), vector: direction, filter: &Filter::default(), limit };
        match self.mind.store().by_vector(search).await {
            Ok(hits) => Ok(hits.into_iter().map(|hit| (hit.memory, similar(hit.cosine))).collect()),
            Err(error) if no_vectors(&error).is_some() => Ok(HashMap::new()),
            Err(error) => Err(StoreError::into(error)),
        }
    }
}
