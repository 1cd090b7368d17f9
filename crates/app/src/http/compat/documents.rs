//! Documents: texts under a client-chosen name, stored as memories for file and key-value clients. They are returned
//! unchanged, although a memory's content is trimmed and never empty.

use saegim_core::{Memory, MemoryState, MindId, Tier, Timestamp, is_blank};
use saegim_engine::{Core, Draft, Edit, Ends, EngineError, Filter, MindHandle, Page};
use tokio::sync::{Mutex, MutexGuard};

/// Prefixes of the tags that store what a memory's content cannot: leading whitespace, trailing whitespace, and texts
/// that are only whitespace.
const BEFORE: &str = "blanks_before=";
const AFTER: &str = "blanks_after=";
const BLANK: &str = "blank=";

/// Number of attempts when another process changes the document concurrently.
pub(super) const TRIES: usize = 16;

/// Write locks for documents, sharded by mind. Writes within a process are serialized. A concurrent write of another
/// process is a conflict in the store, and the loser retries.
#[derive(Default)]
pub(crate) struct Writers([Mutex<()>; 32]);

impl Writers {
    /// Locks the documents of a mind until the guard is dropped.
    pub(super) async fn turn(&self, mind: MindId) -> MutexGuard<'_, ()> {
        // The last byte of an id is random.
        let place = mind.bytes().last().map_or(0, |byte| usize::from(*byte)) % self.0.len();
        self.0[place].lock().await
    }
}

/// A text and its name. Kept until the client deletes it, unless it has an end.
pub(super) struct Document {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) tags: Vec<String>,
    pub(super) ends_at: Option<Timestamp>,
}

/// Checks whether a memory is a document rather than an ordinary memory.
pub(super) fn is_document(memory: &Memory) -> bool {
    let name = memory.external_id.as_deref().unwrap_or_default();
    name.starts_with(super::langgraph::ITEMS) || name == super::anthropic::ROOT || name.starts_with(super::anthropic::BELOW)
}

/// The documents of a mind at a point in time.
pub(super) struct Shelf {
    pub(super) mind: MindHandle,
    pub(super) now: Timestamp,
}

impl Shelf {
    /// Returns the memory stored under a name, if it has not expired.
    pub(super) async fn find(&self, name: &str) -> Result<Option<Memory>, EngineError> {
        Ok(self.bearer(name).await?.filter(|memory| self.is_there(memory)))
    }

