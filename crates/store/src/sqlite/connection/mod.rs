//! Connections to the file: one writer, concurrent readers, and the lock between processes.

/// The lock file that serialises writers across processes.
mod lock;
/// Whether the open file is still at its path.
mod presence;
/// Reading on connections of their own.
mod readers;
/// One connection for everything, for throwaway files.
mod single_connection;
/// The writer thread.
mod writer;

pub(super) use lock::{WriteLock, cannot_open, private_to_owner};
pub(super) use readers::Readers;
pub(super) use single_connection::SingleConnection;
pub(super) use writer::{Writer, all as commit_all};
