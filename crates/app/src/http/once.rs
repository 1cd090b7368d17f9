//! Twice is once: a write that comes again under its `Idempotency-Key` is answered as it was, and not done again.
//!
//! One mechanism for every write but those that take turns and memories, which keep their key with what they wrote. Who
//! asks, the mind, method, address and body make a request; what was answered is kept for a day in the same file. A
//! request is taken down before it is carried out and carried out to its end whoever leaves meanwhile, so a client that
//! lost the answer and asks again is told what became of it. What it writes is taken down in the same commit: where the
//! server ended before it could answer, whoever asks again hears what was written, or it is done now if nothing was.

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
use saegim_engine::{Answer, Earlier, Request as Asked};

use super::access::Access;
use super::problem::{LISTED, Problem, SPOKEN};
use super::routes::{LARGEST_BODY, idempotency};
use super::{Server, spoken, unfinished};
use crate::shapes::Entry;

/// Says that a field of this answer is a secret that is shown this once: whoever asks again gets the rest.
#[derive(Clone, Copy)]
pub(super) struct ShownOnce(pub(super) &'static str);

/// Routes that keep the key with what they write.
const KEEP_THEIR_OWN: [&str; 4] = ["/v1/minds/{mind}/turns", "/v1/minds/{mind}/memories", "/v1/minds/{mind}/chat", "/v1/chat/completions"];

/// Routes that read, though they are posted to.
const READ: [&str; 7] = [
    "/v3/memories/search/",
    "/v3/memories/",
    "/v2/memories/search/",
    "/v2/memories/",
    "/search",
    "/store/items/search",
    "/store/namespaces",
];

/// Answers what was answered before; carries out and keeps what was not.
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
    // Whoever is nobody is told so by what they ask for.
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
    // Some doors are told by headers whom they mean.
    for name in ["x-saegim-user", "x-saegim-character", "x-saegim-work"] {
        for value in parts.headers.get_all(name) {
            asked.extend([b"\n", name.as_bytes(), value.as_bytes()].concat());
        }
    }
    let digest = Hash::of(&asked);
    let asked = Asked { who: access.name().to_owned(), mind: mind_of(server, &params, &parts).await?, key, digest };
    let at_work = server.at_work.begin(&asked);
    let earlier = if at_work.is_some() { server.engine.ask(&asked).await? } else { Earlier::Unanswered };
    match earlier {
        Earlier::Never => {}
        Earlier::Wrote(first, last) => return written(server, (access, &asked), first..=last).await,
        Earlier::Answered(answer) => return Ok(repeated(answer)),
        Earlier::Another => {
            return Err(conflict(phrase!(
                "the idempotency key was used for a different request",
                "다른 요청에 이미 사용한 중복 방지 키예요"
            ))
            .with_hint(phrase!("use a new key for a new request", "새 요청에는 새 키를 써 주세요")));
        }
        Earlier::Unanswered => {
            return Err(conflict(phrase!(
                "an earlier request with this idempotency key is still in progress",
                "같은 중복 방지 키로 보낸 요청을 아직 처리하고 있어요"
            ))
            .with_hint(phrase!(
                "retry later; if the server stopped meanwhile, a retry 90 s after the first request runs it",
                "잠시 후 다시 시도해 주세요. 그사이 서버가 종료됐다면 첫 요청에서 90초가 지난 뒤 다시 처리해요"
            )));
        }
        Earlier::Blanked => {
            return Err(conflict(phrase!(
                "this request was already processed; its response was deleted together with data erased since",
                "이미 처리한 요청이에요. 그 뒤에 삭제된 데이터와 함께 응답도 삭제됐어요"
            ))
            .with_hint(phrase!("read the current state instead", "현재 상태를 다시 조회해 주세요")));
        }
    }
    let (server, language, listed) = (Arc::clone(server), spoken(), LISTED.try_with(Clone::clone).unwrap_or_default());
    parts.extensions.insert(asked.clone());
    let work = async move {
        let _at_work = at_work;
        let response = next.run(Request::from_parts(parts, Body::from(body))).await;
        kept(&server, &asked, response).await
    };
    unfinished::finish(SPOKEN.scope(language, LISTED.scope(listed, work))).await.unwrap_or_else(|_| Err(Problem::broken()))
}

/// Requests this server is at. Whoever sends one of them a second time is told to wait.
#[derive(Clone, Default)]
pub(super) struct AtWork(Arc<Mutex<HashSet<Name>>>);

/// Who asks, about which mind, under which key.
type Name = (String, Option<MindId>, String);

/// One of them, until it is answered.
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

/// What is known of a request whose server ended after it had written and before it could answer: 202, because what it
/// would have answered is not known any more, and what it wrote.
async fn written(server: &Server, (access, asked): (Access, &Asked), wrote: std::ops::RangeInclusive<u64>) -> Result<Response, Problem> {
    let key = match asked.mind {
        Some(id) => server.engine.key_of_mind(id).await?,
        None => None,
    };
    let mut entries = Vec::new();
    if let Some(key) = key {
        let mind = access.known_mind(server, &key).await?;
        // Others may have written between; whoever may not read the ledger hears only that it was done.
        let page = mind.ledger(wrote.start().saturating_sub(1), 100).await.unwrap_or_default();
        entries.extend(page.iter().filter(|(entry, _)| wrote.contains(&entry.sequence)).map(|(entry, _)| Entry::from(entry)));
    }
    let body = serde_json::json!({ "written": true, "entries": entries }).to_string().into_bytes();
    Ok(repeated(Answer { status: StatusCode::ACCEPTED.as_u16(), tag: None, body }))
}

fn conflict(what: saegim_core::Phrase) -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", what)
}

/// The mind a path names, if it has begun; none where asking can begin it, so that it is the same request before and after.
async fn mind_of(server: &Server, params: &RawPathParams, parts: &Parts) -> Result<Option<MindId>, Problem> {
    let begins = parts.uri.path().ends_with("/memory-tool");
    let Some((_, named)) = params.iter().find(|(name, _)| *name == "mind" && !begins) else { return Ok(None) };
    if let Ok(id) = MindId::parse(named) {
        return Ok(server.engine.key_of_mind(id).await?.map(|_| id));
    }
    let Ok(key) = MindKey::parse(named) else { return Ok(None) };
    Ok(server.engine.existing_mind(&key).await?.map(|mind| mind.id()))
}

/// Keeps an answer; where nothing was done the key is free again.
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
    server.engine.answer(asked, Some(Answer { status: parts.status.as_u16(), tag, body: said })).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// An answer without its secret.
fn without(body: &Bytes, secret: &str) -> Vec<u8> {
    let mut said: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    if let Some(fields) = said.as_object_mut() {
        fields.remove(secret);
    }
    said.to_string().into_bytes()
}

/// What was answered, once more.
fn repeated(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
    if let Some(tag) = answer.tag.and_then(|tag| HeaderValue::try_from(tag).ok()) {
        headers.insert(header::ETAG, tag);
    }
    (status, headers, answer.body).into_response()
}
