//! The file of the reference MCP memory server: lines of entities with observations, and of relations between them.
//!
//! Each observation becomes a memory that names its entity, and each relation becomes a memory. Both get tags from which the same
//! graph can be exported again.

use std::collections::{BTreeMap, HashMap};

use saegim_core::{Hash, Kind, LinkKind, Memory, Source, phrase};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::write::Leaving;
use super::{ForeignMemory, ImportData, ImportLink, ImportName, not_this};
use crate::{Draft, EngineError};

#[derive(Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    #[serde(rename_all = "camelCase")]
    Entity {
        name: String,
        entity_type: String,
        #[serde(default)]
        observations: Vec<String>,
    },
    #[serde(rename_all = "camelCase")]
    Relation { from: String, to: String, relation_type: String },
}

pub(super) fn read(text: &str) -> Result<ImportData, EngineError> {
    let mut parcel = ImportData::default();
    // The first memory about each entity, the target of its relations.
    let mut first: HashMap<String, String> = HashMap::new();
    let mut relations = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = number + 1;
        match serde_json::from_str(line) {
            Ok(Line::Entity { name, entity_type, observations }) => {
                let observations = if observations.is_empty() { vec![entity_type.clone()] } else { observations };
                for observation in observations {
                    let external = external_id("entity", &[&name, &observation]);
                    first.entry(name.clone()).or_insert_with(|| external.clone());
                    let tags = vec![format!("entity:{name}"), format!("type:{entity_type}")];
                    parcel.take(newcomer(format!("{name}: {observation}"), external, tags));
                }
            }
            Ok(Line::Relation { from, to, relation_type }) => relations.push((from, to, relation_type)),
            Err(_) if number == 1 => {
                let what = phrase!("engine.mcp_memory.not_this_format");
                return Err(not_this(&what));
            }
            Err(error) => parcel.leave_out(format!("line {number}"), phrase!("engine.mcp_memory.unknown_record", error)),
        }
    }
    for (from, to, relation) in relations {
        let external = external_id("relation", &[&from, &relation, &to]);
        let tags = vec![format!("from:{from}"), format!("relation:{relation}"), format!("to:{to}")];
        parcel.take(newcomer(format!("{from} {relation} {to}"), external.clone(), tags));
        for end in [&from, &to] {
            if let Some(about) = first.get(end) {
                let (from, to) = (ImportName::External(external.clone()), ImportName::External(about.clone()));
                parcel.bonds.push(ImportLink { from, to, kind: LinkKind::Related });
            }
        }
    }
    Ok(parcel)
}

fn newcomer(content: String, external_id: String, tags: Vec<String>) -> ForeignMemory {
    let draft =
        Draft { kind: Some(Kind::Semantic), source: Some(Source::Import), external_id: Some(external_id), tags, ..Draft::text(content) };
    ForeignMemory { draft, ..ForeignMemory::default() }
}

/// Lines have no ids, so the external id is derived from their content.
fn external_id(kind: &str, parts: &[&str]) -> String {
    let digest = Hash::of(json!(parts).to_string().as_bytes()).to_string();
    format!("mcp:{kind}:{}", &digest[..24])
}

/// Exports the graph: imported entities and relations as they were, all other memories as observations about the user.
pub(super) fn write(leaving: &Leaving) -> String {
    let label =
        |memory: &Memory, name: &str| memory.tags.iter().find_map(|tag| tag.strip_prefix(name)?.strip_prefix(':')).map(str::to_owned);
    let mut entities: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    let mut relations = Vec::new();
    for memory in leaving.memories.iter().rev() {
        if let (Some(from), Some(relation_type), Some(to)) = (label(memory, "from"), label(memory, "relation"), label(memory, "to")) {
            relations.push(Line::Relation { from, to, relation_type });
            continue;
        }
        let (name, kind) = match label(memory, "entity") {
            Some(name) => (name, label(memory, "type").unwrap_or_else(|| "entity".into())),
            None => (leaving.key.user().to_owned(), "person".into()),
        };
        let observation = memory.content.strip_prefix(&format!("{name}: ")).unwrap_or(&memory.content).to_owned();
        let (kind, observations) = entities.entry(name).or_insert_with(|| (kind, Vec::new()));
        // An entity without observations was imported with its type as the only observation.
        if observation != *kind {
            observations.push(observation);
        }
    }
    let entities = entities.into_iter().map(|(name, (entity_type, observations))| Line::Entity { name, entity_type, observations });
    let lines = entities.chain(relations).map(|line| serde_json::to_string(&line).expect("plain data") + "\n");
    lines.collect()
}
