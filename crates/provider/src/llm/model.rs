//! A language model over HTTP: requests, retries and error classification.

use std::ops::ControlFlow;
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Cause, Spent, Thought, tokens};
use serde_json::Value;

use crate::llm::circuit_breaker::Patience;
use crate::llm::dialect::{Dialect, Piece, To};
use crate::llm::language_model::{LanguageModel, ModelAnswer, ModelRequest, Relayed, Saying};
use crate::llm::post::{Answer, LARGEST, Post, Wire, unreadable};
use crate::llm::sampling::Sampling;
use crate::llm::server_capabilities::{Carries, Learned, Shape};
use crate::llm::usage::{Used, broke_off, note};
use crate::llm::verify::strip_reasoning::Aloud;
use crate::{ProviderError, Secret, shown_address};

/// Delay before a failed request is retried once.
const AGAIN: Duration = Duration::from_millis(250);

/// Default token limit of an answer. Reasoning models use part of it before they write the answer.
const ROOM: u32 = 8_000;

/// Maximum number of characters of a streamed answer.
const LONGEST: usize = 8_000;

/// Address and parameters of a model.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Wire format.
    pub dialect: Dialect,
    /// Name of the provider in the configuration; the first part of the model id.
    pub provider: String,
    /// Base address, without the request path.
    pub base: String,
    /// API key.
    pub key: Option<Secret>,
    /// Name of the model on the server.
    pub model: String,
    /// Timeout of an answer. Requests that no caller waits for get four times as long.
    pub within: Duration,
    /// Maximum number of tokens of an answer, including reasoning. The default leaves enough for reasoning models.
    pub most_tokens: Option<u32>,
}

impl Endpoint {
    /// Creates an endpoint with a timeout of 30 s and without a key.
    pub fn new(dialect: Dialect, base: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            dialect,
            provider: dialect.as_str().to_owned(),
            base: base.into(),
            key: None,
            model: model.into(),
            within: Duration::from_secs(30),
            most_tokens: None,
        }
    }

    /// Normalises the address and the model name: no trailing slash, no duplicate version segment.
    pub(crate) fn tidied(mut self) -> Self {
        self.base.truncate(self.base.trim_end_matches('/').len());
        let doubled: &[&str] = match self.dialect {
            Dialect::OpenAi => &["/chat/completions"],
            Dialect::Anthropic => &["/v1/messages", "/v1"],
            Dialect::Gemini => &["/v1beta"],
        };
        if let Some(shorter) = doubled.iter().find_map(|end| self.base.strip_suffix(end)) {
            self.base.truncate(shorter.len());
        }
        if self.dialect == Dialect::Gemini {
            self.model = self.model.strip_prefix("models/").unwrap_or(&self.model).to_owned();
        }
        self
    }
}

/// A language model over HTTP.
pub struct RemoteModel {
    pub(super) id: String,
    /// Address that is safe to display.
    shown: String,
    pub(super) endpoint: Endpoint,
    pub(super) wire: Wire,
    pub(super) patience: Patience,
    learned: Learned,
}

impl RemoteModel {
    /// Creates a model for an endpoint. Connects on the first request.
    pub fn at(endpoint: Endpoint) -> Self {
        let endpoint = endpoint.tidied();
        let id = format!("{}/{}", endpoint.provider, endpoint.model);
        let newer = endpoint.base == Dialect::OpenAi.home();
        let learned = Learned::default();
        learned.took(Shape { renamed: newer, ..Shape::default() }, true);
        let shown = shown_address(&endpoint.base);
        Self { id, shown, endpoint, wire: Wire::new(), patience: Patience::default(), learned }
    }

    pub(super) fn post<'a>(&'a self, thought: Thought, body: &'a Value, streams: bool) -> Post<'a> {
        let patient = matches!(thought, Thought::Reply | Thought::Analyse | Thought::Reflect | Thought::Interpret | Thought::Believe);
        Post {
            url: self.endpoint.dialect.url(&self.endpoint.base, &self.endpoint.model, streams),
            headers: self.endpoint.dialect.headers(self.endpoint.key.as_ref()),
            body,
            within: self.endpoint.within * if patient { 4 } else { 1 },
            silence: self.endpoint.within,
            largest: LARGEST,
        }
    }

