//! Exports a mind in chunks, each passed to a callback.

use saegim_core::{Deed, Link, Memory, MindKey, Phrase, RetentionPolicy, Timestamp, phrase};
use saegim_store::{Filter, Page};
use serde_json::{Map, json};

use super::{Format, bundle, coordinates, mcp_memory, mem0, stellar};
use crate::EngineError;
use crate::exchange::Transfer;

/// Number of memories read at a time.
const PAGE: usize = 1000;

/// One chunk of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportChunk {
    /// File within the folder, for folder formats.
    pub file: Option<String>,
    /// Text of the chunk.
    pub text: String,
    /// Number of memories in the chunk.
    pub memories: usize,
}

/// Result of an export.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportSummary {
    /// Number of live and archived memories.
    pub memories: usize,
    /// Number of memories on the cliff.
    pub on_cliff: usize,
    /// Number of links.
    pub links: usize,
    /// Notes about data that the format cannot represent.
    pub notes: Vec<Phrase>,
}

/// Data of a mind for the formats of other programs.
pub(super) struct Leaving {
    pub(super) key: MindKey,
    pub(super) at: Timestamp,
    /// Live memories, newest first.
    pub(super) memories: Vec<Memory>,
    pub(super) links: Vec<Link>,
    /// Limits that the mind is kept under.
    pub(super) retention: RetentionPolicy,
}

impl Leaving {
    /// Returns the exported id of a memory: its external id or, without one, its own id.
    pub(super) fn name(&self, memory: &Memory) -> String {
        memory.external_id.clone().unwrap_or_else(|| memory.id.to_string())
    }
}

impl Transfer<'_> {
    pub(crate) async fn export<E, F>(&self, format: Format, put: F) -> Result<ExportSummary, E>
    where
        E: From<EngineError>,
        F: FnMut(ExportChunk) -> Result<(), E>,
    {
        self.mind.may(Deed::Export).await?;
        self.mind.as_worker().transfer().export_checked(format, put).await
    }

    async fn export_checked<E, F>(&self, format: Format, mut put: F) -> Result<ExportSummary, E>
    where
        E: From<EngineError>,
        F: FnMut(ExportChunk) -> Result<(), E>,
    {
        if format == Format::Bundle {
            return self.write_bundle(put).await;
        }
        let leaving = self.leaving().await?;
        let mut written = ExportSummary { memories: leaving.memories.len(), ..ExportSummary::default() };
        let whole = |text: String| ExportChunk { file: None, text, memories: leaving.memories.len() };
        match format {
            Format::Coordinates => {
                written.links = leaving.links.len();
                let ledger = self.coordinate_ledger(&leaving).await?;
                coordinates::write(&leaving).into_iter().chain(ledger).try_for_each(&mut put)?;
            }
            Format::Stellar => put(whole(stellar::write(&leaving)))?,
            Format::Mem0 => put(whole(mem0::write(&leaving)))?,
            Format::Bundle | Format::McpMemory => put(whole(mcp_memory::write(&leaving)))?,
        }
        let fallen = self.mind.removal().cliff().await?.len();
        if fallen > 0 {
            written.notes.push(phrase!("engine.write.cliff_left_out", fallen));
        }
        let links = leaving.links.len() - written.links;
        if links > 0 {
            written.notes.push(phrase!("engine.write.links_left_out", links));
        }
        Ok(written)
    }

    async fn leaving(&self) -> Result<Leaving, EngineError> {
        let mut leaving = Leaving {
            key: self.mind.key().clone(),
            at: self.mind.now(),
            memories: Vec::new(),
            links: self.mind.store().all_links(self.mind.id).await?,
            retention: self.mind.policy().retention.clone(),
        };
        let mut page = Page { limit: PAGE, before: None };
        loop {
            let memories = self.mind.retrieval().list(&Filter::default(), page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            leaving.memories.extend(memories);
        }
        let alive: std::collections::HashSet<_> = leaving.memories.iter().map(|memory| memory.id).collect();
        leaving.links.retain(|link| alive.contains(&link.from) && alive.contains(&link.to));
        Ok(leaving)
    }

    /// Exports a bundle page by page, so that the memory use does not grow with the mind.
    async fn write_bundle<E, F>(&self, mut put: F) -> Result<ExportSummary, E>
    where
        E: From<EngineError>,
        F: FnMut(ExportChunk) -> Result<(), E>,
    {
        let mind = self.mind.mind().await?;
        let mut header = Map::new();
        header.insert("version".into(), json!(bundle::VERSION));
        header.insert("written_at".into(), json!(self.mind.now()));
        header.insert("mind".into(), json!(self.mind.key().to_string()));
        let piece = |text: String, memories: usize| ExportChunk { file: None, text, memories };
        put(piece(bundle::line("bundle", &header) + "\n", 0))?;
        put(piece(self.conversation_lines().await?.into_iter().map(|line| line + "\n").collect(), 0))?;
        put(piece(self.selfhood_lines().await?.into_iter().map(|line| line + "\n").collect(), 0))?;
        let strength = |memory: &Memory| memory.strength_at(mind.turns, &self.mind.policy().strength);
        let mut written = ExportSummary::default();
        let mut page = Page { limit: PAGE, before: None };
        loop {
            let memories = self.mind.retrieval().list(&Filter::default(), page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            let line = |memory: &Memory| bundle::line("memory", &bundle::memory_fields(memory, strength(memory))) + "\n";
            put(piece(memories.iter().map(line).collect(), memories.len()))?;
            written.memories += memories.len();
        }
        // Archived memories are exported too, so that nothing is lost.
        let archived = self.mind.removal().archived().await?;
        let line = |memory: &Memory| bundle::line("memory", &bundle::memory_fields(memory, memory.strength.value)) + "\n";
        put(piece(archived.iter().map(line).collect(), archived.len()))?;
        written.memories += archived.len();
        for fallen in self.mind.removal().cliff().await? {
            let fields = bundle::cliff_fields(&fallen.entry, bundle::memory_fields(&fallen.memory, strength(&fallen.memory)));
            put(piece(bundle::line("cliff", &fields) + "\n", 1))?;
            written.on_cliff += 1;
        }
        for link in self.mind.store().all_links(self.mind.id).await.map_err(EngineError::from)? {
            put(piece(bundle::line("link", &bundle::link_fields(&link)) + "\n", 0))?;
            written.links += 1;
        }
        Ok(written)
    }
}
