//! Routes of a self-hosted mem0: no trailing slash, `X-API-Key`.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use saegim_core::phrase;
use saegim_engine::Core;
use serde_json::{Value, json};

use super::{Answer, Asked, At, Item, Sent, find, find_any, history, keep, people, scope};
use crate::http::Server;
use crate::http::access::Access;
use crate::http::problem::Problem;

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

async fn adding(State(server): State<Arc<Server>>, access: Access, Sent(body): Sent<Value>) -> Answer {
    let kept = keep::add(&server, &access, &body).await?;
    let results = kept.results.iter();
    let results: Vec<Value> = results.map(|(id, memory, event)| json!({ "id": id, "memory": memory, "event": event })).collect();
    Ok(Json(json!({ "results": results })))
}

async fn listing(State(server): State<Arc<Server>>, access: Access, Asked(asked): Asked<Value>) -> Answer {
    let reading = scope::Reading::of(&asked)?;
    let limit = scope::limit(&asked, 100)?;
    let memories = scope::all(&server, &access, &reading).await?;
    let results: Vec<Value> = memories.iter().take(limit).map(|(key, memory)| reading.told(Item { memory, key }.json())).collect();
    Ok(Json(json!({ "results": results })))
}

async fn showing(State(server): State<Arc<Server>>, access: Access, At(id): At<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    Ok(Json(Item { memory: &memory, key: mind.key() }.json()))
}

async fn changing(State(server): State<Arc<Server>>, access: Access, At(id): At<String>, Sent(body): Sent<Value>) -> Answer {
    keep::update(&server, &access, &id, &body).await?;
    Ok(Json(json!({ "message": "Memory updated successfully!" })))
}

async fn forgetting(State(server): State<Arc<Server>>, access: Access, At(id): At<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    mind.forget(memory.id, Core::Kept).await?;
    Ok(Json(json!({ "message": "Memory deleted successfully" })))
}

async fn telling(State(server): State<Arc<Server>>, access: Access, At(id): At<String>) -> Answer {
    let (mind, memory) = find_any(&server, &access, &id).await?;
    Ok(Json(json!(history::of(&mind, memory.id).await?)))
}

async fn searching(State(server): State<Arc<Server>>, access: Access, Sent(body): Sent<Value>) -> Answer {
    Ok(Json(json!({ "results": scope::search(&server, &access, &body, 20).await? })))
}

async fn forgetting_all(State(server): State<Arc<Server>>, access: Access, Asked(asked): Asked<Value>) -> Answer {
    access.operates()?;
    let count = scope::forget_all(&server, &access, &scope::to_delete(&asked)?).await?;
    let message = if count == 0 { "No relevant memories" } else { "All relevant memories deleted" };
    Ok(Json(json!({ "message": message })))
}

async fn entities(State(server): State<Arc<Server>>, access: Access) -> Answer {
    Ok(Json(json!(people::all(&server, &access).await?.iter().map(people::Entity::json).collect::<Vec<_>>())))
}

async fn forgetting_entity(State(server): State<Arc<Server>>, access: Access, At((kind, id)): At<(String, String)>) -> Answer {
    access.operates()?;
    people::erase(&server, &access, &kind, &id).await?;
    Ok(Json(json!({ "message": "Entity deleted" })))
}

async fn resetting(State(server): State<Arc<Server>>, access: Access) -> Answer {
    if access.principal != saegim_core::Principal::Owner {
        return Err(Problem::forbidden(phrase!("http.mem0.owner_only")).into());
    }
    people::erase_all(&server, &access).await?;
    Ok(Json(json!({ "message": "All memories reset" })))
}
