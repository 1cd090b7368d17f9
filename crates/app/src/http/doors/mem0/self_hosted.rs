//! The routes of a self-hosted mem0: no slash at the end, `X-API-Key`.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use saegim_core::phrase;
use saegim_engine::{Core, Page};
use serde_json::{Value, json};

use super::{Answer, Item, Scope, add, all, find, forget_all, found_json, history, search, update};
use crate::http::access::Access;
use crate::http::problem::Problem;
use crate::http::{Body, Server};

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new()
        .route("/memories", post(adding).get(listing).delete(forgetting_all))
        .route("/memories/{id}", get(showing).put(changing).delete(forgetting))
        .route("/memories/{id}/history", get(telling))
        .route("/search", post(searching))
        .route("/entities", get(entities))
        .route("/entities/{kind}/{id}", delete(forgetting_entity))
        .route("/reset", post(resetting))
}

async fn adding(State(server): State<Arc<Server>>, access: Access, Body(body): Body<Value>) -> Answer {
    let results = add(&server, &access, &body).await?;
    let results: Vec<Value> =
        results.into_iter().map(|(id, memory, event)| json!({ "id": id, "memory": memory, "event": event })).collect();
    Ok(Json(json!({ "results": results })))
}

async fn listing(State(server): State<Arc<Server>>, access: Access, Query(asked): Query<Value>) -> Answer {
    let scope = Scope::of(&asked)?.known()?;
    let limit = asked.get("top_k").or_else(|| asked.get("limit")).and_then(Value::as_str).and_then(|text| text.parse().ok()).unwrap_or(100);
    let (key, memories) = all(&server, &access, &scope, Page { limit: usize::clamp(limit, 0, 1000), before: None }).await?;
    let results: Vec<Value> = memories.iter().map(|memory| Item { memory, key: &key }.json()).collect();
    Ok(Json(json!({ "results": results })))
}

async fn showing(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>) -> Answer {
    let found = find(&server, &access, &id).await;
    Ok(Json(found.map_or(Value::Null, |(mind, memory)| Item { memory: &memory, key: mind.key() }.json())))
}

async fn changing(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>, Body(body): Body<Value>) -> Answer {
    update(&server, &access, &id, &body).await?;
    Ok(Json(json!({ "message": "Memory updated successfully!" })))
}

async fn forgetting(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    mind.forget(memory.id, Core::Kept).await?;
    Ok(Json(json!({ "message": "Memory deleted successfully" })))
}

async fn telling(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    Ok(Json(json!(history(&mind.show(memory.id).await?))))
}

async fn searching(State(server): State<Arc<Server>>, access: Access, Body(body): Body<Value>) -> Answer {
    let (key, found) = search(&server, &access, &body, 20).await?;
    Ok(Json(json!({ "results": found.iter().map(|found| found_json(found, &key)).collect::<Vec<_>>() })))
}

async fn forgetting_all(State(server): State<Arc<Server>>, access: Access, Query(asked): Query<Value>) -> Answer {
    access.operates()?;
    forget_all(&server, &access, &Scope::of(&asked)?.known()?).await?;
    Ok(Json(json!({ "message": "All relevant memories deleted" })))
}

async fn entities(State(server): State<Arc<Server>>, access: Access) -> Answer {
    let mut found = Vec::new();
    for mind in server.engine.minds().await?.iter().filter(|mind| access.covers(&mind.key)) {
        let handle = access.known_mind(&server, &mind.key).await?;
        let total: u64 = handle.counts().await?.zones.iter().sum();
        for (kind, id) in [("user", mind.key.user()), ("agent", mind.key.character())] {
            found.push(json!({ "id": id, "type": kind, "total_memories": total, "created_at": mind.made_at, "updated_at": mind.made_at }));
        }
    }
    found.dedup();
    Ok(Json(json!(found)))
}

async fn forgetting_entity(State(server): State<Arc<Server>>, access: Access, Path((kind, id)): Path<(String, String)>) -> Answer {
    access.operates()?;
    let fits = |key: &saegim_core::MindKey| match kind.as_str() {
        "user" => key.user() == id,
        "agent" => key.character() == id,
        "app" => key.work() == id,
        _ => false,
    };
    for mind in server.engine.minds().await?.iter().filter(|mind| access.covers(&mind.key) && fits(&mind.key)) {
        access.known_mind(&server, &mind.key).await?.erase().await?;
    }
    Ok(Json(json!({ "message": "Entity deleted" })))
}

async fn resetting(State(server): State<Arc<Server>>, access: Access) -> Answer {
    if access.principal != saegim_core::Principal::Owner {
        return Err(Problem::forbidden(phrase!("only the owner may erase", "소유자만 지울 수 있습니다")).into());
    }
    for mind in server.engine.minds().await?.iter().filter(|mind| access.covers(&mind.key)) {
        access.known_mind(&server, &mind.key).await?.erase().await?;
    }
    Ok(Json(json!({ "message": "All memories reset" })))
}
