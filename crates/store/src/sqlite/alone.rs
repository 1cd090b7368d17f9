//! The one connection of a file nobody else opens: everything happens on it, right where it is asked for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use saegim_core::Commit;

use super::apply::apply;
use super::{Durability, writer};
use crate::{Receipt, StoreError};

/// How many writes are gathered before they are put into the file.
const GATHERED: usize = 500;

/// A connection that reads what it has just written from its own pages, without a hop to another thread.
#[derive(Clone)]
pub(super) struct Alone(Arc<Shared>);

struct Shared {
    desk: Mutex<Desk>,
    /// Whether writes are gathered.
    gathers: bool,
    writes: AtomicU64,
}

/// The connection, and how many writes lie in the transaction that is open on it; none is open at zero.
struct Desk {
    connection: Connection,
    gathered: usize,
}

impl Desk {
    /// Opens a transaction for what is to be gathered, if none is open.
    fn begin(&mut self) -> Result<(), StoreError> {
        if self.gathered == 0 {
            self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        }
        self.gathered += 1;
        Ok(())
    }

    /// Puts everything gathered into the file.
    fn settle(&mut self) -> Result<(), StoreError> {
        if self.gathered > 0 {
            self.connection.prepare_cached("COMMIT")?.execute([])?;
            self.gathered = 0;
        }
        Ok(())
    }

    /// Writes one commit beside those that are gathered; one that fails leaves nothing.
    fn gather(&mut self, commit: &Commit) -> Result<Receipt, StoreError> {
        self.begin()?;
        self.connection.prepare_cached("SAVEPOINT one")?.execute([])?;
        let receipt = apply(&self.connection, commit);
        if receipt.is_err() {
            self.connection.prepare_cached("ROLLBACK TO one")?.execute([])?;
        }
        self.connection.prepare_cached("RELEASE one")?.execute([])?;
        let receipt = receipt?;
        if self.gathered >= GATHERED {
            self.settle()?;
        }
        Ok(receipt)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // Nobody can be told any more; whoever needs the file has settled it before.
        let _ = self.settle();
    }
}

impl Alone {
    pub(super) fn on(connection: Connection, durability: Durability) -> Self {
        let desk = Mutex::new(Desk { connection, gathered: 0 });
        Self(Arc::new(Shared { desk, gathers: durability == Durability::Gathered, writes: AtomicU64::new(0) }))
    }

    /// Whether writes are gathered before they are put into the file.
    pub(super) fn gathers(&self) -> bool {
        self.0.gathers
    }

    /// Reads; nobody writes meanwhile.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        read(&self.desk().connection)
    }

    /// Writes one commit.
    pub(super) fn commit(&self, commit: &Commit) -> Result<Receipt, StoreError> {
        let mut desk = self.written();
        if self.0.gathers { desk.gather(commit) } else { writer::one(&mut desk.connection, commit) }
    }

    /// Runs a statement that needs no transaction of its own.
    pub(super) fn note<T>(&self, note: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut desk = self.written();
        if self.0.gathers {
            desk.begin()?;
        }
        note(&mut desk.connection)
    }

    /// Writes in a transaction of its own; what was gathered is in the file by then, and nobody reads meanwhile.
    pub(super) fn write<T>(&self, write: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut desk = self.written();
        desk.settle()?;
        write(&mut desk.connection)
    }

    /// A number that differs once anything was written.
    pub(super) fn version(&self) -> u64 {
        self.0.writes.load(Ordering::Acquire)
    }

    /// The desk for someone who writes.
    fn written(&self) -> MutexGuard<'_, Desk> {
        let desk = self.desk();
        self.0.writes.fetch_add(1, Ordering::Release);
        desk
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.0.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
