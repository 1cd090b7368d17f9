//! Storage of minds: one [`Store`] trait, a SQLite backend, and a conformance suite for every backend.
//!
//! Changes to a mind go through [`Store::commit`]: the rows, words, vectors, ledger entry and idempotency record of one commit
//! are written in one transaction.

/// The conformance suite that every backend must pass.
#[cfg(feature = "conformance")]
pub mod conformance;
/// Store errors.
mod error;
/// Rows for in-memory indexes.
mod index_rows;
/// Parameters and results of store queries.
mod query_types;
/// The part of the trait about the self.
mod self_store;
/// SQLite backend: one file, one writer, concurrent readers.
mod sqlite;
/// Read-only import of stellar-memory files.
mod stellar;
/// The store trait.
mod store;
/// The part of the trait about models.
mod thought_store;

pub use error::StoreError;
pub use index_rows::{IndexMark, IndexRow, IndexRows, IndexSearch, SaidRow};
pub use query_types::{
    CandidatePage, CliffMemory, Counts, DueSearch, EarlierRequest, Erased, Filter, Health, MaintenanceRecord, MindSearch, Misdated, Page,
    Pending, Receipt, RecordedResponse, RequestKey, StatementHolder, StatementPage, TurnPage, VectorHit, VectorSearch, WordHit, WordHits,
    WordSearch, ZoneRow,
};
pub use self_store::{ProposalPage, SelfStore, Waiting};
pub use sqlite::{
    BackupManifest, Durability, RestoredBackup, SqliteSettings, SqliteStore, VectorSupport, VerifiedBackup, manifest_path, restore_backup,
    verify_backup,
};
pub use stellar::{StellarEdge, StellarFile, StellarItem, read_stellar};
pub use store::Store;
pub use thought_store::{OrchestrationPage, ThoughtStore};