    /// Returns the maximum number of tokens of an answer, including reasoning.
    fn room(&self, ask: &ModelRequest<'_>, shape: Shape) -> u32 {
        match (self.endpoint.most_tokens, ask.sampling.and_then(|sampling| sampling.most_tokens)) {
            (most, Some(wanted)) => wanted.min(most.unwrap_or(wanted)),
            (Some(most), None) => most,
            _ if shape.tight => ask.most_tokens,
            _ => (ask.most_tokens * 4).max(ROOM),
        }
    }

    fn body(&self, ask: &ModelRequest<'_>, streams: bool, shape: Shape) -> Value {
        let to = To { model: &self.endpoint.model, streams, shape, most_tokens: self.room(ask, shape) };
        self.endpoint.dialect.body(ask, &to)
    }

    /// Returns the request variant to try next if the server rejected this one, and whether the server named the reason.
    fn reshaped(&self, shape: Shape, answer: &Answer, carries: Carries) -> Option<(Shape, bool)> {
        if !matches!(answer.status, 400 | 422 | 501) {
            return None;
        }
        shape.after(&String::from_utf8_lossy(&answer.body), carries)
    }

    async fn request(&self, ask: &ModelRequest<'_>) -> Result<ModelAnswer, ProviderError> {
        let carries = Carries { schema: ask.schema.is_some(), streams: false };
        let (mut shape, mut named) = (self.learned.shape(), true);
        let answer = loop {
            let body = self.body(ask, false, shape);
            let answer = self.wire.send(&self.post(ask.thought, &body, false)).await?;
            match self.reshaped(shape, &answer, carries) {
                Some((next, said)) => (shape, named) = (next, named && said),
                None => break answer,
            }
        };
        if answer.status != 200 {
            return Err(self.patience.failed(&answer, self.endpoint.key.as_ref()));
        }
        self.learned.took(shape, named);
        let text = std::str::from_utf8(&answer.body).map_err(|_| unreadable())?;
        let garbled = |_| ProviderError::unanswered(Cause::Garbled, "the answer is not JSON".into());
        let told = self.endpoint.dialect.told(&serde_json::from_str(text).map_err(garbled)?);
        told.map_err(|error| self.explained(error, self.room(ask, shape)))
    }

    /// Adds advice to the error of an answer that reached its token limit.
    fn explained(&self, error: ProviderError, room: u32) -> ProviderError {
        match error.cause() {
            Cause::Endless => {
                let why = format!("the answer used all {room} tokens without finishing; raise most_tokens");
                ProviderError::unanswered(Cause::Endless, why)
            }
            _ => error,
        }
    }

    /// Records the usage of a request. Missing counts are estimated; a request without an answer used no tokens.
    fn note(&self, ask: &ModelRequest<'_>, went: Result<&ModelAnswer, Cause>) {
        let mut spent = went.map_or_else(|_| Spent::default(), |told| told.spent.clone());
        spent.requests = 1;
        let answered = !matches!(
            went,
            Err(Cause::Unreachable
                | Cause::TimedOut
                | Cause::Limited
                | Cause::Failing
                | Cause::Unaccepted
                | Cause::Budget
                | Cause::Damaged)
        );
        if spent.tokens() == 0 && answered {
            spent.read = (tokens(ask.system) + ask.messages.iter().map(|(_, text)| tokens(text)).sum::<usize>()) as u64;
            spent.written = went.map_or(0, |told| tokens(&told.text) as u64);
        }
        note(Used { thought: ask.thought, model: self.id.clone(), spent });
    }
}

#[async_trait]
impl LanguageModel for RemoteModel {
    fn id(&self) -> &str {
        &self.id
    }

    fn address(&self) -> Option<&str> {
        Some(&self.shown)
    }

    async fn ask(&self, ask: &ModelRequest<'_>) -> Result<ModelAnswer, ProviderError> {
        self.patience.rested()?;
        let mut went = self.patience.learned(self.request(ask).await);
        self.note(ask, went.as_ref().map_err(ProviderError::cause));
        let passing = |error: &ProviderError| matches!(error.cause(), Cause::Failing | Cause::Unreachable);
        if went.as_ref().is_err_and(passing) && self.patience.rested().is_ok() {
            tokio::time::sleep(AGAIN).await;
            went = self.patience.learned(self.request(ask).await);
            self.note(ask, went.as_ref().map_err(ProviderError::cause));
        }
        match went {
            Ok(told) if told.text.trim().is_empty() => Err(ProviderError::unanswered(Cause::Empty, "the answer is empty".into())),
            went => went,
        }
    }

