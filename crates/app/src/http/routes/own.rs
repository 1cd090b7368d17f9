//! Islands, the self and SOUL.md.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use saegim_core::{MemoryId, Proposed, phrase};
use saegim_engine::{IslandDraft, MindHandle};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::{Paged, earliest_first};
use crate::http::access::Known;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, At, Body, Server, spoken};
use crate::shapes::{DiffLine, Island, SelfVersion, lines, whole};

/// Updates the SOUL.md of its mind after a decision of the owner. An error with the file is logged and does not revert
/// the decision.
pub(super) async fn keep_soul(server: &Server, mind: &MindHandle) {
    let Some((key, path)) = &server.soul else { return };
    if key == mind.key()
        && let Err(error) = mind.write_soul(path).await
    {
        crate::view::tell(format!("saegim: SOUL.md: {}", error.phrase()));
    }
}

pub(super) async fn memories_named(mind: &MindHandle, ids: &[String]) -> Result<Vec<MemoryId>, Problem> {
    if ids.len() > 100 {
        return Err(Problem::bad(phrase!("http.own.too_many_memories")));
    }
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.push(mind.resolve(id).await?);
    }
    Ok(found)
}

/// Islands, with warnings for the owner.
#[derive(Serialize, ToSchema)]
pub(crate) struct Islands {
    islands: Vec<Island>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
    /// Shaking islands and the time left.
    warnings: Vec<String>,
}

/// List personality islands and their status
#[utoipa::path(get, path = "/v1/minds/{mind}/islands", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), Paged), responses(
    (status = 200, body = Islands),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn islands(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    Asked(paged): Asked<Paged>,
) -> Result<Json<Islands>, Problem> {
    let policy = &server.engine.policy().island;
    let (islands, next_cursor) = paged.of(mind.islands().await?, |island| (earliest_first(island.made_at), island.id.to_string()))?;
    let islands = islands.iter().map(|island| Island::of(island, policy)).collect();
    let warnings = mind.warnings().await?.iter().map(|warning| warning.in_language(spoken())).collect();
    Ok(Json(Islands { islands, next_cursor, warnings }))
}

/// New or changed island; omitted fields are derived from its memories, or stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewIsland {
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    /// One emoji.
    #[schema(min_length = 1, max_length = 16)]
    emoji: Option<String>,
    #[schema(max_length = 500)]
    description: Option<String>,
    /// Founding core memories.
    #[serde(default)]
    #[schema(max_items = 100)]
    founding: Vec<String>,
}

async fn draft(mind: &MindHandle, body: NewIsland) -> Result<IslandDraft, Problem> {
    let founding = memories_named(mind, &body.founding).await?;
    Ok(IslandDraft { name: body.name, emoji: body.emoji, description: body.description, founding })
}

/// Create an island
#[utoipa::path(post, path = "/v1/minds/{mind}/islands", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = NewIsland, responses(
    (status = 201, body = Island),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn add_island(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    Body(body): Body<NewIsland>,
) -> Result<(StatusCode, Json<Island>), Problem> {
    let island = mind.add_island(draft(&mind, body).await?).await?;
    keep_soul(&server, &mind).await;
    Ok((StatusCode::CREATED, Json(Island::of(&island, &server.engine.policy().island))))
}

#[derive(Deserialize)]
pub(crate) struct OneOf {
    pub(super) id: String,
}

/// Rename or describe an island
#[utoipa::path(patch, path = "/v1/minds/{mind}/islands/{id}", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the island")), request_body = NewIsland, responses(
    (status = 200, body = Island),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn change_island(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    At(at): At<OneOf>,
    Body(body): Body<NewIsland>,
) -> Result<Json<Island>, Problem> {
    let draft = draft(&mind, body).await?;
    let island = mind.change_island(mind.resolve_island(&at.id).await?, draft).await?;
    keep_soul(&server, &mind).await;
    Ok(Json(Island::of(&island, &server.engine.policy().island)))
}

