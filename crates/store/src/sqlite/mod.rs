//! SQLite backend: one file, one writer, concurrent readers.

mod access_key;
mod answer;
mod apply;
mod archive;
mod backup;
mod candidate;
mod cliff;
mod connection;
mod counts;
mod database;
mod expense;
mod fact;
mod filter;
mod grant;
mod health;
mod id_digits;
mod imagination;
mod island;
mod job;
mod ledger;
mod link;
mod memory;
mod mind;
mod misdated;
mod note;
mod open;
mod orchestration;
mod pages;
mod proposal;
mod relationship;
mod scene;
mod self_version;
mod selfhood;
mod settings;
mod statement;
mod store;
mod sweep;
mod thought;
mod turn;
mod vector;
mod webhook;
mod words;

use crate::IndexMark;

pub use self::backup::{BackupManifest, RestoredBackup, VerifiedBackup, manifest_path, restore_backup, verify_backup};
pub use self::database::SqliteStore;
pub use self::settings::{Durability, SqliteSettings, VectorSupport};

/// A page of the rows for an in-memory index.
#[derive(Clone, Copy)]
struct IndexPage {
    after: IndexMark,
    limit: usize,
}