    async fn speak(&self, ask: &ModelRequest<'_>, said: Saying<'_>) -> Result<ModelAnswer, ProviderError> {
        self.patience.rested()?;
        let carries = Carries { schema: false, streams: self.endpoint.dialect == Dialect::OpenAi };
        let (mut shape, mut named) = (self.learned.shape(), true);
        let (mut told, mut stopped, mut aloud, mut letters) = (ModelAnswer::default(), None, Aloud::default(), 0);
        let (mut heard, mut ended) = (false, false);
        let dialect = self.endpoint.dialect;
        let went = loop {
            let body = self.body(ask, true, shape);
            let mut hear = |event: &str| {
                heard = true;
                match dialect.piece(event) {
                    Ok(Some(Piece { text, spent, stopped: why, ends })) => {
                        ended |= ends;
                        told.spent =
                            Spent { requests: 0, read: told.spent.read.max(spent.read), written: told.spent.written.max(spent.written) };
                        let text = aloud.hear(&text);
                        if !text.is_empty() && stopped.is_none() {
                            let fits: String = text.chars().take(LONGEST - letters).collect();
                            letters += fits.chars().count();
                            said(&fits);
                            told.text.push_str(&fits);
                        }
                        stopped = stopped.or(why);
                    }
                    Ok(None) => ended = true,
                    Err(error) => stopped = stopped.or(Some(error.cause())),
                }
                if letters < LONGEST {
                    return ControlFlow::Continue(());
                }
                // Stop reading at the length limit.
                stopped = stopped.or(Some(Cause::Endless));
                ControlFlow::Break(())
            };
            let went = self.wire.stream(&self.post(ask.thought, &body, true), &mut hear).await;
            match went.as_ref().ok().and_then(|answer| self.reshaped(shape, answer, carries)) {
                Some((next, reason)) => (shape, named) = (next, named && reason),
                None => break went,
            }
        };
        // A stream that closes without an end marker was cut off.
        if heard && !ended && went.is_ok() {
            stopped = stopped.or(Some(Cause::Cut));
        }
        let went = went.and_then(|answer| match answer.status {
            200 if answer.body.is_empty() => Ok(None),
            200 => serde_json::from_slice(&answer.body).map(Some).map_err(|_| unreadable()),
            _ => {
                let failed = self.patience.failed(&answer, self.endpoint.key.as_ref());
                // Report the rejected sampling parameter to the caller.
                let wished = ask.sampling.is_some() && matches!(answer.status, 400 | 422);
                Err(if wished { ProviderError::Invalid(failed.to_string()) } else { failed })
            }
        });
        if went.is_ok() {
            self.learned.took(shape, named);
        }
        // A server without streaming support returns the complete answer.
        let went = self.patience.learned(went).and_then(|whole: Option<Value>| whole.map(|whole| dialect.told(&whole)).transpose());
        let rest = aloud.rest();
        if !rest.is_empty() && letters < LONGEST {
            said(&rest);
            told.text.push_str(&rest);
        }
        if let Ok(Some(whole)) = &went {
            told = ModelAnswer { text: crate::llm::verify::strip_reasoning::aloud(&whole.text), ..whole.clone() };
            said(&told.text);
        }
        let failed = went.as_ref().err().map(ProviderError::cause).filter(|_| told.text.is_empty());
        self.note(ask, failed.map_or(Ok(&told), Err));
        // Streamed text cannot be retracted: an interrupted answer is returned, and the interruption is recorded.
        let cause = went.as_ref().err().map(ProviderError::cause).or(stopped);
        match (went, stopped) {
            _ if !told.text.trim().is_empty() => {
                cause.into_iter().for_each(broke_off);
                Ok(told)
            }
            (Err(error), _) => Err(error),
            (_, Some(cause)) => {
                Err(self.explained(ProviderError::unanswered(cause, "the model stopped early".into()), self.room(ask, shape)))
            }
            _ => Err(ProviderError::unanswered(Cause::Empty, "the answer is empty".into())),
        }
    }

    fn cannot(&self, sampling: &Sampling) -> Option<&'static str> {
        sampling.unsaid(self.endpoint.dialect)
    }

    fn relays(&self) -> bool {
        self.endpoint.dialect == Dialect::OpenAi
    }

    async fn relay(&self, request: &Value, event: Saying<'_>) -> Result<Relayed, ProviderError> {
        self.pass_on(request, event).await
    }
}
