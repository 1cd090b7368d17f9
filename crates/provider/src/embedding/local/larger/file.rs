//! The file format of the larger model (magic number `E5S1`): sizes, tokenizer, a directory of tensors.

use saegim_encoder::{BLOCK, Bits, Blocks, Bytes, Characters, Damaged, Dense, Norm, Pieces, Unknown, floats};

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
    pub fn read(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let mut head = Bytes::new(bytes);
        if head.take(4, "the magic word")? != b"E5S1" {
            return Err(Damaged::new("the magic word is missing"));
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
            let name =
                str::from_utf8(head.take(length.into(), "a tensor's name")?).map_err(|_| Damaged::new("a tensor's name is not text"))?;
            // Skip the type and the element count; the length in bytes determines both.
            head.take(5, name)?;
            tensors.push((name, head.long_size(name)?, head.long_size(name)?));
        }
        Ok(Self { bytes, sizes, marks, vocabulary, characters, tensors })
    }

    /// Returns the offset of a tensor. Fails if its length in bytes differs from `length`.
    pub fn offset(&self, name: &str, length: Option<usize>) -> Result<usize, Damaged> {
        let found = self.tensors.iter().find(|tensor| tensor.0 == name);
        let &(_, offset, bytes) = found.ok_or_else(|| Damaged::new(format_args!("tensor {name} is missing")))?;
        let ends_inside = offset.checked_add(bytes).is_some_and(|end| end <= self.bytes.len());
        if Some(bytes) == length && ends_inside { Ok(offset) } else { Err(Damaged::new(format_args!("tensor {name} has another length"))) }
    }

    /// Reads a tensor of `length` numbers.
    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, Damaged> {
        let offset = self.offset(name, length.checked_mul(4))?;
        floats(&self.bytes[offset..offset + length * 4], name)
    }

    /// Reads a layer normalisation of the model's width.
    pub fn norm(&self, name: &str) -> Result<Norm, Damaged> {
        let gain = self.vector(&format!("{name}.w"), self.sizes.width)?;
        Ok(Norm { gain, bias: self.vector(&format!("{name}.b"), self.sizes.width)?, epsilon: self.sizes.epsilon })
    }

    /// Reads a matrix of 4-bit weights with its bias. The file stores it as `[output][input]`.
    pub fn dense(&self, name: &str, inputs: usize, outputs: usize) -> Result<Dense, Damaged> {
        let weights = format!("{name}.w");
        let row = Bits::Four.row_bytes(inputs);
        let offset = self.offset(&weights, row.checked_mul(outputs))?;
        let bias = self.vector(&format!("{name}.b"), outputs)?;
        Ok(Blocks::new(&self.bytes[offset..offset + row * outputs], Bits::Four, inputs)?.dense(bias))
    }
}

fn sizes(head: &mut Bytes) -> Result<Sizes, Damaged> {
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
        Err(Damaged::new("the sizes do not fit together"))
    }
}

fn vocabulary(head: &mut Bytes, pieces: usize) -> Result<(SpecialPieces, Pieces), Damaged> {
    let [begin, end, padding, unknown] = {
        let mut marks = [0; 4];
        for mark in &mut marks {
            *mark = head.u32("the marks")?;
        }
        marks
    };
    if [begin, end].iter().any(|&mark| mark as usize >= pieces) {
        return Err(Damaged::new("the marks are no pieces"));
    }
    let length = head.long_size("the pieces")?;
    let offsets = head.take((pieces + 1).saturating_mul(4), "the pieces")?.as_chunks::<4>().0;
    let scores = floats(head.take(pieces.saturating_mul(4), "the scores")?, "the scores")?;
    let texts = head.take(length, "the pieces")?;
    let mut found: Vec<&[u8]> = Vec::with_capacity(pieces);
    for pair in offsets.windows(2) {
        let [start, end] = [pair[0], pair[1]].map(|offset| u32::from_le_bytes(offset) as usize);
        found.push(texts.get(start..end).ok_or_else(|| Damaged::new("a piece lies outside the pieces"))?);
    }
    let least = scores.iter().copied().fold(f32::INFINITY, f32::min);
    let vocabulary =
        Pieces::new(found.into_iter(), scores, &[begin, end, padding, unknown], Unknown { piece: unknown, score: least - 10.0 })?;
    Ok((SpecialPieces { begin, end }, vocabulary))
}
