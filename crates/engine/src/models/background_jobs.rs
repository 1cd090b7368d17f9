//! Runs the background jobs that need a model: deferred extraction, analysis of the conversation, reflection on the user.
//!
//! The results are bounded: notes for the character (neither memories nor facts), a few relationship points, each with the turn and
//! cue that caused it, interpretations stored beside memory contents, and fact conflicts that become proposals to the owner.

use saegim_core::{
    Axis, Cause, Change, Deed, Fact, Job, JobKind, Language, Memory, Note, NoteKind, Op, Relationship, RelationshipChange,
    RelationshipEffect, Role, Thought, Tier, Turn,
};
use saegim_provider::{AnalyseFrom, InterpretFrom, ReflectFrom, Thinker};
use saegim_store::{Filter, Page, TurnPage};

use crate::EngineError;
use crate::engine::retrying;
use crate::intake::fact_conflicts::{Doubt, to_ask};
use crate::models::Models;

/// Maximum number of memories interpreted per reflection.
const VIEWS: usize = 10;

/// Number of latest memories considered for a reflection.
const LATEST: usize = 300;

/// Result of an analysis before it is committed.
struct ThoughtOver<'a> {
    note: &'a Note,
    turns: &'a [Turn],
    toward: &'a [(usize, RelationshipEffect)],
    doubts: &'a [Doubt],
}

/// Result of one run of the background jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobsResult {
    /// Number of completed jobs.
    pub done: usize,
    /// Number of failed jobs, whether they will be retried or were given up.
    pub failed: usize,
}

/// What a model reads from a turn about the relationship.
struct TurnShift<'a> {
    turn: &'a Turn,
    toward: &'a RelationshipEffect,
}

