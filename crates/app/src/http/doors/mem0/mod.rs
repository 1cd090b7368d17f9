//! mem0's clients: `user_id` is the user, `agent_id` the character, `app_id` the work, `run_id` the session.

/// What a platform client asks.
mod platform;
/// What a self-hosted client asks.
mod self_hosted;

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use saegim_core::{Coordinate, Hash, Memory, MemoryId, MindKey, Op, SessionId, Timestamp, phrase};
use saegim_engine::{Core, Draft, Exchange, Filter, Found, MindHandle, Page, Query, Said, Shown};
use serde_json::{Map, Value, json};

use crate::http::Server;
use crate::http::access::Access;
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

impl<E: Into<saegim_engine::EngineError>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self(Problem::from(error.into()))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, detail) = (self.0.status(), self.0.detail());
        (status, Json(json!({ "detail": detail, "error": detail }))).into_response()
    }
}

type Answer = Result<Json<Value>, Refused>;

/// Whom a request is about.
#[derive(Clone, Debug, Default)]
struct Scope {
    user: Option<String>,
    agent: Option<String>,
    app: Option<String>,
    run: Option<String>,
}

impl Scope {
    /// Takes the four names wherever they stand: beside everything else, inside `filters`, under `AND` or `OR`.
    fn of(fields: &Value) -> Result<Self, Refused> {
        let mut scope = Self::default();
        scope.take(fields)?;
        Ok(scope)
    }

    fn take(&mut self, fields: &Value) -> Result<(), Refused> {
        for (name, slot) in
            [("user_id", &mut self.user), ("agent_id", &mut self.agent), ("app_id", &mut self.app), ("run_id", &mut self.run)]
        {
            let found = fields.get(name).and_then(name_in).filter(|found| found != "*");
            let Some(found) = found else { continue };
            let found = found.trim().to_owned();
            if found.is_empty() || found.contains(char::is_whitespace) {
                return Err(Problem::bad(phrase!("{name}: give a name without blanks", "{name}: 빈칸 없는 이름을 적어 주세요")).into());
            }
            slot.get_or_insert(found);
        }
        for group in ["filters", "AND", "OR"] {
            match fields.get(group) {
                Some(Value::Array(all)) => all.iter().try_for_each(|one| self.take(one))?,
                Some(inner @ Value::Object(_)) => self.take(inner)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses a request about nobody.
    fn known(self) -> Result<Self, Refused> {
        if self.user.is_none() && self.agent.is_none() && self.run.is_none() && self.app.is_none() {
            return Err(Problem::bad(phrase!(
                "At least one identifier (user_id, agent_id, run_id) is required.",
                "user_id, agent_id, run_id 가운데 하나는 있어야 합니다."
            ))
            .into());
        }
        Ok(self)
    }

    fn key(&self) -> Result<MindKey, Refused> {
        let name = |given: &Option<String>, other: &str| given.clone().unwrap_or_else(|| other.to_owned());
        let key = MindKey::in_work(&name(&self.user, "me"), &name(&self.agent, "assistant"), &name(&self.app, MindKey::DEFAULT_WORK));
        Ok(key.map_err(Problem::from)?)
    }

    fn session(&self) -> Result<Option<SessionId>, Refused> {
        Ok(self.run.clone().map(SessionId::new).transpose().map_err(Problem::from)?)
    }

    fn filter(&self) -> Result<Filter, Refused> {
        Ok(Filter { session: self.session()?, ..Filter::default() })
    }
}

/// A name as it is, as a number, or as one of the operators that ask for it.
fn name_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(operators) => operators.get("eq").or_else(|| operators.get("$eq")).and_then(name_in),
        _ => None,
    }
}

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
            "metadata": metadata_of(memory),
            "categories": memory.category.iter().map(|category| category.as_str()).collect::<Vec<_>>(),
            "created_at": memory.created_at,
            "updated_at": memory.edited_at.unwrap_or(memory.created_at),
            "expiration_date": memory.expires_at,
            "user_id": self.key.user(),
            "agent_id": self.key.character(),
            "app_id": self.key.work(),
            "run_id": session,
        })
    }
}

