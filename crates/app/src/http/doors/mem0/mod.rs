//! mem0's clients: `user_id` is the user, `agent_id` the character, `app_id` the work, `run_id` the session. Whatever names
//! are given mean every mind they fit; who writes without some of them writes to the usual ones.

/// Which memories are meant.
mod filter;
/// What happened to a memory.
mod history;
/// What is kept, and how.
mod keep;
/// What a client keeps beside a text.
mod metadata;
/// Who is remembered.
mod people;
/// What a platform client asks.
mod platform;
/// Reading and letting go, over all minds that are meant.
mod scope;
/// What a self-hosted client asks.
mod self_hosted;

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use saegim_core::{Hash, Invalid, Memory, MemoryId, MindKey, SessionId, Span, Standing, Timestamp, phrase};
use saegim_engine::{EngineError, MindHandle};
use serde_json::{Value, json};

use crate::http::Server;
use crate::http::access::Access;
use crate::http::doors::documents::is_document;
use crate::http::problem::Problem;

pub(super) fn router() -> Router<Arc<Server>> {
    self_hosted::router().merge(platform::router())
}

/// A problem as mem0's clients read it.
struct Refused(Problem);

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<EngineError> for Refused {
    fn from(error: EngineError) -> Self {
        match error {
            // These clients take anything but a refusal for done, and nothing was.
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

/// A body; what is wrong with one is told as mem0's clients read it.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Refused))]
struct Sent<T>(T);

/// What the address asks for after its question mark.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refused))]
struct Asked<T>(T);

/// What an address names.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Refused))]
struct At<T>(T);

/// A memory with the mind it is in.
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

/// The last day on which something that ends then is still there.
fn last_day(end: Timestamp) -> String {
    end.minus(Span::millis(1)).to_string().chars().take(10).collect()
}

/// Whether a memory's time is over, though nobody has taken it to the cliff yet.
fn is_over(memory: &Memory, now: Timestamp) -> bool {
    memory.expires_at.is_some_and(|end| end <= now)
}

fn missing() -> Refused {
    Refused(Problem::new(StatusCode::NOT_FOUND, "not found", phrase!("Memory not found!", "기억을 찾을 수 없어요")))
}

/// Finds a memory among the minds a key opens; what was deleted is not there.
async fn find(server: &Server, access: &Access, id: &str) -> Result<(MindHandle, Memory), Refused> {
    let (mind, memory) = find_any(server, access, id).await?;
    if memory.standing == Standing::OnCliff {
        return Err(missing());
    }
    Ok((mind, memory))
}

/// The same, even where it waits on the cliff.
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
