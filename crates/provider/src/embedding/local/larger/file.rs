//! The file format of the larger model (magic number `E5S1`): sizes, tokenizer, a directory of tensors.

use super::super::dense::{Dense, Shape};
use super::super::file::{Bytes, broken, floats};
use super::super::half::from_half;
use super::super::norm::Norm;
use super::super::pieces::{Pieces, Unknown};
use super::characters::Characters;
use crate::ProviderError;

/// Number of values in a block of 4-bit weights. A block takes [`BLOCK_BYTES`]: a 16-bit scale and two weights per byte.
pub const BLOCK: usize = 32;
pub const BLOCK_BYTES: usize = 18;

/// Dimensions of the model.
#[derive(Clone, Copy)]
pub struct Sizes {
    /// Number of values per piece and per text vector.
    pub width: usize,
    /// Number of layers.
    pub layers: usize,
    /// Number of attention heads.
    pub heads: usize,
    /// Width of the feed-forward layer.
    pub middle: usize,
    /// Number of pieces in the vocabulary.
    pieces: usize,
    /// Number of embedding rows, at least the number of pieces.
    pub rows: usize,
    /// Maximum number of pieces of one text, including begin and end.
    pub positions: usize,
    /// Number of segment types. Only the first is used.
    pub types: usize,
    epsilon: f32,
}

/// Piece ids of the special marks.
#[derive(Clone, Copy)]
pub struct SpecialPieces {
    /// Mark before a text.
    pub begin: u32,
    /// Mark after a text.
    pub end: u32,
}

/// A parsed model file.
pub struct File<'a> {
    bytes: &'a [u8],
    /// Dimensions of the model.
    pub sizes: Sizes,
    /// Special marks.
    pub marks: SpecialPieces,
    /// Vocabulary of pieces.
    pub vocabulary: Pieces,
    /// Text normalisation.
    pub characters: Characters,
    /// Name, offset and length in bytes of each tensor.
    tensors: Vec<(&'a str, usize, usize)>,
}

impl<'a> File<'a> {
    /// Reads everything except the tensors.
    pub fn read(bytes: &'a [u8]) -> Result<Self, ProviderError> {
        let mut head = Bytes::new(bytes);
        if head.take(4, "the magic word")? != b"E5S1" {
            return Err(broken("the magic word is missing"));
        }
        head.u32("the version")?;
        let sizes = sizes(&mut head)?;
        let (marks, vocabulary) = vocabulary(&mut head, sizes.pieces)?;
        let count = head.size("the normalisation")?;
        let length = head.size("the normalisation")?;
        let characters = Characters::read(head.take(length, "the normalisation")?, count)?;
        let mut tensors = vec![];
        for _ in 0..head.size("the directory")? {
            let length = u16::from_le_bytes(head.array("a tensor's name")?);
            let name = str::from_utf8(head.take(length.into(), "a tensor's name")?).map_err(|_| broken("a tensor's name is not text"))?;
            // Skip the type and the element count; the length in bytes determines both.
            head.take(5, name)?;
            tensors.push((name, head.long_size(name)?, head.long_size(name)?));
        }
        Ok(Self { bytes, sizes, marks, vocabulary, characters, tensors })
    }

    /// Returns the offset of a tensor. Fails if its length in bytes differs from `length`.
    pub fn offset(&self, name: &str, length: Option<usize>) -> Result<usize, ProviderError> {
        let found = self.tensors.iter().find(|tensor| tensor.0 == name);
        let &(_, offset, bytes) = found.ok_or_else(|| broken(format_args!("tensor {name} is missing")))?;
        let ends_inside = offset.checked_add(bytes).is_some_and(|end| end <= self.bytes.len());
        if Some(bytes) == length && ends_inside { Ok(offset) } else { Err(broken(format_args!("tensor {name} has another length"))) }
    }

    /// Reads a tensor of `length` numbers.
    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, ProviderError> {
        let offset = self.offset(name, length.checked_mul(4))?;
        floats(&self.bytes[offset..offset + length * 4], name)
    }

