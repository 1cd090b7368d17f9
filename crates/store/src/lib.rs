//! Where minds are kept: one [`Store`] trait, SQLite behind it, and a conformance suite for every backend.
//!
//! Everything that changes goes through [`Store::commit`]: rows, words, vectors, the ledger entry and the
//! idempotency record of one commit are written in one transaction, or not at all.

/// What a store is asked for, and what it answers.
mod asked;
/// The suite every backend must pass.
#[cfg(feature = "conformance")]
pub mod conformance;
/// What can go wrong, by who must act.
mod error;
/// What an index in memory needs to know.
mod index_rows;
/// What a backend tells of the self.
mod self_store;
/// SQLite: one file, one writer, readers beside it.
mod sqlite;
/// stellar-memory's files, read and left as they are.
mod stellar;
/// The trait.
mod store;
/// What a backend tells of models.
mod thought_store;

pub use asked::*;
pub use error::StoreError;
pub use index_rows::*;
pub use self_store::{ProposalPage, SelfStore, Waiting};
pub use sqlite::{Durability, SqliteSettings, SqliteStore};
pub use stellar::{StellarEdge, StellarFile, StellarItem, read_stellar};
pub use store::Store;
pub use thought_store::ThoughtStore;
