//! Connections that read beside the writer.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::alone::Alone;
use super::open::{Use, connect};
use saegim_core::phrase;

use crate::StoreError;

/// Idle reading connections; more are opened when all are in use, and a few are kept.
pub(super) struct Readers {
    path: PathBuf,
    vectors: bool,
    idle: Mutex<Vec<Connection>>,
    /// The connection that is asked whether anything changed; it does nothing else, because SQLite tells each
    /// connection what changed since that connection last looked.
    watching: Mutex<Option<Connection>>,
    /// The connection everything happens on, where the file has only one.
    alone: Option<Alone>,
}

/// How many idle connections are kept; each has its own page cache.
const KEPT: usize = 4;

impl Readers {
    pub(super) fn new(path: PathBuf, vectors: bool, alone: Option<Alone>) -> Arc<Self> {
        Arc::new(Self { path, vectors, idle: Mutex::new(Vec::new()), watching: Mutex::new(None), alone })
    }

    /// Runs `read` on a thread that may block.
    pub(super) async fn read<T, F>(self: &Arc<Self>, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        if let Some(alone) = &self.alone {
            return alone.read(read);
        }
        let readers = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || readers.read_now(read));
        task.await
            .map_err(|error| StoreError::Broken(phrase!("a read operation failed: {error}", "읽는 중에 오류가 발생했어요: {error}")))?
    }

    /// Runs `read` here and now.
    pub(super) fn read_now<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if let Some(alone) = &self.alone {
            return alone.read(read);
        }
        let idle = self.lock().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect(&self.path, Use::Read, self.vectors)?,
        };
        // One snapshot for all a reader looks at.
        connection.prepare_cached("BEGIN")?.execute([])?;
        let answer = read(&connection);
        connection.prepare_cached("ROLLBACK")?.execute([])?;
        let mut idle = self.lock();
        if idle.len() < KEPT {
            idle.push(connection);
        }
        answer
    }

    /// A number that differs once any other connection of any process has written. It takes some microseconds and
    /// never waits, so it is asked for right where it is needed.
    pub(super) fn version(&self) -> Option<u64> {
        if let Some(alone) = &self.alone {
            return Some(alone.version());
        }
        let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
        if watching.is_none() {
            *watching = connect(&self.path, Use::Read, false).ok();
        }
        let mut version = watching.as_ref()?.prepare_cached("PRAGMA data_version").ok()?;
        version.query_row([], |row| row.get(0)).ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
