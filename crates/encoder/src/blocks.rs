//! Blocks of 4-bit or 8-bit weights: [`BLOCK`] consecutive weights share a 16-bit scale.

use crate::damaged::Damaged;
use crate::dense::{Dense, Shape};
use crate::half::from_half;

/// Number of weights in a block.
pub const BLOCK: usize = 32;
/// Bytes of the scale before the weights of a block.
const SCALE: usize = 2;

/// Bits per weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Two weights per byte: the first half of a block in the low nibbles, the second in the high ones, each plus 8.
    Four,
    /// One weight per byte, with its sign.
    Eight,
}

impl Bits {
    /// Returns the bytes of a row of `width` weights.
    pub const fn row_bytes(self, width: usize) -> usize {
        width / BLOCK * self.block_bytes()
    }

    const fn block_bytes(self) -> usize {
        match self {
            Self::Four => SCALE + BLOCK / 2,
            Self::Eight => SCALE + BLOCK,
        }
    }

    /// Returns weight `place` of a block, unscaled.
    fn weight(self, block: &[u8], place: usize) -> i8 {
        match self {
            Self::Four if place < BLOCK / 2 => (block[SCALE + place] & 15).cast_signed() - 8,
            Self::Four => (block[SCALE + place - BLOCK / 2] >> 4).cast_signed() - 8,
            Self::Eight => block[SCALE + place].cast_signed(),
        }
    }
}

/// Rows of weights in blocks, as a model file stores them: a matrix as `[output][input]`, a table with a row per piece.
#[derive(Clone, Copy)]
pub struct Blocks<'a> {
    bytes: &'a [u8],
    bits: Bits,
    /// Number of weights in a row.
    width: usize,
}

impl<'a> Blocks<'a> {
    /// Returns the rows in `bytes`. Fails if `width` is not a multiple of [`BLOCK`] or the bytes are not whole rows.
    pub fn new(bytes: &'a [u8], bits: Bits, width: usize) -> Result<Self, Damaged> {
        let row = bits.row_bytes(width);
        let whole = width.is_multiple_of(BLOCK) && row > 0 && bytes.len().is_multiple_of(row);
        if whole { Ok(Self { bytes, bits, width }) } else { Err(Damaged::new("weights are no whole rows of blocks")) }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.bytes.len() / self.bits.row_bytes(self.width)
    }

    /// Adds the values of row `number` to `x`.
    pub fn add_row(&self, number: usize, x: &mut [f32]) {
        let row = self.bits.row_bytes(self.width);
        let blocks = self.bytes[number * row..][..row].chunks_exact(self.bits.block_bytes());
        for (x, block) in x.chunks_exact_mut(BLOCK).zip(blocks) {
            let scale = scale(block);
            for (place, x) in x.iter_mut().enumerate() {
                *x += f32::from(self.bits.weight(block, place)) * scale;
            }
        }
    }

    /// Returns the matrix whose outputs are the rows. `bias` has a value per output.
    pub fn dense(&self, bias: Vec<f32>) -> Dense {
        let (row, size) = (self.bits.row_bytes(self.width), self.bits.block_bytes());
        let block = |number: usize, output: usize| &self.bytes[output * row + number * size..][..size];
        Dense::new(
            Shape { inputs: self.width, outputs: self.rows(), block: BLOCK },
            bias,
            |number, output| scale(block(number, output)),
            |input, output| self.bits.weight(block(input / BLOCK, output), input % BLOCK),
        )
    }
}

fn scale(block: &[u8]) -> f32 {
    from_half([block[0], block[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::Rows;

    /// Returns a block whose scale is 2 and whose weights count from `first` upwards.
    fn block(bits: Bits, first: i8) -> Vec<u8> {
        let weight = |place: usize| first + (place % 8) as i8;
        let mut block = vec![0x00, 0x40];
        match bits {
            Bits::Four => block.extend((0..BLOCK / 2).map(|place| {
                let [low, high] = [place, place + BLOCK / 2].map(|place| (weight(place) + 8).cast_unsigned());
                low | high << 4
            })),
            Bits::Eight => block.extend((0..BLOCK).map(|place| weight(place).cast_unsigned())),
        }
        block
    }

    #[test]
    fn rows_and_matrices_hold_the_same_weights() {
        for bits in [Bits::Four, Bits::Eight] {
            let bytes = [block(bits, -8), block(bits, 0), block(bits, -3), block(bits, -7)].concat();
            let blocks = Blocks::new(&bytes, bits, 2 * BLOCK).unwrap();
            let mut row = vec![0.5; 2 * BLOCK];
            blocks.add_row(1, &mut row);
            assert_eq!((row[0], row[31], row[32], row[63]), (-5.5, 8.5, -13.5, 0.5), "{bits:?}");
            let mut inputs = vec![0.0; 2 * BLOCK];
            inputs[9] = 1.0;
            inputs[32] = 10.0;
            let product = blocks.dense(vec![0.0, 1.0]).product(Rows { numbers: &inputs, stride: 2 * BLOCK, count: 1 });
            assert_eq!(product, [-14.0, -143.0], "{bits:?}");
        }
    }

    #[test]
    fn rows_cut_short_are_refused() {
        let bytes = block(Bits::Four, 0);
        assert!(Blocks::new(&bytes[..17], Bits::Four, BLOCK).is_err());
        assert!(Blocks::new(&bytes, Bits::Eight, BLOCK).is_err());
        assert!(Blocks::new(&bytes, Bits::Four, BLOCK - 1).is_err());
        assert!(Blocks::new(&bytes, Bits::Four, 0).is_err());
    }
}
