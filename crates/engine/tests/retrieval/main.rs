//! Recall through the engine: which questions find something, with which embedder.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

/// Questions with a known answer.
mod answerable;
/// Arbitrary queries.
mod any_words;
/// Embedders that fail.
mod degraded;
/// Changing the embedder, and remote embedders.
mod embedders;
/// Servers with unusual answers.
mod odd_servers;
/// Questions to minds with few memories.
mod small_minds;
