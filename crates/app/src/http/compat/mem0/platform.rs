//! Routes of mem0's platform, as used by the published clients: trailing slash, `Authorization: Token KEY`.

use std::sync::Arc;

use axum::extract::{MatchedPath, State};
use axum::http::{HeaderMap, header};
use axum::routing::{delete, get, post, put};
use axum::{Json, Router};
use saegim_core::{MindId, Op, Rating, phrase};
use saegim_engine::{Core, MindHandle};
use serde_json::{Value, json};

use super::{Answer, Asked, At, Item, Refused, Sent, find, find_any, history, keep, people, scope};
use crate::http::Server;
use crate::http::access::Access;
use crate::http::problem::Problem;

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new()
        .route("/v1/ping/", get(ping))
        .route("/v3/memories/add/", post(adding))
        .route("/v3/memories/search/", post(searching))
        .route("/v3/memories/", post(listing))
        // Addresses used by older clients.
        .route("/v2/memories/search/", post(searching))
        .route("/v2/memories/", post(listing))
        .route("/v1/memories/", post(adding).delete(forgetting_all))
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

async fn adding(State(server): State<Arc<Server>>, access: Access, Sent(body): Sent<Value>) -> Answer {
    let kept = keep::add(&server, &access, &body).await?;
    let results = kept.results.iter();
    let told: Vec<Value> =
        results.map(|(id, memory, event)| json!({ "id": id, "memory": memory, "data": { "memory": memory }, "event": event })).collect();
    let event_id = event_of(&kept.mind, kept.sequence);
    Ok(Json(json!({ "message": "Memory processed", "status": "SUCCEEDED", "event_id": event_id, "results": told })))
}

async fn searching(State(server): State<Arc<Server>>, access: Access, Sent(body): Sent<Value>) -> Answer {
    Ok(Json(json!({ "results": scope::search(&server, &access, &body, 10).await? })))
}

/// Parses a query parameter as a number of at least 1.
fn number(asked: &Value, name: &str, usual: usize) -> Result<usize, Refused> {
    let Some(given) = asked.get(name) else { return Ok(usual) };
    let number = given.as_str().and_then(|text| text.parse::<u64>().ok()).filter(|number| *number > 0);
    let refusal = || Problem::bad(phrase!("http.mem0.must_be_positive", name));
    Ok(usize::try_from(number.ok_or_else(refusal)?).unwrap_or(usize::MAX))
}

async fn listing(
    State(server): State<Arc<Server>>,
    access: Access,
    (Asked(asked), headers, route): (Asked<Value>, HeaderMap, MatchedPath),
    Sent(body): Sent<Value>,
) -> Answer {
    let reading = scope::Reading::of(&body)?;
    let (page, size) = (number(&asked, "page", 1)?, number(&asked, "page_size", 100)?.min(1000));
    let memories = scope::all(&server, &access, &reading).await?;
    let results = memories.iter().skip((page - 1).saturating_mul(size)).take(size).map(|(key, memory)| {
        let mut item = Item { memory, key }.json();
        item["session_id"] = item["run_id"].clone();
        reading.told(item)
    });
    let results: Vec<Value> = results.collect();
    let last = memories.len().div_ceil(size).max(1);
    let place = address(&headers);
    let link = |to: usize| json!(format!("{place}{}?page={to}&page_size={size}", route.as_str()));
    Ok(Json(json!({
        "count": memories.len(),
        "next": if page < last { link(page + 1) } else { Value::Null },
        "previous": if page > 1 { link((page - 1).min(last)) } else { Value::Null },
        "results": results,
    })))
}

/// Returns the address under which the client reached this server.
fn address(headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).filter(|text| !text.is_empty());
    let scheme = text("x-forwarded-proto").filter(|scheme| *scheme == "https").unwrap_or("http");
    let host = text(header::HOST.as_str()).unwrap_or("localhost");
    format!("{scheme}://{host}")
}

async fn showing(State(server): State<Arc<Server>>, access: Access, At(id): At<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    Ok(Json(Item { memory: &memory, key: mind.key() }.json()))
}

async fn changing(State(server): State<Arc<Server>>, access: Access, At(id): At<String>, Sent(body): Sent<Value>) -> Answer {
    let (key, memory) = keep::update(&server, &access, &id, &body).await?;
    Ok(Json(Item { memory: &memory, key: &key }.json()))
}

async fn forgetting(State(server): State<Arc<Server>>, access: Access, At(id): At<String>) -> Answer {
    let (mind, memory) = find(&server, &access, &id).await?;
    mind.forget(memory.id, Core::Kept).await?;
    Ok(Json(json!({ "message": "Memory deleted successfully!" })))
}

async fn forgetting_all(State(server): State<Arc<Server>>, access: Access, Asked(asked): Asked<Value>) -> Answer {
    access.operates()?;
    let count = scope::forget_all(&server, &access, &scope::to_delete(&asked)?).await?;
    let message = if count == 0 { "No memories to delete." } else { "Memories deleted successfully!" };
    Ok(Json(json!({ "message": message, "deleted": count })))
}

