//! Reading and deleting across all minds that match a request and that the key covers.

use saegim_core::{Memory, MemoryState, MindKey, Source, Timestamp, phrase};
use saegim_engine::{Core, Found, MindHandle, Page, Query};
use serde_json::Value;

use super::filter::{Condition, NAMES, snake};
use super::{Item, Refused, is_over};
use crate::http::Server;
use crate::http::access::Access;
use crate::http::compat::documents::is_document;
use crate::http::problem::Problem;

/// Number of memories read per page.
const PAGE: usize = 1000;

/// A read request.
pub(super) struct Reading {
    pub(super) condition: Condition,
    /// Whether to include expired memories that are not on the cliff yet.
    expired: bool,
    /// Fields to return; all if `None`.
    fields: Option<Vec<String>>,
}

impl Reading {
    pub(super) fn of(asked: &Value) -> Result<Self, Refused> {
        let condition = about_someone(Condition::of_reading(asked)?)?;
        let given = |names: [&str; 2]| names.iter().find_map(|name| asked.get(name)).filter(|value| !value.is_null());
        let refusal = |what: &str| Problem::bad(phrase!("http.mem0.not_readable", what));
        let expired = match given(["show_expired", "showExpired"]) {
            None => false,
            Some(Value::Bool(shown)) => *shown,
            Some(Value::String(shown)) => shown.parse().map_err(|_| refusal("show_expired"))?,
            Some(_) => return Err(refusal("show_expired").into()),
        };
        let fields = match given(["fields", "fields"]) {
            None => None,
            Some(Value::String(names)) => Some(names.split(',').map(|name| snake(name.trim())).collect()),
            Some(Value::Array(names)) => {
                let names: Option<Vec<String>> = names.iter().map(|name| name.as_str().map(snake)).collect();
                Some(names.ok_or_else(|| refusal("fields"))?)
            }
            Some(_) => return Err(refusal("fields").into()),
        };
        Ok(Self { condition, expired, fields })
    }

    /// Checks whether a memory matches. Documents are not ordinary memories and never match.
    fn means(&self, memory: &Memory, key: &MindKey, now: Timestamp) -> bool {
        self.tells(memory, now) && !is_document(memory) && self.condition.holds(&Item { memory, key })
    }

    /// Checks whether a memory may be returned. Imaginations are not, because these clients treat every memory as a
    /// fact.
    fn tells(&self, memory: &Memory, now: Timestamp) -> bool {
        (self.expired || !is_over(memory, now)) && memory.source != Source::Imagination
    }

    /// Reduces an item to its id and the requested fields.
    pub(super) fn told(&self, mut item: Value) -> Value {
        if let (Some(fields), Some(item)) = (&self.fields, item.as_object_mut()) {
            item.retain(|name, _| name == "id" || fields.contains(name));
        }
        item
    }
}

/// Returns the condition of a write or delete request. Refuses a request without any id.
pub(super) fn wanted(fields: &Value) -> Result<Condition, Refused> {
    about_someone(Condition::of(fields)?)
}

fn about_someone(condition: Condition) -> Result<Condition, Refused> {
    if condition.names_someone() {
        return Ok(condition);
    }
    Err(Problem::bad(phrase!("http.mem0.identifier_required")).into())
}

/// Returns the mind key for the given ids, with defaults for missing ones.
fn usual(condition: &Condition) -> Result<MindKey, Refused> {
    let name = |name: &str, other: &str| condition.name(name).unwrap_or_else(|| other.to_owned());
    Ok(MindKey::in_work(&name("user_id", "me"), &name("agent_id", "assistant"), &name("app_id", MindKey::DEFAULT_WORK))?)
}

/// Returns the mind to write to. Refuses ids that are not a single value, because the memory would go to the shared
/// default mind.
pub(super) fn key(condition: &Condition) -> Result<MindKey, Refused> {
    for name in NAMES {
        let given = condition.name(name);
        let usable = given.as_ref().is_some_and(|given| !given.is_empty() && !given.contains(char::is_whitespace));
        if condition.mentions(name) && !usable {
            return Err(Problem::bad(phrase!("http.mem0.not_one_name", name)).into());
        }
    }
    usual(condition)
}

/// Returns the condition of a delete request. Refuses anything but ids, because ignoring a condition would delete too
/// much.
pub(super) fn to_delete(fields: &Value) -> Result<Condition, Refused> {
    let known = |name: &String| NAMES.contains(&snake(name).as_str()) || ["org_id", "project_id"].contains(&snake(name).as_str());
    match fields.as_object().into_iter().flat_map(|fields| fields.keys()).find(|name| !known(name)) {
        Some(other) => Err(Problem::bad(phrase!("http.mem0.deletion_filter_not_supported", other)).into()),
        None => wanted(fields),
    }
}

/// Returns all minds that may match and that the key covers.
pub(super) async fn minds(server: &Server, access: &Access, condition: &Condition) -> Result<Vec<MindHandle>, Refused> {
    let mut opened = Vec::new();
    for mind in server.engine.minds_named(condition.minds()).await? {
        if access.covers(&mind.key) && condition.can_hold_in(&mind.key) {
            opened.push(access.known_mind(server, &mind.key).await?);
        }
    }
    // Asking for a mind of another owner is refused whether it exists or not.
    if opened.is_empty() && condition.minds() != saegim_engine::MindSearch::default() {
        access.may_touch(&usual(condition)?)?;
    }
    Ok(opened)
}