/// Remove an island; its memories stay
#[utoipa::path(delete, path = "/v1/minds/{mind}/islands/{id}", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), ("id" = String, Path, description = "Id of the island")), responses(
    (status = 200, body = Island),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn remove_island(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    At(at): At<OneOf>,
) -> Result<Json<Island>, Problem> {
    let island = mind.remove_island(mind.resolve_island(&at.id).await?).await?;
    keep_soul(&server, &mind).await;
    Ok(Json(Island::of(&island, &server.engine.policy().island)))
}

/// Current self.
#[derive(Serialize, ToSchema)]
pub(crate) struct Oneself {
    /// Latest version; null until a self has formed.
    current: Option<SelfVersion>,
    /// Number of pending proposals.
    waiting: usize,
}

/// Get the character's beliefs about itself and their supporting memories
#[utoipa::path(get, path = "/v1/minds/{mind}/self", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = Oneself),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn oneself(Known(mind): Known) -> Result<Json<Oneself>, Problem> {
    let (version, islands) = (mind.current_self().await?, mind.islands().await?);
    let current = version.map(|version| SelfVersion::of(&version, &islands));
    Ok(Json(Oneself { current, waiting: mind.waiting().await? }))
}

/// Versions of the self, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Versions {
    versions: Vec<SelfVersion>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List all versions of the self
#[utoipa::path(get, path = "/v1/minds/{mind}/self/versions", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), Paged), responses(
    (status = 200, body = Versions),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn versions(Known(mind): Known, Asked(paged): Asked<Paged>) -> Result<Json<Versions>, Problem> {
    let islands = mind.islands().await?;
    let (versions, next_cursor) =
        paged.of(mind.self_versions().await?, |version| (i64::try_from(version.version).unwrap_or(i64::MAX), String::new()))?;
    Ok(Json(Versions { versions: versions.iter().map(|version| SelfVersion::of(version, &islands)).collect(), next_cursor }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Between {
    /// Old version; default: the one before the latest.
    #[param(minimum = 0, maximum = 1000000000)]
    from: Option<u64>,
    /// New version; default: the latest.
    #[param(minimum = 0, maximum = 1000000000)]
    to: Option<u64>,
}

/// Difference between two versions of the self.
#[derive(Serialize, ToSchema)]
pub(crate) struct Difference {
    from: u64,
    to: u64,
    #[schema(value_type = Vec<Object>)]
    changes: Vec<saegim_core::BeliefChange>,
    diff: Vec<DiffLine>,
}

async fn difference_of(mind: &MindHandle, from: u64, to: u64) -> Result<Difference, Problem> {
    let changes = mind.self_difference(from, to).await?;
    let diff = lines(Proposed::Beliefs { changes: changes.clone() }.diff());
    Ok(Difference { from, to, changes, diff })
}

/// Compare two versions of the self
#[utoipa::path(get, path = "/v1/minds/{mind}/self/difference", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind"), Between), responses(
    (status = 200, body = Difference),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn difference(Known(mind): Known, Asked(asked): Asked<Between>) -> Result<Json<Difference>, Problem> {
    let last = mind.current_self().await?.map_or(0, |version| version.version);
    let to = asked.to.unwrap_or(last);
    let from = asked.from.unwrap_or(to.saturating_sub(1));
    difference_of(&mind, from, to).await.map(Json)
}

/// Earlier version to return to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Earlier {
    #[schema(minimum = 1)]
    #[serde(deserialize_with = "whole")]
    version: u64,
}

/// Return to an earlier version of the self; it becomes the newest version
#[utoipa::path(post, path = "/v1/minds/{mind}/self/return", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = Earlier, responses(
    (status = 200, body = Difference),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn return_to(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    Body(body): Body<Earlier>,
) -> Result<Json<Difference>, Problem> {
    let before = mind.current_self().await?.map_or(0, |version| version.version);
    let next = mind.return_to(body.version).await?;
    keep_soul(&server, &mind).await;
    difference_of(&mind, before, next.version).await.map(Json)
}

/// saegim's section of SOUL.md.
#[derive(Serialize, ToSchema)]
pub(crate) struct Soul {
    text: String,
}

/// Get SOUL.md, generated from islands and beliefs
#[utoipa::path(get, path = "/v1/minds/{mind}/soul", tag = "self", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = Soul),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn soul(Known(mind): Known) -> Result<Json<Soul>, Problem> {
    Ok(Json(Soul { text: mind.soul().await? }))
}
