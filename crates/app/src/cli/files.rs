//! Arguments of import and export.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use saegim_core::Tier;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FileFormat {
    /// saegim's own format: a complete export as JSON Lines
    Bundle,
    /// A folder of session files, with an index, a configuration and a ledger
    Coordinates,
    /// stellar-memory: its SQLite file (import only) or its JSON export
    Stellar,
    /// mem0: a JSON list, or {"results": [...]}
    Mem0,
    /// The reference MCP memory server: JSON Lines with entities and relations
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
    /// Format of the file
    pub(crate) format: FileFormat,
    /// File, or the session folder for `coordinates`; `-` reads standard input
    pub(crate) path: PathBuf,
    /// Tier for memories from other programs; memories in a bundle keep their own tier
    #[arg(long, value_parser = Tier::parse, default_value = "M365")]
    pub(crate) tier: Tier,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// Format to write
    pub(crate) format: FileFormat,
    /// File, or the session folder for `coordinates`; `-` writes to standard output
    pub(crate) path: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) replace: bool,
}
