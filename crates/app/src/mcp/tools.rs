//! Tools a client can call.

use saegim_core::{Emotion, Emotions, Phrase, Rating, Role, SessionId, Timestamp, Unit, Zone, phrase};
use saegim_engine::{ContextQuery, Core, Draft, Edit, EngineError, Exchange, NewMessage, Query, StatementHistory, TimelineQuery};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{Door, own};
use crate::shapes::{Context, Fact, FoundMemory, Life, Memory, Observed, Person, Relationship, Statement};

/// Returns the error for invalid arguments. The model reads it.
fn wrong(error: &serde_json::Error) -> Phrase {
    phrase!("mcp.tools.arguments_not_valid", error)
}

pub(super) fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Phrase> {
    serde_json::from_value(arguments).map_err(|error| wrong(&error))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Adding {
    content: String,
    importance: Option<f32>,
    #[serde(default)]
    emotions: Vec<Emotion>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Searching {
    query: String,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changing {
    id: String,
    content: Option<String>,
    importance: Option<f32>,
    tags: Option<Vec<String>>,
    changed_behaviour: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answering {
    message: String,
    budget: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Observing {
    messages: Vec<Message>,
    session: Option<String>,
    #[serde(default)]
    memory_ids: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    role: Role,
    content: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asking {
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knowing {
    #[serde(default)]
    history: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Placing {
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dating {
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rated {
    id: String,
    stars: u8,
}

/// Checks an importance. Refuses instead of clamping, so that the model learns the scale.
fn unit(value: Option<f32>) -> Result<Option<Unit>, Phrase> {
    let checked = value.map(Unit::new).transpose();
    checked.map_err(|_| phrase!("mcp.tools.importance_out_of_range"))
}

/// Returns a number within its limits, or the default if it is not given.
fn within(name: &str, value: Option<usize>, (least, usual, most): (usize, usize, usize)) -> Result<usize, Phrase> {
    let value = value.unwrap_or(usual);
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(phrase!("mcp.tools.out_of_range", name, least, most))
}

pub(super) fn plain(value: impl serde::Serialize) -> Result<Value, Phrase> {
    serde_json::to_value(value).map_err(|error| wrong(&error))
}

/// Calls a tool. All calls use the agent's handle, which refuses what an agent may not do.
pub(super) async fn call(door: &Door, name: &str, arguments: Value) -> Result<Value, Phrase> {
    let said = |error: EngineError| error.phrase();
    match name {
        "add_memory" => return add(door, read(arguments)?).await,
        "observe_turns" => return observe(door, read(arguments)?).await,
        _ => {}
    }
    let mind = door.known().await.map_err(said)?;
    match name {
        "search_memories" => {
            let asked: Searching = read(arguments)?;
            let query = Query { limit: within("limit", asked.limit, (1, 5, 100))?, ..Query::text(asked.query) };
            let found = mind.recall(query).await.map_err(said)?;
            let results: Vec<FoundMemory> = found.results.iter().map(FoundMemory::from).collect();
            Ok(json!({ "results": plain(results)?, "confidence": found.confidence, "degraded": found.degraded }))
        }
        "get_memory" => {
            let id = mind.resolve(&read::<One>(arguments)?.id).await.map_err(said)?;
            plain(Life::from(&mind.show(id).await.map_err(said)?))
        }
        "update_memory" => {
            let asked: Changing = read(arguments)?;
            let id = mind.resolve(&asked.id).await.map_err(said)?;
            let edit = Edit {
                content: asked.content,
                importance: unit(asked.importance)?,
                tags: asked.tags,
                changed_behaviour: asked.changed_behaviour,
                ..Edit::default()
            };
            plain(Memory::from(&mind.edit(id, edit).await.map_err(said)?))
        }
        "forget_memory" => {
            let id = mind.resolve(&read::<One>(arguments)?.id).await.map_err(said)?;
            let entry = mind.forget(id, Core::Kept).await.map_err(said)?;
            Ok(json!({ "id": id, "gone_at": entry.gone_at }))
        }
        "restore_memory" => {
            let id = mind.resolve(&read::<One>(arguments)?.id).await.map_err(said)?;
            plain(Memory::from(&mind.restore(id).await.map_err(said)?))
        }
        "get_context" => {
            let asked: Answering = read(arguments)?;
            let budget = asked.budget.map(|budget| within("budget", Some(budget), (50, budget, 100_000))).transpose()?;
            plain(Context::from(&mind.context(ContextQuery { text: asked.message, budget }).await.map_err(said)?))
        }
        _ => match own::call(door, name, arguments.clone()).await {
            Some(done) => done,
            None => look(door, name, arguments).await,
        },
    }
}

/// Stores a text. Invalid content does not create the mind.
async fn add(door: &Door, asked: Adding) -> Result<Value, Phrase> {
    let said = |error: EngineError| error.phrase();
    let emotions = (!asked.emotions.is_empty()).then(|| Emotions::mix(asked.emotions));
    let content = saegim_core::content(&asked.content).map_err(|invalid| invalid.phrase())?;
    let draft = Draft { importance: unit(asked.importance)?, emotions, tags: asked.tags, ..Draft::text(content) };
    plain(Memory::from(&door.mind().await.map_err(said)?.remember(draft).await.map_err(said)?.memory))
}

async fn observe(door: &Door, asked: Observing) -> Result<Value, Phrase> {
    let said = |error: EngineError| error.phrase();
    let injected = asked
        .memory_ids
        .iter()
        .map(|id| saegim_core::MemoryId::parse(id))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|invalid| invalid.phrase())?;
    let session = asked.session.map(SessionId::new).transpose().map_err(|invalid| invalid.phrase())?;
    within("messages", Some(asked.messages.len()), (1, 1, 200))?;
    for message in &asked.messages {
        saegim_core::Turn::said(&message.content).map_err(|invalid| invalid.phrase())?;
    }
    let mind = door.mind().await.map_err(said)?;
    let messages = asked.messages.into_iter().map(|message| {
        let injected = if matches!(message.role, Role::Assistant | Role::Persona) { injected.clone() } else { Vec::new() };
        NewMessage { role: message.role, injected, ..NewMessage::user(message.content) }
    });
    let observed = mind.observe(Exchange { session, said: messages.collect(), ..Exchange::default() }).await.map_err(said)?;
    plain(Observed::from(&observed))
}

/// Calls the read-only tools outside the default set, and rating.
async fn look(door: &Door, name: &str, arguments: Value) -> Result<Value, Phrase> {
    let said = |error: EngineError| error.phrase();
    let mind = door.known().await.map_err(said)?;
    match name {
        "get_facts" => {
            let asked: Knowing = read(arguments)?;
            let facts = mind.facts().await.map_err(said)?;
            let wanted = facts.all().iter().filter(|fact| asked.history || fact.is_current());
            let history = if asked.history { StatementHistory::Included } else { StatementHistory::Open };
            let statements = mind.statements(history).await.map_err(said)?;
            let facts = plain(wanted.map(Fact::from).collect::<Vec<_>>())?;
            Ok(json!({ "facts": facts, "statements": plain(statements.iter().map(Statement::from).collect::<Vec<_>>())? }))
        }
        "get_people" => {
            let asked: Asking = read(arguments)?;
            let people = match asked.name {
                Some(name) => vec![mind.person(&name).await.map_err(said)?],
                None => mind.people().await.map_err(said)?,
            };
            Ok(json!({ "people": plain(people.iter().map(Person::from).collect::<Vec<_>>())? }))
        }
        "get_relationship" => {
            let standing = mind.standing(0).await.map_err(said)?;
            plain(Relationship::of(&standing.relationship, standing.speech_style))
        }
        "get_zones" => {
            let limit = within("limit", read::<Placing>(arguments)?.limit, (1, 10, 100))?;
            let mut zones = Map::new();
            for &zone in Zone::ALL {
                let memories = mind.zone(zone, limit).await.map_err(said)?;
                zones.insert(zone.to_string(), plain(memories.iter().map(Memory::from).collect::<Vec<_>>())?);
            }
            Ok(Value::Object(zones))
        }
        "get_timeline" => {
            let asked: Dating = read(arguments)?;
            let query =
                TimelineQuery { since: asked.since, until: asked.until, limit: within("limit", asked.limit, (1, 50, 1000))?, turns: true };
            let moments = mind.timeline(query).await.map_err(said)?;
            Ok(json!({ "moments": moments.iter().map(crate::command::moment_json).collect::<Vec<_>>() }))
        }
        "rate_memory" => {
            let asked: Rated = read(arguments)?;
            let id = mind.resolve(&asked.id).await.map_err(said)?;
            let rating = Rating::new(asked.stars).map_err(|invalid| invalid.phrase())?;
            plain(Memory::from(&mind.rate(id, rating).await.map_err(said)?))
        }
        other => Err(phrase!("mcp.tools.tool_not_found", other)),
    }
}
