//! The commit of an exchange while it is built.

use saegim_core::{
    Change, Commit, DecisionIds, Face, IntakeContext, IntakeDecision, Job, JobKind, Memory, Role, Span, Thought, Turn, Zone,
    decide_exchange,
};
use saegim_language::Reading;
use saegim_store::Receipt;

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::observe::{FactNews, Observed};
use crate::intake::turn::gather::{Gathered, Unread};
use crate::intake::turn::model_results::{Attempt, Missing, ModelResults};
use crate::intake::turn::statement_book::StatementBook;
use crate::intake::turn::turn_context::TurnContext;

/// The commit of an exchange with the state of the mind that it is based on.
pub(crate) struct TurnDraft {
    pub(crate) context: TurnContext,
    pub(crate) commit: Commit,
}

/// Whether the turns of an exchange are already stored.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Turns {
    New,
    Stored,
}

/// Turns with their readings.
pub(crate) struct ReadTurns<'a> {
    pub(crate) turns: Vec<Turn>,
    pub(crate) readings: &'a [Reading],
    pub(crate) stored: Turns,
}

/// A decided exchange.
pub(crate) struct DecidedTurns {
    turns: Vec<Turn>,
    face: Face,
    pub(crate) decision: IntakeDecision,
    news: Vec<FactNews>,
}

