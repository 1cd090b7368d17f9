//! Single-connection mode, for a file that no other process opens: all reads and writes run on one connection, on the caller's
//! thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use saegim_core::Commit;

use super::writer;
use crate::sqlite::Durability;
use crate::sqlite::apply::apply;
use crate::{Receipt, StoreError};

/// Maximum number of writes per transaction in batching mode.
const GATHERED: usize = 500;

/// A shared connection that reads its own uncommitted writes, without a switch to another thread.
#[derive(Clone)]
pub(crate) struct SingleConnection(Arc<Shared>);

struct Shared {
    desk: Mutex<Desk>,
    /// Whether writes are batched.
    gathers: bool,
    writes: AtomicU64,
}

/// The connection, and the number of writes in its open transaction (0 if none is open).
struct Desk {
    connection: Connection,
    gathered: usize,
}

impl Desk {
    /// Opens a transaction for batched writes if none is open.
    fn begin(&mut self) -> Result<(), StoreError> {
        if self.gathered == 0 {
            self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        }
        self.gathered += 1;
        Ok(())
    }

    /// Commits the batched writes.
    fn settle(&mut self) -> Result<(), StoreError> {
        if self.gathered > 0 {
            self.connection.prepare_cached("COMMIT")?.execute([])?;
            self.gathered = 0;
        }
        Ok(())
    }

    /// Adds one commit to the batch. A commit that fails is rolled back to its savepoint.
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
        // The error cannot be reported here. Callers that need the file flush it explicitly.
        let _ = self.settle();
    }
}

impl SingleConnection {
    pub(crate) fn on(connection: Connection, durability: Durability) -> Self {
        let desk = Mutex::new(Desk { connection, gathered: 0 });
        Self(Arc::new(Shared { desk, gathers: durability == Durability::Gathered, writes: AtomicU64::new(0) }))
    }

    /// Checks whether writes are batched.
    pub(crate) fn gathers(&self) -> bool {
        self.0.gathers
    }

    /// Reads under the lock, so there is no concurrent write.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        read(&self.desk().connection)
    }

    /// Writes one commit.
    pub(crate) fn commit(&self, commit: &Commit) -> Result<Receipt, StoreError> {
        let mut desk = self.written();
        if self.0.gathers { desk.gather(commit) } else { writer::one(&mut desk.connection, commit) }
    }

    /// Runs a statement that needs no transaction of its own.
    pub(crate) fn note<T>(&self, note: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut desk = self.written();
        if self.0.gathers {
            desk.begin()?;
        }
        note(&mut desk.connection)
    }

    /// Writes in a separate transaction, after flushing the batched writes. The lock excludes concurrent reads.
    pub(crate) fn write<T>(&self, write: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut desk = self.written();
        desk.settle()?;
        write(&mut desk.connection)
    }

    /// Returns a number that changes with every write.
    pub(crate) fn version(&self) -> u64 {
        self.0.writes.load(Ordering::Acquire)
    }

    /// Locks the connection for writing.
    fn written(&self) -> MutexGuard<'_, Desk> {
        let desk = self.desk();
        self.0.writes.fetch_add(1, Ordering::Release);
        desk
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.0.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
