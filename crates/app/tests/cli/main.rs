//! Runs the real binary as a user or a script would: one process per call, sharing one database file.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

/// Import from other programs and export to their formats.
mod exchange;
/// Forgetting, restoring and erasing.
mod forgetting;
/// A temporary folder for each test, and functions that run the binary in it.
mod home;
/// The ledger and its verification.
mod ledger;
/// Remembering, recalling and editing.
mod memories;
/// Choosing an embedder.
mod models;
/// First run, configuration, exit codes, concurrent processes.
mod operating;
/// Statements and people.
mod people;
/// Runs of personas.
mod personas;
/// Keyword search among thousands of memories, and arbitrary queries.
mod searching;
/// The self, the inbox and imagination.
mod selfhood;
/// The `simulate` command.
mod simulating;
/// Error messages and their language.
mod speaking;
/// Observing turns, and the facts learned from them.
mod talking;
/// Language models as thinkers.
mod thinking;
/// Forecasts, reports and the worker.
mod time;
