//! LangGraph's store: items under a namespace and a key. `X-Saegim-User`, `-Character` and `-Work` name the mind.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{post, put};
use axum::{Json, Router};
use saegim_core::{Memory, Span, Tier, is_blank, phrase};
use saegim_engine::Query;
use serde::Deserialize;
use serde_json::{Value, json};

use super::documents::{Document, Shelf};
use super::named;
use crate::http::access::Access;
use crate::http::problem::Problem;
use crate::http::{Asked, Body, Server};

/// How the names of items begin.
const ITEMS: &str = "store:";

/// Stands between the parts of a name; no namespace may hold it.
const BETWEEN: char = '\u{1f}';

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new()
        .route("/store/items", put(keep).get(show).delete(remove))
        .route("/store/items/search", post(search))
        .route("/store/namespaces", post(namespaces))
}

async fn shelf(server: &Server, access: &Access, headers: &HeaderMap) -> Result<Shelf, Problem> {
    Ok(Shelf { mind: access.mind(server, named::mind(headers)?).await?, now: server.engine.now() })
}

#[derive(Deserialize)]
struct Kept {
    namespace: Vec<String>,
    key: String,
    value: Value,
    /// Minutes it should be kept.
    ttl: Option<f64>,
}

fn name_of(namespace: &[String], key: &str) -> Result<String, Problem> {
    let parts = namespace.iter().map(String::as_str).chain([key]);
    if namespace.is_empty() || parts.clone().any(|part| part.is_empty() || part.contains(BETWEEN) || part.chars().count() > 200) {
        return Err(Problem::bad(phrase!(
            "give a namespace of one or more names and a key",
            "이름 하나 이상으로 된 namespace와 key를 주세요"
        )));
    }
    Ok(format!("{ITEMS}{}", parts.collect::<Vec<_>>().join(&BETWEEN.to_string())))
}

/// A value as a text that reads well: one field of text is that text, everything else is JSON.
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

fn item(name: &str, memory: &Memory) -> Value {
    let mut parts: Vec<&str> = name.trim_start_matches(ITEMS).split(BETWEEN).collect();
    let key = parts.pop().unwrap_or_default();
    json!({
        "namespace": parts, "key": key, "value": value_of(memory), "created_at": memory.created_at,
        "updated_at": memory.edited_at.unwrap_or(memory.created_at),
    })
}

/// How long something is to be kept, given in minutes.
fn term_of(minutes: Option<f64>) -> Result<Option<Span>, Problem> {
    let Some(minutes) = minutes else { return Ok(None) };
    // Beyond a thousand years nobody waits for it.
    if !(minutes > 0.0 && minutes < 525_600_000.0) {
        return Err(Problem::bad(phrase!("ttl: give minutes, more than none", "ttl: 0보다 큰 분 수를 적어 주세요")));
    }
    Ok(Some(Span::millis((minutes * 60_000.0) as i64)))
}

async fn keep(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Body(body): Body<Kept>,
) -> Result<StatusCode, Problem> {
    let shelf = shelf(&server, &access, &headers).await?;
    let (text, tags) = text_of(&body.value);
    let name = name_of(&body.namespace, &body.key)?;
    let ends_at = term_of(body.ttl)?.map(|term| shelf.now.plus(term));
    shelf.put(Document { name, text, tags, tier: Tier::M365, ends_at }).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
struct Named {
    /// Names with dots between them, as the client writes them into an address.
    namespace: String,
    key: String,
}

async fn show(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Asked(asked): Asked<Named>,
) -> Result<Json<Value>, Problem> {
    let shelf = shelf(&server, &access, &headers).await?;
    let namespace: Vec<String> = asked.namespace.split('.').map(str::to_owned).collect();
    let name = name_of(&namespace, &asked.key)?;
    // Where there is none LangGraph's own server says so with nothing.
    Ok(Json(shelf.find(&name).await?.map_or(Value::Null, |memory| item(&name, &memory))))
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
    let shelf = shelf(&server, &access, &headers).await?;
    shelf.remove(&name_of(&body.namespace, &body.key)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
struct Search {
    #[serde(default)]
    namespace_prefix: Vec<String>,
    query: Option<String>,
    filter: Option<serde_json::Map<String, Value>>,
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn search(
    State(server): State<Arc<Server>>,
    access: Access,
    headers: HeaderMap,
    Body(body): Body<Search>,
) -> Result<Json<Value>, Problem> {
    let shelf = shelf(&server, &access, &headers).await?;
    let prefix = format!("{ITEMS}{}", body.namespace_prefix.iter().map(|part| format!("{part}{BETWEEN}")).collect::<String>());
    let mut items: Vec<Value> = match body.query.as_deref().filter(|query| !query.trim().is_empty()) {
        Some(query) => {
            let found = shelf.mind.recall(Query { limit: 1000, ..Query::text(query) }).await?.results;
            let within = found.into_iter().filter(|found| shelf.is_there(&found.memory)).filter_map(|found| {
                let name = found.memory.external_id.clone().filter(|name| name.starts_with(&prefix))?;
                let mut told = item(&name, &found.memory);
                told["score"] = json!(found.relevance);
                Some(told)
            });
            within.collect()
        }
        None => shelf.under(&prefix).await?.iter().map(|(name, memory)| item(name, memory)).collect(),
    };
    if let Some(filter) = &body.filter {
        items.retain(|item| filter.iter().all(|(field, wanted)| fits(&item["value"][field], wanted)));
    }
    let items: Vec<Value> = items.into_iter().skip(body.offset.unwrap_or(0)).take(body.limit.unwrap_or(10).min(1000)).collect();
    Ok(Json(json!({ "items": items })))
}

/// Whether a field is as wanted: equal, or as its operators say.
fn fits(value: &Value, wanted: &Value) -> bool {
    let Value::Object(operators) = wanted else { return value == wanted };
    if !operators.keys().all(|name| name.starts_with('$')) {
        return value == wanted;
    }
    let order = |other: &Value| value.as_f64().zip(other.as_f64()).and_then(|(one, other)| one.partial_cmp(&other));
    operators.iter().all(|(name, other)| match name.as_str() {
        "$eq" => value == other,
        "$ne" => value != other,
        "$gt" => order(other).is_some_and(std::cmp::Ordering::is_gt),
        "$gte" => order(other).is_some_and(std::cmp::Ordering::is_ge),
        "$lt" => order(other).is_some_and(std::cmp::Ordering::is_lt),
        "$lte" => order(other).is_some_and(std::cmp::Ordering::is_le),
        _ => false,
    })
}

/// Whether names are as wanted, one by one; a star is any name.
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
    let shelf = shelf(&server, &access, &headers).await?;
    if body.max_depth == Some(0) {
        return Err(Problem::bad(phrase!("max_depth: give a number from 1 on", "max_depth: 1부터의 수를 적어 주세요")));
    }
    let mut all: BTreeSet<Vec<String>> = BTreeSet::new();
    for (name, _) in shelf.under(ITEMS).await? {
        let mut parts: Vec<String> = name.trim_start_matches(ITEMS).split(BETWEEN).map(str::to_owned).collect();
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
    fn a_value_comes_back_as_it_was_and_filters_compare_it() {
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
        assert!(
            fits(&json!(3), &json!({ "$gte": 3, "$lt": 4 })) && !fits(&json!(3), &json!({ "$gt": 3 })) && fits(&json!("a"), &json!("a"))
        );
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
