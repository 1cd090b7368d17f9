//! mem0's exports: a list of memories, bare or under `results` or `memories`.

use std::collections::BTreeSet;

use saegim_core::{Hash, Memory, MindKey, SessionId, Source, Span, phrase};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::write::Leaving;
use super::{ForeignMemory, ImportData, labels, moment, not_this};
use crate::{Draft, EngineError};

/// One memory, as the library, the server and the platform write it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Item {
    id: Option<String>,
    memory: Option<String>,
    text: Option<String>,
    data: Option<String>,
    metadata: Value,
    categories: Value,
    created_at: Option<String>,
    updated_at: Option<String>,
    expiration_date: Option<String>,
    user_id: Option<String>,
    agent_id: Option<String>,
    run_id: Option<String>,
    session_id: Option<String>,
}

pub(super) fn read(text: &str, key: &MindKey) -> Result<ImportData, EngineError> {
    let wrong = || not_this(&phrase!("engine.mem0.not_this_format"));
    let file: Value = serde_json::from_str(text).map_err(|_| wrong())?;
    let list = ["results", "memories"].iter().find_map(|name| file.get(name)).unwrap_or(&file);
    let list = list.as_array().ok_or_else(wrong)?;
    let mut parcel = ImportData::default();
    let mut items: Vec<(String, Item)> = Vec::new();
    for (number, value) in list.iter().enumerate() {
        match Item::deserialize(value) {
            Ok(item) => items.push((item.id.clone().unwrap_or_else(|| format!("[{number}]")), item)),
            Err(error) => parcel.leave_out(format!("[{number}]"), phrase!("engine.mem0.not_a_memory", error)),
        }
    }
    let users = Owners::of(items.iter().filter_map(|(_, item)| item.user_id.as_deref()), key.user(), "--user")?;
    let agents = Owners::of(items.iter().filter_map(|(_, item)| item.agent_id.as_deref()), key.character(), "--character")?;
    for (name, item) in items {
        if users.are_not(item.user_id.as_deref()) || agents.are_not(item.agent_id.as_deref()) {
            let whose = [item.user_id, item.agent_id].into_iter().flatten().collect::<Vec<_>>().join(", ");
            parcel.leave_out(name, phrase!("engine.mem0.belongs_to_other", whose));
            continue;
        }
        take(&mut parcel, name, item);
    }
    Ok(parcel)
}

/// Filter for a file that contains memories of several owners.
struct Owners<'a>(Option<&'a str>);

impl<'a> Owners<'a> {
    /// A file with at most one owner needs no filter. If it names several, `ours` must be one of them.
    fn of<'b>(named: impl Iterator<Item = &'b str>, ours: &'a str, option: &str) -> Result<Self, EngineError> {
        let named: BTreeSet<&str> = named.collect();
        if named.len() < 2 {
            return Ok(Self(None));
        }
        if named.contains(ours) {
            return Ok(Self(Some(ours)));
        }
        let names = named.into_iter().collect::<Vec<_>>().join(", ");
        Err(not_this(&phrase!("engine.mem0.several_users", names, option)))
    }

    fn are_not(&self, named: Option<&str>) -> bool {
        matches!((self.0, named), (Some(ours), Some(named)) if ours != named)
    }
}

fn take(parcel: &mut ImportData, name: String, item: Item) {
    let Some(text) = item.memory.or(item.text).or(item.data) else {
        parcel.leave_out(name, phrase!("engine.mem0.text_missing"));
        return;
    };
    let born = item.created_at.as_deref().and_then(moment);
    // A memory without an id is identified by its text.
    let external_id = item.id.unwrap_or_else(|| format!("mem0:{}", &Hash::of(text.as_bytes()).to_string()[..24]));
    let mut draft = Draft { source: Some(Source::Import), external_id: Some(external_id), born, ..Draft::text(text) };
    let mut unplaced = labels::list(&item.categories, &mut draft);
    if let Value::Object(metadata) = &item.metadata {
        unplaced += labels::put(metadata, &mut draft).0;
    }
    if unplaced > 0 {
        parcel.notes.push(phrase!("engine.mem0.metadata_left_out", name, unplaced));
    }
    if let Some(session) = item.run_id.or(item.session_id).and_then(|session| SessionId::new(session).ok()) {
        draft.coordinate.session = Some(session);
    }
    // mem0 shows a memory until the end of its expiration date.
    let expires_at = item.expiration_date.as_deref().and_then(moment).map(|date| date.plus(Span::days(1)));
    let edited_at = item.updated_at.as_deref().and_then(moment).filter(|edited| Some(*edited) != born);
    parcel.take(ForeignMemory { draft, expires_at, edited_at, ..ForeignMemory::default() });
}

/// Exports in the format of mem0's `get_all`.
pub(super) fn write(leaving: &Leaving) -> String {
    let item = |memory: &Memory| {
        let mut metadata = Map::new();
        metadata.insert("importance".into(), json!(memory.stated_importance.unwrap_or(memory.importance)));
        metadata.insert("kind".into(), json!(memory.kind));
        metadata.extend(memory.category.map(|category| ("category".to_owned(), json!(category))));
        json!({
            "id": leaving.name(memory),
            "memory": memory.content,
            "metadata": metadata,
            "categories": memory.tags,
            "created_at": memory.created_at,
            "updated_at": memory.edited_at.unwrap_or(memory.created_at),
            "user_id": leaving.key.user(),
            "agent_id": leaving.key.character(),
            "run_id": memory.coordinate.session,
        })
    };
    let file = json!({ "results": leaving.memories.iter().map(item).collect::<Vec<_>>() });
    serde_json::to_string_pretty(&file).expect("plain data") + "\n"
}
