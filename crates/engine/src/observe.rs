//! A turn is taken: what was said is kept, what is worth keeping of it is judged, and all of it is one commit.

use std::collections::HashMap;

use saegim_core::{
    Axis, CLOCK_SLACK, Candidate, Change, Commit, Deed, Embedding, Face, FactId, Hash, Idempotency, Invalid, Memory, MemoryId, Mood, Op,
    Phrase, Relationship, RelationshipChange, Role, Session, SessionId, Settled, Span, SpeechStyle, Thought, Timestamp, Turn, TurnId,
    phrase, restated,
};
use saegim_provider::{Reading, Utterance};

use crate::error::no_vector;
use crate::judge::Judgement;
use crate::once::request_of;
use crate::present::Present;
use crate::recall::words_only;
use crate::{EngineError, MindHandle};

/// How often a turn is worked out anew when another process took one at the same moment. Someone always gets through, so
/// with few speakers few tries are enough; the bound only keeps a stuck store from being asked for ever.
pub(crate) const MOST_TRIES: usize = 200;

/// One message, before it is a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
    /// When; now otherwise.
    pub at: Option<Timestamp>,
    /// The speaker's name.
    pub speaker: Option<String>,
    /// The memories the answer was built on.
    pub injected: Vec<MemoryId>,
}

impl Said {
    /// The user's message.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into(), at: None, speaker: None, injected: Vec::new() }
    }

    /// The character's answer.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Role::Assistant, ..Self::user(content) }
    }
}

/// What belongs to one turn of a conversation: usually a message and its answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    /// The sitting; the one that is going on otherwise, or a new one.
    pub session: Option<SessionId>,
    /// The messages, in order.
    pub said: Vec<Said>,
    /// Where it plays, if the host knows.
    pub place: Option<String>,
    /// When it plays in the story, if the host knows.
    pub story_time: Option<String>,
    /// Who else is there.
    pub people: Vec<String>,
    /// The caller's key; the same exchange under the same key is taken once.
    pub idempotency: Option<String>,
    /// What was asked for under that key, where it is less than what was said: an answer is another each time it is made.
    pub asked: Option<Hash>,
}

/// What is new about a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct FactNews {
    /// The canonical subject.
    pub subject: String,
    /// The value.
    pub value: String,
    /// `new`, `mentioned`, `superseded`, `ended` or `past`.
    pub change: &'static str,
    /// The values it took the place of or ended.
    pub before: Vec<String>,
}

/// What came of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The turns as they are kept.
    pub turns: Vec<Turn>,
    /// What was judged, and how.
    pub candidates: Vec<Candidate>,
    /// What is newly known about the user.
    pub facts: Vec<FactNews>,
    /// How the two stand to each other now.
    pub relationship: Relationship,
    /// What moved that.
    pub moved: Vec<RelationshipChange>,
    /// How they speak.
    pub speech_style: SpeechStyle,
    /// What the character feels now.
    pub mood: Mood,
    /// The face that goes with the user's message.
    pub face: Face,
    /// Memories the answer really used.
    pub used: Vec<MemoryId>,
    /// Why only words were searched, when they were.
    pub degraded: Option<Phrase>,
    /// Whether the same exchange had been taken before under its key.
    pub repeated: bool,
}

/// One exchange while it is worked out: what it changes, and what the mind is like with it.
pub(crate) struct Working<'a> {
    pub(crate) present: Present,
    /// How the two stood before it.
    pub(crate) stood: Relationship,
    pub(crate) commit: Commit,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) news: Vec<FactNews>,
    pub(crate) moved: Vec<RelationshipChange>,
    /// Memories that change, as they are so far.
    pub(crate) memories: HashMap<MemoryId, Memory>,
    /// Memories born in this exchange, with their vectors.
    pub(crate) born: Vec<(Memory, Option<Embedding>)>,
    /// Vectors by text: a message of one sentence is embedded once.
    pub(crate) vectors: HashMap<String, Embedding>,
    pub(crate) degraded: Option<Phrase>,
    pub(crate) exchange: &'a Exchange,
}

