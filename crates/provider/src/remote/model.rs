//! A model behind HTTP: how it is asked, how failures are told apart, and when it is left alone.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Cause, Spent, Thought, tokens};
use serde_json::Value;

use super::dialect::{Dialect, Piece, To};
use super::language_model::{Ask, LanguageModel, Saying, Told};
use super::patience::Patience;
use super::post::{Post, Wire, unreadable};
use super::usage::{Used, note};
use crate::{ProviderError, Secret};

/// How long before a request that failed is made once more.
const AGAIN: Duration = Duration::from_millis(250);

/// Where a model is and how it is spoken to.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// How it is spoken to.
    pub dialect: Dialect,
    /// Where it is, without the path of the request.
    pub base: String,
    /// What opens it.
    pub key: Option<Secret>,
    /// Its name there.
    pub model: String,
    /// How long an answer may take; what nobody waits for may take four times as long.
    pub within: Duration,
}

/// A model behind HTTP.
pub struct RemoteModel {
    id: String,
    endpoint: Endpoint,
    wire: Wire,
    patience: Patience,
    /// Whether the server did not know structured answers.
    plain: AtomicBool,
}

impl RemoteModel {
    /// The model at an endpoint. Nothing is connected before it is asked.
    pub fn at(mut endpoint: Endpoint) -> Self {
        endpoint.base.truncate(endpoint.base.trim_end_matches('/').len());
        let id = format!("{}/{}", endpoint.dialect.as_str(), endpoint.model);
        Self { id, endpoint, wire: Wire::new(), patience: Patience::default(), plain: AtomicBool::new(false) }
    }

    fn post<'a>(&'a self, ask: &Ask<'_>, body: &'a Value, streams: bool) -> Post<'a> {
        let patient = matches!(ask.thought, Thought::Reply | Thought::Analyse | Thought::Reflect | Thought::Interpret | Thought::Believe);
        Post {
            url: self.endpoint.dialect.url(&self.endpoint.base, &self.endpoint.model, streams),
            headers: self.endpoint.dialect.headers(self.endpoint.key.as_ref()),
            body,
            within: self.endpoint.within * if patient { 4 } else { 1 },
        }
    }

    fn body(&self, ask: &Ask<'_>, streams: bool) -> Value {
        let to = To {
            model: &self.endpoint.model,
            streams,
            structured: !self.plain.load(Ordering::Relaxed),
            at_home: self.endpoint.base == Dialect::OpenAi.home(),
        };
        self.endpoint.dialect.body(ask, &to)
    }

    /// Whether a refusal may only mean that the server knows no structured answers; then it is asked plainly from now on.
    fn was_the_schema(&self, ask: &Ask<'_>, status: u16) -> bool {
        let maybe = ask.schema.is_some() && matches!(status, 400 | 422 | 501);
        maybe && !self.plain.swap(true, Ordering::Relaxed)
    }

    async fn request(&self, ask: &Ask<'_>) -> Result<Told, ProviderError> {
        let body = self.body(ask, false);
        let mut answer = self.wire.send(&self.post(ask, &body, false)).await?;
        if self.was_the_schema(ask, answer.status) {
            let plain = self.body(ask, false);
            answer = self.wire.send(&self.post(ask, &plain, false)).await?;
        }
        if answer.status != 200 {
            return Err(self.patience.failed(&answer, self.endpoint.key.as_ref()));
        }
        let text = std::str::from_utf8(&answer.body).map_err(|_| unreadable())?;
        let garbled = |_| ProviderError::unanswered(Cause::Garbled, "the answer is not JSON".into());
        self.endpoint.dialect.told(&serde_json::from_str(text).map_err(garbled)?)
    }

    /// Notes what a request used; what the server does not tell is estimated.
    fn note(&self, ask: &Ask<'_>, told: Option<&Told>) {
        let mut spent = told.map_or_else(Spent::default, |told| told.spent.clone());
        spent.requests = 1;
        if spent.tokens() == 0 {
            spent.read = (tokens(ask.system) + ask.messages.iter().map(|(_, text)| tokens(text)).sum::<usize>()) as u64;
            spent.written = told.map_or(0, |told| tokens(&told.text) as u64);
        }
        note(Used { thought: ask.thought, model: self.id.clone(), spent });
    }
}

#[async_trait]
impl LanguageModel for RemoteModel {
    fn id(&self) -> &str {
        &self.id
    }

    async fn ask(&self, ask: &Ask<'_>) -> Result<Told, ProviderError> {
        self.patience.rested()?;
        let mut went = self.patience.learned(self.request(ask).await);
        self.note(ask, went.as_ref().ok());
        let passing = |error: &ProviderError| matches!(error.cause(), Cause::Failing | Cause::Unreachable);
        if went.as_ref().is_err_and(passing) && self.patience.rested().is_ok() {
            tokio::time::sleep(AGAIN).await;
            went = self.patience.learned(self.request(ask).await);
            self.note(ask, went.as_ref().ok());
        }
        match went {
            Ok(told) if told.text.trim().is_empty() => Err(ProviderError::unanswered(Cause::Empty, "nothing was said".into())),
            went => went,
        }
    }

    async fn speak(&self, ask: &Ask<'_>, said: Saying<'_>) -> Result<Told, ProviderError> {
        self.patience.rested()?;
        let body = self.body(ask, true);
        let (mut told, mut stopped) = (Told::default(), None);
        let dialect = self.endpoint.dialect;
        let mut hear = |event: &str| match dialect.piece(event) {
            Ok(Some(Piece { text, spent, stopped: why })) => {
                told.spent = Spent { requests: 0, read: told.spent.read.max(spent.read), written: told.spent.written.max(spent.written) };
                if !text.is_empty() && stopped.is_none() {
                    said(&text);
                    told.text.push_str(&text);
                }
                stopped = stopped.or(why);
            }
            Ok(None) => {}
            Err(error) => stopped = stopped.or(Some(error.cause())),
        };
        let went = self.wire.stream(&self.post(ask, &body, true), &mut hear).await;
        let went = went.and_then(|answer| match answer.status {
            200 if answer.body.is_empty() => Ok(None),
            200 => serde_json::from_slice(&answer.body).map(Some).map_err(|_| unreadable()),
            _ => Err(self.patience.failed(&answer, self.endpoint.key.as_ref())),
        });
        // A server that does not stream answers whole.
        let went = self.patience.learned(went).and_then(|whole: Option<Value>| whole.map(|whole| dialect.told(&whole)).transpose());
        if let Ok(Some(whole)) = &went {
            said(&whole.text);
            told = whole.clone();
        }
        self.note(ask, Some(&told));
        // What was heard already cannot be taken back: an answer that breaks off is the answer.
        match (went, stopped) {
            _ if !told.text.trim().is_empty() => Ok(told),
            (Err(error), _) => Err(error),
            (_, Some(cause)) => Err(ProviderError::unanswered(cause, "the model stopped".into())),
            _ => Err(ProviderError::unanswered(Cause::Empty, "nothing was said".into())),
        }
    }
}
