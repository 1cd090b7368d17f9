//! mem0's API: `user_id` is the user, `agent_id` the character, `app_id` the work, `run_id` the session. A read covers
//! all minds that match the given ids; a write uses the default for each missing id.

/// Comparisons of one field in a filter.
mod comparison;
/// Filters.
mod filter;
/// History of a memory.
mod history;
/// Storing and editing.
mod keep;
/// Client metadata.
mod metadata;
/// Users, agents, apps and runs.
mod people;
/// Routes of the platform API.
mod platform;
/// Reading and deleting across minds.
mod scope;
/// Routes of the self-hosted API.
mod self_hosted;

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use saegim_core::{Hash, Invalid, Memory, MemoryId, MemoryState, MindKey, SessionId, Span, Timestamp, phrase};
use saegim_engine::{EngineError, MindHandle};
use serde_json::{Value, json};

use crate::http::Server;
use crate::http::access::Access;
use crate::http::compat::documents::is_document;
use crate::http::problem::Problem;

pub(super) fn router() -> Router<Arc<Server>> {
    self_hosted::router().merge(platform::router())
}

/// A problem in mem0's error format.
struct Refused(Problem);

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<EngineError> for Refused {
    fn from(error: EngineError) -> Self {
        match error {
            // These clients treat anything but an error as done, and a proposal has changed nothing.
            EngineError::Proposed(why) => Self(Problem::forbidden(why)),
            other => Self(other.into()),
        }
    }
}

impl From<Invalid> for Refused {
    fn from(invalid: Invalid) -> Self {
        Self(invalid.into())
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        Self(rejection.into())
    }
}

impl From<QueryRejection> for Refused {
    fn from(rejection: QueryRejection) -> Self {
        Self(rejection.into())
    }
}

impl From<PathRejection> for Refused {
    fn from(rejection: PathRejection) -> Self {
        Self(rejection.into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, detail) = (self.0.status(), self.0.detail());
        (status, Json(json!({ "detail": detail, "error": detail }))).into_response()
    }
}

type Answer = Result<Json<Value>, Refused>;

/// JSON body extractor that rejects in mem0's error format.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Refused))]
struct Sent<T>(T);

/// Query string extractor that rejects in mem0's error format.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refused))]
struct Asked<T>(T);

/// Path parameter extractor that rejects in mem0's error format.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Refused))]
struct At<T>(T);

/// A memory with the key of its mind.
struct Item<'a> {
    memory: &'a Memory,
    key: &'a MindKey,
}

impl Item<'_> {
    fn json(&self) -> Value {
        let memory = self.memory;
        let session = memory.coordinate.session.as_ref().map(SessionId::as_str);
        json!({
            "id": memory.id,
            "memory": memory.content,
            "hash": &Hash::of(memory.content.as_bytes()).to_string()[..32],
            "metadata": metadata::of(&memory.tags),
            "categories": memory.category.iter().map(|category| category.as_str()).collect::<Vec<_>>(),
            "created_at": memory.created_at,
            "updated_at": memory.edited_at.unwrap_or(memory.created_at),
            "expiration_date": memory.expires_at.map(last_day),
            "user_id": self.key.user(),
            "agent_id": self.key.character(),
            "app_id": self.key.work(),
            "run_id": session,
        })
    }
}

/// Returns the last day on which a memory with this end is active.
fn last_day(end: Timestamp) -> String {
    end.minus(Span::millis(1)).to_string().chars().take(10).collect()
}

/// Checks whether a memory has expired, even if it was not moved to the cliff yet.
fn is_over(memory: &Memory, now: Timestamp) -> bool {
    memory.expires_at.is_some_and(|end| end <= now)
}

fn missing() -> Refused {
    Refused(Problem::new(StatusCode::NOT_FOUND, "not found", phrase!("http.mem0.memory_not_found")))
}

/// Finds an active memory in the minds the key covers.
async fn find(server: &Server, access: &Access, id: &str) -> Result<(MindHandle, Memory), Refused> {
    let (mind, memory) = find_any(server, access, id).await?;
    if memory.standing == MemoryState::OnCliff {
        return Err(missing());
    }
    Ok((mind, memory))
}

/// The same, including memories on the cliff.
async fn find_any(server: &Server, access: &Access, id: &str) -> Result<(MindHandle, Memory), Refused> {
    let id = MemoryId::parse(id).map_err(|_| missing())?;
    for mind in server.engine.minds_of(id).await? {
        if let Ok(mind) = access.known_mind(server, &mind.key).await
            && let Ok(memory) = mind.get(id).await
            && !is_document(&memory)
        {
            return Ok((mind, memory));
        }
    }
    Err(missing())
}
