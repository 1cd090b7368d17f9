//! Event streams: change events and streaming answers.

/// Change events of a mind, in order.
pub(crate) mod change_feed;
/// Limits on open event streams.
pub(crate) mod listeners;
/// Streaming answers.
pub(crate) mod live;
