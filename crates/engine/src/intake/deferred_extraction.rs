//! Two-step ingestion for minds whose messages a model reads: the turns are committed first, then read by the model and judged.
//!
//! The mind's lock is not held while the model extracts findings. (Embedding and appraisal still run under it.) The reading is
//! judged against the current state of the mind: turns that were withdrawn or edited in the meantime are skipped, and if another
//! process has already judged the turns, the work is not repeated. If the process exits between the two steps, a job remains and
//! the worker reads the turns.

use saegim_core::{
    Change, Fact, FactCategory, Facts, Idempotency, Job, JobKind, Op, Role, Session, Span, StatementId, Thought, Turn, TurnId, Values,
};
use saegim_provider::rules::RuleValues;
use saegim_provider::{About, Claim, Reading, RuleThinker, Thinker, Utterance};

use crate::intake::fact_conflicts::Doubt;
use crate::intake::idempotency::request_of;
use crate::intake::observe::{Exchange, MOST_TRIES, Observed, Working};
use crate::intake::stated_facts::statement;
use crate::intake::turn_context::Present;
use crate::{EngineError, MindHandle};

/// Time during which only the process that stored the turns may read them. Longer than any model timeout.
const OWN: Span = Span::seconds(600);

/// Stored turns with their readings.
struct Read<'a> {
    /// All turns of the job, including those that no longer exist.
    ids: &'a [TurnId],
    turns: &'a [Turn],
    readings: &'a [Heard],
}

/// The model's reading of a turn and, for comparison, the rule-based reading.
#[derive(Clone)]
pub(crate) struct Heard {
    reading: Reading,
    rules: Reading,
}

impl Heard {
    /// Returns the reading without claims that would end or replace a known fact about the user if only the model found them; the
    /// owner must decide on those. The removed claims are returned as doubts.
    pub(crate) fn within(&self, facts: &Facts, turn: &Turn) -> (Reading, Vec<Doubt>) {
        let (mut reading, mut doubts) = (self.reading.clone(), Vec::new());
        let plainly = |claim: &Claim| {
            let read = self.rules.findings.iter().filter(|read| read.about == About::User).filter_map(|read| read.claim.as_ref());
            let same = |read: &Claim| read.subject == claim.subject && RuleValues.same(&claim.subject, &read.value, &claim.value);
            read.into_iter().any(|read| read.ends == claim.ends && same(read))
        };
        for finding in reading.findings.iter_mut().filter(|finding| finding.about == About::User) {
            let Some(claim) = finding.claim.as_ref().filter(|claim| !plainly(claim)) else { continue };
            let over: Vec<&Fact> =
                facts.current().filter(|fact| fact.category != FactCategory::Preference && undone(fact, claim)).collect();
            if !over.is_empty() {
                let instead = (!claim.ends).then(|| statement(StatementId::from_bytes([0; 16]), turn, (&*finding, claim)));
                doubts.extend(over.iter().map(|fact| Doubt::by(fact.id, turn.id).for_the_sake_of(instead.clone())));
                finding.claim = None;
            }
        }
        (reading, doubts)
    }
}

/// Checks whether a claim would end or replace a fact.
fn undone(fact: &Fact, claim: &Claim) -> bool {
    if claim.ends {
        return RuleValues.ends((&claim.subject, &claim.value), (&fact.subject, &fact.value));
    }
    claim.single && fact.subject == claim.subject && !RuleValues.same(&fact.subject, &fact.value, &claim.value)
}

impl MindHandle {
    /// Ingests an exchange: stores it, has the model read it, then judges it.
    pub(crate) async fn keep_first(&self, exchange: &Exchange) -> Result<Observed, EngineError> {
        let (turns, repeated) = self.keep(exchange).await?;
        if repeated {
            return self.observed_under(exchange).await;
        }
        let ids: Vec<TurnId> = turns.iter().map(|turn| turn.id).collect();
        self.judge_kept((&ids, turns), exchange).await
    }

    /// Has stored turns read by the model and judges them.
    async fn judge_kept(&self, (ids, turns): (&[TurnId], Vec<Turn>), exchange: &Exchange) -> Result<Observed, EngineError> {
        let window = self.peek_context().await?.window;
        let mut readings = Vec::with_capacity(turns.len());
        for turn in &turns {
            readings.push(self.read_kept(&window, turn).await?);
        }
        let read = Read { ids, turns: &turns, readings: &readings };
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        for _ in 0..MOST_TRIES {
            match self.take_read(&mut kept, &read, exchange).await {
                Err(EngineError::Conflict(_)) => *kept = None,
                done => return done,
            }
        }
        self.take_read(&mut kept, &read, exchange).await
    }

    /// Commits the turns together with the job to read them. The flag is true if the exchange was already stored under its
    /// idempotency key.
    async fn keep(&self, exchange: &Exchange) -> Result<(Vec<Turn>, bool), EngineError> {
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        for _ in 0..MOST_TRIES {
            match self.keep_once(&mut kept, exchange).await {
                Err(EngineError::Conflict(_)) => *kept = None,
                done => return done,
            }
        }
        self.keep_once(&mut kept, exchange).await
    }

