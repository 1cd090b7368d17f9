//! Two-step ingestion for minds whose messages a model reads: the turns are committed first, then read by the model and judged.
//!
//! The reading is judged against the current state of the mind: turns that were withdrawn or edited in the meantime are skipped,
//! and if another process has already judged the turns, the work is not repeated. If the process exits between the two steps, a
//! job remains and the worker reads the turns.

use saegim_core::{Change, Job, JobKind, Op, Role, Span, Turn, TurnId};
use saegim_store::Receipt;

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::observe::Observed;
use crate::intake::turn::model_reading::{CheckedReading, ModelReading};
use crate::intake::turn::model_results::{Attempt, ModelResults};
use crate::intake::turn::new_turns::{Arrival, NewTurns};
use crate::intake::turn::turn_context::TurnContext;
use crate::intake::turn::turn_draft::{Committed, ReadTurns, TurnDraft, Turns};

/// Time during which only the process that stored the turns may read them. Longer than any model timeout.
const OWN: Span = Span::seconds(600);

/// Stored turns with their readings.
struct StoredReadings<'a> {
    /// All turns of the job, including those that no longer exist.
    ids: &'a [TurnId],
    turns: &'a [Turn],
    readings: &'a [ModelReading],
}

impl Intake<'_> {
    /// Ingests an exchange: stores it, has the model read it, then judges it.
    pub(crate) async fn store_then_read(&self, arrival: Arrival<'_>) -> Result<Observed, EngineError> {
        let (turns, receipt) = self.store_turns(arrival).await?;
        if receipt.repeated {
            return self.observed_under(arrival.exchange).await;
        }
        let ids: Vec<TurnId> = turns.iter().map(|turn| turn.id).collect();
        self.read_stored(&ids, &turns).await
    }

    /// Has stored turns read by the model and judges them.
    async fn read_stored(&self, ids: &[TurnId], turns: &[Turn]) -> Result<Observed, EngineError> {
        let window = self.current_context().await?.window;
        let mut readings = Vec::with_capacity(turns.len());
        for turn in turns {
            readings.push(self.read_with_model(&window, turn).await?);
        }
        let (mut results, mut retries) = (ModelResults::default(), self.retries());
        results.read_by_model = true;
        let plain: Vec<_> = readings.iter().map(|reading| reading.reading.clone()).collect();
        self.find_ended(&mut results, turns, &plain).await?;
        self.embed_exchange(&mut results, turns, &plain).await;
        let read = StoredReadings { ids, turns, readings: &readings };
        loop {
            match self.judge_stored(&read, &results).await {
                Ok(Attempt::Done(observed)) => return Ok(observed),
                Ok(Attempt::Missing(missing)) => self.supply(&mut results, missing).await?,
                Err(error) => retries.after(error).await?,
            }
        }
    }

    /// Commits the turns together with the job to read them.
    async fn store_turns(&self, arrival: Arrival<'_>) -> Result<(Vec<Turn>, Receipt), EngineError> {
        let mut retries = self.retries();
        loop {
            match self.store_turns_once(arrival).await {
                Ok(stored) => return Ok(stored),
                Err(error) => retries.after(error).await?,
            }
        }
    }

    async fn store_turns_once(&self, arrival: Arrival<'_>) -> Result<(Vec<Turn>, Receipt), EngineError> {
        let lock = self.turn_lock();
        let mut cached = lock.lock().await;
        let context = self.turn_context(&mut cached).await?;
        let new = self.new_turns(&context, arrival).await?;
        let mut draft = TurnDraft { context, commit: self.mind.commit(Op::Observe, &[]) };
        self.begin_turns(&mut draft, &new, arrival.exchange);
        let (NewTurns { turns, .. }, mut commit) = (new, draft.commit);
        commit.changes.extend(turns.iter().map(|turn| Change::TurnAdded(Box::new(turn.clone()))));
        commit.changes.push(Change::Turned(turns.iter().filter(|turn| turn.role == Role::User).count().max(1) as u64));
        let due_at = Some(self.mind.now().plus(OWN));
        let waits = Job { due_at, ..Job::new(JobKind::Read, turns.iter().map(|turn| turn.id).collect(), self.mind.now()) };
        commit.changes.push(Change::JobSet(Box::new(waits)));
        commit.changes.push(Change::CareBy(self.mind.now().plus(OWN)));
        let receipt = self.mind.write(commit).await?;
        Ok((turns, receipt))
    }

    /// Judges the readings against the current state of the mind, under its lock.
    async fn judge_stored(&self, read: &StoredReadings<'_>, results: &ModelResults) -> Result<Attempt<Observed>, EngineError> {
        let lock = self.turn_lock();
        let mut cached = lock.lock().await;
        let StoredReadings { ids, .. } = *read;
        let waits = self.mind.store().jobs(self.mind.id).await?.into_iter().any(|job| job.kind == JobKind::Read && job.turns == ids);
        if !waits {
            drop(cached);
            return self.observed_before(ids).await.map(Attempt::Done);
        }
        let mut context = self.turn_context(&mut cached).await?;
        let StillValid { turns, checked } = self.still_valid(&context, read).await?;
        let at = turns.first().map_or_else(|| self.mind.now(), |turn| turn.at);
        context.mood = context.mood.at(at, &self.mind.policy().mood);
        let mut draft = TurnDraft { context, commit: self.mind.commit(Op::Observe, &[]) };
        draft.commit.session = turns.first().map(|turn| turn.session.clone());
        draft.commit.changes.push(Change::JobDone(JobKind::Read, ids.to_vec()));
        let (readings, doubts): (Vec<_>, Vec<_>) = checked.into_iter().map(|checked| (checked.reading, checked.doubts)).unzip();
        let read = ReadTurns { turns, readings: &readings, stored: Turns::Stored };
        let decided = match self.decide_turns(&mut draft, read, results).await? {
            Attempt::Done(decided) => decided,
            Attempt::Missing(missing) => return Ok(Attempt::Missing(missing)),
        };
        self.put_doubts(&mut draft.commit, &draft.context.facts, &doubts.concat()).await?;
        self.queue(&mut draft);
        let TurnDraft { context, commit } = draft;
        let receipt = self.mind.write(commit).await?;
        Ok(Attempt::Done(self.observed(&mut cached, Committed { context, receipt, decided }, results)))
    }

    /// Returns the turns that were neither withdrawn nor edited since they were read, with their readings.
    async fn still_valid(&self, context: &TurnContext, read: &StoredReadings<'_>) -> Result<StillValid, EngineError> {
        let now = self.mind.store().turns_by_id(self.mind.id, read.ids).await?;
        let stands = |turn: &Turn| now.iter().any(|now| now.id == turn.id && now.content == turn.content && now.withdrawn_at.is_none());
        let valid = read.turns.iter().zip(read.readings).filter(|(turn, _)| stands(turn));
        let (turns, checked) = valid.map(|(turn, reading)| (turn.clone(), reading.checked(&context.facts, turn))).unzip();
        Ok(StillValid { turns, checked })
    }

    /// Reads and judges turns whose process stored them but exited before it judged them.
    pub(crate) async fn read_left(&self, job: &Job) -> Result<(), EngineError> {
        let turns = self.mind.store().turns_by_id(self.mind.id, &job.turns).await?;
        self.read_stored(&job.turns, &turns).await.map(drop)
    }
}

/// Stored turns that are unchanged, with their readings.
struct StillValid {
    turns: Vec<Turn>,
    checked: Vec<CheckedReading>,
}
