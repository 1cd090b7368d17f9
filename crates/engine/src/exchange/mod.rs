//! In and out: what other programs wrote becomes memories, and memories become what other programs read.
//!
//! A reader turns a file into a [`Parcel`] and keeps nothing; [`MindHandle::hear`](crate::MindHandle::hear),
//! [`MindHandle::take_in`](crate::MindHandle::take_in) and [`MindHandle::bind`](crate::MindHandle::bind) keep it. What cannot be taken is named with its reason. Text is only ever text here: whatever it asks for,
//! nobody obeys it.

/// saegim's own bundle.
mod bundle;
/// What was said, in a bundle.
mod conversation;
/// The coordinate layout.
mod coordinates;
/// Labels out of whatever another program kept beside a text.
mod labels;
/// The reference MCP memory server's graph.
mod mcp_memory;
/// mem0's exports.
mod mem0;
/// The self, in a bundle.
mod selfhood;
/// stellar-memory's files and exports.
mod stellar;
/// Writing a mind out.
mod write;

pub use conversation::{Conversation, Heard};
pub use selfhood::Selfhood;
pub use write::{Piece, Written};

use std::path::Path;

use saegim_core::{CliffEntry, Feeling, LinkKind, Memory, MemoryId, MindKey, Phrase, Rating, Timestamp, phrase};

use crate::error::unusable;
use crate::{Draft, EngineError};

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// saegim's own: one JSON line for each thing, nothing left out.
    Bundle,
    /// A folder of sessions, an index, a configuration and a ledger.
    Coordinates,
    /// stellar-memory's SQLite file or JSON export.
    Stellar,
    /// What mem0 gives out: a list, or `{"results": [...]}`.
    Mem0,
    /// The reference MCP memory server's lines of entities and relations.
    McpMemory,
}

/// Something to be taken in.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrival {
    /// A memory as it was in another mind.
    Whole(Box<Memory>),
    /// A memory that waited on another mind's cliff, with its time left as it was.
    Fallen(Box<Memory>, CliffEntry),
    /// A memory another program kept.
    New(Box<Newcomer>),
}

/// What another program knew of a memory. The draft's `external_id` is its name there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Newcomer {
    /// The text, and what goes with it.
    pub draft: Draft,
    /// How often it was recalled there.
    pub recalls: u32,
    /// When it was last recalled there.
    pub last_recalled_at: Option<Timestamp>,
    /// When it was last written there.
    pub edited_at: Option<Timestamp>,
    /// When that program would have let it go.
    pub expires_at: Option<Timestamp>,
    /// The owner's stars.
    pub rating: Option<Rating>,
    /// A shorter form.
    pub summary: Option<String>,
    /// What it feels like, as far as that program knew; emotions are judged from the text.
    pub feeling: Option<Feeling>,
}

/// What a memory is called in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// Its id in a saegim mind.
    Id(MemoryId),
    /// Its name in another program.
    External(String),
}

/// A link between memories, by what they are called in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Bond {
    /// Where it starts.
    pub from: Name,
    /// Where it points.
    pub to: Name,
    /// What it says.
    pub kind: LinkKind,
}

/// Something that was not taken, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// What it is called in the file.
    pub what: String,
    /// Why it stays there.
    pub why: Phrase,
}

/// What a file holds for a mind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parcel {
    /// Memories.
    pub arrivals: Vec<Arrival>,
    /// What was said, and what follows from it.
    pub conversation: Conversation,
    /// The self, and what it grew from.
    pub selfhood: Selfhood,
    /// Links between memories.
    pub bonds: Vec<Bond>,
    /// What cannot be taken.
    pub left_out: Vec<LeftOut>,
    /// What is worth knowing about the file.
    pub notes: Vec<Phrase>,
}

impl Parcel {
    /// Reads a file (or the folder of a layout) for the mind `key`; nothing is kept yet.
    pub fn read(format: Format, path: &Path, key: &MindKey) -> Result<Self, EngineError> {
        let text = || std::fs::read_to_string(path).map_err(|error| unusable(path, &error));
        match format {
            Format::Bundle => bundle::read(&text()?),
            Format::Coordinates => coordinates::read(path),
            Format::Stellar => stellar::read(path),
            Format::Mem0 => mem0::read(&text()?, key),
            Format::McpMemory => mcp_memory::read(&text()?),
        }
    }

    /// Reads a text that is already in hand, in one of the formats that are a single text.
    pub fn read_text(format: Format, text: &str, key: &MindKey) -> Result<Self, EngineError> {
        match format {
            Format::Bundle => bundle::read(text),
            Format::Stellar => stellar::read_json(text),
            Format::Mem0 => mem0::read(text, key),
            Format::McpMemory => mcp_memory::read(text),
            Format::Coordinates => Err(EngineError::Conflict(phrase!(
                "the coordinate layout is a folder; give a folder",
                "좌표 형식은 폴더예요. 폴더를 지정해 주세요"
            ))),
        }
    }

    fn leave_out(&mut self, what: impl Into<String>, why: Phrase) {
        self.left_out.push(LeftOut { what: what.into(), why });
    }

    fn take(&mut self, newcomer: Newcomer) {
        self.arrivals.push(Arrival::New(Box::new(newcomer)));
    }
}

/// A file that is not in the format it was said to be in; nothing of it is taken.
fn not_this(what: &Phrase) -> EngineError {
    EngineError::Conflict(Phrase::new(
        format!("{what}; nothing was imported"),
        format!("{}. 아무것도 가져오지 않았어요", what.in_language(saegim_core::Language::Korean)),
    ))
}

/// A moment as other programs write it: RFC 3339, a date, or a civil time that is taken for UTC.
fn moment(text: &str) -> Option<Timestamp> {
    Timestamp::parse(text).ok().or_else(|| {
        let civil = text.trim().parse::<jiff::civil::DateTime>().ok()?;
        let zoned = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Timestamp::from_millis(zoned.timestamp().as_millisecond()))
    })
}

/// A moment from Unix seconds, if it lies in years people write.
fn unix(seconds: f64) -> Option<Timestamp> {
    const YEAR_9999: f64 = 253_402_300_799.0;
    (0.0..=YEAR_9999).contains(&seconds).then(|| Timestamp::from_millis((seconds * 1000.0).round() as i64))
}
