//! The real program, run as a person or a script runs it: one process a call, one file between them.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

/// Memories from other programs, and for them.
mod exchange;
/// Bundles, backups, and files that are not ours.
mod files;
/// Letting go, coming back, and leaving nothing.
mod forgetting;
/// A folder of its own for each test, and the program to run in it.
mod home;
/// What happened, and whether anyone changed the story.
mod ledger;
/// Keeping, finding and changing.
mod memories;
/// Choosing an embedder.
mod models;
/// First run, configuration, exit codes, crowds.
mod operating;
/// Finding words among many, whatever is asked.
mod searching;
/// The self, the inbox, imagination.
mod selfhood;
/// Lives lived in seconds.
mod simulating;
/// What is said when something goes wrong.
mod speaking;
/// Taking turns, and what is known from them.
mod talking;
/// Models that think.
mod thinking;
/// What is told about time.
mod time;