impl<'a> Working<'a> {
    /// Nothing worked out yet.
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
    /// Takes one exchange: keeps it, judges it, and says what came of it. Exchanges of one mind go one after another.
    pub async fn observe(&self, exchange: Exchange) -> Result<Observed, EngineError> {
        self.may(Deed::Observe).await?;
        if exchange.said.is_empty() {
            return Err(Invalid::new("said", phrase!("no messages; send at least one", "메시지가 없어요. 하나 이상 보내 주세요")).into());
        }
        if let Some(before) = self.taken_before(&exchange).await? {
            return Ok(before);
        }
        self.by_the_clock().await?;
        if self.asks(Thought::Extract) {
            return self.keep_first(&exchange).await;
        }
        let turnstile = self.inner.presents.of(self.id);
        let mut kept = turnstile.lock().await;
        // Another process may have taken a turn meanwhile: then this one looks again.
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

    /// What came of an exchange, and the mind as it is now kept at hand if nothing else changed it meanwhile.
    pub(crate) fn observed(
        &self,
        kept: &mut Option<Present>,
        (working, alone, sequence): (Working<'_>, bool, u64),
        (face, used, turns): (Face, Vec<MemoryId>, Vec<Turn>),
    ) -> Observed {
        let Working { present, candidates, news, moved, born, degraded, .. } = working;
        for (memory, _) in &born {
            self.inner.births.born(self.id, memory.zone);
        }
        self.inner.births.turned(self.id, present.turns);
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

    /// Everything an exchange changes, in the order it was said. `read` is what a model made of turns that are kept already.
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
                self.essences_used(working, &restated, turn.at).await?;
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
        // Turns that are kept already were counted then.
        let spoke = if read.is_some() { 0 } else { spoke.max(1) };
        working.present.turns += spoke;
        let soon = self.now().plus(Span::seconds(i64::from(self.policy().zone.rebalance_seconds)));
        working.commit.changes.push(Change::CareBy(soon));
        self.hold(working).await?;
        self.close(working, spoke);
        Ok((face, used, turns))
    }

    /// Puts what was gathered beside the turns into the commit.
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

    /// What a thinker makes of a turn; rules answer where a model fails.
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
        self.think(Thought::Extract, |thinker| thinker.extract(&utterance)).await
    }

    /// When an exchange is said: at the moment its host names, or now. Where the clock has gone back behind what was said last it is
    /// said right after that, because it was; what a host has dated ahead of any clock is no measure.
    pub(crate) async fn said_at(&self, present: &Present, exchange: &Exchange) -> Result<Timestamp, EngineError> {
        if let Some(named) = exchange.said[0].at {
            return Ok(named);
        }
        let now = self.now();
        let Some(last) = present.last_said().filter(|last| *last > now) else { return Ok(now) };
        let believed = self.store().course(self.id).await?.latest;
        Ok(if believed.is_some_and(|latest| last <= latest.plus(CLOCK_SLACK)) { last.plus(Span::millis(1)) } else { now })
    }

    /// The session an exchange belongs to: the one named, the one going on, or a new one.
    pub(crate) async fn session_for(&self, present: &Present, exchange: &Exchange, at: Timestamp) -> Result<Session, EngineError> {
        let name = match (&exchange.session, present.window.last()) {
            (Some(name), _) => name.clone(),
            (None, Some(last)) if at.since(last.at) < self.silence() => last.session.clone(),
            _ => SessionId::new(at.civil(&self.inner.config.time_zone).strftime("%Y-%m-%d %H:%M:%S").to_string())?,
        };
        let known = self.store().session(self.id, &name).await?;
        Ok(known.unwrap_or(Session { name, began_at: at, last_at: at, last_sequence: 0, branched_from: None }))
    }

    /// The turns of an exchange. Their ids end in what the caller's key gives, if there is one, so that a repeated request
    /// finds what the first one made.
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

    /// Embeds all that was said at once, or notes why it cannot be.
    async fn embed_turns(&self, working: &mut Working<'_>, turns: &[Turn]) {
        let texts: Vec<&str> = turns.iter().map(|turn| turn.content.as_str()).collect();
        self.embed(working, &texts).await;
    }

    /// Makes the vectors of texts that have none yet.
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

    /// The memories the answers were built on.
    async fn injected(&self, turns: &[Turn]) -> Result<Vec<Memory>, EngineError> {
        let ids: Vec<MemoryId> = turns.iter().flat_map(|turn| turn.injected.iter().copied()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.store().memories(self.id, &ids).await?)
    }

    /// Counts as recalled what an answer restates of what it was given: being injected alone is not being remembered.
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

    /// Moves the relationship by what was said, each axis by no more than a turn may.
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
    /// What a statement did, in words.
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
