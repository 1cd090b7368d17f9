//! Keys, health and metrics.

/// Health checks.
pub(super) mod doctor;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use saegim_core::{AccessKey, MindPattern, Principal, Timestamp, phrase};
use saegim_engine::Progress;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::access::Access;
use crate::http::idempotency::ShownOnce;
use crate::http::metrics::MEDIA_TYPE;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::routes::paging::{Paged, latest_first};
use crate::http::{Asked, At, Body, Server};
use crate::shapes::{patterns, principals};

/// API key without its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct Key {
    id: String,
    #[schema(schema_with = principals)]
    principal: Principal,
    /// Minds it gives access to.
    minds: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    revoked_at: Option<Timestamp>,
    /// The key itself; shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

impl Key {
    fn of(key: &AccessKey, written: Option<String>) -> Self {
        Self {
            id: key.id.clone(),
            principal: key.principal,
            minds: key.minds.iter().map(ToString::to_string).collect(),
            made_at: key.made_at,
            revoked_at: key.revoked_at,
            key: written,
        }
    }
}

/// API keys.
#[derive(Serialize, ToSchema)]
pub(crate) struct Keys {
    keys: Vec<Key>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// New API key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewKey {
    #[schema(schema_with = principals)]
    principal: Principal,
    /// Which minds it opens: `user/character[/work]` with `*` for any name; all otherwise.
    #[schema(schema_with = patterns)]
    #[serde(default)]
    minds: Vec<String>,
}

/// List API keys without their secrets; only keys within the access of the calling key
#[utoipa::path(get, path = "/v1/keys", tag = "operate", params(Paged), responses(
    (status = 200, body = Keys),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn keys(State(server): State<Arc<Server>>, access: Access, Asked(paged): Asked<Paged>) -> Result<Json<Keys>, Problem> {
    access.operates()?;
    let keys = server.engine.keys().await?.into_iter().filter(|key| access.minds_key(key)).collect();
    let (keys, next_cursor) = paged.of(keys, |key: &AccessKey| (latest_first(key.made_at), key.id.clone()))?;
    Ok(Json(Keys { keys: keys.iter().map(|key| Key::of(key, None)).collect(), next_cursor }))
}

/// Create an API key; it is shown once
#[utoipa::path(post, path = "/v1/keys", tag = "operate", request_body = NewKey, responses(
    (status = 201, body = Key),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn make_key(
    State(server): State<Arc<Server>>,
    access: Access,
    Body(body): Body<NewKey>,
) -> Result<(StatusCode, Extension<ShownOnce>, Json<Key>), Problem> {
    access.operates()?;
    let minds = body.minds.iter().map(|pattern| MindPattern::parse(pattern)).collect::<Result<Vec<_>, _>>()?;
    access.may_give(body.principal, &minds)?;
    let (key, written) = server.engine.make_key(body.principal, minds).await?;
    Ok((StatusCode::CREATED, Extension(ShownOnce("key")), Json(Key::of(&key, Some(written)))))
}

#[derive(Deserialize)]
pub(crate) struct OneOf {
    id: String,
}

/// Revoke an API key immediately
#[utoipa::path(delete, path = "/v1/keys/{id}", tag = "operate", params(("id" = String, Path, description = "Public id of the key")), responses(
    (status = 200, body = Key),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn revoke_key(State(server): State<Arc<Server>>, access: Access, At(at): At<OneOf>) -> Result<Json<Key>, Problem> {
    access.operates()?;
    let keys = server.engine.keys().await?;
    if !keys.iter().any(|key| key.id == at.id && access.minds_key(key)) {
        return Err(Problem::not_found(phrase!("http.operate.key_not_found", id = at.id)));
    }
    Ok(Json(Key::of(&server.engine.revoke_key(&at.id).await?, None)))
}

/// Health of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`, or `lost` if the database file was deleted, replaced or cut off while it was open.
    status: String,
    version: String,
    /// Embedding progress; only for keys with access to the whole server.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding: Option<Embedding>,
}

/// Number of memories with a vector of the current embedder, over all minds. Memories without one are found by keyword.
#[derive(Serialize, ToSchema)]
pub(crate) struct Embedding {
    embedder: String,
    memories: u64,
    embedded: u64,
    /// Time of the count; it is updated in the background.
    #[schema(value_type = String, format = DateTime)]
    counted_at: Timestamp,
}

/// Check the server and the embedding progress
#[utoipa::path(get, path = "/health", tag = "operate", responses(
    (status = 200, body = Health),
    (status = 503, description = "The database file is lost: nothing is acknowledged any more", body = Health),
))]
pub(crate) async fn health(State(server): State<Arc<Server>>, headers: HeaderMap) -> (StatusCode, Json<Health>) {
    let version = env!("CARGO_PKG_VERSION").into();
    if let Err(error) = server.engine.check_file() {
        crate::view::tell(format!("saegim: {error}"));
        return (StatusCode::SERVICE_UNAVAILABLE, Json(Health { status: "lost".into(), version, embedding: None }));
    }
    let runs_all = server.access(&headers).await.is_ok_and(|access| access.runs_all().is_ok());
    let progress = if runs_all { server.engine.progress().await } else { None };
    let embedding =
        progress.map(|Progress { embedder, memories, embedded, counted_at }| Embedding { embedder, memories, embedded, counted_at });
    (StatusCode::OK, Json(Health { status: "ok".into(), version, embedding }))
}

/// Get metrics for Prometheus, in the OpenMetrics text format
#[utoipa::path(get, path = "/metrics", tag = "operate", responses(
    (status = 200, body = String, content_type = "application/openmetrics-text"),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn metrics(State(server): State<Arc<Server>>, access: Access) -> Result<Response, Problem> {
    access.runs_all()?;
    let minds = server.engine.minds().await?.len();
    Ok(([(header::CONTENT_TYPE, MEDIA_TYPE)], server.metrics.text(minds)).into_response())
}
