//! Names, descriptions and argument schemas of the tools.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use saegim_core::Emotion;
use serde_json::{Map, Value, json};

use super::{Offer, own};

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
            about: "List facts about the person (subject, value, since when) and what they said in their own words.",
            effect: Reads,
            few: false,
            fields: json!({ "history": { "type": "boolean", "description": "Include ended facts" } }),
            needed: &[],
        },
        Told {
            name: "get_people",
            about: "List the people and pets in the person's life, with facts and what was said about each.",
            effect: Reads,
            few: false,
            fields: json!({ "name": text("Only this one, by name or relation") }),
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
