//! Ingests an exchange: stores the turns, judges what is worth remembering, and writes everything in one commit.

use std::collections::HashMap;

use saegim_core::{
    Axis, CLOCK_SLACK, Candidate, Change, Commit, Deed, Embedding, Face, FactId, Hash, Idempotency, Invalid, Memory, MemoryId, Mood, Op,
    Phrase, Relationship, RelationshipChange, Role, Session, SessionId, Settled, Span, SpeechStyle, Thought, Timestamp, Turn, TurnId,
    phrase, restated,
};
use saegim_provider::{Reading, Utterance};

use crate::error::no_vector;
use crate::intake::idempotency::request_of;
use crate::intake::judge::Judgement;
use crate::intake::turn_context::Present;
use crate::retrieval::recall::words_only;
use crate::{EngineError, MindHandle};

/// Maximum number of retries when another process commits to the mind at the same time. One writer always succeeds, so few
/// retries are enough with few speakers; the limit only prevents an endless loop on a broken store.
pub(crate) const MOST_TRIES: usize = 200;

/// One message before it becomes a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
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

impl Said {
    /// Creates a message of the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into(), at: None, speaker: None, injected: Vec::new() }
    }

    /// Creates an answer of the character.
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
    pub said: Vec<Said>,
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

/// Working state of one exchange: its pending changes and the mind with them applied.
pub(crate) struct Working<'a> {
    pub(crate) present: Present,
    /// Relationship before the exchange.
    pub(crate) stood: Relationship,
    pub(crate) commit: Commit,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) news: Vec<FactNews>,
    pub(crate) moved: Vec<RelationshipChange>,
    /// Changed memories, in their latest state.
    pub(crate) memories: HashMap<MemoryId, Memory>,
    /// Memories created in this exchange, with their vectors.
    pub(crate) born: Vec<(Memory, Option<Embedding>)>,
    /// Vectors by text, so that a text that occurs twice is embedded once.
    pub(crate) vectors: HashMap<String, Embedding>,
    pub(crate) degraded: Option<Phrase>,
    pub(crate) exchange: &'a Exchange,
}

impl<'a> Working<'a> {
    /// Creates the working state without any changes.
    pub(crate) fn new(present: Present, commit: Commit, exchange: &'a Exchange) -> Self {
        Self {
            stood: present.relationship,
            present,
            commit,
            candidates: Vec::new(),
            news: Vec::new(),
            moved: Vec::new(),
            memories: HashMap::new(),
            born: Vec::new(),
            vectors: HashMap::new(),
            degraded: None,
            exchange,
        }
    }
}

impl MindHandle {
    /// Ingests one exchange: stores it, judges it and returns the result. Exchanges of one mind run one at a time.
    pub async fn observe(&self, exchange: Exchange) -> Result<Observed, EngineError> {
        self.may(Deed::Observe).await?;
        if exchange.said.is_empty() {
            return Err(Invalid::new("said", phrase!("no messages; send at least one", "메시지가 없어요. 하나 이상 보내 주세요")).into());
        }
        if let Some(before) = self.taken_before(&exchange).await? {
            return Ok(before);
        }
        self.lifecycle().observe_clock().await?;
        if self.models().asks(Thought::Extract) {
            return self.keep_first(&exchange).await;
        }
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        // Retry if another process has committed in the meantime.
        for _ in 0..MOST_TRIES {
            match self.take_turn(&mut kept, &exchange).await {
                Err(EngineError::Conflict(_)) => *kept = None,
                done => return done,
            }
        }
        self.take_turn(&mut kept, &exchange).await
    }

    async fn take_turn(&self, kept: &mut Option<Present>, exchange: &Exchange) -> Result<Observed, EngineError> {
        let mut present = self.present(kept).await?;
        let head = present.head;
        let at = self.said_at(&present, exchange).await?;
        let session = self.session_for(&present, exchange, at).await?;
        let turns = self.turns_of(exchange, &session, at)?;
        present.mood = present.mood.at(at, &self.policy().mood);
        let mut working = Working::new(present, self.commit(Op::Observe, &[]), exchange);
        working.commit.session = Some(session.name.clone());
        working.commit.idempotency = exchange.idempotency.clone().map(|key| Idempotency { key, request: request_of(exchange) });
        let last = turns.last().map_or(session.last_sequence, |turn| turn.sequence);
        let last_at = turns.iter().map(|turn| turn.at).max().unwrap_or(session.last_at);
        working.commit.changes.push(Change::SessionSet(Session { last_sequence: last, last_at, ..session.clone() }));
        let (face, used, turns) = self.work_out(&mut working, turns, None).await?;
        self.queue(&mut working);
        let receipt = self.write(std::mem::replace(&mut working.commit, self.commit(Op::Observe, &[]))).await?;
        if receipt.repeated {
            return self.observed_under(exchange).await;
        }
        Ok(self.observed(kept, (working, receipt.sequence == head + 1, receipt.sequence), (face, used, turns)))
    }

