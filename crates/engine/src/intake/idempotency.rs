//! Twice is once: what was done under a caller's key is found again instead of being done again.

use saegim_core::{Hash, Idempotency, MindId, Role, Span, Timestamp, Turn, TurnId, Under};
use saegim_store::{Answer, Asking, CandidatePage, Earlier};

use crate::intake::observe::{Exchange, Observed};
use crate::{Engine, EngineError, MindHandle};

/// How long an answer is kept for whoever asks the same again.
const KEPT: Span = Span::days(1);

/// Whoever has neither written nor answered for this long is gone: no request takes longer than a minute.
const GONE_AFTER: Span = Span::seconds(90);

/// A request that writes, as whoever serves it sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Who asks, by a name that gives nothing away.
    pub who: String,
    /// The mind it is about, if it is about one.
    pub mind: Option<MindId>,
    /// The caller's key.
    pub key: String,
    /// What makes two requests the same request.
    pub digest: Hash,
}

impl Engine {
    /// Takes down that a request is made under its key, if none was; what became of it otherwise.
    pub async fn ask(&self, request: &Request) -> Result<Earlier, EngineError> {
        Ok(self.inner.store.ask(self.asking(request)).await?)
    }

    /// Keeps what was answered for a day, or frees the key where nothing came of the request.
    pub async fn answer(&self, request: &Request, answer: Option<Answer>) -> Result<(), EngineError> {
        Ok(self.inner.store.answer(self.asking(request), answer).await?)
    }

    fn asking(&self, request: &Request) -> Asking {
        let Request { who, mind, key, digest } = request.clone();
        Asking {
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
    /// What a commit is told of it.
    pub(crate) fn under(&self) -> Under {
        Under { who: self.who.clone(), key: self.key.clone() }
    }
}

impl MindHandle {
    /// What came of the same exchange under the same key, if it was taken before; a conflict where the key was another's.
    pub async fn taken_before(&self, exchange: &Exchange) -> Result<Option<Observed>, EngineError> {
        let Some(key) = exchange.idempotency.clone() else { return Ok(None) };
        let idempotency = Idempotency { key, request: request_of(exchange) };
        match self.store().done_before(self.id, &idempotency).await? {
            Some(_) => self.observed_under(exchange).await.map(Some),
            None => Ok(None),
        }
    }

    /// What of an exchange is not kept yet. A message may be kept before its answer comes, as when tools are called in
    /// between: one that stands last in its sitting and unanswered is not taken a second time.
    pub async fn rest_of(&self, mut exchange: Exchange) -> Result<Exchange, EngineError> {
        let window = self.glance().await?.window;
        let of_sitting = |turn: &&Turn| exchange.session.as_ref().is_none_or(|session| *session == turn.session);
        let Some(last) = window.iter().rev().find(of_sitting).filter(|last| last.role == Role::User) else { return Ok(exchange) };
        let first = exchange.said.first().filter(|said| said.role == Role::User).map(|said| Turn::said(&said.content)).transpose()?;
        if first.is_some_and(|said| said == last.content) {
            exchange.said.remove(0);
            exchange.session = Some(last.session.clone());
        }
        Ok(exchange)
    }

    /// What came of the exchange that was taken under this one's key.
    pub(crate) async fn observed_under(&self, exchange: &Exchange) -> Result<Observed, EngineError> {
        let mut ids = Vec::new();
        for place in 0..exchange.said.len() {
            let Some(key) = &exchange.idempotency else { break };
            // Only the moment a turn was said at is not known any more; the end of its id is told by the key.
            let written = TurnId::new(Timestamp::from_millis(0), self.chance_under(key, place)).to_string().replace('-', "");
            ids.extend(self.store().turn_ids_like(self.id, &written[16..]).await?);
        }
        self.observed_before(&ids).await
    }

    /// What stands for chance in the id of a turn that is taken under a key.
    pub(crate) fn chance_under(&self, key: &str, place: usize) -> [u8; 10] {
        let digest = Hash::of(format!("{}\n{key}\n{place}", self.id).as_bytes());
        digest.bytes()[..10].try_into().expect("a hash has more than ten bytes")
    }

    /// What an exchange made when it was first taken.
    pub(crate) async fn observed_before(&self, ids: &[TurnId]) -> Result<Observed, EngineError> {
        let turns = self.store().turns_by_id(self.id, ids).await?;
        let mut candidates = Vec::new();
        for turn in &turns {
            let page = CandidatePage { limit: 1000, turn: Some(turn.id), verdict: None };
            let mut judged = self.store().candidates(self.id, page).await?;
            judged.reverse();
            candidates.extend(judged);
        }
        let now = self.present(&mut None).await?;
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

/// What makes two exchanges the same request.
pub(crate) fn request_of(exchange: &Exchange) -> Hash {
    let whole = || Hash::of(format!("{:?}", Exchange { idempotency: None, ..exchange.clone() }).as_bytes());
    exchange.asked.unwrap_or_else(whole)
}
