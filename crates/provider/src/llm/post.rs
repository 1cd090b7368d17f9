//! One HTTP request to a model, with limits on connect time, response time and response size.

use std::ops::ControlFlow;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderValue;
use hyper::{Method, Request, Response};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use saegim_core::Cause;
use serde_json::Value;

use crate::web::retry_after;
use crate::{ProviderError, Secret};

/// Connect timeout.
const CONNECTING: Duration = Duration::from_secs(5);

/// Default maximum size of an answer in bytes.
pub(crate) const LARGEST: usize = 512 * 1024;

/// Size limit of a stream as a multiple of the plain limit, because every token is wrapped in an event.
const STREAMS: usize = 8;

/// Callback for stream events. Returns `Break` to stop the stream.
pub(crate) type Hearing<'a> = &'a mut (dyn FnMut(&str) -> ControlFlow<()> + Send);

/// A request header; the value may be a secret.
pub(crate) enum Header<'a> {
    Plain(&'static str, &'a str),
    Secret(&'static str, &'static str, &'a Secret),
}

/// A POST request and its limits.
pub(crate) struct Post<'a> {
    pub(crate) url: String,
    pub(crate) headers: Vec<Header<'a>>,
    pub(crate) body: &'a Value,
    /// Timeout of the whole request.
    pub(crate) within: Duration,
    /// Maximum time without data in a stream, at its start and between events.
    pub(crate) silence: Duration,
    /// Maximum size of the answer in bytes.
    pub(crate) largest: usize,
}

/// A complete response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Back-off requested by the server.
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Vec<u8>,
}

/// Pooled connections to model servers. Connects on the first request.
#[derive(Clone)]
pub(crate) struct Wire(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Wire {
    pub(crate) fn new() -> Self {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECTING));
        connector.enforce_http(false);
        let connector = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().wrap_connector(connector);
        Self(Client::builder(TokioExecutor::new()).pool_idle_timeout(Duration::from_secs(30)).build(connector))
    }

    async fn begin(&self, post: &Post<'_>) -> Result<Response<Incoming>, ProviderError> {
        let unaccepted = |why: String| ProviderError::unanswered(Cause::Unaccepted, why);
        let mut request = Request::builder().method(Method::POST).uri(&post.url).header("content-type", "application/json");
        for header in &post.headers {
            let (name, value) = match header {
                Header::Plain(name, value) => (name, HeaderValue::from_str(value)),
                Header::Secret(name, before, secret) => (name, HeaderValue::from_str(&format!("{before}{}", secret.reveal()))),
            };
            let mut value = value.map_err(|_| unaccepted(format!("the {name} header cannot be sent")))?;
            value.set_sensitive(matches!(header, Header::Secret(..)));
            request = request.header(*name, value);
        }
        let body = Full::new(Bytes::from(post.body.to_string()));
        let request = request.body(body).map_err(|error| unaccepted(format!("the address cannot be used: {error}")))?;
        // The source error names the cause and contains no header.
        self.0.request(request).await.map_err(|error| {
            let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            ProviderError::unanswered(Cause::Unreachable, why)
        })
    }

    /// Sends the request and reads the complete response.
    pub(crate) async fn send(&self, post: &Post<'_>) -> Result<Answer, ProviderError> {
        let whole = async {
            let response = self.begin(post).await?;
            let (status, retry_after) = (response.status().as_u16(), retry_after(response.headers()));
            let body = read(response.into_body(), post.largest).await?;
            Ok(Answer { status, retry_after, body })
        };
        tokio::time::timeout(post.within, whole).await.unwrap_or_else(|_| Err(late(post.within)))
    }

    /// Sends the request and passes each stream event to the callback until the stream ends or the callback stops it. A
    /// response that is not a stream is returned complete.
    pub(crate) async fn stream(&self, post: &Post<'_>, event: Hearing<'_>) -> Result<Answer, ProviderError> {
        let silence = post.silence;
        let whole = async {
            let response = tokio::time::timeout(silence, self.begin(post)).await.unwrap_or_else(|_| Err(late(silence)))?;
            let (status, retry_after) = (response.status().as_u16(), retry_after(response.headers()));
            let streams = response.headers().get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
            if status != 200 || !streams {
                let body = read(response.into_body(), post.largest).await?;
                return Ok(Answer { status, retry_after, body });
            }
            let (mut body, mut held, mut total) = (response.into_body(), Vec::new(), 0);
            loop {
                let frame = tokio::time::timeout(silence, body.frame()).await.map_err(|_| late(silence))?;
                let Some(frame) = frame else { break };
                let Ok(data) = frame.map_err(cut_off)?.into_data() else { continue };
                total += data.len();
                if total > post.largest * STREAMS {
                    return Err(endless(post.largest * STREAMS));
                }
                held.extend_from_slice(&data);
                while let Some(end) = held.iter().position(|byte| *byte == b'\n') {
                    let line: Vec<u8> = held.drain(..=end).collect();
                    let line = std::str::from_utf8(&line).map_err(|_| unreadable())?;
                    if line.strip_prefix("data:").is_some_and(|data| event(data.trim()).is_break()) {
                        return Ok(Answer { status, retry_after, body: Vec::new() });
                    }
                }
            }
            Ok(Answer { status, retry_after, body: Vec::new() })
        };
        tokio::time::timeout(post.within, whole).await.unwrap_or_else(|_| Err(late(post.within)))
    }
}

async fn read(mut body: Incoming, largest: usize) -> Result<Vec<u8>, ProviderError> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(cut_off)?.into_data() {
            bytes.extend_from_slice(&data);
        }
        if bytes.len() > largest {
            return Err(endless(largest));
        }
    }
    Ok(bytes)
}

fn late(within: Duration) -> ProviderError {
    ProviderError::unanswered(Cause::TimedOut, format!("no answer within {} s", within.as_secs_f32()))
}

fn endless(largest: usize) -> ProviderError {
    ProviderError::unanswered(Cause::Endless, format!("more than {} kB", largest / 1024))
}

fn cut_off(error: hyper::Error) -> ProviderError {
    ProviderError::unanswered(Cause::Unreachable, format!("connection lost: {error}"))
}

pub(crate) fn unreadable() -> ProviderError {
    ProviderError::unanswered(Cause::Garbled, "the answer is not text".into())
}
