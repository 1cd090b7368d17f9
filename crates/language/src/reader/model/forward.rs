//! The forward pass of the reader: one row of values per piece.

use std::borrow::Cow;

use saegim_encoder::{Bits, Blocks, Norm, TransformerLayer};

/// The pieces of a window.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) pieces: &'a [u32],
    /// Number of pieces before the message itself.
    pub(super) first: usize,
}

/// The weights of the encoder.
pub(super) struct Encoder {
    pub(super) width: usize,
    /// Number of attention heads.
    pub(super) heads: usize,
    /// Rows of the pieces in 4-bit blocks.
    pub(super) words: Cow<'static, [u8]>,
    /// Added to the rows by place.
    pub(super) positions: Vec<f32>,
    /// Added to the rows before the message, and to those of the message.
    pub(super) types: [Vec<f32>; 2],
    pub(super) norm: Norm,
    pub(super) layers: Vec<TransformerLayer>,
}

impl Encoder {
    /// Returns the rows of each input, one per piece, after these layers.
    pub(super) fn rows<'a>(&'a self, inputs: &[Input], layers: impl IntoIterator<Item = &'a TransformerLayer>) -> Vec<Vec<f32>> {
        let lengths: Vec<usize> = inputs.iter().map(|input| input.pieces.len()).collect();
        let mut x = Vec::with_capacity(lengths.iter().sum::<usize>() * self.width);
        for input in inputs {
            self.start(input, &mut x);
        }
        self.norm.apply(&mut x);
        for layer in layers {
            layer.apply(&mut x, &lengths, self.heads);
        }
        let mut rest = &x[..];
        let own = |length: &usize| {
            let (rows, behind) = rest.split_at(length * self.width);
            rest = behind;
            rows.to_vec()
        };
        lengths.iter().map(own).collect()
    }

    /// Appends the sum of word, position and type of each piece.
    fn start(&self, input: &Input, x: &mut Vec<f32>) {
        let words = Blocks::new(&self.words, Bits::Four, self.width).expect("the loader has checked the table");
        for (at, &piece) in input.pieces.iter().enumerate() {
            let kind = &self.types[usize::from(at >= input.first)];
            let place = &self.positions[at * self.width..][..self.width];
            let start = x.len();
            x.extend(place.iter().zip(kind).map(|(place, kind)| place + kind));
            words.add_row(piece as usize, &mut x[start..]);
        }
    }
}
