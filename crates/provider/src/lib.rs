//! Embedders and thinkers: what turns text into vectors, and what judges and writes text.
mod embedder;
mod error;
mod local;
mod thinker;

pub use embedder::{Embedder, Purpose};
pub use error::ProviderError;
pub use local::LocalEmbedder;
pub use thinker::{About, Claim, Finding, LeftAlone, Reading, Thinker, Utterance};
