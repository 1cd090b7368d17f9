//! A memory is brought back.

use std::collections::HashMap;

use saegim_core::{Change, Memory, MemoryId, Op, Part, Score, Unit, WordQuery, word_queries};
use saegim_provider::Purpose;
use saegim_store::{Filter, RankRow, StoreError, VectorSearch, WordHits};

use crate::engine::{no_vectors, retrying};
use crate::{EngineError, MindHandle};

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The question, or any words.
    pub text: String,
    /// How many memories at most.
    pub limit: usize,
    /// What passes.
    pub filter: Filter,
    /// Whether what is found is used, and so counts as recalled.
    pub used: bool,
}

impl Query {
    /// A question for up to five memories.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), limit: 5, filter: Filter::default(), used: false }
    }
}

/// A memory that was found, with its score part by part.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The memory.
    pub memory: Memory,
    /// The score it was ranked by.
    pub score: Score,
    /// How vivid it is now.
    pub strength: Unit,
}

/// What recall answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// What fits, best first; empty when nothing does.
    pub results: Vec<Found>,
    /// Why only words were searched, when they were.
    pub degraded: Option<String>,
}

/// How well a memory fits the question, by words and by vector, each 0..=1.
#[derive(Clone, Copy, Debug, Default)]
struct Fit {
    words: f32,
    vector: f32,
}

/// How much words and vectors weigh in relevance; all of it is the words' when vectors are missing.
#[derive(Clone, Copy, Debug)]
struct Shares {
    words: f32,
    vector: f32,
}

impl Fit {
    fn relevance(self, shares: Shares) -> f32 {
        shares.words * self.words + shares.vector * self.vector
    }
}

impl MindHandle {
    /// Finds what fits the question; an empty answer says that nothing does.
    pub async fn recall(&self, query: Query) -> Result<Recalled, EngineError> {
        let recalled = self.search(&query).await?;
        if query.used && !recalled.results.is_empty() {
            let ids: Vec<MemoryId> = recalled.results.iter().map(|found| found.memory.id).collect();
            self.mark_used(&ids).await?;
        }
        Ok(recalled)
    }

    async fn search(&self, query: &Query) -> Result<Recalled, EngineError> {
        let policy = &self.policy().recall;
        let queries = word_queries(&query.text);
        let words = self.store().by_words(self.id, &queries, &query.filter, policy.pool).await?;
        let (vectors, degraded) = self.near(query).await?;
        let share = if degraded.is_some() { 0.0 } else { policy.vector_share };
        let shares = Shares { words: 1.0 - share, vector: share };

        let mut fits: HashMap<MemoryId, Fit> = HashMap::new();
        let shares_of_words = word_shares(&words, &queries);
        for hit in &words.hits {
            fits.entry(hit.memory).or_default().words =
                hit.queries.iter().map(|&index| shares_of_words[index as usize]).sum::<f32>().min(1.0);
        }
        for (memory, similarity) in vectors {
            fits.entry(memory).or_default().vector = similarity;
        }
        let mut order: Vec<(MemoryId, Fit)> = fits.into_iter().filter(|(_, fit)| fit.relevance(shares) >= policy.fits_from).collect();
        order.sort_by(|a, b| b.1.relevance(shares).total_cmp(&a.1.relevance(shares)).then(a.0.cmp(&b.0)));
        // Importance and strength cannot lift anything over this many better-fitting memories that also matter.
        order.truncate(query.limit.saturating_mul(4).max(64));

        let turns = self.mind().await?.turns;
        let ids: Vec<MemoryId> = order.iter().map(|(id, _)| *id).collect();
        let rows: HashMap<MemoryId, RankRow> =
            self.store().rank_rows(self.id, &ids).await?.into_iter().map(|row| (row.memory, row)).collect();
        let mut ranked: Vec<(MemoryId, Score, Unit)> = Vec::new();
        for (id, fit) in order {
            let Some(row) = rows.get(&id) else { continue };
            let strength = row.strength.at(turns, &row.fading, &self.policy().strength);
            ranked.push((id, self.score(fit, shares, (row.importance, strength)), strength));
        }
        ranked.sort_by(|a, b| b.1.total().total_cmp(&a.1.total()).then(b.0.cmp(&a.0)));
        ranked.truncate(query.limit);

        let ids: Vec<MemoryId> = ranked.iter().map(|(id, ..)| *id).collect();
        let memories = self.store().memories(self.id, &ids).await?;
        let mut scores: HashMap<MemoryId, (Score, Unit)> =
            ranked.into_iter().map(|(id, score, strength)| (id, (score, strength))).collect();
        let results = memories.into_iter().filter_map(|memory| {
            let (score, strength) = scores.remove(&memory.id)?;
            Some(Found { memory, score, strength })
        });
        Ok(Recalled { results: results.collect(), degraded })
    }

