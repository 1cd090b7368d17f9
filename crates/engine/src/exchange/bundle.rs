//! saegim's own bundle: JSON lines, each with a `type`. The first is the header; the others may come in any order.
//!
//! Derived data (zone, revision, vectors) is left out, so that export, import and a second export give the same lines.

use saegim_core::{CliffEntry, Essence, Link, Memory, MemoryState, Source, phrase};
use serde_json::{Map, Value, json};

use super::{ImportData, ImportItem, ImportLink, ImportName, not_this};
use crate::EngineError;

/// Version of the format. A reader refuses a later one.
pub(super) const VERSION: u64 = 1;

/// Memory fields that belong to the containing mind and are recalculated on import.
const OF_THE_MIND: [&str; 4] = ["revision", "standing", "zone", "zone_score"];

/// Formats a line: the type first, then the fields by name.
pub(super) fn line(kind: &str, fields: &Map<String, Value>) -> String {
    let fields = Value::Object(fields.clone()).to_string();
    let rest = fields.strip_prefix('{').expect("an object begins with a brace");
    let comma = if rest == "}" { "" } else { "," };
    format!("{{\"type\":\"{kind}\"{comma}{rest}")
}

/// Returns the fields of a memory for the bundle. `strength` is its current strength.
pub(super) fn memory_fields(memory: &Memory, strength: saegim_core::Unit) -> Map<String, Value> {
    let Value::Object(mut fields) = json!(memory) else { unreachable!("a memory is an object") };
    for name in OF_THE_MIND {
        fields.remove(name);
    }
    fields.insert("strength".into(), json!(strength));
    fields
}

fn memory_of(mut fields: Map<String, Value>) -> Result<Memory, serde_json::Error> {
    let strength = fields.remove("strength").unwrap_or(json!(1.0));
    fields.insert("strength".into(), json!({ "value": strength, "as_of_turn": 0 }));
    for (name, value) in
        [("revision", json!(0)), ("standing", json!(MemoryState::Alive)), ("zone", json!("belt")), ("zone_score", json!(0.0))]
    {
        fields.insert(name.into(), value);
    }
    let mut memory: Memory = serde_json::from_value(Value::Object(fields))?;
    // Bundles from before the subject and the count were fields have them in the text alone.
    if memory.essence.is_none() && memory.source == Source::Distillation && memory.edited_at.is_none() {
        memory.essence = Essence::of_stored_text(&memory.content);
    }
    Ok(memory)
}

/// Returns the fields of a cliff entry, with its memory embedded.
pub(super) fn cliff_fields(entry: &CliffEntry, memory: Map<String, Value>) -> Map<String, Value> {
    let Value::Object(mut fields) = json!(entry) else { unreachable!("an entry is an object") };
    fields.insert("memory".into(), Value::Object(memory));
    fields
}

pub(super) fn link_fields(link: &Link) -> Map<String, Value> {
    let Value::Object(fields) = json!(link) else { unreachable!("a link is an object") };
    fields
}

/// Reads a bundle. One unreadable line fails the whole bundle, so that a truncated file is not mistaken for a complete one.
pub(super) fn read(text: &str) -> Result<ImportData, EngineError> {
    let mut parcel = ImportData::default();
    let mut headed = false;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = number + 1;
        let wrong = |problem: &str| not_this(&phrase!("engine.bundle.line", number, problem));
        let Value::Object(mut fields) = serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))? else {
            return Err(wrong("{"));
        };
        let kind = fields.remove("type");
        let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
        // Bundles can be concatenated.
        if !headed || kind == "bundle" {
            check_header(kind, &fields)?;
            headed = true;
            continue;
        }
        take(&mut parcel, kind, fields).map_err(|error| wrong(&error.to_string()))?;
    }
    Ok(parcel)
}

fn check_header(kind: &str, fields: &Map<String, Value>) -> Result<(), EngineError> {
    let version = fields.get("version").and_then(Value::as_u64);
    match version {
        Some(version) if kind == "bundle" && version <= VERSION => Ok(()),
        Some(version) if kind == "bundle" => Err(not_this(&phrase!("engine.bundle.version_too_new", version, supported = VERSION))),
        _ => Err(not_this(&phrase!("engine.bundle.header_missing"))),
    }
}

fn take(parcel: &mut ImportData, kind: &str, mut fields: Map<String, Value>) -> Result<(), serde_json::Error> {
    match kind {
        "memory" => parcel.arrivals.push(ImportItem::Whole(Box::new(memory_of(fields)?))),
        "cliff" => {
            let inner = match fields.remove("memory") {
                Some(Value::Object(inner)) => inner,
                _ => Map::new(),
            };
            let memory = memory_of(inner)?;
            fields.insert("memory".into(), json!(memory.id));
            let entry: CliffEntry = serde_json::from_value(Value::Object(fields))?;
            parcel.arrivals.push(ImportItem::Fallen(Box::new(memory), entry));
        }
        "link" => {
            let link: Link = serde_json::from_value(Value::Object(fields))?;
            parcel.bonds.push(ImportLink { from: ImportName::Id(link.from), to: ImportName::Id(link.to), kind: link.kind });
        }
        other if parcel.conversation.take(other, &fields)? || parcel.selfhood.take(other, &fields)? => {}
        // A newer saegim may write more types; unknown ones are reported and skipped.
        other => parcel.leave_out(other, phrase!("engine.bundle.unknown_record")),
    }
    Ok(())
}
