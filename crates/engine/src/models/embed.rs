//! Creates missing vectors, first of memories, then of turns. After a change of embedder all vectors are missing; until they exist,
//! those memories are found by words only, because vectors of two embedders are never compared.

use saegim_core::{Change, Deed, Embedding, Memory, MemoryId, Op, Phrase, Turn, TurnId, phrase};
use saegim_provider::Embedder;

use crate::error::no_vector;
use crate::models::Models;
use crate::retrieval::index::vector_texts;
use crate::{Engine, EngineError, MindHandle};

/// Number of texts embedded and committed at a time.
const BATCH: usize = 64;

/// Number of rows looked up at a time.
const PAGE: usize = 512;

/// Upper bound above the size of any mind.
const LIMIT: usize = 100_000_000;

/// Maximum number of vectors per tick. Bounds how long other requests wait.
pub(crate) const AT_A_TICK: usize = 2_000;

/// Number of items without a vector of the current embedder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingVectors {
    /// Number of memories.
    pub memories: usize,
    /// Number of turns.
    pub turns: usize,
}

/// Items that the embedder refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedTexts {
    /// Refused memories.
    pub memories: Vec<MemoryId>,
    /// Refused turns.
    pub turns: Vec<TurnId>,
}

/// Checks whether the embedder supports the text and has not refused any part of it.
fn takes(embedder: &dyn Embedder, text: &str) -> bool {
    embedder.knows(text) && !vector_texts(text).iter().any(|part| embedder.refuses(part))
}

impl Engine {
    /// Creates the missing vectors of every mind and reports the count to `progress`. Recall keeps working meanwhile, by words
    /// where there is no vector yet.
    pub async fn embed_missing(&self, progress: impl Fn(usize)) -> Result<usize, EngineError> {
        self.may(Deed::Operate)?;
        let mut made = 0;
        for mind in self.inner.store.minds().await? {
            let handle = MindHandle::new(std::sync::Arc::clone(&self.inner), &mind, saegim_core::Principal::Worker);
            made += handle.embed_missing(|done| progress(made + done)).await?;
        }
        Ok(made)
    }
}

impl<'a> Models<'a> {
    /// Returns the vector of a text to store, or the reason why there is none.
    pub(crate) async fn vector_of(&self, text: &str) -> (Option<Embedding>, Option<Phrase>) {
        if !self.mind.inner.config.vectors {
            return (None, Some(phrase!("engine.models.vectors_disabled")));
        }
        let Some(embedder) = &self.mind.inner.config.embedder else {
            return (None, Some(phrase!("engine.models.no_embedder")));
        };
        if !embedder.knows(text) {
            return (None, Some(phrase!("engine.models.script_not_supported", id = embedder.id())));
        }
        match self.mind.inner.vectors(&[text]).await {
            Ok(mut vectors) => (vectors.pop(), None),
            Err(error) => (None, Some(no_vector(error))),
        }
    }

    pub(crate) fn embedded(&self, memory: MemoryId, vector: Embedding) -> Change {
        Change::Embedded { memory, embedder: self.embedder_id().to_owned(), vector }
    }