    /// Returns the result of an exchange. Caches the new state if nothing else changed the mind in the meantime (`alone`).
    pub(crate) fn observed(
        &self,
        kept: &mut Option<Present>,
        (working, alone, sequence): (Working<'_>, bool, u64),
        (face, used, turns): (Face, Vec<MemoryId>, Vec<Turn>),
    ) -> Observed {
        let Working { present, candidates, news, moved, born, degraded, .. } = working;
        for (memory, _) in &born {
            self.inner.occupancy.born(self.id, memory.zone);
        }
        self.inner.occupancy.turned(self.id, present.turns);
        let style = present.style.unwrap_or_else(|| present.relationship.level().speech_style());
        let observed = Observed {
            turns,
            candidates,
            facts: news,
            relationship: present.relationship,
            moved,
            speech_style: style,
            mood: present.mood.clone(),
            face,
            used,
            degraded,
            repeated: false,
        };
        *kept = alone.then_some(Present { head: sequence, ..present });
        observed
    }

    /// Computes all changes of an exchange, turn by turn. `read` contains the readings of turns that are already stored.
    pub(crate) async fn work_out(
        &self,
        working: &mut Working<'_>,
        mut turns: Vec<Turn>,
        read: Option<&[Reading]>,
    ) -> Result<(Face, Vec<MemoryId>, Vec<Turn>), EngineError> {
        self.embed_turns(working, &turns).await;
        if read.is_none() {
            self.set_scene(working, &turns);
        }
        let injected = self.injected(&turns).await?;
        let (mut face, mut used, mut spoke) = (Face::default(), Vec::new(), 0);
        for (place, turn) in turns.iter_mut().enumerate() {
            let reading = match read.and_then(|read| read.get(place)) {
                Some(reading) => reading.clone(),
                None => self.read(&working.present, turn).await?,
            };
            turn.face = Some(reading.face);
            if turn.role == Role::User {
                (face, spoke) = (reading.face, spoke + 1);
                working.present.mood = working.present.mood.moved(&reading.feeling, turn.at, &self.policy().mood);
            }
            let said = Box::new(turn.clone());
            working.commit.changes.push(if read.is_some() { Change::TurnChanged(said) } else { Change::TurnAdded(said) });
            if let Some(vector) = working.vectors.get(&turn.content) {
                working.commit.changes.push(Change::TurnEmbedded {
                    turn: turn.id,
                    embedder: self.embedder_id().to_owned(),
                    vector: vector.clone(),
                });
            }
            if matches!(turn.role, Role::Assistant | Role::Persona) {
                let restated = self.use_restated(working, turn, &injected);
                self.lifecycle().essences_used(working, &restated, turn.at).await?;
                used.extend(restated);
                working.commit.used.clone_from(&used);
            }
            self.judge(working, &Judgement { turn, reading: &reading, injected: &injected }).await?;
            self.relate(working, turn, &reading);
            if read.is_none() {
                working.present.window.push(turn.clone());
            }
        }
        let room = working.present.window.len().saturating_sub(self.policy().context.window);
        working.present.window.drain(..room);
        // Turns that are already stored were counted when they were stored.
        let spoke = if read.is_some() { 0 } else { spoke.max(1) };
        working.present.turns += spoke;
        let soon = self.now().plus(Span::seconds(i64::from(self.policy().zone.rebalance_seconds)));
        working.commit.changes.push(Change::CareBy(soon));
        self.self_model().hold(working).await?;
        self.close(working, spoke);
        Ok((face, used, turns))
    }

    /// Adds the collected changes, except the turns, to the commit.
    pub(crate) fn close(&self, working: &mut Working<'_>, spoke: u64) {
        let changes = &mut working.commit.changes;
        if spoke > 0 {
            changes.push(Change::Turned(spoke));
        }
        changes.push(Change::MoodSet(working.present.mood.clone()));
        for (memory, vector) in &working.born {
            changes.push(Change::MemoryAdded(Box::new(memory.clone())));
            changes.extend(vector.clone().map(|vector| self.embedded(memory.id, vector)));
        }
        let mut changed: Vec<&Memory> = working.memories.values().collect();
        changed.sort_by_key(|memory| memory.id);
        changes.extend(changed.iter().map(|memory| Change::MemoryChanged(Box::new((*memory).clone()))));
        changes.extend(working.candidates.iter().map(|candidate| Change::CandidateAdded(Box::new(candidate.clone()))));
        if !working.moved.is_empty() {
            changes.push(Change::RelationshipSet { before: working.stood, after: working.present.relationship });
            changes.extend(working.moved.iter().cloned().map(Change::RelationshipMoved));
        }
        let about: Vec<&Memory> = working.born.iter().map(|(memory, _)| memory).chain(changed).collect();
        let about = self.commit(working.commit.operation, &about).memories;
        working.commit.memories.extend(about);
    }

    /// Reads a turn with the thinker; falls back to rules if the model fails.
    pub(crate) async fn read(&self, present: &Present, turn: &Turn) -> Result<Reading, EngineError> {
        if self.thinker.is_none() {
            return Ok(Reading::default());
        }
        let before = present.window.iter().rev().find(|other| other.role != turn.role && other.session == turn.session);
        let utterance = Utterance {
            role: turn.role,
            text: &turn.content,
            at: turn.at,
            user: self.key().user(),
            character: self.key().character(),
            before: before.map(|turn| turn.content.as_str()),
        };
        self.models().think(Thought::Extract, |thinker| thinker.extract(&utterance)).await
    }

    /// Returns the time of an exchange: the time given by the host, or now. If the clock has gone back behind the last turn,
    /// returns the time right after that turn to keep the order. A last turn that the host dated ahead of every known clock
    /// reading is ignored.
    pub(crate) async fn said_at(&self, present: &Present, exchange: &Exchange) -> Result<Timestamp, EngineError> {
        if let Some(named) = exchange.said[0].at {
            return Ok(named);
        }
        let now = self.now();
        let Some(last) = present.last_said().filter(|last| *last > now) else { return Ok(now) };
        let believed = self.store().course(self.id).await?.latest;
        Ok(if believed.is_some_and(|latest| last <= latest.plus(CLOCK_SLACK)) { last.plus(Span::millis(1)) } else { now })
    }

    /// Returns the session of an exchange: the named one, the current one, or a new one.
    pub(crate) async fn session_for(&self, present: &Present, exchange: &Exchange, at: Timestamp) -> Result<Session, EngineError> {
        let name = match (&exchange.session, present.window.last()) {
            (Some(name), _) => name.clone(),
            (None, Some(last)) if at.since(last.at) < self.lifecycle().silence() => last.session.clone(),
            _ => SessionId::new(at.civil(&self.inner.config.time_zone).strftime("%Y-%m-%d %H:%M:%S").to_string())?,
        };
        let known = self.store().session(self.id, &name).await?;
        Ok(known.unwrap_or(Session { name, began_at: at, last_at: at, last_sequence: 0, branched_from: None }))
    }

    /// Builds the turns of an exchange. With an idempotency key, the random part of their ids is derived from the key, so that a
    /// repeated request finds the turns of the first one.
    pub(crate) fn turns_of(&self, exchange: &Exchange, session: &Session, mut at: Timestamp) -> Result<Vec<Turn>, EngineError> {
        let mut turns = Vec::with_capacity(exchange.said.len());
        for (place, said) in exchange.said.iter().enumerate() {
            at = said.at.unwrap_or(at);
            let chance = exchange.idempotency.as_ref().map(|key| self.chance_under(key, place));
            let id = TurnId::new(at, chance.unwrap_or_else(|| self.inner.config.dice.chance()));
            turns.push(Turn {
                id,
                session: session.name.clone(),
                sequence: session.last_sequence + place as u32 + 1,
                role: said.role,
                speaker: said.speaker.clone().filter(|name| !name.trim().is_empty()),
                content: Turn::said(&said.content)?,
                at,
                face: None,
                injected: said.injected.clone(),
                withdrawn_at: None,
            });
        }
        Ok(turns)
    }

    /// Embeds all turns in one batch.
    async fn embed_turns(&self, working: &mut Working<'_>, turns: &[Turn]) {
        let texts: Vec<&str> = turns.iter().map(|turn| turn.content.as_str()).collect();
        self.embed(working, &texts).await;
    }

    /// Embeds texts that have no vector yet. Records in `degraded` why a text cannot be embedded.
    pub(crate) async fn embed(&self, working: &mut Working<'_>, texts: &[&str]) {
        let Some(embedder) = self.inner.config.embedder.as_ref().filter(|_| self.inner.config.vectors) else {
            working.degraded = Some(words_only(phrase!("no embedder is configured", "임베더가 설정되어 있지 않아요")));
            return;
        };
        let mut wanted: Vec<&str> = Vec::new();
        for text in texts {
            if !working.vectors.contains_key(*text) && !wanted.contains(text) {
                if embedder.knows(text) {
                    wanted.push(text);
                } else {
                    working.degraded =
                        Some(words_only(phrase!("{} does not support this script", "{}이(가) 지원하지 않는 문자예요", embedder.id())));
                }
            }
        }
        if wanted.is_empty() {
            return;
        }
        match self.inner.vectors(&wanted).await {
            Ok(vectors) => working.vectors.extend(wanted.into_iter().map(str::to_owned).zip(vectors)),
            Err(error) => working.degraded = Some(words_only(no_vector(error))),
        }
    }

    /// Returns the memories that were in the prompts of the answers.
    async fn injected(&self, turns: &[Turn]) -> Result<Vec<Memory>, EngineError> {
        let ids: Vec<MemoryId> = turns.iter().flat_map(|turn| turn.injected.iter().copied()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.store().memories(self.id, &ids).await?)
    }

    /// Counts an injected memory as recalled if the answer restates it. Injection alone is not a recall.
    fn use_restated(&self, working: &mut Working<'_>, turn: &Turn, injected: &[Memory]) -> Vec<MemoryId> {
        let mut used = Vec::new();
        for memory in injected.iter().filter(|memory| turn.injected.contains(&memory.id)) {
            if restated(&memory.content, &turn.content) < self.policy().admission.echo_share || used.contains(&memory.id) {
                continue;
            }
            used.push(memory.id);
            let known = working.memories.remove(&memory.id).unwrap_or_else(|| memory.clone());
            working.present.mood = working.present.mood.moved(&memory.feeling, turn.at, &self.policy().mood);
            working.memories.insert(memory.id, known.recalled(turn.at, working.present.turns, &self.policy().strength));
        }
        used
    }

    /// Updates the relationship after a user turn. Each axis changes at most by its limit per turn.
    pub(crate) fn relate(&self, working: &mut Working<'_>, turn: &Turn, reading: &Reading) {
        if turn.role != Role::User {
            return;
        }
        let policy = &self.policy().relationship;
        let told = reading.findings.iter().filter(|finding| finding.claim.is_some()).count();
        let mut points: Vec<(Axis, f32, String)> =
            vec![(Axis::Familiarity, policy.familiarity + policy.told * told as f32, familiarity_words(told))];
        points.extend(reading.toward.iter().map(|toward| (toward.axis, toward.points, toward.cue.clone())));
        for &axis in Axis::ALL {
            let of_axis: Vec<&(Axis, f32, String)> = points.iter().filter(|point| point.0 == axis).collect();
            let sum: f32 = of_axis.iter().map(|point| point.1).sum();
            let delta = working.present.relationship.moved(axis, sum, policy);
            if delta != 0.0 {
                let reason = of_axis.iter().map(|point| point.2.as_str()).collect::<Vec<_>>().join(", ");
                let scene = working.present.scene.as_ref().map(|scene| scene.id);
                working.moved.push(RelationshipChange { turn: turn.id, axis, at: turn.at, scene, delta, reason });
            }
        }
    }
}

impl FactNews {
    /// Returns the change of a fact caused by a statement, if there is one.
    pub(crate) fn of(settled: &Settled, present: &Present, stated: (&str, &str)) -> Option<Self> {
        let value = |id: &FactId| present.facts.get(*id).map(|fact| fact.value.clone());
        let (change, before) = match settled {
            Settled::New(_) => ("new", Vec::new()),
            Settled::Mentioned(_) => ("mentioned", Vec::new()),
            Settled::Superseded { old, .. } => ("superseded", old.iter().filter_map(value).collect()),
            Settled::Ended(old) => ("ended", old.iter().filter_map(value).collect()),
            Settled::Past(_) => ("past", Vec::new()),
            Settled::Nothing => return None,
        };
        Some(Self { subject: stated.0.to_owned(), value: stated.1.to_owned(), change, before })
    }
}

fn familiarity_words(told: usize) -> String {
    match told {
        0 => "talked".into(),
        1 => "talked, and told something of themselves".into(),
        told => format!("talked, and told {told} things of themselves"),
    }
}
