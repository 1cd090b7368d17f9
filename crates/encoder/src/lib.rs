//! Runs small encoder models on the processor: the embedders and the reader share this code.
//!
//! A model file is cut into [`Sections`]; a text is normalised by [`Charsmap`] or [`Characters`] and split into [`Pieces`]; its rows
//! pass through [`Dense`], [`Norm`] and [`TransformerLayer`].
//!
//! ```
//! use saegim_encoder::{Pieces, Unknown, spaced};
//!
//! let pieces = ["<unk>", "▁커피", "를"];
//! let unknown = Unknown { piece: 0, score: -20.0 };
//! let pieces = Pieces::new(pieces.iter().map(|piece| piece.as_bytes()), vec![0.0, -5.0, -3.0], &[0], unknown)?;
//! assert_eq!(pieces.split(&spaced("커피를")), [1, 2]);
//! # Ok::<(), saegim_encoder::Damaged>(())
//! ```

/// Blocks of 4-bit and 8-bit weights.
mod blocks;
/// Safe reading of bytes.
mod bytes;
/// Text normalisation by a table of characters.
mod characters;
/// Text normalisation by a compiled table.
mod charsmap;
/// The exponential and the GELU.
mod curves;
/// The error of a damaged model file.
mod damaged;
/// Matrix products with 8-bit weights.
mod dense;
/// 16-bit floating-point numbers.
mod half;
/// The processor instructions in use.
mod instructions;
/// Layer normalisation.
mod norm;
/// Splitting of text into pieces.
mod pieces;
/// Model files of named sections.
mod sections;
/// Transformer layers.
mod transformer;

pub use blocks::{BLOCK, Bits, Blocks};
pub use bytes::{Bytes, floats, halves};
pub use characters::Characters;
pub use charsmap::Charsmap;
pub use damaged::Damaged;
pub use dense::{Dense, Picked, Rows, Shape};
pub use half::from_half;
pub use instructions::Instructions;
pub use norm::Norm;
pub use pieces::{Pieces, Unknown, spaced};
pub use sections::{Sections, checksum};
pub use transformer::TransformerLayer;
