//! Chooses the past examples of a prompt and the evidence of a rule-based answer.

use saegim_core::{BqiSnapshot, Memory, MemoryId, Persona, Unit, restated};
use saegim_store::{Filter, Page};

use super::Orchestrator;
use crate::EngineError;
use crate::retrieval::recall::{Depth, Found, Query};

/// Characters of the question that past answers are searched with.
const SEARCHED: usize = 100;

/// Number of the latest answers of a persona that are compared with the question by their prompt.
const LATEST: usize = 200;

/// Share of the words of a question that the prompt or the answer of a past example has.
const RELATED: f32 = 0.34;

/// Share of the words of a question from which a memory is about it.
const ABOUT: f32 = 0.3;

/// Tag of every persona's answer.
pub(super) const TAG: &str = "orchestration";

impl Orchestrator<'_> {
    /// Returns past answers of a persona to related questions, important enough to serve as examples. Answers with the same rhythm
    /// phase and a common emotion keyword come first, then those with the same phase, then the others.
    pub(super) async fn examples(&self, persona: &Persona, seed: &str, bqi: &BqiSnapshot) -> Result<Vec<Memory>, EngineError> {
        let policy = &self.mind.policy().orchestration;
        let filter = Filter {
            persona: Some(persona.id.clone()),
            least_importance: Some(Unit::clamped(policy.example_importance)),
            tags: vec![TAG.to_owned()],
            ..Filter::default()
        };
        let text: String = seed.chars().take(SEARCHED).collect();
        let (vector, _) = self.mind.retrieval().question_vector(&text).await;
        let query = Query { limit: LATEST, filter: filter.clone(), ..Query::text(&text) };
        let mut found: Vec<Memory> =
            self.mind.retrieval().search_with(&query, vector).await?.results.into_iter().map(|found| found.memory).collect();
        // An answer need not repeat the words of its question, so the prompts are compared, too.
        let latest = self.mind.store().list(self.mind.id, &filter, Page { limit: LATEST, before: None }).await?;
        let related = |memory: &Memory| {
            let digest = memory.coordinate.prompt_digest.as_deref().unwrap_or_default();
            let asked = digest.split_once("Seed focus: ").map_or(digest, |(_, asked)| asked);
            restated(seed, asked).max(restated(asked, seed)) >= RELATED
        };
        let known: Vec<MemoryId> = found.iter().map(|memory| memory.id).collect();
        found.extend(latest.into_iter().filter(|memory| !known.contains(&memory.id) && related(memory)));
        found.retain(|memory| !memory.coordinate.error_occurred);
        let distance = |memory: &Memory| {
            let phase = memory.coordinate.rhythm_phase == Some(bqi.rhythm_phase);
            let feeling = bqi.emotion_keywords.is_empty() || bqi.emotion_keywords.iter().any(|word| memory.feeling.keywords.contains(word));
            match (phase, feeling) {
                (true, true) => 0,
                (true, false) => 1,
                _ => 2,
            }
        };
        // The latest of equally fitting answers first, as the design sorts its results.
        found.sort_by_key(|memory| (distance(memory), std::cmp::Reverse((memory.created_at, memory.id))));
        found.truncate(policy.examples);
        Ok(found)
    }

    /// Returns memories about the question that no persona wrote. Answers of personas repeat the words of their evidence, so that a
    /// memory among them stands out less than alone; a memory with enough words of the question therefore counts, too.
    pub(super) async fn evidence(&self, seed: &str) -> Result<Vec<Memory>, EngineError> {
        let most = self.mind.policy().orchestration.evidence;
        let (vector, _) = self.mind.retrieval().question_vector(seed).await;
        let query = Query { limit: LATEST, depth: Depth::Everything, ..Query::text(seed) };
        let found = self.mind.retrieval().search_with(&query, vector).await?;
        let least = self.mind.policy().recall.fits_from;
        let about = |found: &Found| found.relevance.get() >= least || restated(seed, &found.memory.content) >= ABOUT;
        let mut memories: Vec<Memory> = found.results.into_iter().filter(about).map(|found| found.memory).collect();
        memories.retain(|memory| !memory.tags.iter().any(|tag| tag == TAG));
        memories.truncate(most);
        Ok(memories)
    }
}
