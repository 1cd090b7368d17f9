//! Vectors that are missing are made: of memories first, then of what was said. After the embedder was changed those are
//! all of them, and until they are made words find what has none: vectors of two embedders are never compared.

use saegim_core::{Change, Deed, Embedding, Memory, MemoryId, Op, Turn, TurnId};
use saegim_provider::Embedder;

use crate::retrieval::index::vector_texts;
use crate::{Engine, EngineError, MindHandle};

/// How many are embedded and written at a time.
const BATCH: usize = 64;

/// How many are looked up at a time.
const PAGE: usize = 512;

/// More than one mind holds.
const LIMIT: usize = 100_000_000;

/// How many a tick makes at most, so that nobody waits long behind it.
pub(crate) const AT_A_TICK: usize = 2_000;

/// What is still without a vector of the embedder in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacking {
    /// Memories.
    pub memories: usize,
    /// Turns.
    pub turns: usize,
}

/// What an embedder was asked for and will not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// Memories.
    pub memories: Vec<MemoryId>,
    /// Turns.
    pub turns: Vec<TurnId>,
}

/// Whether an embedder was made for a text, and has not refused any part of it.
fn takes(embedder: &dyn Embedder, text: &str) -> bool {
    embedder.knows(text) && !vector_texts(text).iter().any(|part| embedder.refuses(part))
}

impl Engine {
    /// Makes the missing vectors of every mind, and tells `progress` how many are made. Whoever recalls meanwhile is
    /// answered: by words where there is no vector yet.
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

impl MindHandle {
    /// Makes the vectors that are missing, where the embedder can, and tells `progress` how many it has made.
    pub async fn embed_missing(&self, progress: impl Fn(usize)) -> Result<usize, EngineError> {
        self.embed_some(usize::MAX, progress).await
    }

    /// Why the embedder makes no vector of what is still without one; nothing where nothing is, or it can.
    pub async fn why_lacking(&self) -> Result<Option<EngineError>, EngineError> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else { return Ok(None) };
        let lacking = self.store().without_vector(self.id, embedder.id(), PAGE).await?;
        let texts: Vec<&str> =
            lacking.iter().map(|memory| memory.content.as_str()).filter(|text| takes(&**embedder, text)).take(BATCH).collect();
        if texts.is_empty() {
            return Ok(None);
        }
        let problem = self.inner.vectors_at_leisure(&texts).await.err();
        // Texts it will not have are told of by themselves.
        let others = texts.iter().all(|text| takes(&**embedder, text));
        Ok(problem.filter(|_| others).map(EngineError::from))
    }

    /// The same, at most so many. A model that is down makes none, and says so to whoever recalls; a text it will not have
    /// is left out, and keeps no other from its vector.
    pub(crate) async fn embed_some(&self, most: usize, progress: impl Fn(usize)) -> Result<usize, EngineError> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else { return Ok(0) };
        let mut made = 0;
        loop {
            let lacking = self.store().without_vector(self.id, embedder.id(), PAGE).await?;
            let known: Vec<&Memory> = lacking.iter().filter(|memory| takes(&**embedder, &memory.content)).take(most - made).collect();
            let before = made;
            for batch in known.chunks(BATCH) {
                let Some(vectors) = self.vectors_taken(batch, |memory| &memory.content).await else { return Ok(made) };
                let mut commit = self.worker_commit(Op::Embed);
                made += vectors.len();
                commit.changes.extend(vectors.into_iter().map(|(memory, vector)| self.embedded(memory.id, vector)));
                self.write(commit).await?;
                progress(made);
            }
            if made == before || lacking.len() < PAGE || made >= most {
                break;
            }
        }
        while made < most {
            let lacking = self.store().turns_without_vector(self.id, embedder.id(), PAGE).await?;
            let known: Vec<&Turn> = lacking.iter().filter(|turn| takes(&**embedder, &turn.content)).take(most - made).collect();
            let before = made;
            for batch in known.chunks(BATCH) {
                let Some(vectors) = self.vectors_taken(batch, |turn| &turn.content).await else { return Ok(made) };
                let mut commit = self.worker_commit(Op::Embed);
                made += vectors.len();
                commit.changes.extend(vectors.into_iter().map(|(turn, vector)| Change::TurnEmbedded {
                    turn: turn.id,
                    embedder: embedder.id().to_owned(),
                    vector,
                }));
                self.write(commit).await?;
                progress(made);
            }
            if made == before || lacking.len() < PAGE {
                break;
            }
        }
        Ok(made)
    }

    /// The vectors of all of a batch that the embedder will have; nothing where it can make none.
    async fn vectors_taken<'a, T>(&self, batch: &[&'a T], text: impl Fn(&'a T) -> &'a String) -> Option<Vec<(&'a T, Embedding)>> {
        let embedder = self.inner.config.embedder.as_ref()?;
        let mut left: Vec<&'a T> = batch.to_vec();
        loop {
            let texts: Vec<&str> = left.iter().map(|one| text(*one).as_str()).collect();
            if texts.is_empty() {
                return Some(Vec::new());
            }
            match self.inner.vectors_at_leisure(&texts).await {
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

    /// The memories and turns this embedder was asked for and will not have: words alone find them.
    pub async fn unembeddable(&self) -> Result<Refused, EngineError> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else {
            return Ok(Refused::default());
        };
        let refuses = |text: &str| embedder.knows(text) && !takes(&**embedder, text);
        let memories = self.store().without_vector(self.id, embedder.id(), LIMIT).await?;
        let turns = self.store().turns_without_vector(self.id, embedder.id(), LIMIT).await?;
        Ok(Refused {
            memories: memories.iter().filter(|memory| refuses(&memory.content)).map(|memory| memory.id).collect(),
            turns: turns.iter().filter(|turn| refuses(&turn.content)).map(|turn| turn.id).collect(),
        })
    }

    /// How much the embedder has made no vector of, though it knows the script.
    pub async fn lacking(&self) -> Result<Lacking, EngineError> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else {
            return Ok(Lacking::default());
        };
        let memories = self.store().without_vector(self.id, embedder.id(), LIMIT).await?;
        let turns = self.store().turns_without_vector(self.id, embedder.id(), LIMIT).await?;
        Ok(Lacking {
            memories: memories.iter().filter(|memory| takes(&**embedder, &memory.content)).count(),
            turns: turns.iter().filter(|turn| takes(&**embedder, &turn.content)).count(),
        })
    }
}
