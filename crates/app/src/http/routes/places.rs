//! Zones and the cliff.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use saegim_core::Zone as CoreZone;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::paging::{Paged, earliest_first};
use super::{limit, something};
use crate::http::access::Known;
use crate::http::problem::{Problem, ProblemDocument};
use crate::http::{Asked, Body, Server};
use crate::shapes::{FallenMemory, Memory, maybe_texts, zones};

/// A zone and what is in it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Zone {
    #[schema(schema_with = zones)]
    zone: CoreZone,
    /// How many memories fit; none where there is no limit.
    room: Option<usize>,
    count: u64,
    /// The newest of them.
    memories: Vec<Memory>,
}

/// All zones, from the centre outward.
#[derive(Serialize, ToSchema)]
pub(crate) struct Zones {
    zones: Vec<Zone>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ZonesAsked {
    /// How many memories of each to show.
    #[param(minimum = 0, maximum = 1000)]
    limit: Option<usize>,
}

/// How near to mind memories are
#[utoipa::path(get, path = "/v1/minds/{mind}/zones", tag = "places", params(("mind" = String, Path, description = "Its id or key"), ZonesAsked), responses(
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

/// What the conversation is about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rebalance {
    /// In place of what was said last.
    #[schema(schema_with = maybe_texts)]
    context: Option<String>,
}

/// A memory that moved.
#[derive(Serialize, ToSchema)]
pub(crate) struct Move {
    memory: String,
    #[schema(schema_with = zones)]
    from: CoreZone,
    #[schema(schema_with = zones)]
    to: CoreZone,
    /// How near to mind it is now.
    score: f32,
}

/// What moved.
#[derive(Serialize, ToSchema)]
pub(crate) struct Moves {
    moved: Vec<Move>,
}

/// Place memories anew
#[utoipa::path(post, path = "/v1/minds/{mind}/rebalance", tag = "places", params(("mind" = String, Path, description = "Its id or key")), request_body = Rebalance, responses(
    (status = 200, body = Moves),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn rebalance(Known(mind): Known, Body(body): Body<Rebalance>) -> Result<Json<Moves>, Problem> {
    let context = body.context.map(|context| something(context, "context")).transpose()?;
    let moves = mind.rebalance(context.as_deref()).await?;
    let step = |step: &saegim_engine::Move| Move { memory: step.memory.to_string(), from: step.from, to: step.to, score: step.score };
    Ok(Json(Moves { moved: moves.iter().map(step).collect() }))
}

/// What waits on the cliff, soonest gone first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Cliff {
    entries: Vec<FallenMemory>,
    /// Give it back for the next page; none after the last.
    next_cursor: Option<String>,
}

/// What waits on the cliff, and how long it can still be restored
#[utoipa::path(get, path = "/v1/minds/{mind}/cliff", tag = "places", params(("mind" = String, Path, description = "Its id or key"), Paged), responses(
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
