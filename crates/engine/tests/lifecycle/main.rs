//! The life cycle of memories through the engine, on a simulated clock.

#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

/// Clocks that are wrong.
mod clocks;
/// Maintenance with hostile models.
mod hostile_care;
/// Remember, edit, forget, restore.
mod memory;
/// How long memories are kept.
mod retention;
/// Retracting, rewording and erasing.
mod taking_back;
/// Years of maintenance.
mod years;
/// Placing memories in zones.
mod zones;
