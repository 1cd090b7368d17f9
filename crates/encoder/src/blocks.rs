//! Blocks of 4-bit weights: [`BLOCK`] consecutive weights share a 16-bit scale.

use crate::damaged::Damaged;
use crate::dense::{Dense, Shape};
use crate::half::from_half;

/// Number of weights in a block.
pub const BLOCK: usize = 32;
/// Bytes of the scale before the weights of a block.
const SCALE: usize = 2;

/// Rows of weights in blocks, as a model file stores them: a matrix as `[output][input]`, a table with a row per piece.
#[derive(Clone, Copy)]
pub struct Blocks<'a> {
    bytes: &'a [u8],
    /// Number of weights in a row.
    width: usize,
}

impl<'a> Blocks<'a> {
    /// Bytes of a row of `width` weights.
    pub const fn row_bytes(width: usize) -> usize {
        width / BLOCK * (SCALE + BLOCK / 2)
    }

    /// Returns the rows in `bytes`. Fails if `width` is not a multiple of [`BLOCK`] or the bytes are not whole rows.
    pub fn new(bytes: &'a [u8], width: usize) -> Result<Self, Damaged> {
        let row = Self::row_bytes(width);
        let whole = width.is_multiple_of(BLOCK) && row > 0 && bytes.len().is_multiple_of(row);
        if whole { Ok(Self { bytes, width }) } else { Err(Damaged::new("4-bit weights are no whole rows")) }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.bytes.len() / Self::row_bytes(self.width)
    }

    /// Adds the values of row `number` to `x`.
    pub fn add_row(&self, number: usize, x: &mut [f32]) {
        let row = Self::row_bytes(self.width);
        let blocks = self.bytes[number * row..][..row].chunks_exact(Self::row_bytes(BLOCK));
        for (x, block) in x.chunks_exact_mut(BLOCK).zip(blocks) {
            let scale = scale(block);
            for (place, x) in x.iter_mut().enumerate() {
                *x += f32::from(code(block, place)) * scale;
            }
        }
    }

    /// Returns the matrix whose outputs are the rows. `bias` has a value per output.
    pub fn dense(&self, bias: Vec<f32>) -> Dense {
        let (outputs, row) = (self.rows(), Self::row_bytes(self.width));
        let block = |number: usize, output: usize| &self.bytes[output * row + number * Self::row_bytes(BLOCK)..][..Self::row_bytes(BLOCK)];
        let shape = Shape { inputs: self.width, outputs, block: BLOCK };
        Dense::new(
            shape,
            bias,
            |number, output| scale(block(number, output)),
            |input, output| code(block(input / BLOCK, output), input % BLOCK),
        )
    }
}

fn scale(block: &[u8]) -> f32 {
    from_half([block[0], block[1]])
}

/// Returns weight `place` of a block, unscaled. The first half of the block is in the low nibbles, the second in the high ones.
fn code(block: &[u8], place: usize) -> i8 {
    let pair = block[SCALE + place % (BLOCK / 2)];
    let code = if place < BLOCK / 2 { pair & 15 } else { pair >> 4 };
    code.cast_signed() - 8
}
