//! What can be asked, and where.

/// The ledger, live events, and a mind written out.
mod audit;
/// Looking everything over.
mod doctor;
/// The owner's inbox, and imagination.
mod inbox;
/// Facts, the relationship, mood and time.
mod known;
/// Single memories, and finding them.
mod memories;
/// Minds themselves.
mod minds;
/// Keys, health, numbers.
mod operate;
/// Islands, the self and SOUL.md.
mod own;
/// Lists, a page at a time.
mod paging;
/// Zones and the cliff.
mod places;
/// Turns, context and chat.
mod talk;
/// Who thinks, and what waits for them.
mod thinker;
/// Who is told what changes.
mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use saegim_core::{Invalid, LONGEST_CONTENT, is_blank, phrase};
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::decompression::RequestDecompressionLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::problem::Problem;
use super::reference::{self, Beginning};
use super::{Server, doors, guard, mcp, once, page};
use crate::shapes::LONGEST_LABEL;

pub(crate) use talk::words;

/// The largest body, after decompression.
pub(super) const LARGEST_BODY: usize = 2 << 20;

/// How long a request that is no stream may take.
const WITHIN: Duration = Duration::from_secs(60);

/// How long a door may take: a model behind it may think for a while.
const DOORS_WITHIN: Duration = Duration::from_secs(300);

/// How long a client may pause within a body.
const PAUSE: Duration = Duration::from_secs(10);

/// When the server is about to stop: streams end then.
#[derive(Clone)]
pub(crate) struct Stopping(pub(crate) watch::Receiver<bool>);

/// Everything the contract speaks of, and the contract.
pub(crate) fn documented() -> (Router<Arc<Server>>, Document) {
    let quick = OpenApiRouter::with_openapi(Beginning::openapi())
        .routes(routes!(minds::list, minds::begin))
        .routes(routes!(minds::show, minds::erase))
        .routes(routes!(memories::list, memories::remember))
        .routes(routes!(memories::show, memories::edit, memories::forget))
        .routes(routes!(memories::history))
        .routes(routes!(memories::restore))
        .routes(routes!(memories::recall))
        .routes(routes!(talk::context))
        .routes(routes!(talk::turns, talk::observe))
        .routes(routes!(talk::turn, talk::reword, talk::withdraw))
        .routes(routes!(known::facts, known::state, known::end))
        .routes(routes!(known::relationship))
        .routes(routes!(known::mood))
        .routes(routes!(known::timeline))
        .routes(routes!(places::zones_of))
        .routes(routes!(places::rebalance))
        .routes(routes!(places::cliff))
        .routes(routes!(own::islands, own::add_island))
        .routes(routes!(own::change_island, own::remove_island))
        .routes(routes!(own::oneself))
        .routes(routes!(own::versions))
        .routes(routes!(own::difference))
        .routes(routes!(own::return_to))
        .routes(routes!(own::soul))
        .routes(routes!(inbox::list, inbox::propose))
        .routes(routes!(inbox::show))
        .routes(routes!(inbox::approve))
        .routes(routes!(inbox::reject))
        .routes(routes!(inbox::undo))
        .routes(routes!(inbox::imaginations, inbox::imagine))
        .routes(routes!(inbox::feedback))
        .routes(routes!(audit::ledger))
        .routes(routes!(audit::verify))
        .routes(routes!(audit::export))
        .routes(routes!(webhooks::list, webhooks::add))
        .routes(routes!(webhooks::end))
        .routes(routes!(operate::keys, operate::make_key))
        .routes(routes!(operate::revoke_key))
        .routes(routes!(operate::health))
        .routes(routes!(doctor::doctor))
        .routes(routes!(thinker::thinker, thinker::choose))
        .routes(routes!(thinker::try_it))
        .routes(routes!(thinker::jobs))
        .routes(routes!(operate::metrics))
        .layer(from_fn(|request: Request, next: Next| within(WITHIN, request, next)));
    let streams = OpenApiRouter::new().routes(routes!(talk::chat)).routes(routes!(audit::events));
    let (router, document) = quick.merge(streams).split_for_parts();
    (router, document)
}

