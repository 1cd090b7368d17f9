//! Ingests an exchange: reads the messages, decides what is worth remembering, and writes everything in one commit.

use saegim_core::{
    Assertion, Candidate, Deed, Face, FactId, Facts, Hash, Invalid, MemoryId, Mood, Op, Phrase, Relationship, RelationshipChange, Role,
    SessionId, Settled, SpeechStyle, Thought, Timestamp, Turn, phrase,
};

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::turn::model_results::{Attempt, Missing, ModelResults};
use crate::intake::turn::new_turns::{Arrival, NewTurns};
use crate::intake::turn::turn_draft::{Committed, ReadTurns, TurnDraft, Turns};

/// One message before it becomes a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct NewMessage {
    /// Role of the speaker.
    pub role: Role,
    /// Text of the message.
    pub content: String,
    /// Time of the message; the current time if absent.
    pub at: Option<Timestamp>,
    /// Name of the speaker.
    pub speaker: Option<String>,
    /// Memories that were in the prompt of the answer.
    pub injected: Vec<MemoryId>,
}

impl NewMessage {
    /// Creates a message of the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into(), at: None, speaker: None, injected: Vec::new() }
    }

    /// Creates an answer from the character.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Role::Assistant, ..Self::user(content) }
    }
}

/// The messages of one exchange, usually a user message and its answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    /// Session; if absent, the current session or a new one.
    pub session: Option<SessionId>,
    /// Messages, in order.
    pub said: Vec<NewMessage>,
    /// Place of the scene, if the host knows it.
    pub place: Option<String>,
    /// Time in the story, if the host knows it.
    pub story_time: Option<String>,
    /// Other people who are present.
    pub people: Vec<String>,
    /// Idempotency key of the caller. The same exchange under the same key is ingested once.
    pub idempotency: Option<String>,
    /// Hash of the request, if it is less than the messages: a generated answer differs on every retry.
    pub asked: Option<Hash>,
}

/// A change of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct FactNews {
    /// Canonical subject.
    pub subject: String,
    /// Value.
    pub value: String,
    /// `new`, `mentioned`, `superseded`, `ended` or `past`.
    pub change: &'static str,
    /// Values that were superseded or ended.
    pub before: Vec<String>,
}

/// Result of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// Stored turns.
    pub turns: Vec<Turn>,
    /// Candidates with their verdicts.
    pub candidates: Vec<Candidate>,
    /// Changes of facts about the user.
    pub facts: Vec<FactNews>,
    /// Relationship after the exchange.
    pub relationship: Relationship,
    /// Changes of the relationship.
    pub moved: Vec<RelationshipChange>,
    /// Speech style.
    pub speech_style: SpeechStyle,
    /// Mood of the character.
    pub mood: Mood,
    /// Face for the user's message.
    pub face: Face,
    /// Injected memories that the answer really used.
    pub used: Vec<MemoryId>,
    /// Reason why only keywords were searched, if vectors were not available.
    pub degraded: Option<Phrase>,
    /// Whether the exchange had already been ingested under its idempotency key.
    pub repeated: bool,
}

/// New turns that were read before the lock of the mind was taken.
struct ReadAhead {
    /// Ledger sequence number of the state that the turns were built for.
    head: u64,
    new: NewTurns,
}