    /// Returns the active memory with this name, even if it has expired and was not moved to the cliff yet.
    async fn bearer(&self, name: &str) -> Result<Option<Memory>, EngineError> {
        let Some(id) = self.mind.by_external_id(name).await? else { return Ok(None) };
        match self.mind.get(id).await {
            Ok(memory) => Ok(Some(memory).filter(|memory| memory.standing == MemoryState::Alive)),
            // It was purged between the two queries.
            Err(EngineError::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Checks whether a memory is neither on the cliff nor expired.
    pub(super) fn is_there(&self, memory: &Memory) -> bool {
        memory.standing == MemoryState::Alive && memory.expires_at.is_none_or(|end| end > self.now)
    }

    /// Stores a document over the current one. Retries if another process changes it concurrently.
    pub(super) async fn put(&self, document: Document) -> Result<Memory, EngineError> {
        for _ in 1..TRIES {
            match self.put_over(&document, self.find(&document.name).await?.as_ref()).await {
                Err(EngineError::Changed(_)) => {}
                done => return done,
            }
        }
        self.put_over(&document, self.find(&document.name).await?.as_ref()).await
    }

    /// Stores a document over the version `known`, or creates it. Returns `Changed` if another version exists by now.
    /// Forgotten versions stay on the cliff; a new document is a new memory.
    pub(super) async fn put_over(&self, document: &Document, known: Option<&Memory>) -> Result<Memory, EngineError> {
        let Document { name, text, tags, ends_at } = document;
        let (content, blanks) = split(name, text);
        let tags: Vec<String> = tags.iter().cloned().chain(blanks).collect();
        // An expired memory that is not on the cliff yet still holds the name, so it is overwritten.
        let over = match known {
            Some(known) => Some(known.clone()),
            None => self.bearer(name).await?.filter(|bearer| !self.is_there(bearer)),
        };
        let written = match over {
            Some(known) => {
                let ends = Some(ends_at.map_or(Ends::WhenLetGo, Ends::At)).filter(|_| known.tier != Tier::M0);
                let edit = Edit { content: Some(content), tags: Some(tags), ends, ..Edit::default() };
                self.mind.clone().at_revisions([known.revision]).edit(known.id, edit).await
            }
            None => {
                let (external_id, endless) = (Some(name.clone()), ends_at.is_none());
                let draft = Draft { external_id, tags, tier: Some(Tier::M365), ends_at: *ends_at, endless, ..Draft::text(content) };
                self.mind.remember(draft).await.map(|kept| kept.memory)
            }
        };
        match written {
            Err(EngineError::Conflict(why) | EngineError::NotFound(why)) => Err(EngineError::Changed(why)),
            done => done,
        }
    }

    /// Forgets the document with this name and returns whether one existed. Earlier versions allowed several memories
    /// with one name; all are removed.
    pub(super) async fn remove(&self, name: &str) -> Result<bool, EngineError> {
        let mut removed = false;
        while let Some(memory) = self.find(name).await? {
            match self.mind.forget(memory.id, Core::Kept).await {
                // Another caller removed it first.
                Ok(_) | Err(EngineError::NotFound(_)) => removed = true,
                // The client treats anything but an error as done, so a proposal is reported as forbidden.
                Err(EngineError::Proposed(why)) => return Err(EngineError::Forbidden(why)),
                Err(error) => return Err(error),
            }
        }
        Ok(removed)
    }

    /// Forgets several documents, all or none.
    pub(super) async fn remove_all(&self, memories: &[Memory]) -> Result<(), EngineError> {
        let ids: Vec<_> = memories.iter().map(|memory| memory.id).collect();
        self.mind.forget_all(&ids, Core::Kept).await
    }

    /// Lets several documents expire now, all or none. Their names can be reused immediately.
    pub(super) async fn end_all(&self, memories: &[Memory]) -> Result<(), EngineError> {
        let edits = memories.iter().map(|memory| (memory.id, Edit { ends: Some(Ends::At(self.now)), ..Edit::default() }));
        self.mind.edit_all(edits.collect()).await.map(drop)
    }

    /// Renames several documents, all or none.
    pub(super) async fn rename_all(&self, named: Vec<(Memory, String)>) -> Result<(), EngineError> {
        let edits = named.into_iter().map(|(memory, name)| {
            // The content of an empty document is its name, so it changes too.
            let content = memory.tags.iter().any(|tag| tag.starts_with(BLANK)).then(|| name.clone());
            (memory.id, Edit { external_id: Some(name), content, ..Edit::default() })
        });
        self.mind.edit_all(edits.collect()).await.map(drop)
    }

    /// Returns all documents whose name starts with the prefix, by name.
    pub(super) async fn under(&self, prefix: &str) -> Result<Vec<(String, Memory)>, EngineError> {
        let mut found = Vec::new();
        let mut page = Page { limit: 1000, before: None };
        loop {
            let memories = self.mind.list(&Filter::default(), page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            found.extend(memories.into_iter().filter(|memory| self.is_there(memory)).filter_map(|memory| {
                let name = memory.external_id.clone().filter(|name| name.starts_with(prefix))?;
                Some((name, memory))
            }));
        }
        // If two memories have the same name because one was restored, the newer one counts.
        found.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.id.cmp(&one.1.id)));
        found.dedup_by(|later, first| later.0 == first.0);
        Ok(found)
    }
}

/// Splits a text into a memory's content and tags for what the content cannot store.
fn split(name: &str, text: &str) -> (String, Vec<String>) {
    let label = |kind: &str, blanks: &str| format!("{kind}{}", serde_json::Value::from(blanks));
    if is_blank(text) {
        return (name.to_owned(), vec![label(BLANK, text)]);
    }
    let (from, to) = (text.len() - text.trim_start().len(), text.trim_end().len());
    let ends = [(BEFORE, &text[..from]), (AFTER, &text[to..])];
    let labels = ends.into_iter().filter(|(_, blanks)| !blanks.is_empty()).map(|(kind, blanks)| label(kind, blanks));
    (text[from..to].to_owned(), labels.collect())
}

/// Restores the exact text of a document.
pub(super) fn text_of(memory: &Memory) -> String {
    let kept = |kind: &str| memory.tags.iter().find_map(|tag| serde_json::from_str::<String>(tag.strip_prefix(kind)?).ok());
    kept(BLANK).unwrap_or_else(|| format!("{}{}{}", kept(BEFORE).unwrap_or_default(), memory.content, kept(AFTER).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_content_and_the_blanks_it_has_at_its_ends() {
        for (text, content, labels) in [
            ("글", "글", vec![]),
            ("글\n", "글", vec!["blanks_after=\"\\n\""]),
            ("\t 글 둘\n\n", "글 둘", vec!["blanks_before=\"\\t \"", "blanks_after=\"\\n\\n\""]),
            ("", "/memories/a", vec!["blank=\"\""]),
            (" \n", "/memories/a", vec!["blank=\" \\n\""]),
        ] {
            let (kept, blanks) = split("/memories/a", text);
            assert_eq!((kept.as_str(), blanks), (content, labels.into_iter().map(str::to_owned).collect()), "{text:?}");
        }
    }
}