impl Models<'_> {
    pub(crate) async fn run_jobs(&self) -> Result<JobsResult, EngineError> {
        let (worker, mut attended) = (self.mind.as_worker(), JobsResult::default());
        for job in self.mind.store().jobs(self.mind.id).await? {
            if job.due_at.is_none_or(|due| due > self.mind.now()) {
                continue;
            }
            let done = match job.kind {
                JobKind::Read => worker.intake().read_left(&job).await.map(|()| Ok(())),
                JobKind::Analyse => worker.models().think_over(&job).await,
                JobKind::Reflect => worker.models().reflect_on(&job).await,
                JobKind::Distil => worker.lifecycle().distil_again(&job).await,
            };
            match done {
                Ok(Ok(())) => attended.done += 1,
                Ok(Err((thought, cause))) => {
                    worker.models().record_fallback(thought, "nobody", cause);
                    let mut commit = worker.commit(Op::Think, &[]);
                    commit.changes.push(Change::JobSet(Box::new(job.failed(cause, self.mind.now(), &self.mind.policy().thinking))));
                    worker.write(commit).await?;
                    attended.failed += 1;
                }
                // Another process finished the job at the same time.
                Err(EngineError::Conflict(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(attended)
    }

    pub(crate) async fn jobs(&self) -> Result<Vec<Job>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().jobs(self.mind.id).await?)
    }

    pub(crate) async fn notes(&self) -> Result<Vec<Note>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().notes(self.mind.id).await?)
    }

    /// Returns the name of the model that answers this kind of request, or `None` if no model does.
    fn model_for(&self, thought: Thought) -> Option<String> {
        self.mind.thinker.as_deref()?.asks(thought).map(str::to_owned)
    }

    /// Analyses the latest turns with a model.
    async fn think_over(&self, job: &Job) -> Result<Result<(), (Thought, Cause)>, EngineError> {
        let page = TurnPage { limit: self.mind.policy().thinking.analyse_turns, ..TurnPage::default() };
        let turns = self.mind.store().turns(self.mind.id, page).await?;
        let said: Vec<(Role, &str)> = turns.iter().map(|turn| (turn.role, turn.content.as_str())).collect();
        let present = self.mind.intake().current_context().await?;
        let facts: Vec<&Fact> = present.facts.current().collect();
        let known: Vec<(&str, &str)> = facts.iter().map(|fact| (fact.subject.as_str(), fact.value.as_str())).collect();
        let theirs = turns.iter().rev().find(|turn| turn.role == Role::User);
        let from = AnalyseFrom {
            user: self.mind.key().user(),
            character: self.mind.key().character(),
            turns: &said,
            facts: &known,
            relationship: &present.relationship,
            language: Language::of(theirs.map_or("", |turn| &turn.content)),
        };
        let Some(model) = self.model_for(Thought::Analyse).filter(|_| theirs.is_some()) else {
            return self.dropped(job).await.map(Ok);
        };
        let analysis = match self.consult(Thought::Analyse, &|thinker: &dyn Thinker| thinker.analyse(&from)).await? {
            Ok(analysis) => analysis,
            Err(cause) => return Ok(Err((Thought::Analyse, cause))),
        };
        let doubts = self.mind.intake().doubts(&facts, &turns, &analysis).await?;
        let mut text = analysis.note.clone().unwrap_or_default();
        for ask in doubts.iter().filter_map(|doubt| to_ask(doubt, &facts, from.language)) {
            text = format!("{text} {ask}").trim().to_owned();
        }
        let note = Note { kind: NoteKind::Director, text, by: model, at: self.mind.now(), turn: present.turns };
        let over = ThoughtOver { note: &note, turns: &turns, toward: &analysis.toward, doubts: &doubts };
        retrying(|| self.write_analysis(job, &over)).await.map(Ok)
    }

    /// Commits an analysis against the current state, because other processes may have written while the model ran.
    async fn write_analysis(&self, job: &Job, over: &ThoughtOver<'_>) -> Result<(), EngineError> {
        let lock = self.mind.intake().turn_lock();
        let mut cached = lock.lock().await;
        let mut commit = self.mind.commit(Op::Think, &[]);
        commit.changes.push(Change::JobDone(job.kind, job.turns.clone()));
        // Turns before the last director's note are already counted.
        let last =
            self.mind.store().notes(self.mind.id).await?.into_iter().find(|known| known.kind == NoteKind::Director).map(|known| known.at);
        let present = self.mind.intake().turn_context(&mut cached).await?;
        let (mut relationship, mut moved) = (present.relationship, Vec::new());
        for (turn, toward) in over.toward.iter().filter_map(|(place, toward)| Some((over.turns.get(*place)?, toward))) {
            if last.is_none_or(|last| turn.at > last) && turn.role == Role::User {
                moved.extend(self.relationship_moved(&mut relationship, TurnShift { turn, toward }, &moved).await?);
            }
        }
        if !moved.is_empty() {
            commit.changes.push(Change::RelationshipSet { before: present.relationship, after: relationship });
            commit.changes.extend(moved.into_iter().map(Change::RelationshipMoved));
        }
        self.mind.intake().put_doubts(&mut commit, &present.facts, over.doubts).await?;
        commit.changes.push(Change::NoteSet(Box::new(over.note.clone())));
        // Drop the cached state even if the write fails, so that a retry sees what other processes wrote.
        *cached = None;
        self.mind.write(commit).await.map(drop)
    }

    /// Moves an axis by the points a model assigned to a turn. Clamped both to the limit for analyses and to the total limit per
    /// turn.
    async fn relationship_moved(
        &self,
        relationship: &mut Relationship,
        shift: TurnShift<'_>,
        now: &[RelationshipChange],
    ) -> Result<Option<RelationshipChange>, EngineError> {
        let TurnShift { turn, toward } = shift;
        let of = |changes: &[RelationshipChange]| -> f32 {
            changes.iter().filter(|change| change.axis == toward.axis && change.turn == turn.id).map(|change| change.delta).sum()
        };
        let (before, own) = (of(&self.mind.store().relationship_changes(self.mind.id, Some(turn.id), Axis::ALL.len()).await?), of(now));
        let (most, whole) = (self.mind.policy().thinking.analysis_moves, self.mind.policy().relationship.at_most);
        let points = (own + toward.points).clamp(-most, most).clamp(-whole - before, whole - before) - own;
        let delta = relationship.moved(toward.axis, points, &self.mind.policy().relationship);
        let reason = toward.cue.clone();
        Ok((delta != 0.0).then_some(RelationshipChange { turn: turn.id, axis: toward.axis, at: turn.at, scene: None, delta, reason }))
    }

    /// Writes a new profile of the user, and interpretations for memories that have none.
    async fn reflect_on(&self, job: &Job) -> Result<Result<(), (Thought, Cause)>, EngineError> {
        let present = self.mind.intake().current_context().await?;
        let mut memories = self.mind.store().list(self.mind.id, &Filter::default(), Page { limit: LATEST, before: None }).await?;
        memories.sort_by(|a, b| b.importance.get().total_cmp(&a.importance.get()).then(a.id.cmp(&b.id)));
        memories.truncate(self.mind.policy().thinking.reflect_memories);
        let texts: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
        let facts: Vec<(&str, &str)> = present.facts.current().map(|fact| (fact.subject.as_str(), fact.value.as_str())).collect();
        let mut commit = self.mind.commit(Op::Think, &[]);
        commit.changes.push(Change::JobDone(job.kind, job.turns.clone()));
        if let Some(model) = self.model_for(Thought::Reflect).filter(|_| !texts.is_empty() || !facts.is_empty()) {
            let language = Language::of(&texts.join(" "));
            let from = ReflectFrom { user: self.mind.key().user(), facts: &facts, memories: &texts, language };
            match self.consult(Thought::Reflect, &|thinker: &dyn Thinker| thinker.reflect(&from)).await? {
                Ok(Some(text)) => {
                    let note = Note { kind: NoteKind::Profile, text, by: model, at: self.mind.now(), turn: present.turns };
                    commit.changes.push(Change::NoteSet(Box::new(note)));
                }
                Ok(None) => {}
                Err(cause) => return Ok(Err((Thought::Reflect, cause))),
            }
        }
        if self.asks(Thought::Interpret) {
            // Only the owner changes core and pinned memories, including their interpretation.
            let open = |memory: &&Memory| memory.interpretation.is_none() && memory.tier != Tier::M0 && !memory.pinned;
            let seen: Vec<&Memory> = memories.iter().filter(open).take(VIEWS).collect();
            let texts: Vec<&str> = seen.iter().map(|memory| memory.content.as_str()).collect();
            let from = InterpretFrom { memories: &texts, user: self.mind.key().user(), character: self.mind.key().character() };
            let views = match self.consult(Thought::Interpret, &|thinker: &dyn Thinker| thinker.interpret(&from)).await? {
                Ok(views) => views,
                Err(cause) => return Ok(Err((Thought::Interpret, cause))),
            };
            let mut told: Vec<usize> = Vec::new();
            for (place, view) in views {
                if let Some(memory) = seen.get(place).filter(|_| !told.contains(&place)) {
                    told.push(place);
                    let changed = Memory { interpretation: Some(view), ..(*memory).clone() };
                    commit.memories.extend(self.mind.commit(Op::Think, &[&changed]).memories);
                    commit.changes.push(Change::MemoryChanged(Box::new(changed)));
                }
            }
        }
        self.mind.write(commit).await.map(|_| Ok(()))
    }

    /// Removes a job that no longer needs a model.
    pub(crate) async fn dropped(&self, job: &Job) -> Result<(), EngineError> {
        let mut commit = self.mind.commit(Op::Think, &[]).because("no model is asked for it any more");
        commit.changes.push(Change::JobDone(job.kind, job.turns.clone()));
        self.mind.write(commit).await.map(drop)
    }
}
