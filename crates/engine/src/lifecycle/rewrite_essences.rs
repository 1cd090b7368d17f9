//! Essences that rules had to word are worded by a model once there is one: each once, a few at a time, out of its originals.
//!
//! Nothing but the words changes. What the owner has written, holds fast or keeps for ever is left as it is, and so is an
//! essence whose originals are not all there any more: what is gone from them would be gone from it, too.

use std::collections::HashMap;

use saegim_core::{
    Cause, Change, CliffReason, Job, JobKind, Kind, Memory, MemoryId, Op, Source, Span, Standing, Thought, Tier, worded_by_rules,
};
use saegim_provider::{RuleThinker, Thinker};

use crate::{EngineError, MindHandle};

/// An essence in the rules' words, and what it was made of.
struct Worded {
    essence: Memory,
    originals: Vec<String>,
}

impl MindHandle {
    /// Puts down that essences wait for a model's words, where any do.
    pub(crate) async fn queue_distillations(&self) -> Result<(), EngineError> {
        let waits = self.store().jobs(self.id).await?.into_iter().any(|job| job.kind == JobKind::Distil && job.due_at.is_some());
        if waits || !self.asks(Thought::Distil) || self.worded_by_rules(1).await?.is_empty() {
            return Ok(());
        }
        let mut commit = self.worker_commit(Op::Think).because("essences wait for a model's words");
        commit.changes.push(Change::JobSet(Box::new(Job::new(JobKind::Distil, Vec::new(), self.now()))));
        self.write(commit).await.map(drop)
    }

    /// Lets a model word some of them. What it cannot word stays in the rules' words and is not asked for again; a model that
    /// cannot be had is asked later.
    pub(crate) async fn distil_again(&self, job: &Job) -> Result<Result<(), (Thought, Cause)>, EngineError> {
        if !self.asks(Thought::Distil) {
            return self.dropped(job).await.map(Ok);
        }
        let most = self.policy().thinking.distil_at_once;
        let waiting = self.worded_by_rules(most + 1).await?;
        for Worded { essence, originals } in waiting.iter().take(most) {
            let texts: Vec<&str> = originals.iter().map(String::as_str).collect();
            match self.consult(Thought::Distil, &|thinker: &dyn Thinker| thinker.distil(&texts)).await? {
                Ok(words) => self.reworded(essence, words).await?,
                Err(cause @ (Cause::Refused | Cause::Empty | Cause::Endless | Cause::Garbled)) => {
                    self.took_down(Thought::Distil, (RuleThinker.id(), cause));
                    self.stands(essence, "the rules' words stand").await?;
                }
                Err(cause) => return Ok(Err((Thought::Distil, cause))),
            }
        }
        let mut commit = self.commit(Op::Think, &[]);
        commit.changes.push(if waiting.len() > most {
            let soon = self.now().plus(Span::seconds(i64::from(self.policy().thinking.retry_seconds)));
            Change::JobSet(Box::new(Job { due_at: Some(soon), ..Job::new(JobKind::Distil, Vec::new(), self.now()) }))
        } else {
            Change::JobDone(job.kind, job.turns.clone())
        });
        self.write(commit).await.map(|_| Ok(()))
    }

    /// Writes a model's words, unless someone has put the essence differently while it thought.
    async fn reworded(&self, before: &Memory, words: String) -> Result<(), EngineError> {
        if words == before.content {
            return self.stands(before, "a model found no better words").await;
        }
        let (vector, _) = self.vector_of(&words).await;
        let Some(now) = self.store().memories(self.id, &[before.id]).await?.pop().filter(|now| now.revision == before.revision) else {
            return Ok(());
        };
        let reworded = Memory { content: words, ..now };
        let mut commit = self.commit(Op::Edit, &[&reworded]).because("a model worded what rules had distilled");
        commit.changes.push(Change::MemoryChanged(Box::new(reworded)));
        commit.changes.extend(vector.map(|vector| self.embedded(before.id, vector)));
        match self.write(commit).await {
            Err(EngineError::Conflict(_)) => Ok(()),
            written => written.map(drop),
        }
    }

    /// Takes down that an essence was asked about and stays as it is.
    async fn stands(&self, essence: &Memory, why: &str) -> Result<(), EngineError> {
        self.write(self.commit(Op::Think, &[essence]).because(why)).await.map(drop)
    }

    /// Essences in the rules' words that a model may word, at most so many, the oldest first.
    async fn worded_by_rules(&self, most: usize) -> Result<Vec<Worded>, EngineError> {
        let mut found = Vec::new();
        let mut fallen: Option<HashMap<MemoryId, CliffReason>> = None;
        for tier in [Tier::M90, Tier::M365] {
            for essence in self.alive(tier).await? {
                if found.len() >= most {
                    return Ok(found);
                }
                if essence.source != Source::Distillation || essence.edited_at.is_some() || essence.pinned {
                    continue;
                }
                let entries = self.store().ledger_of(self.id, essence.id).await?;
                let Some(ids) = worded_by_rules(essence.id, &entries) else { continue };
                let originals = self.store().memories(self.id, &ids).await?;
                let cliff = match &fallen {
                    Some(cliff) => cliff,
                    None => {
                        let cliff = self.store().cliff(self.id).await?;
                        fallen.insert(cliff.into_iter().map(|fallen| (fallen.memory.id, fallen.entry.reason)).collect())
                    }
                };
                // What ran out its term was kept as the essence; what someone let go is not to be read again.
                let there = |memory: &Memory| memory.standing == Standing::Alive || cliff.get(&memory.id) == Some(&CliffReason::Expired);
                let whole = originals.len() == ids.len() && originals.iter().all(there);
                // What is so, or was asked for, is kept word for word.
                let verbatim = matches!(&originals[..], [alone] if alone.remember_this || alone.kind == Kind::Semantic);
                if whole && !verbatim {
                    found.push(Worded { essence, originals: originals.into_iter().map(|memory| memory.content).collect() });
                }
            }
        }
        Ok(found)
    }
}
