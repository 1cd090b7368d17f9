//! Embedding models that run inside this program.
//!
//! [`LocalEmbedder`] is compiled in. What each file holds:

/// Normalising text by a compiled table.
mod charsmap;
/// Products with 8-bit weights.
mod dense;
/// The embedder that is always there.
mod embedder;
/// The built-in model's forward pass.
mod encoder;
/// Reading model files without trusting them.
mod file;
/// 16-bit numbers.
mod half;
/// Layer normalisation.
mod norm;
/// Splitting text into pieces.
mod pieces;
/// Which script a text is in.
mod script;

pub use embedder::LocalEmbedder;