    fn score(&self, fit: Fit, shares: Shares, (importance, strength): (Unit, Unit)) -> Score {
        let policy = &self.policy().recall;
        let mut parts = vec![Part::new("words", policy.relevance_weight * shares.words, fit.words)];
        if shares.vector > 0.0 {
            parts.push(Part::new("vector", policy.relevance_weight * shares.vector, fit.vector));
        }
        parts.push(Part::new("importance", policy.importance_weight, importance.get()));
        parts.push(Part::new("strength", policy.strength_weight, strength.get()));
        Score::sum(parts)
    }

    /// The nearest memories with their calibrated similarity, or why there are none to be had.
    async fn near(&self, query: &Query) -> Result<(Vec<(MemoryId, f32)>, Option<String>), EngineError> {
        let degraded = |why: &str| Ok((Vec::new(), Some(format!("words only: {why}"))));
        let Some(embedder) = &self.inner.config.embedder else {
            return degraded("no embedder is configured");
        };
        if query.text.trim().is_empty() {
            return Ok((Vec::new(), None));
        }
        if !embedder.knows(&query.text) {
            return degraded(&format!("{} does not know this script", embedder.id()));
        }
        let vector = match embedder.embed(std::slice::from_ref(&query.text), Purpose::Query).await {
            Ok(vectors) => vectors.into_iter().next(),
            Err(error) => return degraded(&error.to_string()),
        };
        let Some(vector) = vector else { return degraded("the embedder gave nothing") };
        let search = VectorSearch {
            mind: self.id,
            embedder: embedder.id(),
            vector: &vector,
            filter: &query.filter,
            limit: self.policy().recall.pool,
        };
        match self.store().by_vector(search).await {
            Ok(hits) => {
                let calibrated = |hit: &saegim_store::VectorHit| (hit.memory, embedder.calibration().similarity(hit.cosine).get());
                Ok((hits.iter().map(calibrated).collect(), None))
            }
            Err(error) => match no_vectors(&error) {
                Some(why) => degraded(why),
                None => Err(StoreError::into(error)),
            },
        }
    }

    /// Counts these memories as recalled: freshness and vividness are renewed, and their feelings move the mood.
    pub async fn mark_used(&self, ids: &[MemoryId]) -> Result<(), EngineError> {
        retrying(|| async {
            let mind = self.mind().await?;
            let now = self.now();
            let mut mood = mind.mood;
            let memories = self.store().memories(self.id, ids).await?;
            let mut commit = self.commit(Op::Recall, &memories.iter().collect::<Vec<_>>());
            for memory in memories {
                mood = mood.moved(&memory.feeling, now, &self.policy().mood);
                let recalled = memory.recalled(now, mind.turns, &self.policy().strength);
                commit.changes.push(Change::MemoryChanged(Box::new(recalled)));
            }
            commit.changes.push(Change::MoodSet(mood));
            self.write(commit).await.map(drop)
        })
        .await
    }
}

/// What share of the question each word carries: the rarer among the mind's memories, the more.
fn word_shares(words: &WordHits, queries: &[WordQuery]) -> Vec<f32> {
    let rarity = |held: u32| (1.0 + words.memories as f32 / (f32::from(held > 0) + held as f32 + 0.5)).ln();
    let rarities: Vec<f32> = words.held_by.iter().map(|&held| rarity(held)).collect();
    let total: f32 = rarities.iter().sum();
    debug_assert_eq!(rarities.len(), queries.len());
    rarities.iter().map(|rarity| if total > 0.0 { rarity / total } else { 0.0 }).collect()
}
