//! History of a memory in mem0's format.

use saegim_core::{Op, phrase};
use saegim_engine::{EngineError, MindHandle};
use serde_json::{Value, json};

use crate::http::spoken;

/// Returns the events of a memory with its text before and after. A text is null, with a `note`, if it is no longer
/// stored: an owner's edit overwrites the previous text.
pub(super) async fn of(mind: &MindHandle, id: saegim_core::MemoryId) -> Result<Vec<Value>, EngineError> {
    let shown = mind.show(id).await?;
    let texts = mind.text_history(&shown).await?;
    let fell_at = shown.fallen.as_ref().map(|fallen| fallen.entry.entered_at);
    let (mut told, mut alive, mut said) = (Vec::new(), false, None);
    for (entry, text) in shown.history.iter().zip(texts) {
        let digest = entry.memories.iter().find(|about| about.memory == id).map(|about| about.digest);
        // The ledger's digests show whether the text changed, even if the text itself is no longer stored.
        let before = said.replace((digest, text.clone()));
        let step = Step { operation: entry.operation, alive, changed: before.as_ref().is_some_and(|(before, _)| *before != digest) };
        let Some(event) = step.event(fell_at == Some(entry.at)) else { continue };
        alive = event != "DELETE";
        let old = before.and_then(|(_, text)| text).filter(|_| event != "ADD");
        let new = text.filter(|_| alive);
        let mut step = json!({
            "id": format!("{id}-{}", entry.sequence), "memory_id": id, "event": event, "old_memory": old, "new_memory": new,
            "created_at": shown.memory.created_at, "updated_at": entry.at, "is_deleted": !alive,
            "actor_id": entry.principal, "role": null,
        });
        if alive && new.is_none() || event != "ADD" && old.is_none() {
            let note = phrase!("http.mem0.earlier_text_not_stored");
            step["note"] = json!(note.in_language(spoken()));
        }
        told.push(step);
    }
    Ok(told)
}

/// A step in a memory's history.
struct Step {
    operation: Op,
    /// Whether the memory was active before.
    alive: bool,
    /// Whether the text changed.
    changed: bool,
}

impl Step {
    /// Returns mem0's name of the event, or `None` if the change is not visible to its clients.
    fn event(&self, fell: bool) -> Option<&'static str> {
        match self.operation {
            Op::Forget | Op::Expire | Op::Prune | Op::Withdraw => Some("DELETE"),
            _ if fell => Some("DELETE"),
            Op::Remember | Op::Observe | Op::Import | Op::Promote | Op::Consolidate | Op::Restore | Op::Reinstate if !self.alive => {
                Some("ADD")
            }
            Op::Edit => Some("UPDATE"),
            _ if self.alive && self.changed => Some("UPDATE"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_told_where_a_client_would_see_a_difference() {
        for (operation, alive, changed, fell, event) in [
            (Op::Remember, false, false, false, Some("ADD")),
            (Op::Recall, true, false, false, None),
            (Op::Observe, true, false, false, None),
            (Op::Consolidate, true, true, false, Some("UPDATE")),
            (Op::Consolidate, true, false, true, Some("DELETE")),
            (Op::Promote, false, false, false, Some("ADD")),
            (Op::Edit, true, false, false, Some("UPDATE")),
            (Op::Expire, true, false, true, Some("DELETE")),
            (Op::Restore, false, false, false, Some("ADD")),
            (Op::Weigh, false, false, false, None),
        ] {
            assert_eq!(Step { operation, alive, changed }.event(fell), event, "{operation} {alive} {changed} {fell}");
        }
    }
}
