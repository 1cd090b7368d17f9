//! Retrieval of memories.

use std::collections::HashMap;
use std::sync::Arc;

use saegim_core::{
    Change, Deed, Embedding, Facts, Memory, MemoryId, MemoryState, Op, Phrase, Question, Score, StatementStanding, Unit, phrase,
};
use saegim_language::{fact_subjects_asked, group_of_subject};
use saegim_provider::Purpose;
use saegim_store::{Filter, StatementHolder, StatementPage};
use tokio::sync::RwLock;

use crate::EngineError;
use crate::engine::{Inner, retrying};
use crate::error::no_vector;
use crate::retrieval::Retrieval;
use crate::retrieval::index::{Hit, Index, IndexHits, IndexQuery};
use crate::retrieval::statements::StatementHistory;

/// Maximum number of statements that are added to a question without a fact.
const STATED: usize = 3;

/// A search query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Question or keywords.
    pub text: String,
    /// Maximum number of results.
    pub limit: usize,
    /// Filter for the memories.
    pub filter: Filter,
    /// Whether to return only relevant memories or a full ranking.
    pub depth: Depth,
    /// Whether the caller uses the results, so that they count as recalled.
    pub used: bool,
}

/// Depth of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only relevant memories; empty if there are none.
    Fitting,
    /// All memories, best first, relevant or not.
    Everything,
}

impl Query {
    /// Creates a query for up to five relevant memories.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), limit: 5, filter: Filter::default(), depth: Depth::Fitting, used: false }
    }
}

/// A search result with its score breakdown.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The memory.
    pub memory: Memory,
    /// Score used for the ranking.
    pub score: Score,
    /// Relevance to the query, 0..=1.
    pub relevance: Unit,
    /// Current strength.
    pub strength: Unit,
}

/// Result of a recall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// Relevant memories, best first; empty if there are none.
    pub results: Vec<Found>,
    /// Confidence that the mind can answer the question at all, 0..=1.
    pub confidence: Unit,
    /// Reason why only keywords were searched, if vectors were not available.
    pub degraded: Option<Phrase>,
}