async fn telling(State(server): State<Arc<Server>>, access: Access, At(id): At<String>) -> Answer {
    let (mind, memory) = find_any(&server, &access, &id).await?;
    Ok(Json(json!(history::of(&mind, memory.id).await?)))
}

/// Returns the event id: the mind's id and the sequence number in its ledger.
fn event_of(mind: &MindHandle, sequence: u64) -> String {
    format!("{}.{sequence}", mind.id())
}

/// Requests are processed before they are answered, so every event in the ledger has succeeded.
async fn event(State(server): State<Arc<Server>>, access: Access, At(id): At<String>) -> Answer {
    let unknown = || Problem::not_found(phrase!("http.mem0.event_not_found"));
    let (mind, sequence) = id.split_once('.').ok_or_else(unknown)?;
    let (mind, sequence) = (MindId::parse(mind).map_err(|_| unknown())?, sequence.parse::<u64>().map_err(|_| unknown())?);
    let key = server.engine.key_of_mind(mind).await?.filter(|key| access.covers(key)).ok_or_else(unknown)?;
    let mind = access.known_mind(&server, &key).await?;
    let entry = mind.news(sequence.checked_sub(1).ok_or_else(unknown)?, 1).await?.entries.into_iter().next();
    let entry = entry.filter(|entry| entry.sequence == sequence && matches!(entry.operation, Op::Remember | Op::Observe));
    let entry = entry.ok_or_else(unknown)?;
    let results: Vec<Value> = entry.memories.iter().map(|about| json!({ "id": about.memory, "event": "ADD" })).collect();
    Ok(Json(json!({
        "id": id, "event_type": "ADD", "status": "SUCCEEDED", "created_at": entry.at, "updated_at": entry.at, "results": results, "error": null,
    })))
}

async fn entities(State(server): State<Arc<Server>>, access: Access) -> Answer {
    let all = people::all(&server, &access).await?;
    let of = |kind: &str| all.iter().filter(|entity| entity.kind == kind).count();
    Ok(Json(json!({
        "count": all.len(), "next": null, "previous": null, "total_users": of("user"), "total_agents": of("agent"),
        "total_apps": of("app"), "total_runs": 0, "results": all.iter().map(people::Entity::json).collect::<Vec<_>>(),
    })))
}

async fn forgetting_entity(State(server): State<Arc<Server>>, access: Access, At((kind, name)): At<(String, String)>) -> Answer {
    access.operates()?;
    people::erase(&server, &access, &kind, &name).await?;
    Ok(Json(json!({ "message": "Entity deleted successfully!" })))
}

/// Returns the items of a batch.
fn many(body: &Value) -> Result<Vec<Value>, Refused> {
    let all = body.get("memories").and_then(Value::as_array).filter(|all| !all.is_empty() && all.len() <= 1000);
    let refusal = || Problem::bad(phrase!("http.mem0.batch_size"));
    Ok(all.ok_or_else(refusal)?.clone())
}

async fn changing_many(State(server): State<Arc<Server>>, access: Access, Sent(body): Sent<Value>) -> Answer {
    let all = many(&body)?;
    keep::update_all(&server, &access, &all).await?;
    Ok(Json(json!({ "message": format!("Successfully updated {} memories", all.len()) })))
}

async fn forgetting_many(State(server): State<Arc<Server>>, access: Access, Sent(body): Sent<Value>) -> Answer {
    let all = many(&body)?;
    let mut minds: Vec<(MindHandle, Vec<_>)> = Vec::new();
    for item in &all {
        let (mind, memory) = find(&server, &access, keep::id_in(item)).await?;
        match minds.iter_mut().find(|(known, _)| known.id() == mind.id()) {
            // An id given twice is deleted once.
            Some((_, ids)) if ids.contains(&memory.id) => {}
            Some((_, ids)) => ids.push(memory.id),
            None => minds.push((mind, vec![memory.id])),
        }
    }
    let count: usize = minds.iter().map(|(_, ids)| ids.len()).sum();
    for (mind, ids) in minds {
        mind.forget_all(&ids, Core::Kept).await?;
    }
    Ok(Json(json!({ "message": format!("Successfully deleted {count} memories") })))
}

/// Stores feedback as a star rating.
async fn feedback(State(server): State<Arc<Server>>, access: Access, Sent(body): Sent<Value>) -> Answer {
    let id = ["memory_id", "memoryId"].iter().find_map(|name| body.get(name)).and_then(Value::as_str).unwrap_or_default();
    let (mind, memory) = find(&server, &access, id).await?;
    let stars = match body.get("feedback").and_then(Value::as_str).unwrap_or_default() {
        "POSITIVE" => 5,
        "NEGATIVE" => 2,
        "VERY_NEGATIVE" => 1,
        "" => 3,
        _ => {
            return Err(Problem::bad(phrase!("http.mem0.unknown_feedback")).into());
        }
    };
    mind.rate(memory.id, Rating::new(stars)?).await?;
    Ok(Json(json!({ "message": "Feedback submitted", "id": memory.id })))
}
