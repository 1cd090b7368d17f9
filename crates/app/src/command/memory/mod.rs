//! Memories: store, recall, inspect, forget, and run due jobs.

/// Details of one memory.
mod details;
/// Questions about forgotten memories.
mod forgotten;
/// The cliff, zones and due jobs.
mod lifecycle;
/// Store, recall, edit, forget, restore, pin and link.
mod memories;
