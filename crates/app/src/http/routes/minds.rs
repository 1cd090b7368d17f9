//! Minds: list, create, show, erase.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use saegim_core::{Mind as CoreMind, MindKey, Tier, Timestamp, Zone};
use saegim_engine::Counts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::paging::Paged;
use crate::http::access::{Access, Known};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, Body, Server};

/// Mind.
#[derive(Serialize, ToSchema)]
pub(crate) struct Mind {
    id: String,
    /// `user/character[/work]`, percent-encoded where a name contains a slash.
    key: String,
    user: String,
    character: String,
    work: String,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Number of exchanges.
    turns: u64,
}

impl From<&CoreMind> for Mind {
    fn from(mind: &CoreMind) -> Self {
        Self {
            id: mind.id.to_string(),
            key: mind.key.to_string(),
            user: mind.key.user().to_owned(),
            character: mind.key.character().to_owned(),
            work: mind.key.work().to_owned(),
            made_at: mind.made_at,
            turns: mind.turns,
        }
    }
}

/// Mind with counts.
#[derive(Serialize, ToSchema)]
pub(crate) struct MindWithCounts {
    #[serde(flatten)]
    mind: Mind,
    /// Number of memories by zone, from core to cloud.
    #[schema(value_type = std::collections::BTreeMap<String, u64>)]
    zones: serde_json::Map<String, serde_json::Value>,
    /// Number of memories by tier.
    #[schema(value_type = std::collections::BTreeMap<String, u64>)]
    tiers: serde_json::Map<String, serde_json::Value>,
    on_cliff: u64,
    links: u64,
    /// Number of ledger entries.
    entries: u64,
}

impl MindWithCounts {
    fn of(mind: &CoreMind, counts: &Counts) -> Self {
        Self {
            mind: Mind::from(mind),
            zones: Zone::ALL.iter().map(|zone| (zone.to_string(), counts.zones[*zone as usize].into())).collect(),
            tiers: Tier::ALL.iter().map(|tier| (tier.to_string(), counts.tiers[*tier as usize].into())).collect(),
            on_cliff: counts.on_cliff,
            links: counts.links,
            entries: counts.entries,
        }
    }
}

/// Minds.
#[derive(Serialize, ToSchema)]
pub(crate) struct Minds {
    minds: Vec<Mind>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// New mind.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMind {
    /// User the memories are about.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    user: String,
    /// Character that holds the memories.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    character: String,
    /// Work the user and the character belong to.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    work: Option<String>,
}

/// List the minds this key has access to
#[utoipa::path(get, path = "/v1/minds", tag = "minds", params(Paged), responses(
    (status = 200, body = Minds),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn list(State(server): State<Arc<Server>>, access: Access, Asked(paged): Asked<Paged>) -> Result<Json<Minds>, Problem> {
    let minds = server.engine.minds().await?.into_iter().filter(|mind| access.covers(&mind.key)).collect();
    let (minds, next_cursor) = paged.of(minds, |mind| (0, mind.key.to_string()))?;
    Ok(Json(Minds { minds: minds.iter().map(Mind::from).collect(), next_cursor }))
}

/// Create a mind; an existing one is returned unchanged
#[utoipa::path(post, path = "/v1/minds", tag = "minds", request_body = NewMind, responses(
    (status = 201, body = MindWithCounts),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn begin(
    State(server): State<Arc<Server>>,
    access: Access,
    Body(body): Body<NewMind>,
) -> Result<(StatusCode, Json<MindWithCounts>), Problem> {
    let key = MindKey::in_work(&body.user, &body.character, body.work.as_deref().unwrap_or(MindKey::DEFAULT_WORK))?;
    let mind = access.mind(&server, key).await?;
    Ok((StatusCode::CREATED, Json(MindWithCounts::of(&mind.mind().await?, &mind.counts().await?))))
}

/// Get a mind and its counts
#[utoipa::path(get, path = "/v1/minds/{mind}", tag = "minds", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = MindWithCounts),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Known(mind): Known) -> Result<Json<MindWithCounts>, Problem> {
    Ok(Json(MindWithCounts::of(&mind.mind().await?, &mind.counts().await?)))
}

/// Counts of erased data.
#[derive(Serialize, ToSchema)]
pub(crate) struct Erased {
    /// Number of memories, archived ones included.
    memories: u64,
    turns: u64,
    facts: u64,
    links: u64,
    vectors: u64,
    /// Whether all bytes are removed from the file; false while another process still reads an old page.
    swept: bool,
}

/// Erase all data of a mind except its ledger, immediately and permanently
#[utoipa::path(delete, path = "/v1/minds/{mind}", tag = "minds", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = Erased),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn erase(Known(mind): Known) -> Result<Json<Erased>, Problem> {
    let erased = mind.erase().await?;
    let saegim_engine::Erased { memories, turns, facts, links, vectors, swept } = erased;
    Ok(Json(Erased { memories, turns, facts, links, vectors, swept }))
}
