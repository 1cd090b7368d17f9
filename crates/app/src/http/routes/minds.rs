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

/// A mind.
#[derive(Serialize, ToSchema)]
pub(crate) struct Mind {
    id: String,
    /// `user/character[/work]`, percent-encoded where a name holds a slash.
    key: String,
    user: String,
    character: String,
    work: String,
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Exchanges lived through.
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

/// A mind and how much is in it.
#[derive(Serialize, ToSchema)]
pub(crate) struct MindWithCounts {
    #[serde(flatten)]
    mind: Mind,
    /// Memories by zone, from the centre outward.
    #[schema(value_type = std::collections::BTreeMap<String, u64>)]
    zones: serde_json::Map<String, serde_json::Value>,
    /// Memories by tier.
    #[schema(value_type = std::collections::BTreeMap<String, u64>)]
    tiers: serde_json::Map<String, serde_json::Value>,
    on_cliff: u64,
    links: u64,
    /// Entries of the ledger.
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
    /// Give it back for the next page; none after the last.
    next_cursor: Option<String>,
}

/// Who remembers whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMind {
    /// The person the memories are about.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    user: String,
    /// The character that remembers.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    character: String,
    /// The work both belong to.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    )]
    work: Option<String>,
}

/// The minds this key opens
#[utoipa::path(get, path = "/v1/minds", tag = "minds", params(Paged), responses(
    (status = 200, body = Minds),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn list(State(server): State<Arc<Server>>, access: Access, Asked(paged): Asked<Paged>) -> Result<Json<Minds>, Problem> {
    let minds = server.engine.minds().await?.into_iter().filter(|mind| access.covers(&mind.key)).collect();
    let (minds, next_cursor) = paged.of(minds, |mind| (0, mind.key.to_string()))?;
    Ok(Json(Minds { minds: minds.iter().map(Mind::from).collect(), next_cursor }))
}

/// Begin a mind; one that is there already stays as it is
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

/// A mind and how much is in it
#[utoipa::path(get, path = "/v1/minds/{mind}", tag = "minds", params(("mind" = String, Path, description = "Its id or key")), responses(
    (status = 200, body = MindWithCounts),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn show(Known(mind): Known) -> Result<Json<MindWithCounts>, Problem> {
    Ok(Json(MindWithCounts::of(&mind.mind().await?, &mind.counts().await?)))
}

/// What was erased.
#[derive(Serialize, ToSchema)]
pub(crate) struct Erased {
    /// Memories, those that were put away included.
    memories: u64,
    turns: u64,
    facts: u64,
    links: u64,
    vectors: u64,
    /// Whether no byte of it is left in the file; false while an old reader still holds a page.
    swept: bool,
}

/// Erase everything of a mind but its ledger, at once and for good
#[utoipa::path(delete, path = "/v1/minds/{mind}", tag = "minds", params(("mind" = String, Path, description = "Its id or key")), responses(
    (status = 200, body = Erased),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn erase(Known(mind): Known) -> Result<Json<Erased>, Problem> {
    let erased = mind.erase().await?;
    let saegim_engine::Erased { memories, turns, facts, links, vectors, swept } = erased;
    Ok(Json(Erased { memories, turns, facts, links, vectors, swept }))
}
