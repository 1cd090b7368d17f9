//! Calls to the thinker. Uses the model's answer if it is usable and falls back to rules otherwise.
//!
//! The handle collects which thinker answered and what it cost, and adds both to its next commit. The ledger therefore names the
//! source of every judgement.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use saegim_core::{Cause, Change, Commit, Expense, Judge, Op, Span, Thought, Timestamp};
use saegim_language::RuleThinker;
use saegim_provider::{LanguageModel, ProviderError, Thinker, Used, following, persona_answer};

use crate::EngineError;
use crate::engine::Inner;
use crate::models::Models;

/// Fallback thinker.
static RULES: RuleThinker = RuleThinker;

/// Maximum age of the cached token usage of other processes.
const METER_AGE: Span = Span::seconds(60);

/// Future of an answer.
pub(crate) type Answering<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + Send + 'a>>;

/// Judgements and expenses that are not part of a commit yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thoughts {
    judges: Vec<Judge>,
    expenses: Vec<Expense>,
}

impl Thoughts {
    pub(crate) fn is_empty(&self) -> bool {
        self.judges.is_empty() && self.expenses.is_empty()
    }

    /// Adds them to a commit.
    pub(crate) fn write_into(&self, commit: &mut Commit) {
        self.judges.iter().cloned().for_each(|judge| judge.join(&mut commit.judges));
        commit.changes.extend(self.expenses.iter().cloned().map(|expense| Change::Spent(Box::new(expense))));
    }

    /// Takes back the thoughts of a failed commit.
    pub(crate) fn restore(&mut self, others: Self) {
        others.judges.into_iter().for_each(|judge| judge.join(&mut self.judges));
        self.expenses.extend(others.expenses);
    }

    fn spent(&mut self, used: Used, day: &str) {
        let same = |known: &&mut Expense| known.thought == used.thought && known.model == used.model && known.day == day;
        match self.expenses.iter_mut().find(same) {
            Some(known) => known.spent.add(&used.spent),
            None => self.expenses.push(Expense { day: day.to_owned(), thought: used.thought, model: used.model, spent: used.spent }),
        }
    }
}

/// Token usage of all models today, as far as this process knows.
#[derive(Default)]
pub(crate) struct Meter(Mutex<Today>);

#[derive(Clone, Default)]
struct Today {
    day: String,
    tokens: u64,
    read_at: Option<Timestamp>,
}

impl Inner {
    fn day(&self) -> String {
        self.now().civil(&self.config.time_zone).date().to_string()
    }

    fn today(&self) -> std::sync::MutexGuard<'_, Today> {
        self.meter.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks whether the daily token budget is not used up.
    pub(crate) async fn may_spend(&self) -> Result<bool, EngineError> {
        let most = self.config.policy.thinking.daily_tokens;
        if most == 0 {
            return Ok(true);
        }
        let (day, now) = (self.day(), self.now());
        let known = self.today().clone();
        let stale = known.read_at.is_none_or(|at| now < at || now.since(at) > METER_AGE);
        if known.day != day || stale {
            let written: u64 = self
                .store
                .expenses(&day)
                .await?
                .iter()
                .filter(|expense| expense.day == day)
                .map(|one| one.spent.tokens())
                .fold(0, u64::saturating_add);
            let mut today = self.today();
            // Tokens that this process used but has not written yet must count, too.
            let tokens = if today.day == day { today.tokens.max(written) } else { written };
            *today = Today { day, tokens, read_at: Some(now) };
        }
        Ok(self.today().tokens < most)
    }

    fn spend(&self, tokens: u64) {
        let day = self.day();
        let mut today = self.today();
        if today.day == day {
            today.tokens = today.tokens.saturating_add(tokens);
        }
    }
}

