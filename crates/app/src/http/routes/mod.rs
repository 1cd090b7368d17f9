//! Routes of the API.

/// The ledger, live events and export.
mod audit;
/// Proposals and imaginations.
mod inbox;
/// Facts, relationship, mood and timeline.
mod known;
/// Memories and recall.
mod memories;
/// Minds.
mod minds;
/// Keys, health and metrics.
mod operate;
/// Runs of personas.
mod orchestrations;
/// Islands, the self and SOUL.md.
mod own;
/// Pagination.
mod paging;
/// People and statements.
mod people;
/// Zones and the cliff.
mod places;
/// Recall.
mod recall;
/// Turns, context and chat.
mod talk;
/// The thinker and its jobs.
mod thinker;
/// Webhooks.
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

use super::pages::openapi::{self, Beginning};
use super::pages::page;
use super::problem::Problem;
use super::{Server, compat, idempotency, mcp, middleware};
use crate::shapes::LONGEST_LABEL;

pub(crate) use talk::words;

/// Maximum size of a body in bytes, after decompression.
pub(super) const LARGEST_BODY: usize = 2 << 20;

/// Time limit of a request that is not a stream.
const WITHIN: Duration = Duration::from_secs(60);

/// Time limit of a compatible API, which may wait for a model.
const DOORS_WITHIN: Duration = Duration::from_secs(300);

/// Maximum pause while a body is received.
const PAUSE: Duration = Duration::from_secs(10);

/// Becomes true when the server stops; event streams end then.
#[derive(Clone)]
pub(crate) struct Stopping(pub(crate) watch::Receiver<bool>);

/// Returns all documented routes and their OpenAPI document.
pub(crate) fn documented() -> (Router<Arc<Server>>, Document) {
    let quick = OpenApiRouter::with_openapi(Beginning::openapi())
        .routes(routes!(minds::list, minds::begin))
        .routes(routes!(minds::show, minds::erase))
        .routes(routes!(memories::list, memories::remember))
        .routes(routes!(memories::show, memories::edit, memories::forget))
        .routes(routes!(memories::history))
        .routes(routes!(memories::restore))
        .routes(routes!(recall::recall))
        .routes(routes!(talk::context))
        .routes(routes!(talk::turns, talk::observe))
        .routes(routes!(talk::turn, talk::reword, talk::withdraw))
        .routes(routes!(known::facts, known::state, known::end))
        .routes(routes!(people::people))
        .routes(routes!(people::person))
        .routes(routes!(people::confirm))
        .routes(routes!(people::remove))
        .routes(routes!(known::relationship))
        .routes(routes!(known::mood))
        .routes(routes!(known::timeline))
        .routes(routes!(places::zones_of))
        .routes(routes!(places::rebalance))
        .routes(routes!(places::tick))
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
        .routes(routes!(audit::ledger, orchestrations::evaluate))
        .routes(routes!(orchestrations::show))
        .routes(routes!(audit::verify))
        .routes(routes!(audit::export))
        .routes(routes!(audit::import))
        .routes(routes!(webhooks::list, webhooks::add))
        .routes(routes!(webhooks::end))
        .routes(routes!(operate::keys, operate::make_key))
        .routes(routes!(operate::revoke_key))
        .routes(routes!(operate::health))
        .routes(routes!(operate::doctor::doctor))
        .routes(routes!(thinker::thinker, thinker::choose))
        .routes(routes!(thinker::try_it))
        .routes(routes!(thinker::jobs))
        .routes(routes!(operate::metrics))
        .layer(from_fn(|request: Request, next: Next| within(WITHIN, request, next)));
    let streams = OpenApiRouter::new()
        .routes(routes!(talk::chat))
        .routes(routes!(audit::events))
        .routes(routes!(orchestrations::list, orchestrations::orchestrate));
    let (router, document) = quick.merge(streams).split_for_parts();
    (router, document)
}

/// Returns the router of the whole server.
pub(crate) fn router(server: &Arc<Server>, stopping: watch::Receiver<bool>) -> Router {
    let (router, document) = documented();
    // Serialized once; all responses share the same bytes.
    let contract = Bytes::from(serde_json::to_string_pretty(&openapi::finished(document)).expect("a contract is plain data"));
    router
        .merge(compat::router().layer(from_fn(patiently)))
        .route_layer(from_fn_with_state(Arc::clone(server), idempotency::once))
        .merge(mcp::router().layer(from_fn(patiently)))
        .merge(page::router())
        .route("/openapi.json", get(move || async move { ([(axum::http::header::CONTENT_TYPE, "application/json")], contract) }))
        .route("/docs", get(openapi::page))
        .route("/docs/script.js", get(openapi::script))
        .route("/docs/style.css", get(openapi::style))
        .fallback(|| async { Problem::not_found(phrase!("http.routes.not_found")) })
        .method_not_allowed_fallback(|| async {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", phrase!("http.routes.method_not_allowed"))
        })
        .layer(axum::Extension(Stopping(stopping)))
        .layer(from_fn_with_state(Arc::clone(server), middleware::guard))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(RequestBodyTimeoutLayer::new(PAUSE))
        .layer(RequestDecompressionLayer::new())
        .layer(from_fn(middleware::packed))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| Problem::broken().into_response()))
        .with_state(Arc::clone(server))
}

/// Applies the time limit of compatible APIs.
async fn patiently(request: Request, next: Next) -> Response {
    within(DOORS_WITHIN, request, next).await
}

/// Applies a time limit. Returns a 504 problem if it is exceeded.
async fn within(time: Duration, request: Request, next: Next) -> Response {
    tokio::time::timeout(time, next.run(request)).await.unwrap_or_else(|_| Problem::too_long().into_response())
}

/// Returns the requested limit if it is in the range, or the default.
pub(crate) fn limit(asked: Option<usize>, usual: usize, range: std::ops::RangeInclusive<usize>) -> Result<usize, Problem> {
    let wanted = asked.unwrap_or(usual);
    if range.contains(&wanted) {
        return Ok(wanted);
    }
    let (low, high) = range.into_inner();
    Err(Invalid::new("limit", phrase!("http.routes.out_of_range", low, high)).into())
}

/// Refuses a field with more than `most` entries or with an entry that is too long.
pub(crate) fn short(given: &[String], (field, most): (&'static str, usize)) -> Result<(), Problem> {
    if given.len() <= most && given.iter().all(|text| text.chars().count() <= LONGEST_LABEL) {
        return Ok(());
    }
    let problem = match most {
        1 => phrase!("http.routes.label_too_long", longest_label = LONGEST_LABEL),
        _ => phrase!("http.routes.too_many_labels", most, longest_label = LONGEST_LABEL),
    };
    Err(Invalid::new(field, problem).into())
}

/// Refuses a text that is blank, too long or contains NUL.
pub(crate) fn something(text: String, field: &'static str) -> Result<String, Problem> {
    let length = text.chars().count();
    if is_blank(&text) || text.contains('\0') || length > LONGEST_CONTENT {
        let problem = phrase!("http.routes.text_length", longest_content = LONGEST_CONTENT);
        return Err(Invalid::new(field, problem).into());
    }
    Ok(text)
}

/// Returns the `Idempotency-Key` of a request.
pub(crate) fn idempotency(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let plain = |key: &&str| (1..=200).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = value.to_str().ok().map(str::trim).filter(plain);
    key.map(|key| Some(key.to_owned())).ok_or_else(|| {
        let problem = phrase!("http.routes.idempotency_key_form");
        Invalid::new("idempotency-key", problem).into()
    })
}
