//! Settings of a SQLite store, including its durability.

use std::path::PathBuf;

/// Settings of a SQLite store.
#[derive(Clone, Debug)]
pub struct SqliteSettings {
    /// Path of the file. The file and its folder are created if they do not exist.
    pub path: PathBuf,
    /// Whether vector search is available.
    pub vectors: VectorSupport,
    /// Durability of an acknowledged commit.
    pub durability: Durability,
}

/// Whether the SQLite extension for vector search is loaded. Without it, recall uses words only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorSupport {
    /// It is loaded.
    Enabled,
    /// It is not.
    Disabled,
}

/// Durability of an acknowledged commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It survives a crash and a power failure.
    #[default]
    Durable,
    /// No disk sync, and no other process may open the file. Only for temporary files of simulations.
    Throwaway,
    /// Like `Throwaway`, and commits are batched into large transactions: the file lags behind the acknowledged commits until
    /// it is copied or closed.
    Gathered,
}

impl SqliteSettings {
    /// Returns the default settings for a file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), vectors: VectorSupport::Enabled, durability: Durability::Durable }
    }
}
