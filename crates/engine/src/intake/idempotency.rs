//! Idempotency: a request repeated under the same key returns the stored result instead of running again.

use saegim_core::{Hash, Idempotency, MindId, Role, Span, Timestamp, Turn, TurnId, Under};
use saegim_store::{CandidatePage, EarlierRequest, RecordedResponse, RequestKey};

use crate::intake::Intake;
use crate::intake::observe::{Exchange, Observed};
use crate::{Engine, EngineError};

/// How long a response is stored for repeated requests.
const KEPT: Span = Span::days(1);

/// Requests time out after 60 s, so a key that is still pending after 90 s belongs to a crashed process and may be retried.
const GONE_AFTER: Span = Span::seconds(90);

/// A writing request with an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Caller, as an opaque name.
    pub who: String,
    /// Mind the request is about, if there is one.
    pub mind: Option<MindId>,
    /// Idempotency key of the caller.
    pub key: String,
    /// Digest that identifies equal requests.
    pub digest: Hash,
}

impl Engine {
    /// Registers a request under its key, or returns the state of the earlier request with that key.
    pub async fn ask(&self, request: &Request) -> Result<EarlierRequest, EngineError> {
        Ok(self.inner.store.ask(self.asking(request)).await?)
    }

    /// Stores the response for a day, or frees the key if the request had no effect.
    pub async fn answer(&self, request: &Request, answer: Option<RecordedResponse>) -> Result<(), EngineError> {
        Ok(self.inner.store.answer(self.asking(request), answer).await?)
    }

    fn asking(&self, request: &Request) -> RequestKey {
        let Request { who, mind, key, digest } = request.clone();
        RequestKey {
            who,
            mind,
            key,
            request: digest,
            at: self.now(),
            kept_since: self.now().minus(KEPT),
            alive_since: self.now().minus(GONE_AFTER),
        }
    }
}

impl Request {
    /// Returns the reference that commits store.
    pub(crate) fn under(&self) -> Under {
        Under { who: self.who.clone(), key: self.key.clone() }
    }
}

impl Intake<'_> {
    /// Returns the result of the same exchange if it was already ingested under its key. A key that was used for a different
    /// exchange is a conflict.
    pub(crate) async fn taken_before(&self, exchange: &Exchange) -> Result<Option<Observed>, EngineError> {
        let Some(key) = exchange.idempotency.clone() else { return Ok(None) };
        let idempotency = Idempotency { key, request: request_of(exchange) };
        match self.mind.store().done_before(self.mind.id, &idempotency).await? {
            Some(_) => self.observed_under(exchange).await.map(Some),
            None => Ok(None),
        }
    }

    /// Removes the part of an exchange that is already stored. A user message may be stored before its answer, for example if
    /// tools are called in between; if it is the last turn of its session and unanswered, it is not stored again.
    pub(crate) async fn rest_of(&self, mut exchange: Exchange) -> Result<Exchange, EngineError> {
        let window = self.current_context().await?.window;
        let of_session = |turn: &&Turn| exchange.session.as_ref().is_none_or(|session| *session == turn.session);
        let Some(last) = window.iter().rev().find(of_session).filter(|last| last.role == Role::User) else { return Ok(exchange) };
        let first = exchange.said.first().filter(|said| said.role == Role::User).map(|said| Turn::said(&said.content)).transpose()?;
        if first.is_some_and(|said| said == last.content) {
            exchange.said.remove(0);
            exchange.session = Some(last.session.clone());
        }
        Ok(exchange)
    }

    /// Returns the result of the exchange that was ingested under the same key.
    pub(crate) async fn observed_under(&self, exchange: &Exchange) -> Result<Observed, EngineError> {
        let mut ids = Vec::new();
        for place in 0..exchange.said.len() {
            let Some(key) = &exchange.idempotency else { break };
            // The id consists of a time and bytes derived from the key. The time is not known here, so the turn is found by the
            // end of its id.
            let written = TurnId::new(Timestamp::from_millis(0), self.chance_under(key, place)).to_string().replace('-', "");
            ids.extend(self.mind.store().turn_ids_like(self.mind.id, &written[16..]).await?);
        }
        self.observed_before(&ids).await
    }

    /// Derives the random part of a turn id from the idempotency key and the position of the turn.
    pub(crate) fn chance_under(&self, key: &str, place: usize) -> [u8; 10] {
        let digest = Hash::of(format!("{}\n{key}\n{place}", self.mind.id).as_bytes());
        digest.bytes()[..10].try_into().expect("a hash has more than ten bytes")
    }

    /// Rebuilds the result of an exchange that was ingested earlier.
    pub(crate) async fn observed_before(&self, ids: &[TurnId]) -> Result<Observed, EngineError> {
        let turns = self.mind.store().turns_by_id(self.mind.id, ids).await?;
        let mut candidates = Vec::new();
        for turn in &turns {
            let page = CandidatePage { limit: 1000, turn: Some(turn.id), verdict: None };
            let mut judged = self.mind.store().candidates(self.mind.id, page).await?;
            judged.reverse();
            candidates.extend(judged);
        }
        let now = self.turn_context(&mut None).await?;
        let face = turns.iter().rev().find(|turn| turn.role == Role::User).and_then(|turn| turn.face).unwrap_or_default();
        let style = now.style.unwrap_or_else(|| now.relationship.level().speech_style());
        Ok(Observed {
            turns,
            candidates,
            facts: Vec::new(),
            relationship: now.relationship,
            moved: Vec::new(),
            speech_style: style,
            mood: now.mood,
            face,
            used: Vec::new(),
            degraded: None,
            repeated: true,
        })
    }
}

/// Returns the digest that identifies equal exchanges.
pub(crate) fn request_of(exchange: &Exchange) -> Hash {
    let whole = || Hash::of(format!("{:?}", Exchange { idempotency: None, ..exchange.clone() }).as_bytes());
    exchange.asked.unwrap_or_else(whole)
}