impl Intake<'_> {
    /// Decides about turns and adds all changes to the draft.
    pub(crate) async fn decide_turns(
        &self,
        draft: &mut TurnDraft,
        read: ReadTurns<'_>,
        results: &ModelResults,
    ) -> Result<Attempt<DecidedTurns>, EngineError> {
        let ReadTurns { mut turns, readings, stored } = read;
        for (turn, reading) in turns.iter_mut().zip(readings) {
            turn.face = Some(reading.face);
        }
        let injected = self.injected(&turns).await?;
        let facts = std::mem::take(&mut draft.context.facts);
        let unread = Unread {
            turns: &turns,
            readings,
            injected: &injected,
            window: &draft.context.window,
            facts,
            statements: StatementBook::default(),
        };
        let gathered = self.gather_turns(unread, results).await?;
        let decision = self.decide(&draft.context, &gathered).await?;
        if !decision.unappraised.is_empty() {
            return Ok(Attempt::Missing(Missing::Appraisals(decision.unappraised)));
        }
        let Gathered { facts, fact_changes, statements, news, .. } = gathered;
        for (turn, of_turn) in turns.iter().zip(fact_changes) {
            let changed = Box::new(turn.clone());
            draft.commit.changes.push(if stored == Turns::Stored { Change::TurnChanged(changed) } else { Change::TurnAdded(changed) });
            draft.commit.changes.extend(self.turn_embedded(turn, results));
            draft.commit.changes.extend(of_turn);
        }
        draft.commit.changes.extend(statements.changes());
        draft.commit.used.clone_from(&decision.used);
        draft.context.facts = facts;
        let soon = self.mind.now().plus(Span::seconds(i64::from(self.mind.policy().zone.rebalance_seconds)));
        draft.commit.changes.push(Change::CareBy(soon));
        self.mind.self_model().hold(&mut draft.commit, &decision).await?;
        // Turns that are already stored were counted when they were stored.
        if stored == Turns::New {
            let said = turns.iter().filter(|turn| turn.role == Role::User).count().max(1) as u64;
            draft.context.turns += said;
            draft.commit.changes.push(Change::Turned(said));
            draft.context.window.extend(turns.iter().cloned());
        }
        let surplus = draft.context.window.len().saturating_sub(self.mind.policy().context.window);
        draft.context.window.drain(..surplus);
        self.apply(draft, &decision);
        let last_of_user = turns.iter().zip(readings).rev().find(|(turn, _)| turn.role == Role::User);
        let face = last_of_user.map_or_else(Face::default, |(_, reading)| reading.face);
        Ok(Attempt::Done(DecidedTurns { turns, face, decision, news }))
    }

    /// Decides about gathered turns.
    pub(crate) async fn decide(&self, context: &TurnContext, gathered: &Gathered) -> Result<IntakeDecision, EngineError> {
        let start = self.intake_context(context).await?;
        Ok(decide_exchange(start, &gathered.turns, self.mind.policy(), self.decision_ids())?)
    }

    pub(crate) fn decision_ids(&self) -> DecisionIds {
        DecisionIds::new(self.mind.inner.config.dice.roll())
    }

    /// Returns the state that a decision starts from.
    pub(crate) async fn intake_context(&self, context: &TurnContext) -> Result<IntakeContext, EngineError> {
        let (occupancy, policy) = (self.mind.lifecycle().occupancy().await?, &self.mind.policy().zone);
        Ok(IntakeContext {
            turns: context.turns,
            mood: context.mood.clone(),
            relationship: context.relationship,
            scene: context.scene.as_ref().map(|scene| scene.id),
            zones: std::array::from_fn(|wanted| occupancy.zone(Zone::ALL[wanted], policy)),
            now: self.mind.now(),
            calibration: self.mind.inner.config.embedder.as_ref().map(|embedder| embedder.calibration().clone()),
        })
    }

    /// Adds the changes of a decision to the draft.
    pub(crate) fn apply(&self, draft: &mut TurnDraft, decision: &IntakeDecision) {
        draft.commit.changes.extend(decision.changes(self.mind.models().embedder_id()));
        let about: Vec<&Memory> = decision.memories().collect();
        draft.commit.memories.extend(self.mind.commit(draft.commit.operation, &about).memories);
        draft.context.mood = decision.mood.clone();
        draft.context.relationship = decision.relationship;
    }

    /// Returns the change that stores the vector of a turn, if it has one.
    pub(crate) fn turn_embedded(&self, turn: &Turn, results: &ModelResults) -> Option<Change> {
        let vector = results.vector(&turn.content)?.clone();
        Some(Change::TurnEmbedded { turn: turn.id, embedder: self.mind.models().embedder_id().to_owned(), vector })
    }

    /// Returns the memories that were in the prompts of the answers.
    async fn injected(&self, turns: &[Turn]) -> Result<Vec<Memory>, EngineError> {
        let ids: Vec<_> = turns.iter().flat_map(|turn| turn.injected.iter().copied()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.mind.store().memories(self.mind.id, &ids).await?)
    }

    /// Enqueues the analysis and reflection jobs that are due after this turn, if a model handles them.
    pub(crate) fn queue(&self, draft: &mut TurnDraft) {
        let (policy, turns) = (&self.mind.policy().thinking, draft.context.turns);
        let due = |every: u32| every > 0 && turns.is_multiple_of(u64::from(every));
        let mut later = Vec::new();
        if self.mind.models().asks(Thought::Analyse) && due(policy.analyse_every) {
            later.push(JobKind::Analyse);
        }
        if (self.mind.models().asks(Thought::Reflect) || self.mind.models().asks(Thought::Interpret)) && due(policy.reflect_every) {
            later.push(JobKind::Reflect);
        }
        if !later.is_empty() {
            draft.commit.changes.push(Change::CareBy(self.mind.now()));
        }
        let jobs = later.into_iter().map(|kind| Change::JobSet(Box::new(Job::new(kind, Vec::new(), self.mind.now()))));
        draft.commit.changes.extend(jobs);
    }

    /// Returns the result of a committed exchange. Caches the new state if nothing else changed the mind in the meantime.
    pub(crate) fn observed(&self, cached: &mut Option<TurnContext>, committed: Committed, results: &ModelResults) -> Observed {
        let Committed { context, receipt, decided } = committed;
        let DecidedTurns { turns, face, decision, news } = decided;
        for created in &decision.created {
            self.mind.inner.occupancy.born(self.mind.id, created.memory.zone);
        }
        self.mind.inner.occupancy.turned(self.mind.id, context.turns);
        let observed = Observed {
            turns,
            candidates: decision.candidates,
            facts: news,
            relationship: decision.relationship,
            moved: decision.moved,
            speech_style: context.style.unwrap_or_else(|| decision.relationship.level().speech_style()),
            mood: decision.mood,
            face,
            used: decision.used,
            degraded: results.degraded.clone(),
            repeated: false,
        };
        *cached = (receipt.sequence == context.head + 1).then_some(TurnContext { head: receipt.sequence, ..context });
        observed
    }
}

/// A committed exchange.
pub(crate) struct Committed {
    /// State of the mind after the exchange.
    pub(crate) context: TurnContext,
    pub(crate) receipt: Receipt,
    pub(crate) decided: DecidedTurns,
}