/// What a client kept beside a text: one label each, `name=value`.
fn tags_of(metadata: Option<&Value>) -> Vec<String> {
    let Some(Value::Object(fields)) = metadata else { return Vec::new() };
    fields.iter().map(|(name, value)| format!("{name}={value}")).filter(|tag| tag.chars().count() <= 200).collect()
}

fn metadata_of(memory: &Memory) -> Value {
    let fields = memory.tags.iter().filter_map(|tag| {
        let (name, value) = tag.split_once('=')?;
        Some((name.to_owned(), serde_json::from_str(value).ok()?))
    });
    let fields: Map<String, Value> = fields.collect();
    if fields.is_empty() { Value::Null } else { Value::Object(fields) }
}

/// Finds a memory among the minds a key opens.
async fn find(server: &Server, access: &Access, id: &str) -> Result<(MindHandle, Memory), Refused> {
    let missing = || Refused(Problem::new(StatusCode::NOT_FOUND, "not found", phrase!("Memory not found!", "그런 기억이 없습니다")));
    let id = MemoryId::parse(id).map_err(|_| missing())?;
    for mind in server.engine.minds_of(id).await? {
        if let Ok(mind) = access.known_mind(server, &mind.key).await
            && let Ok(memory) = mind.get(id).await
        {
            return Ok((mind, memory));
        }
    }
    Err(missing())
}

/// Keeps messages: verbatim, or through the whole pipeline. What came of each, as `(id, text, event)`.
async fn add(server: &Server, access: &Access, body: &Value) -> Result<Vec<(MemoryId, String, &'static str)>, Refused> {
    let scope = Scope::of(body)?.known()?;
    let mind = access.mind(server, scope.key()?).await?;
    let messages = messages(body)?;
    let tags = tags_of(body.get("metadata"));
    if body.get("infer").and_then(Value::as_bool) == Some(false) {
        let mut kept = Vec::new();
        for (_, text) in messages.iter().filter(|(role, _)| role != "system") {
            let coordinate = Coordinate { session: scope.session()?, ..Coordinate::default() };
            let memory = mind.remember(Draft { tags: tags.clone(), coordinate, ..Draft::text(text) }).await?.memory;
            kept.push((memory.id, memory.content, "ADD"));
        }
        return Ok(kept);
    }
    let said = messages.into_iter().map(|(role, text)| match role.as_str() {
        "assistant" => Said::assistant(text),
        "system" => Said { role: saegim_core::Role::System, ..Said::user(text) },
        _ => Said::user(text),
    });
    let observed = mind.observe(Exchange { session: scope.session()?, said: said.collect(), ..Exchange::default() }).await?;
    let mut results = Vec::new();
    for candidate in &observed.candidates {
        let Some(id) = candidate.memory else { continue };
        let event = if candidate.verdict == saegim_core::CandidateVerdict::Stored { "ADD" } else { "UPDATE" };
        if !tags.is_empty() && event == "ADD" {
            mind.edit(id, saegim_engine::Edit { tags: Some(tags.clone()), ..saegim_engine::Edit::default() }).await?;
        }
        results.push((id, candidate.content.clone(), event));
    }
    Ok(results)
}

/// The messages of a body: a text, one message, or several, each with its role.
fn messages(body: &Value) -> Result<Vec<(String, String)>, Refused> {
    let one = |message: &Value| {
        let role = message.get("role").and_then(Value::as_str).unwrap_or("user").to_owned();
        message.get("content").and_then(Value::as_str).map(|text| (role, text.to_owned()))
    };
    let found: Option<Vec<_>> = match body.get("messages") {
        Some(Value::String(text)) => Some(vec![("user".into(), text.clone())]),
        Some(message @ Value::Object(_)) => one(message).map(|message| vec![message]),
        Some(Value::Array(all)) => all.iter().map(one).collect(),
        _ => None,
    };
    found.filter(|messages| !messages.is_empty()).ok_or_else(|| {
        Refused(Problem::bad(phrase!(
            "messages: give a text or a list of messages with role and content",
            "messages: 글이나 role과 content가 있는 메시지 목록을 주세요"
        )))
    })
}

