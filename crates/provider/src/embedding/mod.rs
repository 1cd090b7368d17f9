//! What turns text into vectors.

/// Measuring an embedder's scale.
mod calibrate;
/// The interface of every embedder.
mod embedder;
/// Embedders in this process.
mod local;
/// An embedder that cannot be used.
mod unusable;

pub use calibrate::{Band, Measured, PAIRS, measure};
pub(crate) use embedder::too_slow;
pub use embedder::{Embedder, Purpose};
pub use local::{LargerEmbedder, LocalEmbedder, extract_from_wheel, install_larger};
pub use unusable::UnusableEmbedder;
