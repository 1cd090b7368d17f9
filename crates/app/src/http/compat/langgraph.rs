//! LangGraph's store: items under a namespace and a key. `X-Saegim-User`, `-Character` and `-Work` select the mind.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{post, put};
use axum::{Json, Router};
use saegim_core::{Memory, MindKey, Span, Tier, is_blank, phrase};
use saegim_engine::{Edit, Ends, EngineError, Query};
use serde::Deserialize;
use serde_json::{Value, json};

use super::documents::{Document, Shelf};
use super::{matching, named};
use crate::http::access::Access;
use crate::http::problem::Problem;
use crate::http::{Asked, Body, Server};

/// Prefix of item names.
pub(super) const ITEMS: &str = "store:";

/// Prefix of the tag that stores for how many minutes an item is kept after its last read.
const TTL: &str = "ttl=";

/// Separator between the parts of a name. A namespace must not contain it.
const BETWEEN: char = '\u{1f}';

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new()
        .route("/store/items", put(keep).get(show).delete(remove))
        .route("/store/items/search", post(search))
        .route("/store/namespaces", post(namespaces))
}

/// Returns the items of the mind selected by the headers, or `None` if it does not exist. Reads never create a mind.
async fn shelf(server: &Server, access: &Access, headers: &HeaderMap) -> Result<Option<Shelf>, Problem> {
    let key: MindKey = named::mind(headers)?;
    Ok(access.begun_mind(server, &key).await?.map(|mind| Shelf { mind, now: server.engine.now() }))
}

#[derive(Deserialize)]
struct Kept {
    namespace: Vec<String>,
    key: String,
    value: serde_json::Map<String, Value>,
    /// Lifetime in minutes.
    ttl: Option<f64>,
}

fn name_of(namespace: &[String], key: &str) -> Result<String, Problem> {
    let parts = namespace.iter().map(String::as_str).chain([key]);
    if namespace.is_empty() || parts.clone().any(|part| part.is_empty() || part.contains(BETWEEN) || part.chars().count() > 200) {
        return Err(Problem::bad(phrase!("http.langgraph.namespace_empty")));
    }
    Ok(format!("{ITEMS}{}", parts.collect::<Vec<_>>().join(&BETWEEN.to_string())))
}

/// Converts a value to readable text: an object with a single text field becomes that text, everything else JSON.
fn text_of(value: &Value) -> (String, Vec<String>) {
    if let Value::Object(fields) = value
        && fields.len() == 1
        && let Some((name, Value::String(text))) = fields.iter().next()
        && !is_blank(text)
        && text.trim() == text
        && name.trim() == name
        && !text.contains('\0')
    {
        return (text.clone(), vec![format!("field={name}")]);
    }
    (value.to_string(), Vec::new())
}

fn value_of(memory: &Memory) -> Value {
    let field = memory.tags.iter().find_map(|tag| tag.strip_prefix("field="));
    match field {
        Some(field) => json!({ field: memory.content }),
        None => serde_json::from_str(&memory.content).unwrap_or_else(|_| json!({ "text": memory.content })),
    }
}

/// Returns the parts of the namespace, followed by the key.
fn parts_of(name: &str) -> Vec<&str> {
    name.strip_prefix(ITEMS).unwrap_or(name).split(BETWEEN).collect()
}

fn item(name: &str, memory: &Memory) -> Value {
    let mut parts = parts_of(name);
    let key = parts.pop().unwrap_or_default();
    json!({
        "namespace": parts, "key": key, "value": value_of(memory), "created_at": memory.created_at,
        "updated_at": memory.edited_at.unwrap_or(memory.created_at),
    })
}

/// Converts a lifetime in minutes to a time span.
fn term_of(minutes: Option<f64>) -> Result<Option<Span>, Problem> {
    let Some(minutes) = minutes else { return Ok(None) };
    // The upper limit is a thousand years.
    if !(minutes > 0.0 && minutes < 525_600_000.0) {
        return Err(Problem::bad(phrase!("http.langgraph.ttl_not_positive")));
    }
    Ok(Some(Span::millis((minutes * 60_000.0) as i64)))
}

