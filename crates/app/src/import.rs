//! Stores the contents of an imported file: the same steps for every interface.

use saegim_core::{Phrase, Tier};
use saegim_engine::{EngineError, ImportData, ImportResult, ImportedConversation, MindHandle, SkippedItem};
use serde_json::{Value, json};

/// Number of memories imported per batch.
const BATCH: usize = 200;

/// Result of an import.
pub(crate) struct Imported {
    /// Memories, and everything that was left out.
    pub(crate) all: ImportResult,
    /// The conversation.
    pub(crate) heard: ImportedConversation,
    /// Number of new links.
    pub(crate) links: usize,
    /// Messages about the file.
    pub(crate) notes: Vec<Phrase>,
}

/// Stores the contents of a file in a mind. Calls `progress` with the number of memories stored so far.
pub(crate) async fn store(
    mind: &MindHandle,
    mut parcel: ImportData,
    tier: Tier,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Imported, EngineError> {
    let mut all = ImportResult { left_out: std::mem::take(&mut parcel.left_out), ..ImportResult::default() };
    let heard = mind.import_conversation(parcel.conversation).await?;
    all.left_out.extend(heard.left_out.clone());
    all.left_out.extend(mind.import_self(parcel.selfhood).await?);
    let (mut arrivals, mut stored) = (parcel.arrivals.into_iter().peekable(), 0);
    while arrivals.peek().is_some() {
        let batch: Vec<_> = arrivals.by_ref().take(BATCH).collect();
        stored += batch.len() as u64;
        let imported = mind.import_memories(batch, tier).await?;
        all.added += imported.added;
        all.known += imported.known;
        all.on_cliff += imported.on_cliff;
        all.left_out.extend(imported.left_out);
        progress(stored);
    }
    let (links, unlinked) = mind.import_links(&parcel.bonds).await?;
    all.left_out.extend(unlinked);
    Ok(Imported { all, heard, links, notes: parcel.notes })
}

impl Imported {
    /// Returns the result as it is printed and sent.
    pub(crate) fn json(&self) -> Value {
        let left = |left: &SkippedItem| json!({ "what": left.what, "why": left.why });
        json!({
            "imported": self.all.added, "known": self.all.known, "on_cliff": self.all.on_cliff, "links": self.links,
            "turns": self.heard.turns, "facts": self.heard.facts,
            "left_out": self.all.left_out.iter().map(left).collect::<Vec<_>>(), "notes": self.notes,
        })
    }
}
