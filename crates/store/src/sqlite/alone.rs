//! The one connection of a file nobody else opens: everything happens on it, right where it is asked for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use crate::StoreError;

/// A connection that reads what it has just written from its own pages, without a hop to another thread.
#[derive(Clone)]
pub(super) struct Alone(Arc<Shared>);

struct Shared {
    connection: Mutex<Connection>,
    writes: AtomicU64,
}

impl Alone {
    pub(super) fn on(connection: Connection) -> Self {
        Self(Arc::new(Shared { connection: Mutex::new(connection), writes: AtomicU64::new(0) }))
    }

    /// Reads; nobody writes meanwhile.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        read(&self.0.connection.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes; nobody reads meanwhile.
    pub(super) fn write<T>(&self, write: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut connection = self.0.connection.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.writes.fetch_add(1, Ordering::Release);
        write(&mut connection)
    }

    /// A number that differs once anything was written.
    pub(super) fn version(&self) -> u64 {
        self.0.writes.load(Ordering::Acquire)
    }
}
