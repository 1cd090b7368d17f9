//! Recall.

use axum::Json;
use saegim_engine::{Depth, Query};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::memories::Wanted;
use super::{limit, something};
use crate::http::Body;
use crate::http::access::Known;
use crate::http::problem::{Problem, ProblemDocument};
use crate::shapes::{FoundMemory, maybe_whole, texts};

/// Search request.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The question, or any words.
    #[schema(schema_with = texts)]
    query: String,
    /// Maximum number of memories.
    #[schema(minimum = 1, maximum = 1000)]
    #[serde(default, deserialize_with = "maybe_whole")]
    limit: Option<usize>,
    /// Filter.
    #[serde(default)]
    filter: Wanted,
    /// Count the results as recalled.
    #[serde(default)]
    used: bool,
    /// Return the whole ranking instead of only matching memories.
    #[serde(default)]
    everything: bool,
}

/// Search results.
#[derive(Serialize, ToSchema)]
pub(crate) struct Recalled {
    /// Results, best first; empty if nothing matches.
    results: Vec<FoundMemory>,
    /// Confidence that the mind can answer the query at all, 0..=1.
    confidence: f32,
    /// Reason why only keyword search was used, if so.
    degraded: Option<String>,
}

/// Search memories that match a query
#[utoipa::path(post, path = "/v1/minds/{mind}/recall", tag = "memories", params(("mind" = String, Path, description = "Id or key of the mind")), request_body = Question, responses(
    (status = 200, body = Recalled),
    (status = "4XX", body = ProblemDocument, content_type = "application/problem+json"),
))]
pub(crate) async fn recall(Known(mind): Known, Body(body): Body<Question>) -> Result<Json<Recalled>, Problem> {
    let query = Query {
        limit: limit(body.limit, 5, 1..=1000)?,
        filter: body.filter.filter()?,
        depth: if body.everything { Depth::Everything } else { Depth::Fitting },
        used: body.used,
        ..Query::text(something(body.query, "query")?)
    };
    let found = mind.recall(query).await?;
    Ok(Json(Recalled {
        results: found.results.iter().map(FoundMemory::from).collect(),
        confidence: found.confidence.get(),
        degraded: found.degraded.map(|why| why.in_language(crate::http::spoken())),
    }))
}
