//! Rewrites essences that rules worded once a model is available: each essence once, a few at a time, from its originals.
//!
//! Only the wording changes. Essences that the owner edited or pinned, core memories, and essences with missing originals stay as
//! they are: a new wording would lose the content of the missing originals.

use std::collections::HashMap;

use saegim_core::{
    Cause, Change, CliffReason, Job, JobKind, Kind, Memory, MemoryId, MemoryState, Op, Principal, Source, Span, Thought, Tier,
    worded_by_rules,
};
use saegim_language::RuleThinker;
use saegim_provider::Thinker;

use crate::EngineError;
use crate::lifecycle::Lifecycle;

/// An essence worded by rules, with the contents of its originals.
struct Worded {
    essence: Memory,
    originals: Vec<String>,
}

impl Lifecycle<'_> {
    /// Rewords the essences that have other originals beside these memories, which the owner forgot and which are about to be purged:
    /// an essence may quote one of them. Core and pinned essences and those with the owner's words stay as they are.
    pub(crate) async fn reword_essences_of(&self, going: &[Memory]) -> Result<(), EngineError> {
        if going.is_empty() {
            return Ok(());
        }
        let reworded = self.mind.lifecycle().remains(going).await?.reworded;
        let before = self.mind.store().memories(self.mind.id, &reworded.iter().map(|essence| essence.id).collect::<Vec<_>>()).await?;
        let changes = |essence: &&Memory| {
            let differs = before.iter().any(|known| known.id == essence.id && known.content != essence.content);
            differs && essence.tier != Tier::M0 && !essence.pinned && essence.edited_at.is_none()
        };
        let changed: Vec<Memory> = reworded.iter().filter(changes).cloned().collect();
        if changed.is_empty() {
            return Ok(());
        }
        let mut commit =
            self.mind.commit_as(Principal::Worker, Op::Weigh, &changed.iter().collect::<Vec<_>>()).because("an original was deleted");
        commit.changes.extend(self.mind.self_model().blank_essence_proposals(&changed).await?);
        for essence in changed {
            let vector = self.mind.models().vector_of(&essence.content).await.0;
            commit.changes.extend(vector.map(|vector| self.mind.models().embedded(essence.id, vector)));
            commit.changes.push(Change::MemoryChanged(Box::new(essence)));
        }
        self.mind.write(commit).await?;
        Ok(())
    }

    /// Queues a distillation job if essences wait for a model.
    pub(crate) async fn queue_distillations(&self) -> Result<(), EngineError> {
        let waits = self.mind.store().jobs(self.mind.id).await?.into_iter().any(|job| job.kind == JobKind::Distil && job.due_at.is_some());
        if waits || !self.mind.models().asks(Thought::Distil) || self.written_by_rules(1).await?.is_empty() {
            return Ok(());
        }
        let mut commit = self.worker_commit(Op::Think).because("essences wait for a model's words");
        commit.changes.push(Change::JobSet(Box::new(Job::new(JobKind::Distil, Vec::new(), self.mind.now()))));
        self.mind.write(commit).await.map(drop)
    }

    /// Rewrites some of the queued essences. An essence the model cannot word keeps the rules' wording and is not tried again; if
    /// the model is unavailable, the job is retried later.
    pub(crate) async fn distil_again(&self, job: &Job) -> Result<Result<(), (Thought, Cause)>, EngineError> {
        if !self.mind.models().asks(Thought::Distil) {
            return self.mind.models().dropped(job).await.map(Ok);
        }
        let most = self.mind.policy().thinking.distil_at_once;
        let waiting = self.written_by_rules(most + 1).await?;
        for Worded { essence, originals } in waiting.iter().take(most) {
            let texts: Vec<&str> = originals.iter().map(String::as_str).collect();
            match self.mind.models().consult(Thought::Distil, &|thinker: &dyn Thinker| thinker.distil(&texts)).await? {
                Ok(words) => self.reworded(essence, words).await?,
                Err(cause @ (Cause::Refused | Cause::Empty | Cause::Endless | Cause::Garbled)) => {
                    self.mind.models().record_fallback(Thought::Distil, RuleThinker.id(), cause);
                    self.stands(essence, "the rules' words stand").await?;
                }
                Err(cause) => return Ok(Err((Thought::Distil, cause))),
            }
        }
        let mut commit = self.mind.commit(Op::Think, &[]);
        commit.changes.push(if waiting.len() > most {
            let soon = self.mind.now().plus(Span::seconds(i64::from(self.mind.policy().thinking.retry_seconds)));
            Change::JobSet(Box::new(Job { due_at: Some(soon), ..Job::new(JobKind::Distil, Vec::new(), self.mind.now()) }))
        } else {
            Change::JobDone(job.kind, job.turns.clone())
        });
        self.mind.write(commit).await.map(|_| Ok(()))
    }

    /// Commits the model's wording, unless the essence changed while the model ran.
    async fn reworded(&self, before: &Memory, words: String) -> Result<(), EngineError> {
        if words == before.content {
            return self.stands(before, "a model found no better words").await;
        }
        let (vector, _) = self.mind.models().vector_of(&words).await;
        let Some(now) = self.mind.store().memories(self.mind.id, &[before.id]).await?.pop().filter(|now| now.revision == before.revision)
        else {
            return Ok(());
        };
        let reworded = Memory { content: words, ..now };
        let mut commit = self.mind.commit(Op::Edit, &[&reworded]).because("a model worded what rules had distilled");
        commit.changes.push(Change::MemoryChanged(Box::new(reworded)));
        commit.changes.extend(vector.map(|vector| self.mind.models().embedded(before.id, vector)));
        match self.mind.write(commit).await {
            Err(EngineError::Conflict(_)) => Ok(()),
            written => written.map(drop),
        }
    }

    /// Records that the essence was tried and stays as it is.
    async fn stands(&self, essence: &Memory, why: &str) -> Result<(), EngineError> {
        self.mind.write(self.mind.commit(Op::Think, &[essence]).because(why)).await.map(drop)
    }

    /// Returns at most `most` essences worded by rules that a model may rewrite, the oldest first.
    async fn written_by_rules(&self, most: usize) -> Result<Vec<Worded>, EngineError> {
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
                let entries = self.mind.store().ledger_of(self.mind.id, essence.id).await?;
                let Some(ids) = worded_by_rules(essence.id, &entries) else { continue };
                let originals = self.mind.store().memories(self.mind.id, &ids).await?;
                let cliff = match &fallen {
                    Some(cliff) => cliff,
                    None => {
                        let cliff = self.mind.store().cliff(self.mind.id).await?;
                        fallen.insert(cliff.into_iter().map(|fallen| (fallen.memory.id, fallen.entry.reason)).collect())
                    }
                };
                // Originals that expired may be read, because the essence replaced them. Originals that someone forgot may not.
                let there = |memory: &Memory| memory.standing == MemoryState::Alive || cliff.get(&memory.id) == Some(&CliffReason::Expired);
                let whole = originals.len() == ids.len() && originals.iter().all(there);
                // Semantic and explicitly requested memories are kept verbatim.
                let verbatim = matches!(&originals[..], [alone] if alone.remember_this || alone.kind == Kind::Semantic);
                if whole && !verbatim {
                    found.push(Worded { essence, originals: originals.into_iter().map(|memory| memory.content).collect() });
                }
            }
        }
        Ok(found)
    }
}
