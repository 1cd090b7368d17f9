//! The routes of mem0's platform, which the published clients ask: a slash at the end, `Authorization: Token KEY`.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::routing::{delete, get, post, put};
use axum::{Json, Router};
use saegim_core::{Hash, Rating};
use saegim_engine::{Core, Page};
use serde_json::{Value, json};

use super::{Answer, Item, Scope, add, all, find, forget_all, found_json, history, search, update};
use crate::http::access::Access;
use crate::http::{Body, Server};

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new()
        .route("/v1/ping/", get(ping))
        .route("/v3/memories/add/", post(adding))
        .route("/v3/memories/search/", post(searching))
        .route("/v3/memories/", post(listing))
        .route("/v1/memories/", delete(forgetting_all))
        .route("/v1/memories/{id}/", get(showing).put(changing).delete(forgetting))
        .route("/v1/memories/{id}/history/", get(telling))
        .route("/v1/event/{id}/", get(event))
        .route("/v1/entities/", get(entities))
        .route("/v2/entities/{kind}/{name}/", delete(forgetting_entity))
        .route("/v1/batch/", put(changing_many).delete(forgetting_many))
        .route("/v1/feedback/", post(feedback))
}

async fn ping(_access: Access) -> Json<Value> {
    Json(json!({ "status": "ok", "org_id": "local", "project_id": "local", "user_email": "owner@localhost" }))
}

async fn adding(State(server): State<Arc<Server>>, access: Access, Body(body): Body<Value>) -> Answer {
    let results = add(&server, &access, &body).await?;
    let told: Vec<Value> = results
        .iter()
        .map(|(id, memory, event)| json!({ "id": id, "memory": memory, "data": { "memory": memory }, "event": event }))
        .collect();
    let event_id = Hash::of(serde_json::to_string(&told).unwrap_or_default().as_bytes()).to_string();
    Ok(Json(json!({ "message": "Memory processed", "status": "SUCCEEDED", "event_id": event_id, "results": told })))
}

async fn searching(State(server): State<Arc<Server>>, access: Access, Body(body): Body<Value>) -> Answer {
    let (key, found) = search(&server, &access, &body, 10).await?;
    Ok(Json(json!({ "results": found.iter().map(|found| found_json(found, &key)).collect::<Vec<_>>() })))
}

async fn listing(State(server): State<Arc<Server>>, access: Access, Query(asked): Query<Value>, Body(body): Body<Value>) -> Answer {
    let scope = Scope::of(&body)?.known()?;
    let number = |name: &str, other: usize| asked.get(name).and_then(Value::as_str).and_then(|text| text.parse().ok()).unwrap_or(other);
    let (page, size) = (number("page", 1).max(1), number("page_size", 100).clamp(1, 1000));
    // A page is counted from the first, as these clients do.
    let (key, memories) = all(&server, &access, &scope, Page { limit: page.saturating_mul(size).saturating_add(1), before: None }).await?;
    let more = memories.len() > page * size;
    let shown = memories.iter().skip((page - 1) * size).take(size);
    let results: Vec<Value> = shown
        .map(|memory| {
            let mut item = Item { memory, key: &key }.json();
            item["session_id"] = item["run_id"].clone();
            item
        })
        .collect();
    let link = |to: usize| json!(format!("/v3/memories/?page={to}&page_size={size}"));
    Ok(Json(json!({
        "count": memories.len(),
        "next": if more { link(page + 1) } else { Value::Null },
        "previous": if page > 1 { link(page - 1) } else { Value::Null },
        "results": results,
    })))
}

async fn showing(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    Ok(Json(Item { memory: &memory, key: mind.key() }.json()))
}

async fn changing(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>, Body(body): Body<Value>) -> Answer {
    let (key, memory) = update(&server, &access, &id, &body).await?;
    Ok(Json(Item { memory: &memory, key: &key }.json()))
}

async fn forgetting(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    mind.forget(memory.id, Core::Kept).await?;
    Ok(Json(json!({ "message": "Memory deleted successfully!" })))
}

