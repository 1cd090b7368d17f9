//! Conversation: ingest messages, chat, list turns, and show what is known from them.

/// Chat in the terminal.
mod chat;
/// Facts, relationship and timeline.
mod known;
/// Ingesting messages, and the context for a model.
mod observe;
/// Statements and people.
mod people;
/// List, edit, delete and branch turns.
mod turns;

pub(crate) use known::moment_json;
