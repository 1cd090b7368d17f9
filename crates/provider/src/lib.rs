//! Embedders and thinkers: what turns text into vectors, and what judges and writes text.
mod embedder;
mod error;

pub use embedder::{Embedder, Purpose};
pub use error::ProviderError;
