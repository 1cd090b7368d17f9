//! How a file is opened, and what a commit to it is worth.

use std::path::PathBuf;

/// How a file is opened.
#[derive(Clone, Debug)]
pub struct SqliteSettings {
    /// The file; it and its folder are made when they are not there.
    pub path: PathBuf,
    /// Whether vectors are compared. Without it recall goes on with words.
    pub vectors: bool,
    /// What a commit is worth once it is acknowledged.
    pub durability: Durability,
}

/// What a commit is worth once it is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It survives a crash and a power cut.
    #[default]
    Durable,
    /// Nobody waits for the disk, and nobody else may open the file. For files that are thrown away after use: simulations, nothing else.
    Throwaway,
    /// The same, and commits are gathered into large transactions: the file is behind what was acknowledged until it is
    /// copied or closed.
    Gathered,
}

impl SqliteSettings {
    /// The usual settings for a file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), vectors: true, durability: Durability::Durable }
    }
}
