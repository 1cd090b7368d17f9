//! Conversations through the engine: turns, facts, topics.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

/// Turns near a message in the context.
mod near_turns;
mod statements;
/// Which messages share a topic, and the memories made of them.
mod topics;
/// No lock is held while a model or an embedder is called.
mod turn_lock;
/// What is stored, learned, edited and retracted.
mod turns;
