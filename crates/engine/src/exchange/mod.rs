//! Import and export: converts files of other programs to memories and back.
//!
//! A reader converts a file to a [`ImportData`] and stores nothing; [`MindHandle::import_conversation`](crate::MindHandle::import_conversation),
//! [`MindHandle::import_memories`](crate::MindHandle::import_memories) and [`MindHandle::import_links`](crate::MindHandle::import_links) store it. Items that
//! cannot be imported are listed with the reason. Imported text is only data; instructions in it are never followed.

/// Public methods.
mod api;
/// saegim's own bundle.
mod bundle;
/// The conversation in a bundle.
mod conversation;
/// The coordinate layout.
mod coordinates;
/// Imports memories from other systems.
pub(crate) mod import;
/// Converts the metadata of other programs to memory fields and tags.
mod labels;
/// The graph of the reference MCP memory server.
mod mcp_memory;
/// mem0's exports.
mod mem0;
/// The self in a bundle.
mod selfhood;
/// stellar-memory's files and exports.
mod stellar;
/// Exports a mind.
mod write;

pub use conversation::{Conversation, ImportedConversation};
pub use selfhood::Selfhood;
pub use write::{ExportChunk, ExportSummary};

use std::path::Path;

use saegim_core::{CliffEntry, Feeling, LinkKind, Memory, MemoryId, MindKey, Phrase, Rating, Timestamp, phrase};

use crate::{Draft, EngineError, MindHandle};

/// Import into and export from one mind.
#[derive(Clone, Copy)]
pub(crate) struct Transfer<'a> {
    pub(crate) mind: &'a MindHandle,
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// saegim's own format: JSON lines, complete.
    Bundle,
    /// A folder with sessions, an index, a configuration and a ledger.
    Coordinates,
    /// stellar-memory's SQLite file or JSON export.
    Stellar,
    /// mem0's export: a list, or `{"results": [...]}`.
    Mem0,
    /// The JSON lines of the reference MCP memory server.
    McpMemory,
}

/// An item to import.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportItem {
    /// A memory of another saegim mind.
    Whole(Box<Memory>),
    /// A memory from the cliff of another mind. Its remaining time is kept.
    Fallen(Box<Memory>, CliffEntry),
    /// A memory of another program.
    New(Box<ForeignMemory>),
}

/// A memory of another program. The draft's `external_id` is its id there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignMemory {
    /// The text and its attributes.
    pub draft: Draft,
    /// Number of recalls there.
    pub recalls: u32,
    /// Time of the last recall there.
    pub last_recalled_at: Option<Timestamp>,
    /// Time of the last edit there.
    pub edited_at: Option<Timestamp>,
    /// Time at which it would have expired there.
    pub expires_at: Option<Timestamp>,
    /// The owner's rating.
    pub rating: Option<Rating>,
    /// Summary.
    pub summary: Option<String>,
    /// Feeling, as far as that program stored it. Emotions are judged from the text.
    pub feeling: Option<Feeling>,
}

/// Name of a memory in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ImportName {
    /// Id in a saegim mind.
    Id(MemoryId),
    /// Id in another program.
    External(String),
}

/// A link between memories, by their names in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportLink {
    /// Source.
    pub from: ImportName,
    /// Target.
    pub to: ImportName,
    /// Kind of the link.
    pub kind: LinkKind,
}

/// An item that was not imported, with the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct SkippedItem {
    /// Name of the item in the file.
    pub what: String,
    /// Reason.
    pub why: Phrase,
}

/// Parsed contents of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportData {
    /// Memories.
    pub arrivals: Vec<ImportItem>,
    /// The conversation and what was derived from it.
    pub conversation: Conversation,
    /// The self and its history.
    pub selfhood: Selfhood,
    /// Links between memories.
    pub bonds: Vec<ImportLink>,
    /// Items that cannot be imported.
    pub left_out: Vec<SkippedItem>,
    /// Notes about the file for the user.
    pub notes: Vec<Phrase>,
}

impl ImportData {
    /// Reads a file, or the folder of a layout, for the mind `key`. Stores nothing.
    pub fn read(format: Format, path: &Path, key: &MindKey) -> Result<Self, EngineError> {
        let text = || std::fs::read_to_string(path).map_err(|error| EngineError::of_file(path, &error));
        match format {
            Format::Bundle => bundle::read(&text()?),
            Format::Coordinates => coordinates::read(path),
            Format::Stellar => stellar::read(path),
            Format::Mem0 => mem0::read(&text()?, key),
            Format::McpMemory => mcp_memory::read(&text()?),
        }
    }

    /// Parses a text in one of the single-file formats.
    pub fn read_text(format: Format, text: &str, key: &MindKey) -> Result<Self, EngineError> {
        match format {
            Format::Bundle => bundle::read(text),
            Format::Stellar => stellar::read_json(text),
            Format::Mem0 => mem0::read(text, key),
            Format::McpMemory => mcp_memory::read(text),
            Format::Coordinates => Err(EngineError::Conflict(phrase!("engine.exchange.folder_expected"))),
        }
    }

    fn leave_out(&mut self, what: impl Into<String>, why: Phrase) {
        self.left_out.push(SkippedItem { what: what.into(), why });
    }

    fn take(&mut self, newcomer: ForeignMemory) {
        self.arrivals.push(ImportItem::New(Box::new(newcomer)));
    }
}

/// Returns the error for a file that is not in the stated format. Nothing is imported.
fn not_this(what: &Phrase) -> EngineError {
    EngineError::Conflict(phrase!("engine.exchange.nothing_imported", what))
}

/// Parses a time as other programs write it: RFC 3339, a date, or a civil time in UTC.
fn moment(text: &str) -> Option<Timestamp> {
    Timestamp::parse(text).ok().or_else(|| {
        let civil = text.trim().parse::<jiff::civil::DateTime>().ok()?;
        let zoned = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Timestamp::from_millis(zoned.timestamp().as_millisecond()))
    })
}

/// Converts Unix seconds to a time, if it lies between 1970 and 9999.
fn unix(seconds: f64) -> Option<Timestamp> {
    const YEAR_9999: f64 = 253_402_300_799.0;
    (0.0..=YEAR_9999).contains(&seconds).then(|| Timestamp::from_millis((seconds * 1000.0).round() as i64))
}