impl Models<'_> {
    fn thinker(&self) -> Result<&dyn Thinker, EngineError> {
        let thinker = self.mind.thinker.as_deref();
        thinker.ok_or_else(|| ProviderError::Down("no thinker is configured".into()).into())
    }

    /// Checks whether a model handles this kind of thought.
    pub(crate) fn asks(&self, thought: Thought) -> bool {
        self.mind.thinker.as_deref().is_some_and(|thinker| thinker.asks(thought).is_some())
    }

    fn thoughts(&self) -> std::sync::MutexGuard<'_, Thoughts> {
        self.mind.thoughts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes everything collected since the last commit.
    pub(crate) fn take_thoughts(&self) -> Thoughts {
        std::mem::take(&mut *self.thoughts())
    }

    /// Puts the thoughts of a failed commit back.
    pub(crate) fn put_back(&self, thoughts: Thoughts) {
        if !thoughts.is_empty() {
            self.thoughts().restore(thoughts);
        }
    }

    /// Calls the thinker. If the model gives no usable answer, the rules answer instead and the ledger records it.
    pub(crate) async fn think<'a, T>(
        &'a self,
        thought: Thought,
        ask: impl Fn(&'a dyn Thinker) -> Answering<'a, T>,
    ) -> Result<T, EngineError> {
        let thinker = self.thinker()?;
        if thinker.asks(thought).is_none() {
            return Ok(ask(thinker).await?);
        }
        Ok(self.think_with_cause(thought, ask).await?.0)
    }

    /// Like `think`; also returns why the answer is incomplete, if it is.
    pub(crate) async fn think_with_cause<'a, T>(
        &'a self,
        thought: Thought,
        ask: impl Fn(&'a dyn Thinker) -> Answering<'a, T>,
    ) -> Result<(T, Option<Cause>), EngineError> {
        let thinker = self.thinker()?;
        if thinker.asks(thought).is_none() {
            return Ok((ask(thinker).await?, None));
        }
        match self.consulted(thought, &ask).await? {
            Ok(answered) => Ok(answered),
            // The caller must change a request that the model rejects as invalid.
            Err(invalid @ ProviderError::Invalid(_)) if thought == Thought::Reply => Err(invalid.into()),
            Err(error) => {
                self.record_fallback(thought, RULES.id(), error.cause());
                Ok((ask(&RULES).await?, None))
            }
        }
    }

    /// Calls the model without a fallback. Returns the cause if there is no usable answer.
    pub(crate) async fn consult<'a, T>(
        &'a self,
        thought: Thought,
        ask: &impl Fn(&'a dyn Thinker) -> Answering<'a, T>,
    ) -> Result<Result<T, Cause>, EngineError> {
        Ok(self.consulted(thought, ask).await?.map(|(answer, _)| answer).map_err(|error| error.cause()))
    }

    /// Calls the model without a fallback. Returns the answer and why it is incomplete, if it is.
    pub(crate) async fn consulted<'a, T>(
        &'a self,
        thought: Thought,
        ask: &impl Fn(&'a dyn Thinker) -> Answering<'a, T>,
    ) -> Result<Result<(T, Option<Cause>), ProviderError>, EngineError> {
        let thinker = self.thinker()?;
        if !self.mind.inner.may_spend().await? {
            return Ok(Err(ProviderError::Unanswered { cause: Cause::Budget, why: "the daily token budget is used up".into() }));
        }
        let (answer, course) = following(ask(thinker)).await;
        let day = self.mind.inner.day();
        for used in course.used {
            self.mind.inner.spend(used.spent.tokens());
            self.thoughts().spent(used, &day);
        }
        Ok(match answer {
            Ok(answer) => {
                self.model_judged(thought, course.broke_off);
                if course.rules_added {
                    let judge = Judge { thought, by: RULES.id().to_owned(), instead_of: None, cause: None, times: 1 };
                    judge.join(&mut self.thoughts().judges);
                }
                Ok((answer, course.broke_off))
            }
            Err(error) => Err(error),
        })
    }

    /// Asks a model as a persona, without a fallback. Meters it like every other model.
    pub(crate) async fn ask_persona(
        &self,
        model: &dyn LanguageModel,
        system: &str,
        prompt: String,
    ) -> Result<Result<String, Cause>, EngineError> {
        if !self.mind.inner.may_spend().await? {
            return Ok(Err(self.persona_failed(model.id(), Cause::Budget)));
        }
        let (answer, course) = following(persona_answer(model, system, prompt)).await;
        let day = self.mind.inner.day();
        for used in course.used {
            self.mind.inner.spend(used.spent.tokens());
            self.thoughts().spent(used, &day);
        }
        Ok(match answer {
            Ok(text) => {
                let judge =
                    Judge { thought: Thought::Reply, by: model.id().to_owned(), instead_of: None, cause: course.broke_off, times: 1 };
                judge.join(&mut self.thoughts().judges);
                Ok(text)
            }
            Err(error) => Err(self.persona_failed(model.id(), error.cause())),
        })
    }

    /// Records that rules answer in place of the model of a persona.
    fn persona_failed(&self, model: &str, cause: Cause) -> Cause {
        tracing::warn!(target: "saegim::model", operation = "persona", model, cause = cause.as_str(), "model gave no usable answer");
        let judge =
            Judge { thought: Thought::Reply, by: RULES.id().to_owned(), instead_of: Some(model.to_owned()), cause: Some(cause), times: 1 };
        judge.join(&mut self.thoughts().judges);
        cause
    }

    /// Records who answered in place of the model, and why.
    pub(crate) fn record_fallback(&self, thought: Thought, by: &str, cause: Cause) {
        let Some(model) = self.mind.thinker.as_deref().and_then(|thinker| thinker.asks(thought)) else { return };
        tracing::warn!(target: "saegim::model", operation = thought.as_str(), model, answered_by = by, cause = cause.as_str(), "model gave no usable answer");
        let judge = Judge { thought, by: by.to_owned(), instead_of: Some(model.to_owned()), cause: Some(cause), times: 1 };
        judge.join(&mut self.thoughts().judges);
    }

    /// Records that the model answered, and why the answer is incomplete, if it is.
    fn model_judged(&self, thought: Thought, broke_off: Option<Cause>) {
        let Some(model) = self.mind.thinker.as_deref().and_then(|thinker| thinker.asks(thought)) else { return };
        let judge = Judge { thought, by: model.to_owned(), instead_of: None, cause: broke_off, times: 1 };
        judge.join(&mut self.thoughts().judges);
    }

    /// Commits the collected thoughts if no other commit will contain them.
    pub(crate) async fn note_thoughts(&self) -> Result<(), EngineError> {
        let waits = !self.thoughts().is_empty();
        if waits {
            self.mind.write(self.mind.commit(Op::Think, &[])).await?;
        }
        Ok(())
    }
}
