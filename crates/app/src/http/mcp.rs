//! MCP over HTTP, at `/mcp` and for each mind at `/mcp/{character}/{user}`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use saegim_core::MindKey;

use super::Server;
use super::access::Access;
use super::problem::Problem;
use crate::mcp::{Door, Offer};

/// How many minds' doors are kept at hand.
const MOST: usize = 1000;

type Service = StreamableHttpService<Door, LocalSessionManager>;

/// The doors at hand. Calls hold nothing between them, so a door can be made anew at any time.
#[derive(Default)]
pub(super) struct Doors(Mutex<HashMap<MindKey, Service>>);

impl Doors {
    fn of(&self, server: &Server, key: MindKey) -> Service {
        let mut doors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if doors.len() >= MOST && !doors.contains_key(&key) {
            doors.clear();
        }
        let door = Door { engine: server.engine.clone(), key: key.clone(), offer: Offer::All };
        let make = move || Ok(door.clone());
        doors
            .entry(key)
            .or_insert_with(|| {
                // Hosts and origins are looked at before anything comes here.
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
    let name = |header: &str, other: &str| headers.get(header).and_then(|value| value.to_str().ok()).unwrap_or(other).to_owned();
    let key = MindKey::in_work(
        &name("x-saegim-user", "me"),
        &name("x-saegim-character", "assistant"),
        &name("x-saegim-work", MindKey::DEFAULT_WORK),
    );
    answer(&server, &access, key.map_err(Problem::from), request).await
}

async fn named(
    State(server): State<Arc<Server>>,
    access: Access,
    Path((character, user)): Path<(String, String)>,
    request: Request,
) -> Response {
    answer(&server, &access, MindKey::new(&user, &character).map_err(Problem::from), request).await
}

async fn answer(server: &Server, access: &Access, key: Result<MindKey, Problem>, request: Request) -> Response {
    let may = |key: &MindKey| access.may_talk().and_then(|()| access.may_touch(key));
    let key = match key.and_then(|key| may(&key).map(|()| key)) {
        Ok(key) => key,
        Err(problem) => return problem.into_response(),
    };
    let service = server.doors.of(server, key);
    service.handle(request).await.into_response()
}
