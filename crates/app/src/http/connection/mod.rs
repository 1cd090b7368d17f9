//! Connections: accepting them, limits, and shutdown.

/// Memory allocator settings.
mod allocator;
/// Tasks that continue after their client disconnected.
pub(crate) mod detached_tasks;
/// Accepting connections and graceful shutdown.
pub(crate) mod serving;
/// Slow-read protection and connection limits per address.
mod slow_clients;

pub(crate) use allocator::few_heaps;
