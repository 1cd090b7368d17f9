//! Opens a SQLite file, and reads from it on the right thread.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rusqlite::Connection;
use saegim_core::{MindId, phrase};

use super::connection::{Readers, SingleConnection, WriteLock, Writer, cannot_open, private_to_owner};
use super::open::{Use, connect, migrate};
use super::settings::{Durability, SqliteSettings};
use super::{mind, open};
use crate::StoreError;

/// Maximum number of rows that are read on the caller's thread.
pub(super) const FEW: usize = 64;

/// A store in one SQLite file.
pub struct SqliteStore {
    pub(super) settings: SqliteSettings,
    pub(super) readers: Arc<Readers>,
    pub(super) writer: Writer,
    /// Whether the write-ahead log may contain deleted text. Initially true, because the state left by an earlier process is
    /// unknown.
    pub(super) unswept: AtomicBool,
}

impl SqliteStore {
    /// Opens a file. Creates it and migrates it to the newest schema if needed.
    pub async fn open(settings: SqliteSettings) -> Result<Self, StoreError> {
        let opening = settings.clone();
        let task = tokio::task::spawn_blocking(move || {
            if let Some(folder) = opening.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder).map_err(|error| cannot_open(folder, &error))?;
            }
            let lock = WriteLock::beside(&opening.path)?;
            let _held = lock.hold()?;
            // SQLite creates its own files with the permissions of this one. If it cannot be created, `connect` says why.
            let _ = private_to_owner(std::fs::OpenOptions::new().write(true).create_new(true)).open(&opening.path);
            let mut connection = connect(&opening.path, Use::Write, opening.vectors).inspect_err(|error| {
                if matches!(error, StoreError::Foreign(_) | StoreError::NotFound(_)) {
                    lock.withdraw(&opening.path);
                }
            })?;
            if opening.durability != Durability::Durable {
                open::never_wait(&connection)?;
            }
            migrate(&mut connection)?;
            Ok::<_, StoreError>(connection)
        });
        let ended = |error: tokio::task::JoinError| StoreError::Broken(phrase!("store.open.open_failed", error));
        let connection = task.await.map_err(ended)??;
        let (writer, alone) = match settings.durability {
            Durability::Durable => (Writer::start(connection, &settings.path)?, None),
            durability @ (Durability::Throwaway | Durability::Gathered) => {
                let alone = SingleConnection::on(connection, durability);
                (Writer::Caller(alone.clone()), Some(alone))
            }
        };
        let readers = Readers::new(settings.path.clone(), settings.vectors, alone);
        let unswept = AtomicBool::new(settings.durability == Durability::Durable);
        Ok(Self { settings, readers, writer, unswept })
    }

    /// Reads data of one mind on a blocking thread.
    pub(super) async fn of_mind<T, F>(&self, mind: MindId, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, i64) -> Result<T, StoreError> + Send + 'static,
    {
        self.readers.read(move |connection| read(connection, mind::key_to_read(connection, mind)?)).await
    }

    /// Reads about `count` rows of one mind: a few on the caller's thread, more on a blocking thread.
    pub(super) async fn some_of_mind<T, F>(&self, mind: MindId, count: usize, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, i64) -> Result<T, StoreError> + Send + 'static,
    {
        if count <= FEW { self.few_of_mind(mind, read) } else { self.of_mind(mind, read).await }
    }

    /// Reads a few rows of one mind on the caller's thread: a thread switch costs several times the read, and readers never
    /// wait for the writer.
    pub(super) fn few_of_mind<T>(
        &self,
        mind: MindId,
        read: impl FnOnce(&Connection, i64) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.readers.read_now(|connection| read(connection, mind::key_to_read(connection, mind)?))
    }
}