async fn keep(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Body(body): Body<Kept>,
) -> Result<StatusCode, Problem> {
    // The client joins names with dots in read requests, so a name must not contain one.
    if body.namespace.iter().any(|name| name.contains('.')) {
        return Err(Problem::bad(phrase!("http.langgraph.namespace_with_dots")));
    }
    let (text, mut tags) = text_of(&Value::Object(body.value));
    let (name, term, now) = (name_of(&body.namespace, &body.key)?, term_of(body.ttl)?, server.engine.now());
    tags.extend(body.ttl.map(|minutes| format!("{TTL}{minutes}")));
    let shelf = Shelf { mind: access.mind(&server, named::mind(&headers)?).await?, now };
    let _turn = server.writers.turn(shelf.mind.id()).await;
    shelf.put(Document { name, text, tags, ends_at: term.map(|term| now.plus(term)) }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Extends the lifetime of items that expire some time after their last read. A read does not fail because of this:
/// items that were changed, pinned or removed meanwhile are skipped.
async fn refresh(shelf: &Shelf, items: &[Memory]) -> Result<(), Problem> {
    let edits = items.iter().filter_map(|memory| {
        let minutes: f64 = memory.tags.iter().find_map(|tag| tag.strip_prefix(TTL))?.parse().ok()?;
        let term = term_of(Some(minutes)).ok()??;
        let end = shelf.now.plus(term);
        // Skip small extensions, so that reading in a loop does not write in a loop.
        let slack = Span::millis((term.as_millis() / 10).min(60_000));
        let later = memory.expires_at.is_some_and(|known| known < end.minus(slack));
        (later && !memory.pinned && memory.tier != Tier::M0).then(|| (memory.id, Edit { ends: Some(Ends::At(end)), ..Edit::default() }))
    });
    match shelf.mind.edit_all(edits.collect()).await {
        Ok(_) | Err(EngineError::NotFound(_) | EngineError::Conflict(_) | EngineError::Changed(_) | EngineError::Forbidden(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[derive(Deserialize)]
struct Named {
    /// Namespace names joined with dots, as the client writes them in the query.
    namespace: String,
    key: String,
    /// Whether the read extends the lifetime; true if not given.
    refresh_ttl: Option<bool>,
}

async fn show(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Asked(asked): Asked<Named>,
) -> Result<Json<Value>, Problem> {
    let namespace: Vec<String> = asked.namespace.split('.').map(str::to_owned).collect();
    let name = name_of(&namespace, &asked.key)?;
    // For a missing item, LangGraph's own server returns null.
    let Some(shelf) = shelf(&server, &access, &headers).await? else { return Ok(Json(Value::Null)) };
    let Some(memory) = shelf.find(&name).await? else { return Ok(Json(Value::Null)) };
    let told = item(&name, &memory);
    if asked.refresh_ttl != Some(false) {
        refresh(&shelf, &[memory]).await?;
    }
    Ok(Json(told))
}

#[derive(Deserialize)]
struct Removed {
    namespace: Vec<String>,
    key: String,
}

async fn remove(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Body(body): Body<Removed>,
) -> Result<StatusCode, Problem> {
    let name = name_of(&body.namespace, &body.key)?;
    if let Some(shelf) = shelf(&server, &access, &headers).await? {
        let _turn = server.writers.turn(shelf.mind.id()).await;
        shelf.remove(&name).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
struct Search {
    namespace_prefix: Option<Vec<String>>,
    query: Option<String>,
    filter: Option<serde_json::Map<String, Value>>,
    limit: Option<usize>,
    offset: Option<usize>,
    /// Whether the search extends the lifetime of the results; true if not given.
    refresh_ttl: Option<bool>,
}

async fn search(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Body(body): Body<Search>,
) -> Result<Json<Value>, Problem> {
    let filter = body.filter.map(Value::Object);
    filter.as_ref().map_or(Ok(()), matching::known)?;
    let prefix = format!("{ITEMS}{}", body.namespace_prefix.iter().flatten().map(|part| format!("{part}{BETWEEN}")).collect::<String>());
    let Some(shelf) = shelf(&server, &access, &headers).await? else { return Ok(Json(json!({ "items": [] }))) };
    let mut items: Vec<(Value, Memory)> = match body.query.as_deref().filter(|query| !query.trim().is_empty()) {
        Some(query) => {
            let found = shelf.mind.recall(Query { limit: 1000, ..Query::text(query) }).await?.results;
            let within = found.into_iter().filter(|found| shelf.is_there(&found.memory)).filter_map(|found| {
                let name = found.memory.external_id.clone().filter(|name| name.starts_with(&prefix))?;
                let mut told = item(&name, &found.memory);
                told["score"] = json!(found.relevance);
                Some((told, found.memory))
            });
            within.collect()
        }
        None => shelf.under(&prefix).await?.into_iter().map(|(name, memory)| (item(&name, &memory), memory)).collect(),
    };
    if let Some(filter) = &filter {
        items.retain(|(item, _)| matching::fits(&item["value"], filter));
    }
    let page = items.into_iter().skip(body.offset.unwrap_or(0)).take(body.limit.unwrap_or(10).min(1000));
    let (items, memories): (Vec<Value>, Vec<Memory>) = page.unzip();
    if body.refresh_ttl != Some(false) {
        refresh(&shelf, &memories).await?;
    }
    Ok(Json(json!({ "items": items })))
}

/// Compares names one by one; `*` matches any name.
fn alike(names: Option<&[String]>, wanted: &[String]) -> bool {
    names.is_some_and(|names| names.iter().zip(wanted).all(|(name, wanted)| wanted == "*" || name == wanted))
}

#[derive(Deserialize)]
struct Namespaces {
    prefix: Option<Vec<String>>,
    suffix: Option<Vec<String>>,
    max_depth: Option<usize>,
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn namespaces(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Body(body): Body<Namespaces>,
) -> Result<Json<Value>, Problem> {
    if body.max_depth == Some(0) {
        return Err(Problem::bad(phrase!("http.langgraph.max_depth_too_small")));
    }
    let mut all: BTreeSet<Vec<String>> = BTreeSet::new();
    let items = match shelf(&server, &access, &headers).await? {
        Some(shelf) => shelf.under(ITEMS).await?,
        None => Vec::new(),
    };
    for (name, _) in items {
        let mut parts: Vec<String> = parts_of(&name).into_iter().map(str::to_owned).collect();
        parts.pop();
        let begins = body.prefix.as_ref().is_none_or(|prefix| alike(parts.get(..prefix.len()), prefix));
        let from = body.suffix.as_ref().and_then(|suffix| parts.len().checked_sub(suffix.len()));
        let ends = body.suffix.as_ref().is_none_or(|suffix| alike(from.and_then(|from| parts.get(from..)), suffix));
        if begins && ends {
            parts.truncate(body.max_depth.unwrap_or(usize::MAX));
            all.insert(parts);
        }
    }
    let all: Vec<_> = all.into_iter().skip(body.offset.unwrap_or(0)).take(body.limit.unwrap_or(100)).collect();
    Ok(Json(json!({ "namespaces": all })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_as_it_was() {
        for value in [
            json!({ "text": "피자를 좋아해" }),
            json!({ "a": 1, "b": [true] }),
            json!({ "text": " 빈칸 " }),
            json!({ "text": "a\0b" }),
            json!({ " padded ": "글" }),
            json!({}),
        ] {
            let (text, tags) = text_of(&value);
            let back = match tags.first() {
                Some(tag) => json!({ tag.trim_start_matches("field="): text }),
                None => serde_json::from_str(&text).unwrap(),
            };
            assert_eq!(back, value);
        }
    }

    #[test]
    fn a_namespace_may_begin_as_names_of_items_do() {
        let name = name_of(&["store:store:a".to_owned(), "b".to_owned()], "k").unwrap_or_else(|_| panic!("it is a name"));
        assert_eq!(parts_of(&name), ["store:store:a", "b", "k"]);
    }

    #[test]
    fn a_star_is_any_name_and_a_term_is_more_than_nothing() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let parts = names(&["a", "b", "c"]);
        for (wanted, fits) in
            [(names(&["*", "b"]), true), (names(&["a"]), true), (names(&["b"]), false), (names(&["*", "*", "*", "*"]), false)]
        {
            assert_eq!(alike(parts.get(..wanted.len()), &wanted), fits, "{wanted:?}");
        }
        assert!(matches!(term_of(None), Ok(None)) && matches!(term_of(Some(1.0)), Ok(Some(term)) if term == Span::seconds(60)));
        for minutes in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(term_of(Some(minutes)).is_err(), "{minutes}");
        }
    }
}
