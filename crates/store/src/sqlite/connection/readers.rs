//! Connections that read concurrently with the writer.

use crate::sqlite::settings::VectorSupport;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::single_connection::SingleConnection;
use crate::sqlite::open::{Use, connect};
use saegim_core::phrase;

use crate::StoreError;

/// Pool of read connections. Opens more on demand and keeps a few idle ones.
pub(crate) struct Readers {
    path: PathBuf,
    vectors: VectorSupport,
    idle: Mutex<Vec<Connection>>,
    /// Connection used only to detect changes, because SQLite reports changes relative to the last check on the same
    /// connection.
    watching: Mutex<Option<Connection>>,
    /// The shared connection in single-connection mode.
    alone: Option<SingleConnection>,
}

/// Maximum number of idle connections; each has its own page cache.
const KEPT: usize = 4;

impl Readers {
    pub(crate) fn new(path: PathBuf, vectors: VectorSupport, alone: Option<SingleConnection>) -> Arc<Self> {
        Arc::new(Self { path, vectors, idle: Mutex::new(Vec::new()), watching: Mutex::new(None), alone })
    }

    /// Runs `read` on a blocking thread.
    pub(crate) async fn read<T, F>(self: &Arc<Self>, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        if let Some(alone) = &self.alone {
            return alone.read(read);
        }
        let readers = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || readers.read_now(read));
        task.await.map_err(|error| StoreError::Broken(phrase!("store.readers.failed", error)))?
    }

    /// Runs `read` on the caller's thread.
    pub(crate) fn read_now<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if let Some(alone) = &self.alone {
            return alone.read(read);
        }
        let idle = self.lock().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect(&self.path, Use::Read, self.vectors)?,
        };
        // Use one snapshot for the whole read.
        connection.prepare_cached("BEGIN")?.execute([])?;
        let answer = read(&connection);
        connection.prepare_cached("ROLLBACK")?.execute([])?;
        let mut idle = self.lock();
        if idle.len() < KEPT {
            idle.push(connection);
        }
        answer
    }

    /// Returns a number that changes when any other connection of any process has written. Takes a few microseconds and never
    /// blocks, so it is safe on the caller's thread.
    pub(crate) fn version(&self) -> Option<u64> {
        if let Some(alone) = &self.alone {
            return Some(alone.version());
        }
        let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        if watching.is_none() {
            *watching = connect(&self.path, Use::Read, VectorSupport::Disabled).ok();
        }
        let mut version = watching.as_ref()?.prepare_cached("PRAGMA data_version").ok()?;
        version.query_row([], |row| row.get(0)).ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
