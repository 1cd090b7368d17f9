//! Idempotency: a repeated write with the same `Idempotency-Key` returns the stored response and is not executed again.
//!
//! Covers every write except turns and memories, which store the key with their data. A request is identified by
//! caller, mind, method, address and body; its response is stored for a day in the same database. A request is recorded
//! before it runs, and it runs to completion even if the client disconnects, so a client that lost the response can ask
//! again. Its commits are recorded under the key in the same transaction: if the server exited before it responded, a
//! retry returns what was written, or executes the request if nothing was.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use saegim_core::{Hash, MindId, MindKey, phrase};
use saegim_engine::{EarlierRequest, RecordedResponse, Request as Asked};

use super::access::Access;
use super::connection::detached_tasks;
use super::problem::{LISTED, Problem, SPOKEN};
use super::routes::{LARGEST_BODY, idempotency};
use super::{Server, spoken};
use crate::shapes::Entry;

/// Response extension: names a field with a secret that is shown only once. A repeated response omits it.
#[derive(Clone, Copy)]
pub(super) struct ShownOnce(pub(super) &'static str);

/// Routes that store the key with their own data.
const KEEP_THEIR_OWN: [&str; 4] = ["/v1/minds/{mind}/turns", "/v1/minds/{mind}/memories", "/v1/minds/{mind}/chat", "/v1/chat/completions"];

/// Routes that only read although they use POST.
const READ: [&str; 7] = [
    "/v3/memories/search/",
    "/v3/memories/",
    "/v2/memories/search/",
    "/v2/memories/",
    "/search",
    "/store/items/search",
    "/store/namespaces",
];

/// Returns the stored response of a repeated request; otherwise runs the request and stores its response.
pub(super) async fn once(
    State(server): State<Arc<Server>>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Response {
    let params = match params {
        Ok(params) => params,
        Err(rejection) => return Problem::from(rejection).into_response(),
    };
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let own = (KEEP_THEIR_OWN.contains(&route) || READ.contains(&route)) && *request.method() == Method::POST;
    // Unauthenticated requests are passed on; their handler refuses them.
    let access = request.extensions().get::<Access>().cloned();
    let (Some(access), true, false) = (access, writes, own) else { return next.run(request).await };
    match idempotency(request.headers()) {
        Ok(Some(key)) => answered(&server, (access, key), (params, request), next).await.unwrap_or_else(IntoResponse::into_response),
        Ok(None) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

async fn answered(
    server: &Arc<Server>,
    (access, key): (Access, String),
    (params, request): (RawPathParams, Request),
    next: Next,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, LARGEST_BODY).await.map_err(|_| Problem::cut_off())?;
    let address = parts.uri.path_and_query().map_or("", |address| address.as_str());
    let mut asked = [parts.method.as_str().as_bytes(), b" ", address.as_bytes(), b"\n", &body].concat();
    // Some compatible APIs select the mind with headers.
    for name in ["x-saegim-user", "x-saegim-character", "x-saegim-work"] {
        for value in parts.headers.get_all(name) {
            asked.extend([b"\n", name.as_bytes(), value.as_bytes()].concat());
        }
    }
    let digest = Hash::of(&asked);
    let asked = Asked { who: access.name().to_owned(), mind: mind_of(server, &params, &parts).await?, key, digest };
    let at_work = server.at_work.begin(&asked);
    let earlier = if at_work.is_some() { server.engine.ask(&asked).await? } else { EarlierRequest::Unanswered };
    match earlier {
        EarlierRequest::Never => {}
        EarlierRequest::Wrote(first, last) => return written(server, (access, &asked), first..=last).await,
        EarlierRequest::Answered(answer) => return Ok(repeated(answer)),
        EarlierRequest::Another => {
            return Err(conflict(phrase!("http.idempotency.key_reused")).with_hint(phrase!("http.idempotency.use_new_key")));
        }
        EarlierRequest::Unanswered => {
            return Err(conflict(phrase!("http.idempotency.in_progress")).with_hint(phrase!("http.idempotency.retry_later")));
        }
        EarlierRequest::Blanked => {
            return Err(conflict(phrase!("http.idempotency.result_deleted")).with_hint(phrase!("http.idempotency.read_current_state")));
        }
    }
    let (server, language, listed) = (Arc::clone(server), spoken(), LISTED.try_with(Clone::clone).unwrap_or_default());
    parts.extensions.insert(asked.clone());
    let work = async move {
        let _at_work = at_work;
        let response = next.run(Request::from_parts(parts, Body::from(body))).await;
        kept(&server, &asked, response).await
    };
    detached_tasks::finish(SPOKEN.scope(language, LISTED.scope(listed, work))).await.unwrap_or_else(|_| Err(Problem::broken()))
}

/// Requests this server is processing. A concurrent duplicate gets a 409 problem.
#[derive(Clone, Default)]
pub(super) struct AtWork(Arc<Mutex<HashSet<Name>>>);

/// Caller, mind and idempotency key.
type Name = (String, Option<MindId>, String);

/// A request in progress. Removes itself on drop.
struct Begun(AtWork, Name);

impl AtWork {
    fn begin(&self, asked: &Asked) -> Option<Begun> {
        let name = (asked.who.clone(), asked.mind, asked.key.clone());
        let new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
        new.then(|| Begun(self.clone(), name))
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// Responds to a retry of a request that committed but whose server exited before it sent the response. Returns 202
/// with the ledger entries it wrote, because the original response is lost.
async fn written(server: &Server, (access, asked): (Access, &Asked), wrote: std::ops::RangeInclusive<u64>) -> Result<Response, Problem> {
    let key = match asked.mind {
        Some(id) => server.engine.key_of_mind(id).await?,
        None => None,
    };
    let mut entries = Vec::new();
    if let Some(key) = key {
        let mind = access.known_mind(server, &key).await?;
        // The range may contain entries of other requests. A caller who may not read the ledger gets no entries.
        let page = mind.ledger(wrote.start().saturating_sub(1), 100).await.unwrap_or_default();
        entries.extend(page.iter().filter(|(entry, _)| wrote.contains(&entry.sequence)).map(|(entry, _)| Entry::from(entry)));
    }
    let body = serde_json::json!({ "written": true, "entries": entries }).to_string().into_bytes();
    Ok(repeated(RecordedResponse { status: StatusCode::ACCEPTED.as_u16(), tag: None, body }))
}

fn conflict(what: saegim_core::Phrase) -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", what)
}

/// Returns the id of the mind named in the path, if it exists. Returns `None` for routes that may create the mind, so
/// that the request has the same identity before and after.
async fn mind_of(server: &Server, params: &RawPathParams, parts: &Parts) -> Result<Option<MindId>, Problem> {
    let begins = parts.uri.path().ends_with("/memory-tool");
    let Some((_, named)) = params.iter().find(|(name, _)| *name == "mind" && !begins) else { return Ok(None) };
    if let Ok(id) = MindId::parse(named) {
        return Ok(server.engine.key_of_mind(id).await?.map(|_| id));
    }
    let Ok(key) = MindKey::parse(named) else { return Ok(None) };
    Ok(server.engine.existing_mind(&key).await?.map(|mind| mind.id()))
}

/// Stores a successful response. Any other response frees the key.
async fn kept(server: &Server, asked: &Asked, response: Response) -> Result<Response, Problem> {
    if !response.status().is_success() {
        server.engine.answer(asked, None).await?;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.map_err(|_| Problem::broken())?;
    let tag = parts.headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
    let said = match parts.extensions.get::<ShownOnce>() {
        Some(ShownOnce(secret)) => without(&body, secret),
        None => body.to_vec(),
    };
    server.engine.answer(asked, Some(RecordedResponse { status: parts.status.as_u16(), tag, body: said })).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// Removes a secret field from a response body.
fn without(body: &Bytes, secret: &str) -> Vec<u8> {
    let mut said: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    if let Some(fields) = said.as_object_mut() {
        fields.remove(secret);
    }
    said.to_string().into_bytes()
}

/// Builds the response from a stored one.
fn repeated(answer: RecordedResponse) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
    if let Some(tag) = answer.tag.and_then(|tag| HeaderValue::try_from(tag).ok()) {
        headers.insert(header::ETAG, tag);
    }
    (status, headers, answer.body).into_response()
}