    pub(crate) fn embedder_id(&self) -> &'a str {
        self.mind.inner.config.embedder.as_ref().map_or("", |embedder| embedder.id())
    }

    pub(crate) async fn embed_missing(&self, progress: impl Fn(usize)) -> Result<usize, EngineError> {
        self.embed_some(usize::MAX, progress).await
    }

    pub(crate) async fn why_lacking(&self) -> Result<Option<EngineError>, EngineError> {
        let Some(embedder) = self.mind.inner.config.embedder.as_ref().filter(|_| self.mind.inner.config.vectors) else { return Ok(None) };
        let lacking = self.mind.store().without_vector(self.mind.id, embedder.id(), PAGE).await?;
        let texts: Vec<&str> =
            lacking.iter().map(|memory| memory.content.as_str()).filter(|text| takes(&**embedder, text)).take(BATCH).collect();
        if texts.is_empty() {
            return Ok(None);
        }
        let problem = self.mind.inner.vectors_at_leisure(&texts).await.err();
        // Refused texts are reported separately.
        let others = texts.iter().all(|text| takes(&**embedder, text));
        Ok(problem.filter(|_| others).map(EngineError::from))
    }

    /// Creates at most `most` missing vectors. Stops if the model is down. A refused text is skipped and does not block the others.
    pub(crate) async fn embed_some(&self, most: usize, progress: impl Fn(usize)) -> Result<usize, EngineError> {
        let Some(embedder) = self.mind.inner.config.embedder.as_ref().filter(|_| self.mind.inner.config.vectors) else { return Ok(0) };
        let mut made = 0;
        loop {
            let lacking = self.mind.store().without_vector(self.mind.id, embedder.id(), PAGE).await?;
            let known: Vec<&Memory> = lacking.iter().filter(|memory| takes(&**embedder, &memory.content)).take(most - made).collect();
            let before = made;
            for batch in known.chunks(BATCH) {
                let Some(vectors) = self.apply_vectors(batch, |memory| &memory.content).await else { return Ok(made) };
                let mut commit = self.mind.lifecycle().worker_commit(Op::Embed);
                made += vectors.len();
                commit.changes.extend(vectors.into_iter().map(|(memory, vector)| self.embedded(memory.id, vector)));
                self.mind.write(commit).await?;
                progress(made);
            }
            if made == before || lacking.len() < PAGE || made >= most {
                break;
            }
        }
        while made < most {
            let lacking = self.mind.store().turns_without_vector(self.mind.id, embedder.id(), PAGE).await?;
            let known: Vec<&Turn> = lacking.iter().filter(|turn| takes(&**embedder, &turn.content)).take(most - made).collect();
            let before = made;
            for batch in known.chunks(BATCH) {
                let Some(vectors) = self.apply_vectors(batch, |turn| &turn.content).await else { return Ok(made) };
                let mut commit = self.mind.lifecycle().worker_commit(Op::Embed);
                made += vectors.len();
                commit.changes.extend(vectors.into_iter().map(|(turn, vector)| Change::TurnEmbedded {
                    turn: turn.id,
                    embedder: embedder.id().to_owned(),
                    vector,
                }));
                self.mind.write(commit).await?;
                progress(made);
            }
            if made == before || lacking.len() < PAGE {
                break;
            }
        }
        Ok(made)
    }

    /// Returns the vectors of all texts in a batch that the embedder accepts, or `None` if it can create none.
    async fn apply_vectors<'t, T>(&self, batch: &[&'t T], text: impl Fn(&'t T) -> &'t String) -> Option<Vec<(&'t T, Embedding)>> {
        let embedder = self.mind.inner.config.embedder.as_ref()?;
        let mut left: Vec<&'t T> = batch.to_vec();
        loop {
            let texts: Vec<&str> = left.iter().map(|one| text(*one).as_str()).collect();
            if texts.is_empty() {
                return Some(Vec::new());
            }
            match self.mind.inner.vectors_at_leisure(&texts).await {
                Ok(vectors) => return Some(left.into_iter().zip(vectors).collect()),
                Err(_) => {
                    let before = left.len();
                    left.retain(|one| takes(&**embedder, text(*one)));
                    if left.len() == before {
                        return None;
                    }
                }
            }
        }
    }

    pub(crate) async fn unembeddable(&self) -> Result<RefusedTexts, EngineError> {
        let Some(embedder) = self.mind.inner.config.embedder.as_ref().filter(|_| self.mind.inner.config.vectors) else {
            return Ok(RefusedTexts::default());
        };
        let refuses = |text: &str| embedder.knows(text) && !takes(&**embedder, text);
        let memories = self.mind.store().without_vector(self.mind.id, embedder.id(), LIMIT).await?;
        let turns = self.mind.store().turns_without_vector(self.mind.id, embedder.id(), LIMIT).await?;
        Ok(RefusedTexts {
            memories: memories.iter().filter(|memory| refuses(&memory.content)).map(|memory| memory.id).collect(),
            turns: turns.iter().filter(|turn| refuses(&turn.content)).map(|turn| turn.id).collect(),
        })
    }

    pub(crate) async fn lacking(&self) -> Result<MissingVectors, EngineError> {
        let Some(embedder) = self.mind.inner.config.embedder.as_ref().filter(|_| self.mind.inner.config.vectors) else {
            return Ok(MissingVectors::default());
        };
        let memories = self.mind.store().without_vector(self.mind.id, embedder.id(), LIMIT).await?;
        let turns = self.mind.store().turns_without_vector(self.mind.id, embedder.id(), LIMIT).await?;
        Ok(MissingVectors {
            memories: memories.iter().filter(|memory| takes(&**embedder, &memory.content)).count(),
            turns: turns.iter().filter(|turn| takes(&**embedder, &turn.content)).count(),
        })
    }
}
