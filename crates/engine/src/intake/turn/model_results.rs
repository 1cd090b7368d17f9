//! Vectors, readings and appraisals of an exchange, by text. They are made before the lock of the mind is taken and kept over
//! retries, so that no model is asked twice.

use std::collections::{HashMap, HashSet};

use saegim_core::{Embedding, Phrase, Role, Timestamp, Turn, Unit, content, phrase};
use saegim_language::{Finding, Reading};

use crate::EngineError;
use crate::error::no_vector;
use crate::intake::Intake;
use crate::intake::turn::ended_statements::EndedStatement;
use crate::intake::turn::model_reading::message_before;
use crate::retrieval::recall::words_only;

/// What models and embedders returned for an exchange so far.
#[derive(Default)]
pub(crate) struct ModelResults {
    vectors: HashMap<String, Embedding>,
    /// Texts that were given to the embedder, with or without success.
    embedded: HashSet<String>,
    /// Reason why only keywords are searched, if vectors are not available.
    pub(crate) degraded: Option<Phrase>,
    appraisals: HashMap<String, Option<Unit>>,
    readings: HashMap<ReadingKey, Reading>,
    /// Whether a language model reads. Then a known fact ends only by a claim of the model that the rules confirm, or by the owner.
    pub(crate) read_by_model: bool,
    /// Statements that a message ends, by its text.
    ended: HashMap<String, Vec<EndedStatement>>,
}

/// Result of an attempt to decide and commit under the lock of a mind.
pub(crate) enum Attempt<T> {
    Done(T),
    /// Something is missing that must not be made under the lock.
    Missing(Missing),
}

/// What an attempt needs from embedders and models.
pub(crate) enum Missing {
    /// Vectors of these texts.
    Vectors(Vec<String>),
    /// Appraisals of these texts.
    Appraisals(Vec<String>),
}

/// Everything that a reading depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ReadingKey {
    role: Role,
    text: String,
    at: Timestamp,
    before: Option<String>,
}

impl ModelResults {
    /// Returns the vector of a text, if it was embedded.
    pub(crate) fn vector(&self, text: &str) -> Option<&Embedding> {
        self.vectors.get(text)
    }

    /// Checks whether a text was given to the embedder, with or without success.
    pub(crate) fn was_embedded(&self, text: &str) -> bool {
        self.embedded.contains(text)
    }

    /// Returns the appraisal of a text, if it was appraised. The inner value is `None` if no thinker could appraise it.
    pub(crate) fn appraisal(&self, text: &str) -> Option<Option<Unit>> {
        self.appraisals.get(text).copied()
    }

    /// Returns the statements that a message ends, if it was compared with them.
    pub(crate) fn ended_by(&self, message: &str) -> Option<&[EndedStatement]> {
        self.ended.get(message).map(Vec::as_slice)
    }

    pub(crate) fn set_ended(&mut self, message: &str, ended: Vec<EndedStatement>) {
        self.ended.insert(message.to_owned(), ended);
    }
}

impl Intake<'_> {
    /// Reads new turns in order, except those that were read before with the same message before them.
    pub(crate) async fn readings(&self, results: &mut ModelResults, window: &[Turn], turns: &[Turn]) -> Result<Vec<Reading>, EngineError> {
        let mut readings = Vec::with_capacity(turns.len());
        for (place, turn) in turns.iter().enumerate() {
            let before = message_before(window.iter().chain(&turns[..place]), turn);
            let key = ReadingKey { role: turn.role, text: turn.content.clone(), at: turn.at, before: before.map(str::to_owned) };
            let reading = match results.readings.get(&key) {
                Some(reading) => reading.clone(),
                None => self.read(turn, before).await?,
            };
            results.readings.insert(key, reading.clone());
            readings.push(reading);
        }
        Ok(readings)
    }

    /// Returns the texts that the decision compares by their vectors and that were not embedded yet.
    pub(crate) fn missing_vectors(&self, results: &ModelResults, turns: &[Turn], readings: &[Reading]) -> Vec<String> {
        let mut texts: Vec<&str> = turns.iter().map(|turn| turn.content.as_str()).collect();
        for (turn, reading) in turns.iter().zip(readings) {
            let promotable = |finding: &&Finding| self.may_be_promoted(turn.role, finding);
            texts.extend(reading.findings.iter().filter(promotable).map(|finding| finding.content.as_str()));
        }
        texts.retain(|text| !results.was_embedded(text));
        texts.into_iter().map(str::to_owned).collect()
    }

    /// Embeds the messages in one batch and then the findings that may be promoted.
    pub(crate) async fn embed_exchange(&self, results: &mut ModelResults, turns: &[Turn], readings: &[Reading]) {
        let texts: Vec<&str> = turns.iter().map(|turn| turn.content.as_str()).collect();
        self.embed(results, &texts).await;
        for text in self.missing_vectors(results, turns, readings) {
            self.embed(results, &[&text]).await;
        }
    }

    /// Embeds texts that were not embedded yet. Records in `degraded` why a text cannot be embedded.
    pub(crate) async fn embed(&self, results: &mut ModelResults, texts: &[&str]) {
        let mut wanted: Vec<&str> = Vec::new();
        for text in texts {
            if results.embedded.insert((*text).to_owned()) {
                wanted.push(text);
            }
        }
        let Some(embedder) = self.mind.inner.config.embedder.as_ref().filter(|_| self.mind.inner.config.vectors) else {
            results.degraded = Some(words_only(phrase!("engine.models.no_embedder")));
            return;
        };
        if wanted.iter().any(|text| !embedder.knows(text)) {
            let reason = phrase!("engine.models.script_not_supported", id = embedder.id());
            results.degraded = Some(words_only(reason));
            wanted.retain(|text| embedder.knows(text));
        }
        if wanted.is_empty() {
            return;
        }
        match self.mind.inner.vectors(&wanted).await {
            Ok(vectors) => results.vectors.extend(wanted.into_iter().map(str::to_owned).zip(vectors)),
            Err(error) => results.degraded = Some(words_only(no_vector(error))),
        }
    }

    /// Makes what an attempt was missing.
    pub(crate) async fn supply(&self, results: &mut ModelResults, missing: Missing) -> Result<(), EngineError> {
        match missing {
            Missing::Vectors(texts) => {
                for text in &texts {
                    self.embed(results, &[text]).await;
                }
                Ok(())
            }
            Missing::Appraisals(texts) => self.appraise(results, &texts).await,
        }
    }

    /// Appraises texts that were not appraised yet.
    pub(crate) async fn appraise(&self, results: &mut ModelResults, texts: &[String]) -> Result<(), EngineError> {
        for text in texts {
            if !results.appraisals.contains_key(text) {
                let appraisal = self.appraisal_of(&content(text)?, None).await;
                results.appraisals.insert(text.clone(), appraisal);
            }
        }
        Ok(())
    }
}