async fn forgetting_all(State(server): State<Arc<Server>>, access: Access, Query(asked): Query<Value>) -> Answer {
    access.operates()?;
    forget_all(&server, &access, &Scope::of(&asked)?.known()?).await?;
    Ok(Json(json!({ "message": "Memories deleted successfully!", "event_id": "done" })))
}

async fn telling(State(server): State<Arc<Server>>, access: Access, Path(id): Path<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    Ok(Json(json!(history(&mind.show(memory.id).await?))))
}

/// Everything is done before it is answered, so whatever is asked about has succeeded.
async fn event(_access: Access, Path(id): Path<String>) -> Json<Value> {
    Json(json!({ "id": id, "event_type": "ADD", "status": "SUCCEEDED", "results": [], "error": null }))
}

async fn entities(State(server): State<Arc<Server>>, access: Access) -> Answer {
    let mut results: Vec<Value> = Vec::new();
    for mind in server.engine.minds().await?.iter().filter(|mind| access.covers(&mind.key)) {
        for (kind, name) in [("user", mind.key.user()), ("agent", mind.key.character()), ("app", mind.key.work())] {
            if !results.iter().any(|known| known["type"] == kind && known["name"] == name) {
                results.push(json!({
                    "id": name, "name": name, "type": kind, "owner": "local", "created_at": mind.made_at, "updated_at": mind.made_at, "metadata": {},
                }));
            }
        }
    }
    let of = |kind: &str| results.iter().filter(|known| known["type"] == kind).count();
    Ok(Json(json!({
        "count": results.len(), "next": null, "previous": null, "total_users": of("user"), "total_agents": of("agent"),
        "total_apps": of("app"), "total_runs": 0, "results": results,
    })))
}

async fn forgetting_entity(State(server): State<Arc<Server>>, access: Access, Path((kind, name)): Path<(String, String)>) -> Answer {
    access.operates()?;
    let fits = |key: &saegim_core::MindKey| match kind.as_str() {
        "user" => key.user() == name,
        "agent" => key.character() == name,
        "app" => key.work() == name,
        _ => false,
    };
    for mind in server.engine.minds().await?.iter().filter(|mind| access.covers(&mind.key) && fits(&mind.key)) {
        access.known_mind(&server, &mind.key).await?.erase().await?;
    }
    Ok(Json(json!({ "message": "Entity deleted successfully!", "event_id": "done" })))
}

fn many(body: &Value) -> Vec<Value> {
    let all = body.get("memories").and_then(Value::as_array).cloned().unwrap_or_default();
    all.into_iter().take(1000).collect()
}

fn id_in(item: &Value) -> &str {
    item.get("memory_id").or_else(|| item.get("id")).or(Some(item)).and_then(Value::as_str).unwrap_or_default()
}

async fn changing_many(State(server): State<Arc<Server>>, access: Access, Body(body): Body<Value>) -> Answer {
    let all = many(&body);
    for item in &all {
        update(&server, &access, id_in(item), item).await?;
    }
    Ok(Json(json!({ "message": format!("Successfully updated {} memories", all.len()) })))
}

async fn forgetting_many(State(server): State<Arc<Server>>, access: Access, Body(body): Body<Value>) -> Answer {
    let all = many(&body);
    for item in &all {
        let (mind, memory) = find(&server, &access, id_in(item)).await?;
        mind.forget(memory.id, Core::Kept).await?;
    }
    Ok(Json(json!({ "message": format!("Successfully deleted {} memories", all.len()) })))
}

/// What a person thought of a memory becomes its stars.
async fn feedback(State(server): State<Arc<Server>>, access: Access, Body(body): Body<Value>) -> Answer {
    let id = body.get("memory_id").and_then(Value::as_str).unwrap_or_default();
    let (mind, memory) = find(&server, &access, id).await?;
    let stars = match body.get("feedback").and_then(Value::as_str).unwrap_or_default() {
        "POSITIVE" => 5,
        "NEGATIVE" => 2,
        "VERY_NEGATIVE" => 1,
        _ => 3,
    };
    mind.rate(memory.id, Rating::new(stars).map_err(crate::http::problem::Problem::from)?).await?;
    Ok(Json(json!({ "message": "Feedback submitted", "id": memory.id })))
}