    /// Reads a layer normalisation of the model's width.
    pub fn norm(&self, name: &str) -> Result<Norm, ProviderError> {
        let gain = self.vector(&format!("{name}.w"), self.sizes.width)?;
        Ok(Norm { gain, bias: self.vector(&format!("{name}.b"), self.sizes.width)?, epsilon: self.sizes.epsilon })
    }

    /// Reads a matrix of 4-bit weights with its bias. The file stores it as `[output][input]`.
    pub fn dense(&self, name: &str, inputs: usize, outputs: usize) -> Result<Dense, ProviderError> {
        let weights = format!("{name}.w");
        let row = inputs / BLOCK * BLOCK_BYTES;
        let offset = self.offset(&weights, row.checked_mul(outputs))?;
        let bytes = &self.bytes[offset..offset + row * outputs];
        let scale = |block: usize, output: usize| {
            let at = output * row + block * BLOCK_BYTES;
            from_half([bytes[at], bytes[at + 1]])
        };
        let weight = |input: usize, output: usize| code(&bytes[output * row + input / BLOCK * BLOCK_BYTES..][..BLOCK_BYTES], input % BLOCK);
        let bias = self.vector(&format!("{name}.b"), outputs)?;
        Ok(Dense::new(Shape { inputs, outputs, block: BLOCK }, bias, scale, weight))
    }
}

/// Returns weight `place` of a block, unscaled. The first half of the block is in the low nibbles, the second in the high ones.
pub fn code(block: &[u8], place: usize) -> i8 {
    let pair = block[2 + place % (BLOCK / 2)];
    let code = if place < BLOCK / 2 { pair & 15 } else { pair >> 4 };
    code.cast_signed() - 8
}

fn sizes(head: &mut Bytes) -> Result<Sizes, ProviderError> {
    let [width, layers, heads, middle, rows, positions, types] = {
        let mut sizes = [0; 7];
        for size in &mut sizes {
            *size = head.size("the sizes")?;
        }
        sizes
    };
    let epsilon = head.f32("the sizes")?;
    let block = head.size("the sizes")?;
    let pieces = head.size("the sizes")?;
    // A hundred times the sizes of the real model. Larger values are damage and must not cause an allocation.
    let sane = [width, layers, heads, middle, positions, types].iter().all(|&size| (1..100_000).contains(&size)) && rows < 100_000_000;
    let whole = block == BLOCK && sane && width.is_multiple_of(BLOCK) && middle.is_multiple_of(BLOCK) && width.is_multiple_of(heads);
    if whole && positions > 2 && pieces <= rows && epsilon > 0.0 {
        Ok(Sizes { width, layers, heads, middle, pieces, rows, positions, types, epsilon })
    } else {
        Err(broken("the sizes do not fit together"))
    }
}

fn vocabulary(head: &mut Bytes, pieces: usize) -> Result<(SpecialPieces, Pieces), ProviderError> {
    let [begin, end, padding, unknown] = {
        let mut marks = [0; 4];
        for mark in &mut marks {
            *mark = head.u32("the marks")?;
        }
        marks
    };
    if [begin, end].iter().any(|&mark| mark as usize >= pieces) {
        return Err(broken("the marks are no pieces"));
    }
    let length = head.long_size("the pieces")?;
    let offsets = head.take((pieces + 1).saturating_mul(4), "the pieces")?.as_chunks::<4>().0;
    let scores = floats(head.take(pieces.saturating_mul(4), "the scores")?, "the scores")?;
    let texts = head.take(length, "the pieces")?;
    let mut found: Vec<&[u8]> = Vec::with_capacity(pieces);
    for pair in offsets.windows(2) {
        let [start, end] = [pair[0], pair[1]].map(|offset| u32::from_le_bytes(offset) as usize);
        found.push(texts.get(start..end).ok_or_else(|| broken("a piece lies outside the pieces"))?);
    }
    let least = scores.iter().copied().fold(f32::INFINITY, f32::min);
    let vocabulary =
        Pieces::new(found.into_iter(), scores, &[begin, end, padding, unknown], Unknown { piece: unknown, score: least - 10.0 })?;
    Ok((SpecialPieces { begin, end }, vocabulary))
}
