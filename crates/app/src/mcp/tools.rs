//! Tools a client can call.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use saegim_core::{Emotion, Emotions, Phrase, Rating, Role, SessionId, Timestamp, Unit, Zone, phrase};
use saegim_engine::{ContextQuery, Core, Draft, Edit, EngineError, Exchange, NewMessage, Query, TimelineQuery};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{Door, Offer, own};
use crate::shapes::{Context, Fact, FoundMemory, Life, Memory, Observed, Relationship};

/// Effect of a tool on a mind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Reads,
    Writes,
    /// Removes or overwrites something; it can be restored for seven days.
    Takes,
}

/// Definition of a tool.
pub(super) struct Told {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) effect: Effect,
    /// Whether it belongs to the default set.
    pub(super) few: bool,
    pub(super) fields: Value,
    pub(super) needed: &'static [&'static str],
}

pub(super) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn number(about: &str, low: f64, high: f64) -> Value {
    json!({ "type": "number", "description": about, "minimum": low, "maximum": high })
}

fn whole(about: &str, low: u64, high: u64) -> Value {
    json!({ "type": "integer", "description": about, "minimum": low, "maximum": high })
}

fn emotions() -> Value {
    let words: Vec<&str> = Emotion::ALL.iter().map(|emotion| emotion.as_str()).collect();
    json!({ "type": "array", "items": { "type": "string", "enum": words }, "description": "Emotions" })
}

fn told() -> Vec<Told> {
    use Effect::{Reads, Takes, Writes};
    let id = || text("Id of the memory, or its first or last digits");
    let message = json!({
        "type": "object", "required": ["role", "content"],
        "properties": { "role": { "type": "string", "enum": ["user", "assistant", "system", "persona", "event"] }, "content": { "type": "string" } },
    });
    vec![
        Told {
            name: "add_memory",
            about: "Store a memory about the person, in their own language. Use it for what they ask you to remember; observe_turns stores everything else automatically.",
            effect: Writes,
            few: true,
            fields: json!({ "content": text("What to remember: one sentence, one topic"), "importance": number("Importance", 0.0, 1.0), "emotions": emotions(), "tags": { "type": "array", "items": { "type": "string" }, "description": "Tags" } }),
            needed: &["content"],
        },
        Told {
            name: "search_memories",
            about: "Search memories by meaning and keywords, in Korean and English. An empty list means that no memory matches: say so instead of guessing.",
            effect: Reads,
            few: true,
            fields: json!({ "query": text("Question or keywords"), "limit": whole("Maximum number of memories", 1, 100) }),
            needed: &["query"],
        },
        Told {
            name: "get_memory",
            about: "Get a memory with its scores, links, history and forecast.",
            effect: Reads,
            few: true,
            fields: json!({ "id": id() }),
            needed: &["id"],
        },
        Told {
            name: "update_memory",
            about: "Edit a memory that turned out to be wrong, or mark that it changed your behaviour. Only the owner can change core memories.",
            effect: Takes,
            few: true,
            fields: json!({ "id": id(), "content": text("New content"), "importance": number("Importance", 0.0, 1.0), "tags": { "type": "array", "items": { "type": "string" } }, "changed_behaviour": { "type": "boolean", "description": "Whether it changed your behaviour; if so, it is kept longer" } }),
            needed: &["id"],
        },
        Told {
            name: "forget_memory",
            about: "Forget a memory. It can be restored for seven days.",
            effect: Takes,
            few: true,
            fields: json!({ "id": id() }),
            needed: &["id"],
        },
        Told {
            name: "restore_memory",
            about: "Undo your own forget_memory: restore the memory from the cliff. Only the owner can restore memories that the owner forgot or that expired.",
            effect: Writes,
            few: true,
            fields: json!({ "id": id() }),
            needed: &["id"],
        },
        Told {
            name: "get_context",
            about: "Get the context for answering a message: relevant facts, relationship, memories and past messages, within a token budget. Call it first.",
            effect: Reads,
            few: true,
            fields: json!({ "message": text("Message to answer"), "budget": whole("Token budget", 50, 100_000) }),
            needed: &["message"],
        },
        Told {
            name: "observe_turns",
            about: "Ingest messages after you answered, usually the message and your answer. Memories are extracted automatically; the result says what was stored and why.",
            effect: Writes,
            few: true,
            fields: json!({ "messages": { "type": "array", "minItems": 1, "maxItems": 200, "items": message }, "session": text("Session id, if you use one"), "memory_ids": { "type": "array", "items": { "type": "string" }, "description": "Memories your answer was based on" } }),
            needed: &["messages"],
        },
        Told {
            name: "get_facts",
            about: "List facts about the person: subject, value, since when.",
            effect: Reads,
            few: false,
            fields: json!({ "history": { "type": "boolean", "description": "Include ended facts" } }),
            needed: &[],
        },
        Told {
            name: "get_relationship",
            about: "Get your relationship with the person: five axes, level, speech style.",
            effect: Reads,
            few: false,
            fields: json!({}),
            needed: &[],
        },
        Told {
            name: "get_zones",
            about: "List the memories closest to working memory, by zone.",
            effect: Reads,
            few: false,
            fields: json!({ "limit": whole("Number of memories per zone", 1, 100) }),
            needed: &[],
        },
        Told {
            name: "get_timeline",
            about: "List events in order of time.",
            effect: Reads,
            few: false,
            fields: json!({ "since": text("Start of the period, RFC 3339"), "until": text("End of the period, RFC 3339"), "limit": whole("Maximum number of events; the latest are returned", 1, 1000) }),
            needed: &[],
        },
        Told {
            name: "rate_memory",
            about: "Rate a memory with one to five stars, according to the person's reaction.",
            effect: Writes,
            few: false,
            fields: json!({ "id": id(), "stars": whole("Number of stars", 1, 5) }),
            needed: &["id", "stars"],
        },
    ]
}

/// Returns the offered tools with their schemas and annotations.
pub(super) fn all(offer: Offer) -> Vec<Tool> {
    let wanted = told().into_iter().chain(own::told()).filter(|tool| tool.few || offer == Offer::All);
    let tool = |told: Told| {
        let mut schema = Map::new();
        schema.insert("type".into(), json!("object"));
        schema.insert("properties".into(), told.fields);
        schema.insert("required".into(), json!(told.needed));
        schema.insert("additionalProperties".into(), json!(false));
        let mut hints = ToolAnnotations::new();
        hints.read_only_hint = Some(told.effect == Effect::Reads);
        hints.destructive_hint = Some(told.effect == Effect::Takes);
        hints.open_world_hint = Some(false);
        Tool::new(told.name, told.about, Arc::new(schema)).with_annotations(hints)
    };
    wanted.map(tool).collect()
}

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
            Ok(json!({ "facts": plain(wanted.map(Fact::from).collect::<Vec<_>>())? }))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Run `BLESS=1 cargo test -p saegim tools` to update the file.
    #[test]
    fn the_tools_in_the_documents_are_the_ones_that_are_offered() {
        let offered = serde_json::to_string_pretty(&all(Offer::All)).unwrap() + "\n";
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mcp-tools.json");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(file, &offered).unwrap();
        }
        assert!(std::fs::read_to_string(file).unwrap() == offered, "the tools changed; BLESS=1 writes them anew");
        for tool in all(Offer::All) {
            let name = tool.name.as_ref();
            assert!(!["approve", "reject", "erase", "soul", "write"].iter().any(|word| name.contains(word)), "{name}");
        }
    }
}
