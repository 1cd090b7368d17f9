//! MCP over HTTP, at `/mcp` and for each mind at `/mcp/{character}/{user}`; `?tools=all` offers all tools.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Json, Router};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use saegim_core::{MindKey, phrase};
use serde_json::{Value, json};

use super::access::Access;
use super::problem::Problem;
use super::routes::LARGEST_BODY;
use super::{At, Server, compat};
use crate::mcp::{Door, Offer};

/// Maximum number of cached MCP services.
const MOST: usize = 1000;

type Service = StreamableHttpService<Door, LocalSessionManager>;

/// Cached MCP services. They hold no state between calls, so the cache can be cleared at any time.
#[derive(Default)]
pub(super) struct Doors(Mutex<HashMap<(MindKey, Offer), Service>>);

impl Doors {
    fn of(&self, server: &Server, (key, offer): (MindKey, Offer)) -> Service {
        let mut doors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if doors.len() >= MOST && !doors.contains_key(&(key.clone(), offer)) {
            doors.clear();
        }
        let door = Door { engine: server.engine.clone(), key: key.clone(), offer };
        let make = move || Ok(door.clone());
        doors
            .entry((key, offer))
            .or_insert_with(|| {
                // The guard middleware has already checked host and origin.
                let config =
                    StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true).disable_allowed_hosts();
                StreamableHttpService::new(make, Arc::new(LocalSessionManager::default()), config)
            })
            .clone()
    }
}

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new().route("/mcp", any(default)).route("/mcp/{character}/{user}", any(named))
}

async fn default(State(server): State<Arc<Server>>, access: Access, headers: HeaderMap, request: Request) -> Response {
    answer(&server, &access, compat::named::mind(&headers), request).await
}

async fn named(
    State(server): State<Arc<Server>>,
    access: Access,
    At((character, user)): At<(String, String)>,
    request: Request,
) -> Response {
    answer(&server, &access, MindKey::new(&user, &character).map_err(Problem::from), request).await
}

async fn answer(server: &Server, access: &Access, key: Result<MindKey, Problem>, request: Request) -> Response {
    let may = |key: &MindKey| access.may_talk().and_then(|()| access.may_touch(key));
    let door = key.and_then(|key| may(&key).map(|()| key)).and_then(|key| Ok((key, offered(&request)?)));
    let door = match door {
        Ok(door) => door,
        Err(problem) => return problem.into_response(),
    };
    let request = match readable(request).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let service = server.doors.of(server, door);
    service.handle(request).await.into_response()
}

/// Returns the offered tools: the ten a model needs, or all tools an agent may use with `?tools=all`.
fn offered(request: &Request) -> Result<Offer, Problem> {
    let query = request.uri().query().unwrap_or_default();
    let wanted = query.split('&').find_map(|pair| pair.strip_prefix("tools="));
    match wanted {
        None | Some("few") => Ok(Offer::Few),
        Some("all") => Ok(Offer::All),
        Some(_) => Err(Problem::bad(phrase!("http.mcp.unknown_tool_set"))),
    }
}

/// Checks that the body is a single JSON-RPC message; otherwise returns a JSON-RPC error.
async fn readable(request: Request) -> Result<Request, Response> {
    if request.method() != Method::POST {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let refusal = |status: StatusCode, (code, what): (i32, String)| {
        let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": what } });
        (status, Json(error)).into_response()
    };
    let bytes = to_bytes(body, LARGEST_BODY).await.map_err(|error| refusal(StatusCode::PAYLOAD_TOO_LARGE, (-32700, error.to_string())))?;
    let unread = |error: serde_json::Error| refusal(StatusCode::BAD_REQUEST, (-32700, format!("Parse error: {error}")));
    let said: Value = serde_json::from_slice(&bytes).map_err(unread)?;
    if let Err(error) = serde_json::from_value::<ClientJsonRpcMessage>(said) {
        return Err(refusal(StatusCode::BAD_REQUEST, (-32600, format!("Invalid Request: one JSON-RPC message is expected: {error}"))));
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}