/// The whole server.
pub(crate) fn router(server: &Arc<Server>, stopping: watch::Receiver<bool>) -> Router {
    let (router, document) = documented();
    // Everyone is sent the same bytes, however many ask at once.
    let contract = Bytes::from(serde_json::to_string_pretty(&reference::finished(document)).expect("a contract is plain data"));
    router
        .merge(doors::router().layer(from_fn(patiently)))
        .route_layer(from_fn_with_state(Arc::clone(server), once::once))
        .merge(mcp::router().layer(from_fn(patiently)))
        .merge(page::router())
        .route("/openapi.json", get(move || async move { ([(axum::http::header::CONTENT_TYPE, "application/json")], contract) }))
        .route("/docs", get(reference::page))
        .route("/docs/script.js", get(reference::script))
        .route("/docs/style.css", get(reference::style))
        .fallback(|| async {
            Problem::not_found(phrase!("route not found; see /docs for all routes", "없는 경로예요. 전체 경로는 /docs 에서 볼 수 있어요"))
        })
        .method_not_allowed_fallback(|| async {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method",
                phrase!("method not allowed; see /docs for all routes", "허용하지 않는 메서드예요. 전체 경로는 /docs 에서 볼 수 있어요"),
            )
        })
        .layer(axum::Extension(Stopping(stopping)))
        .layer(from_fn_with_state(Arc::clone(server), guard::guard))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(RequestBodyTimeoutLayer::new(PAUSE))
        .layer(RequestDecompressionLayer::new())
        .layer(from_fn(guard::packed))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| Problem::broken().into_response()))
        .with_state(Arc::clone(server))
}

/// Answers within the time a door may take.
async fn patiently(request: Request, next: Next) -> Response {
    within(DOORS_WITHIN, request, next).await
}

/// Answers within a time, or says that it took too long.
async fn within(time: Duration, request: Request, next: Next) -> Response {
    tokio::time::timeout(time, next.run(request)).await.unwrap_or_else(|_| Problem::too_long().into_response())
}

/// How many are wanted: what was asked for if it lies in the range, or else what is usual.
pub(crate) fn limit(asked: Option<usize>, usual: usize, range: std::ops::RangeInclusive<usize>) -> Result<usize, Problem> {
    let wanted = asked.unwrap_or(usual);
    if range.contains(&wanted) {
        return Ok(wanted);
    }
    let (low, high) = range.into_inner();
    Err(Invalid::new("limit", phrase!("must be a number from {low} to {high}", "{low}에서 {high} 사이의 숫자를 입력해 주세요")).into())
}

/// Refuses names or labels of a field that are more than so many, or longer than a label is.
pub(crate) fn short(given: &[String], (field, most): (&'static str, usize)) -> Result<(), Problem> {
    if given.len() <= most && given.iter().all(|text| text.chars().count() <= LONGEST_LABEL) {
        return Ok(());
    }
    let problem = match most {
        1 => phrase!("must have at most {LONGEST_LABEL} characters", "{LONGEST_LABEL}자까지 입력할 수 있어요"),
        _ => phrase!(
            "must have at most {most} items of at most {LONGEST_LABEL} characters",
            "{most}개까지, 하나에 {LONGEST_LABEL}자까지 입력할 수 있어요"
        ),
    };
    Err(Invalid::new(field, problem).into())
}

/// A text that says something.
pub(crate) fn something(text: String, field: &'static str) -> Result<String, Problem> {
    let length = text.chars().count();
    if is_blank(&text) || text.contains('\0') || length > LONGEST_CONTENT {
        let problem = phrase!(
            "must have 1 to {LONGEST_CONTENT} characters and no NUL character",
            "1~{LONGEST_CONTENT}자로, NUL 문자 없이 입력해 주세요"
        );
        return Err(Invalid::new(field, problem).into());
    }
    Ok(text)
}

/// The caller's key for doing something once.
pub(crate) fn idempotency(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let plain = |key: &&str| (1..=200).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = value.to_str().ok().map(str::trim).filter(plain);
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        let problem = phrase!("must have 1 to 200 ASCII characters without spaces", "공백 없는 ASCII 문자 1~200자로 입력해 주세요");
        Invalid::new("idempotency-key", problem).into()
    })
}
