//! Texts under a name of their own, kept as memories: what file-like and key-like clients put into a store.

use saegim_core::{Memory, Standing, Tier};
use saegim_engine::{Core, Draft, Edit, EngineError, Filter, MindHandle, Page};

/// A text and the name it is kept under.
pub(super) struct Document {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) tags: Vec<String>,
    pub(super) tier: Tier,
}

/// The memory kept under a name, if it is there.
pub(super) async fn find(mind: &MindHandle, name: &str) -> Result<Option<Memory>, EngineError> {
    Ok(any(mind, name).await?.filter(|memory| memory.standing == Standing::Alive))
}

/// The same, even where it waits on the cliff.
async fn any(mind: &MindHandle, name: &str) -> Result<Option<Memory>, EngineError> {
    match mind.by_external_id(name).await? {
        Some(id) => mind.get(id).await.map(Some),
        None => Ok(None),
    }
}

/// Keeps a text under its name, over what was there.
pub(super) async fn put(mind: &MindHandle, document: Document) -> Result<Memory, EngineError> {
    let Document { name, text, tags, tier } = document;
    match any(mind, &name).await? {
        Some(known) => {
            if known.standing == Standing::OnCliff {
                mind.restore(known.id).await?;
            }
            mind.edit(known.id, Edit { content: Some(text), tags: Some(tags), ..Edit::default() }).await
        }
        None => {
            let draft = Draft { external_id: Some(name), tags, tier: Some(tier), ..Draft::text(text) };
            Ok(mind.remember(draft).await?.memory)
        }
    }
}

/// Lets go of what is kept under a name; whether there was anything.
pub(super) async fn remove(mind: &MindHandle, name: &str) -> Result<bool, EngineError> {
    match find(mind, name).await? {
        Some(memory) => mind.forget(memory.id, Core::Kept).await.map(|_| true),
        None => Ok(false),
    }
}

/// Everything kept under names that begin like this, by name.
pub(super) async fn under(mind: &MindHandle, prefix: &str) -> Result<Vec<(String, Memory)>, EngineError> {
    let mut found = Vec::new();
    let mut page = Page { limit: 1000, before: None };
    loop {
        let memories = mind.list(&Filter::default(), page.clone()).await?;
        let Some(last) = memories.last() else { break };
        page.before = Some(last.id);
        found.extend(memories.into_iter().filter_map(|memory| {
            let name = memory.external_id.clone().filter(|name| name.starts_with(prefix))?;
            Some((name, memory))
        }));
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}
