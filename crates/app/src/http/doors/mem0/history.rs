//! A memory's life as mem0 tells it.

use saegim_core::Op;
use saegim_engine::{EngineError, MindHandle};
use serde_json::{Value, json};

/// What happened to a memory, with what it said before and after; null where nobody knows any more.
pub(super) async fn of(mind: &MindHandle, id: saegim_core::MemoryId) -> Result<Vec<Value>, EngineError> {
    let shown = mind.show(id).await?;
    let texts = mind.texts_then(&shown).await?;
    let mut before: Option<String> = None;
    let mut told = Vec::new();
    for (entry, text) in shown.history.iter().zip(texts) {
        let Some(event) = event(entry.operation) else { continue };
        let after = if event == "DELETE" { None } else { text };
        told.push(json!({
            "id": format!("{id}-{}", entry.sequence), "memory_id": id, "event": event,
            "old_memory": if event == "ADD" { None } else { before.take() }, "new_memory": after,
            "created_at": shown.memory.created_at, "updated_at": entry.at, "is_deleted": event == "DELETE",
            "actor_id": entry.principal, "role": null,
        }));
        before = after;
    }
    Ok(told)
}

fn event(operation: Op) -> Option<&'static str> {
    match operation {
        Op::Remember | Op::Observe | Op::Import | Op::Promote | Op::Consolidate | Op::Restore => Some("ADD"),
        Op::Edit => Some("UPDATE"),
        Op::Forget | Op::Expire | Op::Prune | Op::Withdraw => Some("DELETE"),
        _ => None,
    }
}
