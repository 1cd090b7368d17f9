//! Zones and the cliff.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use saegim_core::{Principal, Zone as CoreZone};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::{Paged, earliest_first};
use super::{limit, something};
use crate::http::access::{Access, Known};
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, Body, Server};
use crate::shapes::{FallenMemory, Memory, maybe_texts, zones};

/// Zone with its memories.
#[derive(Serialize, ToSchema)]
pub(crate) struct Zone {
    #[schema(schema_with = zones)]
    zone: CoreZone,
    /// Capacity; null without a limit.
    room: Option<usize>,
    count: u64,
    /// Newest memories of the zone.
    memories: Vec<Memory>,
}

/// All zones, from core to cloud.
#[derive(Serialize, ToSchema)]
pub(crate) struct Zones {
    zones: Vec<Zone>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ZonesAsked {
    /// Number of memories to return per zone.
    #[param(minimum = 0, maximum = 1000)]
    limit: Option<usize>,
}

/// List zones and their memories
#[utoipa::path(get, path = "/v1/minds/{mind}/zones", tag = "places", params(("mind" = String, Path, description = "Id or key of the mind"), ZonesAsked), responses(
    (status = 200, body = Zones),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn zones_of(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    Asked(asked): Asked<ZonesAsked>,
) -> Result<Json<Zones>, Problem> {
    let (counts, policy) = (mind.counts().await?, &server.engine.policy().zone);
    let limit = limit(asked.limit, 100, 0..=1000)?;
    let mut all = Vec::new();
    for &zone in CoreZone::ALL {
        let memories = mind.zone(zone, limit).await?;
        all.push(Zone {
            zone,
            room: zone.room(policy),
            count: counts.zones[zone as usize],
            memories: memories.iter().map(Memory::from).collect(),
        });
    }
    Ok(Json(Zones { zones: all }))
}

/// Topic of the current conversation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rebalance {
    /// In place of what was said last.
    #[schema(schema_with = maybe_texts)]
    context: Option<String>,
}

/// Memory that moved between zones.
#[derive(Serialize, ToSchema)]
pub(crate) struct Move {
    memory: String,
    #[schema(schema_with = zones)]
    from: CoreZone,
    #[schema(schema_with = zones)]
    to: CoreZone,
    /// Current zone score by part.
    score: f32,
}

/// Memories that moved between zones.
#[derive(Serialize, ToSchema)]
pub(crate) struct Moves {
    moved: Vec<Move>,
}

/// Rebalance zones
#[utoipa::path(post, path = "/v1/minds/{mind}/rebalance", tag = "places", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = Rebalance, responses(
    (status = 200, body = Moves),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn rebalance(Known(mind): Known, Body(body): Body<Rebalance>) -> Result<Json<Moves>, Problem> {
    let context = body.context.map(|context| something(context, "context")).transpose()?;
    let moves = mind.rebalance(context.as_deref()).await?;
    let step = |step: &saegim_engine::Move| Move { memory: step.memory.to_string(), from: step.from, to: step.to, score: step.score };
    Ok(Json(Moves { moved: moves.iter().map(step).collect() }))
}

/// What the due jobs of a mind did.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ticked {
    /// Number of expired memories, now on the cliff.
    expired: usize,
    /// Number of permanently deleted memories.
    gone: usize,
    /// Whether all bytes of the deleted data are removed from the file; false while another process still reads an old page.
    swept: bool,
    /// Number of memories whose importance changed.
    weighed: usize,
    /// Number of memories that got a missing vector.
    embedded: usize,
    /// Number of essences created or extended by promotion.
    promoted: usize,
    /// Number of memories merged with others of the same content.
    joined: usize,
    /// Number of memories pruned because they faded or capacity was exceeded.
    pruned: usize,
    /// Number of memories beyond a limit of their session, now on the cliff.
    displaced: usize,
    /// Number of archived memories of old sessions.
    archived: usize,
    /// Number of completed model jobs.
    thought: usize,
    /// Number of memories that changed zones.
    moved: usize,
    /// Messages for the owner; empty for other principals.
    told: Vec<String>,
}

/// Run the due jobs of a mind now: expire, promote, merge, delete; the server also runs them by itself
#[utoipa::path(post, path = "/v1/minds/{mind}/tick", tag = "places", params(("mind" = String, Path, description = "Id or key of the mind")), responses(
    (status = 200, body = Ticked),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn tick(Known(mind): Known, access: Access) -> Result<Json<Ticked>, Problem> {
    let mut done = mind.tick().await?;
    // The messages name islands, which an operator must not see.
    done.told.retain(|_| access.principal == Principal::Owner);
    Ok(Json(Ticked {
        expired: done.expired,
        gone: done.gone,
        swept: done.swept,
        weighed: done.weighed,
        embedded: done.embedded,
        promoted: done.promoted,
        joined: done.joined,
        pruned: done.pruned,
        displaced: done.displaced,
        archived: done.archived,
        thought: done.thought,
        moved: done.moved,
        told: done.told.iter().map(|told| told.in_language(crate::http::spoken())).collect(),
    }))
}

/// Memories on the cliff, next to be deleted first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Cliff {
    entries: Vec<FallenMemory>,
    /// Cursor for the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List the memories on the cliff and the time left to restore them
#[utoipa::path(get, path = "/v1/minds/{mind}/cliff", tag = "places", params(("mind" = String, Path, description = "Id or key of the mind"), Paged), responses(
    (status = 200, body = Cliff),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn cliff(
    Known(mind): Known,
    State(server): State<Arc<Server>>,
    Asked(paged): Asked<Paged>,
) -> Result<Json<Cliff>, Problem> {
    let now = server.engine.now();
    let (fallen, next_cursor) =
        paged.of(mind.cliff().await?, |fallen| (earliest_first(fallen.entry.gone_at), fallen.memory.id.to_string()))?;
    Ok(Json(Cliff { entries: fallen.iter().map(|fallen| FallenMemory::of(fallen, now)).collect(), next_cursor }))
}