/// What fits a question, with the mind's key.
async fn search(server: &Server, access: &Access, body: &Value, limit: usize) -> Result<(MindKey, Vec<Found>), Refused> {
    let scope = Scope::of(body)?.known()?;
    let key = scope.key()?;
    let query = body.get("query").and_then(Value::as_str).unwrap_or_default().to_owned();
    if query.trim().is_empty() {
        return Err(Problem::bad(phrase!("query: say what to look for", "query: 찾을 말을 적어 주세요")).into());
    }
    let mind = match access.known_mind(server, &key).await {
        Ok(mind) => mind,
        Err(problem) if problem.status() == StatusCode::NOT_FOUND => return Ok((key, Vec::new())),
        Err(problem) => return Err(problem.into()),
    };
    let limit = body.get("top_k").or_else(|| body.get("limit")).and_then(Value::as_u64).map_or(limit, |limit| limit as usize);
    let recalled = mind.recall(Query { limit: limit.clamp(1, 1000), filter: scope.filter()?, ..Query::text(query) }).await?;
    let least = body.get("threshold").and_then(Value::as_f64).unwrap_or(0.0);
    Ok((key, recalled.results.into_iter().filter(|found| f64::from(found.relevance.get()) >= least).collect()))
}

fn found_json(found: &Found, key: &MindKey) -> Value {
    let mut item = Item { memory: &found.memory, key }.json();
    item["score"] = json!(found.relevance);
    item
}

/// Every memory of a scope, newest first.
async fn all(server: &Server, access: &Access, scope: &Scope, page: Page) -> Result<(MindKey, Vec<Memory>), Refused> {
    let key = scope.key()?;
    match access.known_mind(server, &key).await {
        Ok(mind) => Ok((key, mind.list(&scope.filter()?, page).await?)),
        Err(problem) if problem.status() == StatusCode::NOT_FOUND => Ok((key, Vec::new())),
        Err(problem) => Err(problem.into()),
    }
}

/// Lets go of every memory of a scope; they can be restored for seven days.
async fn forget_all(server: &Server, access: &Access, scope: &Scope) -> Result<usize, Refused> {
    let mut count = 0;
    loop {
        let (key, memories) = all(server, access, scope, Page { limit: 200, before: None }).await?;
        if memories.is_empty() {
            return Ok(count);
        }
        let mind = access.known_mind(server, &key).await?;
        for memory in memories {
            mind.forget(memory.id, Core::Too).await?;
            count += 1;
        }
    }
}

/// What is to be different about a memory.
async fn update(server: &Server, access: &Access, id: &str, body: &Value) -> Result<(MindKey, Memory), Refused> {
    let (mind, memory) = find(server, access, id).await?;
    let text = body.get("text").or_else(|| body.get("data")).or_else(|| body.get("memory")).and_then(Value::as_str).map(str::to_owned);
    let tags = body.get("metadata").filter(|metadata| metadata.is_object()).map(|metadata| tags_of(Some(metadata)));
    if text.is_none() && tags.is_none() {
        return Err(Problem::bad(phrase!("give text or metadata", "text 나 metadata 를 주세요")).into());
    }
    let edit = saegim_engine::Edit { content: text, tags, ..saegim_engine::Edit::default() };
    let memory = mind.edit(memory.id, edit).await?;
    Ok((mind.key().clone(), memory))
}

/// A memory's life as mem0 tells it. What it said before it was rewritten is not kept, so it is not told.
fn history(shown: &Shown) -> Vec<Value> {
    let event = |operation: Op| match operation {
        Op::Remember | Op::Observe | Op::Import | Op::Promote | Op::Consolidate | Op::Restore => Some("ADD"),
        Op::Edit => Some("UPDATE"),
        Op::Forget | Op::Expire | Op::Prune | Op::Withdraw => Some("DELETE"),
        _ => None,
    };
    let at = |at: Timestamp| at.to_string();
    let entries = shown.history.iter().filter_map(|entry| event(entry.operation).map(|event| (entry, event)));
    entries
        .map(|(entry, event)| {
            json!({
                "id": format!("{}-{}", shown.memory.id, entry.sequence), "memory_id": shown.memory.id, "old_memory": null,
                "new_memory": if event == "DELETE" { Value::Null } else { json!(shown.memory.content) }, "event": event,
                "created_at": at(entry.at), "updated_at": at(entry.at), "is_deleted": event == "DELETE",
                "actor_id": entry.principal, "role": null,
            })
        })
        .collect()
}