    async fn keep_once(&self, kept: &mut Option<Present>, exchange: &Exchange) -> Result<(Vec<Turn>, bool), EngineError> {
        let present = self.present(kept).await?;
        let at = self.said_at(&present, exchange).await?;
        let session = self.session_for(&present, exchange, at).await?;
        let turns = self.turns_of(exchange, &session, at)?;
        let mut working = Working::new(present, self.commit(Op::Observe, &[]), exchange);
        self.set_scene(&mut working, &turns);
        let mut commit = working.commit;
        commit.session = Some(session.name.clone());
        commit.idempotency = exchange.idempotency.clone().map(|key| Idempotency { key, request: request_of(exchange) });
        let last = turns.last().map_or(session.last_sequence, |turn| turn.sequence);
        let last_at = turns.iter().map(|turn| turn.at).max().unwrap_or(session.last_at);
        commit.changes.push(Change::SessionSet(Session { last_sequence: last, last_at, ..session }));
        commit.changes.extend(turns.iter().map(|turn| Change::TurnAdded(Box::new(turn.clone()))));
        commit.changes.push(Change::Turned(turns.iter().filter(|turn| turn.role == Role::User).count().max(1) as u64));
        let due_at = Some(self.now().plus(OWN));
        let waits = Job { due_at, ..Job::new(JobKind::Read, turns.iter().map(|turn| turn.id).collect(), self.now()) };
        commit.changes.push(Change::JobSet(Box::new(waits)));
        commit.changes.push(Change::CareBy(self.now().plus(OWN)));
        let receipt = self.write(commit).await?;
        *kept = None;
        Ok((turns, receipt.repeated))
    }

    /// Reads a stored turn with the model. The character's own messages are read by rules only.
    pub(crate) async fn read_kept(&self, window: &[Turn], turn: &Turn) -> Result<Heard, EngineError> {
        if self.thinker.is_none() {
            return Ok(Heard { reading: Reading::default(), rules: Reading::default() });
        }
        let earlier = window.iter().rev().filter(|other| other.session == turn.session && other.sequence < turn.sequence);
        let before = earlier.into_iter().find(|other| other.role != turn.role);
        let utterance = Utterance {
            role: turn.role,
            text: &turn.content,
            at: turn.at,
            user: self.key().user(),
            character: self.key().character(),
            before: before.map(|turn| turn.content.as_str()),
        };
        let rules = RuleThinker.read(&utterance);
        if turn.role == Role::Assistant {
            return Ok(Heard { reading: rules.clone(), rules });
        }
        let reading = self.models().think(Thought::Extract, |thinker: &dyn Thinker| thinker.extract(&utterance)).await?;
        Ok(Heard { reading, rules })
    }

    /// Judges the readings against the current state of the mind.
    async fn take_read(&self, kept: &mut Option<Present>, read: &Read<'_>, exchange: &Exchange) -> Result<Observed, EngineError> {
        let Read { ids, turns, readings } = *read;
        let waits = self.store().jobs(self.id).await?.into_iter().any(|job| job.kind == JobKind::Read && job.turns == ids);
        if !waits {
            return self.observed_before(ids).await;
        }
        let now = self.store().turns_by_id(self.id, ids).await?;
        let stands = |turn: &Turn| now.iter().any(|now| now.id == turn.id && now.content == turn.content && now.withdrawn_at.is_none());
        let standing = turns.iter().zip(readings).filter(|(turn, _)| stands(turn));
        let mut present = self.present(kept).await?;
        let (mut readings, mut doubts) = (Vec::new(), Vec::new());
        let turns: Vec<Turn> = standing
            .map(|(turn, heard)| {
                let (reading, doubted) = heard.within(&present.facts, turn);
                readings.push(reading);
                doubts.extend(doubted);
                turn.clone()
            })
            .collect();
        let head = present.head;
        let at = turns.first().map_or_else(|| self.now(), |turn| turn.at);
        present.mood = present.mood.at(at, &self.policy().mood);
        let mut working = Working::new(present, self.commit(Op::Observe, &[]), exchange);
        working.commit.session = turns.first().map(|turn| turn.session.clone());
        working.commit.changes.push(Change::JobDone(JobKind::Read, ids.to_vec()));
        let worked = self.work_out(&mut working, turns, Some(&readings)).await?;
        self.put_doubts(&mut working.commit, &working.present.facts, &doubts).await?;
        self.queue(&mut working);
        let receipt = self.write(std::mem::replace(&mut working.commit, self.commit(Op::Observe, &[]))).await?;
        Ok(self.observed(kept, (working, receipt.sequence == head + 1, receipt.sequence), worked))
    }

    /// Enqueues the analysis and reflection jobs that are due after this turn, if a model handles them.
    pub(crate) fn queue(&self, working: &mut Working<'_>) {
        let (policy, turns) = (&self.policy().thinking, working.present.turns);
        let due = |every: u32| every > 0 && turns.is_multiple_of(u64::from(every));
        let mut later = Vec::new();
        if self.models().asks(Thought::Analyse) && due(policy.analyse_every) {
            later.push(JobKind::Analyse);
        }
        if (self.models().asks(Thought::Reflect) || self.models().asks(Thought::Interpret)) && due(policy.reflect_every) {
            later.push(JobKind::Reflect);
        }
        if !later.is_empty() {
            working.commit.changes.push(Change::CareBy(self.now()));
        }
        let jobs = later.into_iter().map(|kind| Change::JobSet(Box::new(Job::new(kind, Vec::new(), self.now()))));
        working.commit.changes.extend(jobs);
    }

    /// Reads and judges turns whose process stored them but exited before it judged them.
    pub(crate) async fn read_left(&self, job: &Job) -> Result<(), EngineError> {
        let turns = self.store().turns_by_id(self.id, &job.turns).await?;
        self.judge_kept((&job.turns, turns), &Exchange::default()).await.map(drop)
    }
}
