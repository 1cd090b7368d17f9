//! Recall without an index in memory: queries the database directly, for the first question to a large mind. Finds candidates by
//! words and by vectors; neighbours and the finer question features need the index.

use std::collections::HashMap;

use saegim_core::{Embedding, Held, Memory, MemoryId, Part, Phrase, RelevancePolicy, Unit, WordQuery, rarity, word_queries};
use saegim_store::{StoreError, VectorSearch, WordHits, WordSearch};

use crate::engine::no_vectors;
use crate::retrieval::Retrieval;
use crate::retrieval::index::{Hit, IndexHits};
use crate::retrieval::recall::words_only;
use crate::{EngineError, Query};

impl Retrieval<'_> {
    /// Returns the answer and, if only words were searched, the reason.
    pub(crate) async fn search_disk(&self, query: &Query, vector: Option<&Embedding>) -> Result<(IndexHits, Option<Phrase>), EngineError> {
        let policy = self.mind.policy();
        let queries = word_queries(&query.text);
        let search = WordSearch { mind: self.mind.id, queries: &queries, filter: &query.filter, limit: policy.recall.pool };
        let words = self.mind.store().by_words(search).await?;
        let shares = shares_of(&words, &queries, &policy.relevance);
        let mut fits: HashMap<MemoryId, (f32, f32)> = HashMap::new();
        for hit in &words.hits {
            fits.entry(hit.memory).or_default().0 = hit.queries.iter().map(|&index| shares[index as usize]).sum::<f32>().min(1.0);
        }
        let (similar, degraded) = self.similar(query, vector).await?;
        for (memory, similarity) in similar {
            fits.entry(memory).or_default().1 = similarity;
        }
        let fit = |(held, similarity): (f32, f32)| {
            let from = policy.relevance.similar_from;
            1.0 - (1.0 - held) * (1.0 - ((similarity - from) / (1.0 - from)).max(0.0))
        };
        let mut order: Vec<(MemoryId, (f32, f32))> = fits.into_iter().collect();
        order.sort_by(|a, b| fit(b.1).total_cmp(&fit(a.1)));
        // Results as good as the last one stay until their time and text can order them.
        let least = order.get(query.limit.max(32) - 1).map_or(0.0, |last| fit(last.1));
        order.retain(|(_, parts)| fit(*parts) >= least);
        let ids: Vec<MemoryId> = order.iter().map(|(id, _)| *id).collect();
        let memories: HashMap<MemoryId, Memory> =
            self.mind.store().memories(self.mind.id, &ids).await?.into_iter().map(|memory| (memory.id, memory)).collect();
        let turns = self.mind.mind().await?.turns;
        let mut hits: Vec<(f32, Hit, &Memory)> = Vec::new();
        for (id, parts) in order {
            let Some(memory) = memories.get(&id) else { continue };
            let strength = memory.strength_at(turns, &policy.strength);
            let hit = self.disk_hit(memory, strength, (parts, fit(parts)));
            hits.push((hit.parts.iter().map(|part| part.weight * part.value).sum(), hit, memory));
        }
        hits.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.order().cmp(&b.2.order())));
        hits.truncate(query.limit);
        let confidence = hits.iter().map(|(_, hit, _)| hit.relevance).fold(0.0, f32::max);
        Ok((IndexHits { hits: hits.into_iter().map(|(_, hit, _)| hit).collect(), confidence }, degraded))
    }

    fn disk_hit(&self, memory: &Memory, strength: Unit, ((held, similarity), fit): ((f32, f32), f32)) -> Hit {
        let policy = self.mind.policy();
        // Split the relevance between words and meaning, so that the parts add up to it.
        let both = (held + similarity).max(1e-6);
        let weight = policy.recall.relevance_weight * fit / both;
        let parts = vec![
            Part::new("words", weight, held),
            Part::new("meaning", weight, similarity),
            Part::new("importance", policy.recall.importance_weight, memory.importance.get()),
            Part::new("strength", policy.recall.strength_weight, strength.get()),
        ];
        Hit { memory: memory.id, parts, strength, relevance: fit }
    }

    /// Returns the nearest memories with their calibrated similarity, or none and the reason.
    async fn similar(&self, query: &Query, vector: Option<&Embedding>) -> Result<(Vec<(MemoryId, f32)>, Option<Phrase>), EngineError> {
        let (Some(vector), Some(embedder)) = (vector, &self.mind.inner.config.embedder) else { return Ok((Vec::new(), None)) };
        let limit = self.mind.policy().recall.pool;
        let search = VectorSearch { mind: self.mind.id, embedder: embedder.id(), vector, filter: &query.filter, limit };
        match self.mind.store().by_vector(search).await {
            Ok(hits) => Ok((hits.iter().map(|hit| (hit.memory, embedder.calibration().similarity(hit.cosine).get())).collect(), None)),
            Err(error) => match no_vectors(&error) {
                Some(why) => Ok((Vec::new(), Some(words_only(why.clone())))),
                None => Err(StoreError::into(error)),
            },
        }
    }
}

/// Returns the share of the question each word carries. Rarer words carry more (inverse document frequency).
fn shares_of(words: &WordHits, queries: &[WordQuery], policy: &RelevancePolicy) -> Vec<f32> {
    debug_assert_eq!(words.held_by.len(), queries.len());
    let windows = words.memories as f32;
    let rarities: Vec<f32> = queries
        .iter()
        .zip(&words.held_by)
        .map(|(query, &held)| rarity(&query.term, Held { windows, holding: held as f32 }, policy))
        .collect();
    let total: f32 = rarities.iter().sum::<f32>().max(1e-6);
    rarities.iter().map(|rarity| rarity / total).collect()
}
