//! Vectors that are missing are made: of memories first, then of what was said. After the embedder was changed those are
//! all of them, and until they are made words find what has none: vectors of two embedders are never compared.

use saegim_core::{Change, Deed, Memory, Op, Turn};

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
            lacking.iter().map(|memory| memory.content.as_str()).filter(|text| embedder.knows(text)).take(BATCH).collect();
        if texts.is_empty() {
            return Ok(None);
        }
        Ok(self.inner.vectors_at_leisure(&texts).await.err().map(EngineError::from))
    }

    /// The same, at most so many. A model that is down makes none, and says so to whoever recalls.
    pub(crate) async fn embed_some(&self, most: usize, progress: impl Fn(usize)) -> Result<usize, EngineError> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else { return Ok(0) };
        let mut made = 0;
        loop {
            let lacking = self.store().without_vector(self.id, embedder.id(), PAGE).await?;
            let known: Vec<&Memory> = lacking.iter().filter(|memory| embedder.knows(&memory.content)).take(most - made).collect();
            for batch in known.chunks(BATCH) {
                let texts: Vec<&str> = batch.iter().map(|memory| memory.content.as_str()).collect();
                let Ok(vectors) = self.inner.vectors_at_leisure(&texts).await else { return Ok(made) };
                let mut commit = self.worker_commit(Op::Embed);
                commit.changes.extend(batch.iter().zip(vectors).map(|(memory, vector)| self.embedded(memory.id, vector)));
                self.write(commit).await?;
                made += batch.len();
                progress(made);
            }
            if known.is_empty() || lacking.len() < PAGE || made >= most {
                break;
            }
        }
        while made < most {
            let lacking = self.store().turns_without_vector(self.id, embedder.id(), PAGE).await?;
            let known: Vec<&Turn> = lacking.iter().filter(|turn| embedder.knows(&turn.content)).take(most - made).collect();
            for batch in known.chunks(BATCH) {
                let texts: Vec<&str> = batch.iter().map(|turn| turn.content.as_str()).collect();
                let Ok(vectors) = self.inner.vectors_at_leisure(&texts).await else { return Ok(made) };
                let mut commit = self.worker_commit(Op::Embed);
                commit.changes.extend(batch.iter().zip(vectors).map(|(turn, vector)| Change::TurnEmbedded {
                    turn: turn.id,
                    embedder: embedder.id().to_owned(),
                    vector,
                }));
                self.write(commit).await?;
                made += batch.len();
                progress(made);
            }
            if known.is_empty() || lacking.len() < PAGE {
                break;
            }
        }
        Ok(made)
    }

    /// How much the embedder has made no vector of, though it knows the script.
    pub async fn lacking(&self) -> Result<Lacking, EngineError> {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else {
            return Ok(Lacking::default());
        };
        let memories = self.store().without_vector(self.id, embedder.id(), LIMIT).await?;
        let turns = self.store().turns_without_vector(self.id, embedder.id(), LIMIT).await?;
        Ok(Lacking {
            memories: memories.iter().filter(|memory| embedder.knows(&memory.content)).count(),
            turns: turns.iter().filter(|turn| embedder.knows(&turn.content)).count(),
        })
    }
}