/// Returns all matching memories of a mind, newest first.
async fn within(mind: &MindHandle, condition: &Condition) -> Result<Vec<Memory>, Refused> {
    let (filter, mut page, mut all) = (condition.filter(), Page { limit: PAGE, before: None }, Vec::new());
    let plain = condition.is_about_minds_alone();
    loop {
        let memories = mind.list(&filter, page.clone()).await?;
        let Some(last) = memories.last() else { return Ok(all) };
        page.before = Some(last.id);
        let meant = |memory: &Memory| !is_document(memory) && (plain || condition.holds(&Item { memory, key: mind.key() }));
        all.extend(memories.into_iter().filter(meant));
    }
}

/// Returns all matching memories, newest first.
pub(super) async fn all(server: &Server, access: &Access, reading: &Reading) -> Result<Vec<(MindKey, Memory)>, Refused> {
    let (now, mut all) = (server.engine.now(), Vec::new());
    for mind in minds(server, access, &reading.condition).await? {
        let memories = within(&mind, &reading.condition).await?.into_iter().filter(|memory| reading.tells(memory, now));
        all.extend(memories.map(|memory| (mind.key().clone(), memory)));
    }
    all.sort_by_key(|(_, memory)| std::cmp::Reverse(memory.id));
    Ok(all)
}

/// Searches by a query, best match first.
pub(super) async fn search(server: &Server, access: &Access, body: &Value, usual: usize) -> Result<Vec<Value>, Refused> {
    let reading = Reading::of(body)?;
    let condition = &reading.condition;
    let query = body.get("query").and_then(Value::as_str).unwrap_or_default().to_owned();
    if query.trim().is_empty() {
        return Err(Problem::bad(phrase!("http.mem0.query_empty")).into());
    }
    let limit = limit(body, usual)?;
    let least = threshold(body)?;
    // Fetch more than the limit, because some results are filtered out afterwards.
    let first = if condition.is_about_minds_alone() { (limit + 50).min(PAGE) } else { PAGE };
    let now = server.engine.now();
    let mut all: Vec<(MindKey, Found)> = Vec::new();
    for mind in minds(server, access, condition).await? {
        for deep in [first, PAGE] {
            let recalled = mind.recall(Query { limit: deep, filter: condition.filter(), ..Query::text(query.clone()) }).await?.results;
            let whole = recalled.len() < deep || deep == PAGE;
            let meant = |found: &Found| f64::from(found.relevance.get()) >= least && reading.means(&found.memory, mind.key(), now);
            let found: Vec<Found> = recalled.into_iter().filter(meant).collect();
            if whole || found.len() >= limit {
                all.extend(found.into_iter().map(|found| (mind.key().clone(), found)));
                break;
            }
        }
    }
    // The results of each mind are already sorted; the stable sort keeps their order.
    all.sort_by(|one, other| other.1.relevance.get().total_cmp(&one.1.relevance.get()));
    all.truncate(limit);
    let told = all.iter().map(|(key, found)| {
        let mut item = Item { memory: &found.memory, key }.json();
        item["score"] = found.relevance.get().into();
        reading.told(item)
    });
    Ok(told.collect())
}

/// Returns the minimum relevance of a result.
fn threshold(fields: &Value) -> Result<f64, Refused> {
    let Some(asked) = fields.get("threshold").filter(|asked| !asked.is_null()) else { return Ok(0.0) };
    let number = asked.as_f64().or_else(|| asked.as_str().and_then(|text| text.parse().ok())).filter(|number: &f64| number.is_finite());
    let refusal = || Problem::bad(phrase!("http.mem0.threshold_out_of_range"));
    Ok(number.ok_or_else(refusal)?)
}

/// Returns the maximum number of results.
pub(super) fn limit(fields: &Value, usual: usize) -> Result<usize, Refused> {
    let asked = ["top_k", "topK", "limit"].iter().find_map(|name| fields.get(name)).filter(|asked| !asked.is_null());
    let Some(asked) = asked else { return Ok(usual) };
    let number = asked.as_u64().or_else(|| asked.as_str().and_then(|text| text.parse().ok())).filter(|number| *number > 0);
    let refusal = || Problem::bad(phrase!("http.mem0.top_k_too_small"));
    Ok(number.ok_or_else(refusal)?.min(PAGE as u64) as usize)
}

/// Forgets all matching memories, mind by mind, and returns their number. They can be restored for seven days.
pub(super) async fn forget_all(server: &Server, access: &Access, condition: &Condition) -> Result<usize, Refused> {
    let mut count = 0;
    for mind in minds(server, access, condition).await? {
        let memories = within(&mind, condition).await?;
        let ids: Vec<_> = memories.iter().filter(|memory| memory.standing == MemoryState::Alive).map(|memory| memory.id).collect();
        mind.forget_all(&ids, Core::Too).await?;
        count += ids.len();
    }
    Ok(count)
}
