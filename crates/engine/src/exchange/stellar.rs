//! stellar-memory's files: the SQLite file of its outer zones, or its JSON export, which contains all zones.

use std::path::Path;

use saegim_core::{LinkKind, Source, Timestamp, Unit, phrase};
use saegim_store::{StellarEdge, StellarItem, read_stellar};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::write::Leaving;
use super::{ForeignMemory, ImportData, ImportLink, ImportName, labels, not_this, unix};
use crate::{Draft, EngineError};

/// Magic bytes of a SQLite file.
const SQLITE: &[u8] = b"SQLite format 3\0";

pub(super) fn read(path: &Path) -> Result<ImportData, EngineError> {
    let bytes = std::fs::read(path).map_err(|error| EngineError::of_file(path, &error))?;
    if !bytes.starts_with(SQLITE) {
        let text = String::from_utf8(bytes).map_err(|_| unreadable())?;
        return read_json(&text);
    }
    let file = read_stellar(path)?;
    let mut parcel = ImportData::default();
    parcel.notes.push(phrase!("engine.stellar.zones_missing"));
    file.items.into_iter().for_each(|item| take(&mut parcel, item));
    parcel.bonds = file.edges.into_iter().map(bond).collect();
    Ok(parcel)
}

fn unreadable() -> EngineError {
    not_this(&phrase!("engine.stellar.not_this_format"))
}

/// An item of a JSON export. Embeddings, scores and zones are not read; they are recalculated.
#[derive(Deserialize)]
struct Exported {
    id: String,
    content: String,
    created_at: f64,
    last_recalled_at: Option<f64>,
    #[serde(default)]
    recall_count: i64,
    arbitrary_importance: Option<f64>,
    #[serde(default)]
    metadata: Value,
}

pub(super) fn read_json(text: &str) -> Result<ImportData, EngineError> {
    let file: Value = serde_json::from_str(text).map_err(|_| unreadable())?;
    let items = file.get("items").and_then(Value::as_array).ok_or_else(unreadable)?;
    let mut parcel = ImportData::default();
    for (number, item) in items.iter().enumerate() {
        match Exported::deserialize(item) {
            Ok(item) => take(
                &mut parcel,
                StellarItem {
                    last_recalled_at: item.last_recalled_at.unwrap_or(item.created_at),
                    recall_count: item.recall_count,
                    arbitrary_importance: item.arbitrary_importance.unwrap_or(0.5),
                    metadata: item.metadata.is_object().then(|| item.metadata.to_string()),
                    id: item.id,
                    content: item.content,
                    created_at: item.created_at,
                },
            ),
            Err(error) => parcel.leave_out(format!("items[{number}]"), phrase!("engine.stellar.not_a_memory", error)),
        }
    }
    Ok(parcel)
}

fn take(parcel: &mut ImportData, item: StellarItem) {
    let Some(born) = unix(item.created_at) else {
        parcel.leave_out(item.id, phrase!("engine.stellar.created_at_not_valid"));
        return;
    };
    let mut draft = Draft {
        importance: Some(Unit::clamped(item.arbitrary_importance as f32)),
        source: Some(Source::Import),
        external_id: Some(item.id.clone()),
        born: Some(born),
        ..Draft::text(item.content)
    };
    if let Some(Value::Object(metadata)) = item.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok()) {
        let unplaced = labels::put(&metadata, &mut draft).0;
        if unplaced > 0 {
            parcel.notes.push(phrase!("engine.stellar.metadata_left_out", id = item.id, unplaced));
        }
    }
    let recalls = u32::try_from(item.recall_count).unwrap_or(0);
    // stellar-memory counts creation as a recall.
    let last_recalled_at = unix(item.last_recalled_at).filter(|last| recalls > 0 && *last >= born);
    parcel.take(ForeignMemory { draft, recalls, last_recalled_at, ..ForeignMemory::default() });
}

fn bond(edge: StellarEdge) -> ImportLink {
    let kind = match edge.kind.as_str() {
        "derived_from" => LinkKind::DistilledFrom,
        "contradicts" => LinkKind::Contradicts,
        "sequence" => LinkKind::Parent,
        _ => LinkKind::Related,
    };
    ImportLink { from: ImportName::External(edge.from), to: ImportName::External(edge.to), kind }
}

/// Exports in the format that stellar-memory's `import_json` reads.
pub(super) fn write(leaving: &Leaving) -> String {
    let seconds = |moment: Timestamp| moment.millis() as f64 / 1000.0;
    let item = |memory: &saegim_core::Memory| {
        let mut metadata = Map::new();
        if !memory.tags.is_empty() {
            metadata.insert("tags".into(), json!(memory.tags));
        }
        metadata.insert("kind".into(), json!(memory.kind));
        metadata.extend(memory.category.map(|category| ("category".to_owned(), json!(category))));
        metadata.extend(memory.coordinate.session.clone().map(|session| ("session_id".to_owned(), json!(session))));
        json!({
            "id": leaving.name(memory),
            "content": memory.content,
            "created_at": seconds(memory.created_at),
            "last_recalled_at": seconds(memory.freshened()),
            "recall_count": memory.recalls,
            "arbitrary_importance": memory.stated_importance.unwrap_or(memory.importance),
            "zone": memory.zone as usize,
            "metadata": metadata,
            "total_score": memory.zone_score,
        })
    };
    let items: Vec<Value> = leaving.memories.iter().map(item).collect();
    let file = json!({ "version": "0.3.0", "exported_at": seconds(leaving.at), "count": items.len(), "items": items });
    serde_json::to_string_pretty(&file).expect("plain data") + "\n"
}