impl Intake<'_> {
    /// Ingests one exchange: stores it, judges it and returns the result. Exchanges of one mind are committed one at a time.
    pub(crate) async fn observe(&self, exchange: Exchange) -> Result<Observed, EngineError> {
        self.mind.may(Deed::Observe).await?;
        if exchange.said.is_empty() {
            return Err(Invalid::new("said", phrase!("engine.observe.no_messages")).into());
        }
        if let Some(before) = self.taken_before(&exchange).await? {
            return Ok(before);
        }
        self.mind.lifecycle().observe_clock().await?;
        let arrival = Arrival { exchange: &exchange, now: self.mind.now() };
        if self.mind.models().asks(Thought::Extract) {
            return self.store_then_read(arrival).await;
        }
        let (mut results, mut retries) = (ModelResults::default(), self.retries());
        loop {
            let ahead = self.read_ahead(arrival, &mut results).await?;
            match self.decide_and_commit(arrival, ahead, &mut results).await {
                Ok(Attempt::Done(observed)) => return Ok(observed),
                Ok(Attempt::Missing(missing)) => self.supply(&mut results, missing).await?,
                Err(error) => retries.after(error).await?,
            }
        }
    }

    /// Builds the turns of an exchange, reads them and embeds them and their findings. The mind is locked only while its state is
    /// loaded.
    async fn read_ahead(&self, arrival: Arrival<'_>, results: &mut ModelResults) -> Result<ReadAhead, EngineError> {
        let lock = self.turn_lock();
        let mut cached = lock.lock().await;
        let context = self.turn_context(&mut cached).await?;
        let new = self.new_turns(&context, arrival).await?;
        let (head, window) = (context.head, context.window.clone());
        *cached = Some(context);
        drop(cached);
        let readings = self.readings(results, &window, &new.turns).await?;
        self.find_ended(results, &new.turns, &readings).await?;
        self.embed_exchange(results, &new.turns, &readings).await;
        Ok(ReadAhead { head, new })
    }

    /// Loads the state of the mind, decides about the exchange and commits it, all under the lock of the mind.
    async fn decide_and_commit(
        &self,
        arrival: Arrival<'_>,
        ahead: ReadAhead,
        results: &mut ModelResults,
    ) -> Result<Attempt<Observed>, EngineError> {
        let lock = self.turn_lock();
        let mut cached = lock.lock().await;
        let mut context = self.turn_context(&mut cached).await?;
        let new = if context.head == ahead.head { ahead.new } else { self.new_turns(&context, arrival).await? };
        // Only rules read here; a message that a model reads is stored first. So another message before it is no reason to wait.
        let readings = self.readings(results, &context.window, &new.turns).await?;
        let unembedded = self.missing_vectors(results, &new.turns, &readings);
        if !unembedded.is_empty() {
            *cached = Some(context);
            return Ok(Attempt::Missing(Missing::Vectors(unembedded)));
        }
        context.mood = context.mood.at(new.at, &self.mind.policy().mood);
        let mut draft = TurnDraft { context, commit: self.mind.commit(Op::Observe, &[]) };
        self.begin_turns(&mut draft, &new, arrival.exchange);
        let read = ReadTurns { turns: new.turns, readings: &readings, stored: Turns::New };
        let decided = match self.decide_turns(&mut draft, read, results).await? {
            Attempt::Done(decided) => decided,
            Attempt::Missing(missing) => return Ok(Attempt::Missing(missing)),
        };
        self.queue(&mut draft);
        let TurnDraft { context, commit } = draft;
        let receipt = self.mind.write(commit).await?;
        if receipt.repeated {
            drop(cached);
            return self.observed_under(arrival.exchange).await.map(Attempt::Done);
        }
        Ok(Attempt::Done(self.observed(&mut cached, Committed { context, receipt, decided }, results)))
    }
}

impl FactNews {
    /// Returns the change of a fact caused by an assertion, if there is one.
    pub(crate) fn of(settled: &Settled, facts: &Facts, assertion: &Assertion) -> Option<Self> {
        let value = |id: &FactId| facts.get(*id).map(|fact| fact.value.clone());
        let (change, before) = match settled {
            Settled::New(_) => ("new", Vec::new()),
            Settled::Mentioned(_) => ("mentioned", Vec::new()),
            Settled::Superseded { old, .. } => ("superseded", old.iter().filter_map(value).collect()),
            Settled::Ended(old) => ("ended", old.iter().filter_map(value).collect()),
            Settled::Past(_) => ("past", Vec::new()),
            Settled::Nothing => return None,
        };
        Some(Self { subject: assertion.subject.clone(), value: assertion.value.clone(), change, before })
    }
}