impl Retrieval<'_> {
    pub(crate) async fn recall(&self, query: Query) -> Result<Recalled, EngineError> {
        self.mind.may(Deed::Read).await?;
        let recalled = self.search(&query).await?;
        if query.used && !recalled.results.is_empty() {
            let ids: Vec<MemoryId> = recalled.results.iter().map(|found| found.memory.id).collect();
            self.mark_used(&ids).await?;
        }
        Ok(recalled)
    }

    async fn search(&self, query: &Query) -> Result<Recalled, EngineError> {
        let (vector, degraded) = self.question_vector(&query.text).await;
        let mut recalled = self.search_with(query, vector.clone()).await?;
        if recalled.results.is_empty() && query.depth == Depth::Fitting {
            // "Where do I live?" shares no word with "I moved to York", but the fact "York" answers the question.
            let known = self.known_answers(&query.text).await?;
            if !known.is_empty() {
                let query = Query { text: format!("{} {}", query.text, known.join(" ")), ..query.clone() };
                recalled = self.search_with(&query, vector).await?;
            }
        }
        Ok(Recalled { degraded: degraded.or(recalled.degraded), ..recalled })
    }

    /// Returns the values of the facts a question asks for, from the first subject that has any. Without a fact, returns statements
    /// of the same group.
    async fn known_answers(&self, question: &str) -> Result<Vec<String>, EngineError> {
        let wanted = fact_subjects_asked(question);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let facts = Facts::known(self.mind.store().facts(self.mind.id).await?);
        let of = |subject: &&str| facts.current().filter(|fact| fact.subject == **subject).take(3).map(|fact| fact.value.clone()).collect();
        match wanted.iter().map(of).find(|values: &Vec<String>| !values.is_empty()) {
            Some(values) => Ok(values),
            None => self.stated_answers(&wanted).await,
        }
    }

    /// Returns the newest current statements of the user in the groups of these subjects.
    async fn stated_answers(&self, subjects: &[&str]) -> Result<Vec<String>, EngineError> {
        let mut texts = Vec::new();
        for group in subjects.iter().filter_map(|subject| group_of_subject(subject)) {
            let page = StatementPage { limit: STATED, holder: StatementHolder::User, group: Some(group), ..StatementPage::default() };
            let known = self.known_statements(page, StatementHistory::Open).await?;
            let current = known.into_iter().filter(|known| known.standing == StatementStanding::Current);
            texts.extend(current.map(|known| known.statement.text).filter(|text| !texts.contains(text)).collect::<Vec<_>>());
        }
        texts.truncate(STATED);
        Ok(texts)
    }

    /// Searches with an existing query vector. Removes memories that an essence in the results already covers.
    pub(crate) async fn search_with(&self, query: &Query, vector: Option<Embedding>) -> Result<Recalled, EngineError> {
        let mut recalled = self.search_all(query, vector.clone()).await?;
        if query.depth == Depth::Everything {
            return Ok(recalled);
        }
        let full = recalled.results.len() >= query.limit;
        let again = self.remove_covered(&mut recalled).await?;
        if again > 0 && full {
            // Search wider to fill the places of the removed memories.
            recalled = self.search_all(&Query { limit: query.limit.saturating_mul(3), ..query.clone() }, vector).await?;
            self.remove_covered(&mut recalled).await?;
            recalled.results.truncate(query.limit);
        }
        Ok(recalled)
    }

    /// Removes memories that an essence in the results already covers. Returns how many were removed.
    async fn remove_covered(&self, recalled: &mut Recalled) -> Result<usize, EngineError> {
        let again = self
            .mind
            .lifecycle()
            .restore_duplicate_sources(&recalled.results.iter().map(|found| &found.memory).collect::<Vec<_>>())
            .await?;
        recalled.results.retain(|found| !again.contains(&found.memory.id));
        Ok(again.len())
    }

    async fn search_all(&self, query: &Query, vector: Option<Embedding>) -> Result<Recalled, EngineError> {
        let asks_vectors = vector.is_some();
        let (answer, degraded) = match self.index().await? {
            Some(index) => {
                let (lacking, all) = index.read().await.lacking();
                (self.ask(index, query, vector).await?, self.missing_vector_warning(lacking, all).filter(|_| asks_vectors))
            }
            None => self.search_disk(query, vector.as_ref()).await?,
        };
        let least = self.mind.policy().recall.fits_from;
        let fits = |hit: &Hit| query.depth == Depth::Everything || hit.relevance >= least;
        let mut hits: HashMap<MemoryId, Hit> = HashMap::new();
        let mut ids = Vec::new();
        for hit in answer.hits.into_iter().filter(fits) {
            ids.push(hit.memory);
            hits.insert(hit.memory, hit);
        }
        let memories = self.mind.store().memories(self.mind.id, &ids).await?;
        let found = |memory: Memory| {
            let hit = hits.remove(&memory.id)?;
            Some(Found { memory, score: Score::sum(hit.parts), relevance: Unit::clamped(hit.relevance), strength: hit.strength })
        };
        let results = memories.into_iter().filter_map(found).collect();
        Ok(Recalled { results, confidence: Unit::clamped(answer.confidence), degraded })
    }

    /// Returns a warning if some memories can be found by keywords only: after a change of the embedder, until all vectors are
    /// recomputed.
    fn missing_vector_warning(&self, lacking: usize, all: usize) -> Option<Phrase> {
        let id = self.mind.models().embedder_id();
        (lacking > 0).then(|| phrase!("engine.recall.vectors_missing", lacking, all, id))
    }

    /// Returns the query vector, or the reason why only keywords can be searched.
    pub(crate) async fn question_vector(&self, text: &str) -> (Option<Embedding>, Option<Phrase>) {
        let degraded = |why: Phrase| (None, Some(words_only(why)));
        if !self.mind.inner.config.vectors {
            return degraded(phrase!("engine.models.vectors_disabled"));
        }
        let Some(embedder) = &self.mind.inner.config.embedder else {
            return degraded(phrase!("engine.models.no_embedder"));
        };
        if text.trim().is_empty() {
            return (None, None);
        }
        if !embedder.knows(text) {
            return degraded(phrase!("engine.models.script_not_supported", id = embedder.id()));
        }
        // A remote embedder may be slow, so a query waits for it only for a limited time.
        match embedder.embed_within(&[text.to_owned()], Purpose::Query, self.mind.inner.waits()).await {
            Ok(vectors) => match vectors.into_iter().next() {
                Some(vector) => (Some(vector), None),
                None => degraded(phrase!("engine.recall.no_vector")),
            },
            Err(error) => degraded(no_vector(error)),
        }
    }

    /// Queries the in-memory index: a small one on the current thread, a large one on a blocking thread.
    pub(crate) async fn ask(&self, index: Arc<RwLock<Index>>, query: &Query, vector: Option<Embedding>) -> Result<IndexHits, EngineError> {
        let index = index.read_owned().await;
        let small = index.len() <= self.mind.policy().recall.ask_at_once;
        let today = self.mind.now().civil(&self.mind.inner.config.time_zone).date();
        let vector = vector.map(|vector| vector.quantised());
        let ask = move |inner: &Inner, query: &Query| {
            let calibration = inner.config.embedder.as_ref().map(|embedder| embedder.calibration());
            index.ask(&IndexQuery {
                question: &Question::of(&query.text),
                vector: vector.as_deref().zip(calibration),
                filter: &query.filter,
                today: Some(today),
                limit: query.limit,
                policy: &inner.config.policy,
            })
        };
        if small {
            return Ok(ask(&self.mind.inner, query));
        }
        let (inner, query) = (Arc::clone(&self.mind.inner), query.clone());
        let task = tokio::task::spawn_blocking(move || ask(&inner, &query));
        task.await.map_err(|error| EngineError::Busy(format!("recall: {error}").into()))
    }

    pub(crate) async fn mark_used(&self, ids: &[MemoryId]) -> Result<(), EngineError> {
        self.mind.may(Deed::Observe).await?;
        retrying(|| async {
            let mind = self.mind.mind().await?;
            let now = self.mind.now();
            let mut mood = mind.mood;
            let mut memories = self.mind.store().memories(self.mind.id, ids).await?;
            mood = memories.iter().fold(mood, |mood, memory| mood.moved(&memory.feeling, now, &self.mind.policy().mood));
            // Each living essence of these memories also counts as recalled, once.
            let above = self.mind.lifecycle().above(ids).await?.essences;
            memories.extend(above.into_iter().filter(|memory| memory.standing == MemoryState::Alive));
            let mut commit = self.mind.commit(Op::Recall, &memories.iter().collect::<Vec<_>>());
            for memory in memories {
                let recalled = memory.recalled(now, mind.turns, &self.mind.policy().strength);
                commit.changes.push(Change::MemoryChanged(Box::new(recalled)));
            }
            commit.changes.push(Change::MoodSet(mood));
            self.mind.write(commit).await.map(drop)
        })
        .await
    }
}

/// Returns the warning for a search by keywords only.
pub(crate) fn words_only(why: Phrase) -> Phrase {
    phrase!("engine.recall.keyword_search_only", why)
}
