//! Arguments of import and export.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use saegim_core::Tier;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FileFormat {
    /// saegim's own: one JSON line for each thing, nothing left out
    Bundle,
    /// A folder of sessions, an index, a configuration and a ledger
    Coordinates,
    /// stellar-memory: its SQLite file (import only) or its JSON export
    Stellar,
    /// mem0: a JSON list, or {"results": [...]}
    Mem0,
    /// The reference MCP memory server: JSON lines of entities and relations
    McpMemory,
}

impl From<FileFormat> for saegim_engine::Format {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::Bundle => Self::Bundle,
            FileFormat::Coordinates => Self::Coordinates,
            FileFormat::Stellar => Self::Stellar,
            FileFormat::Mem0 => Self::Mem0,
            FileFormat::McpMemory => Self::McpMemory,
        }
    }
}

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// What kind of file it is
    pub(crate) format: FileFormat,
    /// The file, or the folder of a layout; `-` reads standard input
    pub(crate) path: PathBuf,
    /// How long to keep what another program wrote; a bundle's memories keep their own
    #[arg(long, value_parser = Tier::parse, default_value = "M365")]
    pub(crate) tier: Tier,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// What kind of file to write
    pub(crate) format: FileFormat,
    /// The file, or the folder of a layout; `-` writes to standard output
    pub(crate) path: PathBuf,
    /// Write over a file that is there already
    #[arg(long)]
    pub(crate) replace: bool,
}
