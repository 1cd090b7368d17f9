//! The model file that `reader/train/export.py` writes; its layout is described there.

use std::borrow::Cow;

use saegim_core::{Face, StatementStatus};
use saegim_encoder::{
    BLOCK, Bits, Blocks, Bytes, Characters, Damaged, Dense, Instructions, Norm, Pieces, Sections, Shape, TransformerLayer, Unknown, halves,
};

use super::Message;
use super::forward::Encoder;
use super::heads::{Head, Heads};
use super::labels::{self, ACTS, GROUPS, HOLDERS, TAGS};
use super::tokens::Tokenizer;
use super::windows::{Layout, Window, comparison, windows};
use crate::reader::analysis::{AXES, EMOTIONS};

const MAGIC: &[u8] = b"saegim-r";
const VERSION: usize = 1;

/// A loaded model.
pub(super) struct Model {
    tokenizer: Tokenizer,
    layout: Layout,
    pub(super) encoder: Encoder,
    pub(super) heads: Heads,
}

impl Model {
    /// Loads a model that is compiled in. Its word table stays where it is; the matrices are unpacked to 8 bits.
    pub(super) fn built_in(bytes: &'static [u8]) -> Result<Self, Damaged> {
        Loader { sections: Sections::read(bytes, MAGIC)?, instructions: Instructions::detected() }.model(Cow::Borrowed)
    }

    /// Returns what the encoder reads to compare a message with an earlier statement; `None` if one of them is blank.
    pub(super) fn comparison(&self, known: &str, text: &str) -> Option<Window> {
        comparison(known, text, &self.tokenizer, self.layout)
    }

    /// Cuts a message into the windows that the encoder reads.
    pub(super) fn windows(&self, message: Message) -> Vec<Window> {
        windows(message, &self.tokenizer, self.layout)
    }
}

/// Reads the sections of a model file. No size in it is trusted.
pub(super) struct Loader<'a> {
    pub(super) sections: Sections<'a>,
    pub(super) instructions: Instructions,
}

/// Sizes of the layers.
#[derive(Clone, Copy)]
pub(super) struct LayerSizes {
    pub(super) width: usize,
    pub(super) middle: usize,
    pub(super) bits: Bits,
}

/// Sizes of a model.
#[derive(Clone, Copy)]
struct Sizes {
    width: usize,
    layers: usize,
    heads: usize,
    middle: usize,
    bits: Bits,
    pieces: usize,
    layout: Layout,
    unknown: u32,
}

impl Sizes {
    fn of_layers(&self) -> LayerSizes {
        LayerSizes { width: self.width, middle: self.middle, bits: self.bits }
    }
}

/// Returns the bits of a matrix that `number` stands for.
pub(super) fn bits(number: usize) -> Result<Bits, Damaged> {
    match number {
        4 => Ok(Bits::Four),
        8 => Ok(Bits::Eight),
        bits => Err(Damaged::new(format_args!("weights of {bits} bits are unknown"))),
    }
}

impl<'a> Loader<'a> {
    /// `keep` decides whether the word table is borrowed or copied.
    fn model(&self, keep: impl Fn(&'a [u8]) -> Cow<'static, [u8]>) -> Result<Model, Damaged> {
        let sizes = self.sizes()?;
        labels::check(&self.sections)?;
        let tokenizer = self.tokenizer(&sizes)?;
        let words = self.sections.get("words")?;
        if Some(words.len()) != tokenizer.pieces.count().checked_mul(Bits::Four.row_bytes(sizes.width)) {
            return Err(Damaged::new("section words has another length"));
        }
        let types = self.halves("types", 2 * sizes.width)?;
        let encoder = Encoder {
            width: sizes.width,
            heads: sizes.heads,
            words: keep(words),
            positions: self.halves("positions", sizes.layout.length * sizes.width)?,
            types: [types[..sizes.width].to_vec(), types[sizes.width..].to_vec()],
            norm: self.norm("norm", sizes.width)?,
            layers: (0..sizes.layers).map(|layer| self.layer(layer, sizes.of_layers())).collect::<Result<_, _>>()?,
        };
        Ok(Model { tokenizer, layout: sizes.layout, encoder, heads: self.heads(sizes.width)? })
    }

    fn sizes(&self) -> Result<Sizes, Damaged> {
        let mut bytes = Bytes::new(self.sections.get("sizes")?);
        let mut next = || bytes.size("section sizes");
        if next()? != VERSION {
            return Err(Damaged::new("the model file has another version"));
        }
        let [width, layers, heads, middle, length, before] = [next()?, next()?, next()?, next()?, next()?, next()?];
        let bits = bits(next()?)?;
        let pieces = next()?;
        let [begin, end, unknown] = [bytes.u32("section sizes")?, bytes.u32("section sizes")?, bytes.u32("section sizes")?];
        // Far above the sizes of the real model. Larger values are damage and must not cause an allocation.
        let sane = [width, layers, heads, middle, length].iter().all(|size| (1..=10_000).contains(size));
        let whole = sane && width.is_multiple_of(BLOCK) && middle.is_multiple_of(BLOCK) && width.is_multiple_of(heads);
        let marks = [begin, end, unknown].iter().all(|&mark| (mark as usize) < pieces);
        // A window needs room for its marks, the line before and more than one piece of the message.
        if !(whole && marks && bytes.is_empty() && length > 2 * before + 2 * Layout::MARKS) {
            return Err(Damaged::new("the sizes do not fit together"));
        }
        Ok(Sizes { width, layers, heads, middle, bits, pieces, layout: Layout { begin, end, length, before }, unknown })
    }

    fn tokenizer(&self, sizes: &Sizes) -> Result<Tokenizer, Damaged> {
        let texts: Vec<&[u8]> = self.sections.get("pieces")?.split(|&byte| byte == 0).collect();
        let scores = self.sections.vector("scores", texts.len())?;
        if texts.len() != sizes.pieces {
            return Err(Damaged::new("section pieces holds another number of pieces"));
        }
        let unknown = Unknown { piece: sizes.unknown, score: self.sections.number("unknown.score")? };
        let mut normal = Bytes::new(self.sections.get("normal")?);
        let count = normal.size("section normal")?;
        Ok(Tokenizer {
            characters: Characters::read(normal.rest(), count)?,
            pieces: Pieces::new(texts.into_iter(), scores, &[sizes.layout.begin, sizes.layout.end, sizes.unknown], unknown)?,
        })
    }

    pub(super) fn layer(&self, number: usize, sizes: LayerSizes) -> Result<TransformerLayer, Damaged> {
        let name = |part: &str| format!("layer{number}.{part}");
        let square = Shape { inputs: sizes.width, outputs: sizes.width, block: BLOCK };
        let dense = |part: &str, shape: Shape| self.dense(&name(part), shape, sizes.bits);
        Ok(TransformerLayer {
            query: dense("q", square)?,
            key: dense("k", square)?,
            value: dense("v", square)?,
            attended: dense("ao", square)?,
            attended_norm: self.norm(&name("an"), sizes.width)?,
            widen: dense("fi", Shape { outputs: sizes.middle, ..square })?,
            narrow: dense("fo", Shape { inputs: sizes.middle, ..square })?,
            narrow_norm: self.norm(&name("on"), sizes.width)?,
        })
    }

    fn heads(&self, width: usize) -> Result<Heads, Damaged> {
        let head = |name: &str, inputs: usize, outputs: usize| {
            let temperature = self.sections.number(&format!("{name}.temperature"))?;
            if temperature < 0.01 {
                return Err(Damaged::new(format_args!("the temperature of {name} is not above zero")));
            }
            Ok(Head { dense: self.dense(name, Shape { inputs, outputs, block: BLOCK }, Bits::Eight)?, temperature })
        };
        Ok(Heads {
            tags: head("tags", width, TAGS)?,
            starts: head("starts", width, 2)?,
            emotions: head("emotions", width, EMOTIONS.len())?,
            effects: head("effects", width, AXES.len())?,
            face: head("face", width, Face::ALL.len())?,
            intensity: head("intensity", width, 4)?,
            group: head("group", 2 * width, GROUPS)?,
            act: head("act", 2 * width, ACTS.len())?,
            holder: head("holder", 2 * width, HOLDERS.len())?,
            status: head("status", 2 * width, StatementStatus::ALL.len())?,
            keep: head("keep", 2 * width, 2)?,
        })
    }

    pub(super) fn dense(&self, name: &str, shape: Shape, bits: Bits) -> Result<Dense, Damaged> {
        let weights = Blocks::new(self.sections.get(&format!("{name}.w"))?, bits, shape.inputs)?;
        if weights.rows() != shape.outputs {
            return Err(Damaged::new(format_args!("matrix {name} has another shape")));
        }
        Ok(weights.dense(self.halves(&format!("{name}.b"), shape.outputs)?).with(self.instructions))
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, Damaged> {
        let epsilon = self.sections.number("epsilon")?;
        if epsilon <= 0.0 {
            return Err(Damaged::new("section epsilon is not above zero"));
        }
        Ok(Norm { gain: self.halves(&format!("{name}.w"), width)?, bias: self.halves(&format!("{name}.b"), width)?, epsilon })
    }

    fn halves(&self, name: &str, length: usize) -> Result<Vec<f32>, Damaged> {
        let numbers = halves(self.sections.get(name)?, name)?;
        if numbers.len() == length { Ok(numbers) } else { Err(Damaged::new(format_args!("section {name} has another length"))) }
    }
}

#[cfg(test)]
mod tests {
    use saegim_encoder::checksum;

    use super::*;
    use crate::reader::model::{BUILT_IN, Reader};

    impl Model {
        /// Loads a model from any bytes, with these instructions.
        pub(in crate::reader::model) fn load(bytes: &[u8], instructions: Instructions) -> Result<Self, Damaged> {
            Loader { sections: Sections::read(bytes, MAGIC)?, instructions }.model(|part| Cow::Owned(part.to_vec()))
        }
    }

    /// Returns `body` with its checksum.
    fn sealed(body: &[u8]) -> Vec<u8> {
        [body, &checksum(body).to_le_bytes()].concat()
    }

    /// Returns name, start of the header, start and end of the content of each section. Only the first of the layers is included.
    fn places() -> Vec<(String, usize, usize, usize)> {
        let (mut at, mut places) = (8, vec![]);
        while at < BUILT_IN.len() - 8 {
            let name = String::from_utf8(BUILT_IN[at..at + 24].to_vec()).unwrap();
            let length = u64::from_le_bytes(BUILT_IN[at + 24..at + 32].try_into().unwrap()) as usize;
            places.push((name.trim_end_matches('\0').to_owned(), at, at + 32, at + 32 + length));
            at += 32 + length;
        }
        places.retain(|place| !place.0.starts_with("layer") || place.0.starts_with("layer0"));
        places
    }

    #[test]
    fn the_built_in_model_loads() {
        assert!(Model::built_in(BUILT_IN).is_ok());
    }

    #[test]
    fn a_file_cut_short_or_changed_is_refused() {
        for end in [0, 4, 8, 100, BUILT_IN.len() / 2, BUILT_IN.len() - 1] {
            assert!(Model::load(&BUILT_IN[..end], Instructions::detected()).is_err(), "cut at {end}");
        }
        for at in [0, 9, 60, BUILT_IN.len() / 3, BUILT_IN.len() - 1] {
            let mut damaged = BUILT_IN.to_vec();
            damaged[at] ^= 1;
            assert!(Model::load(&damaged, Instructions::detected()).is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_section_that_is_missing_or_has_another_length_is_refused_under_a_right_checksum() {
        for (name, start, content, end) in places() {
            let (before, after) = (&BUILT_IN[..start], &BUILT_IN[end..BUILT_IN.len() - 8]);
            let missing = sealed(&[before, after].concat());
            assert!(Model::load(&missing, Instructions::detected()).is_err(), "{name} is missing");
            let half = content + (end - content) / 2;
            let shorter =
                [before, &BUILT_IN[start..start + 24], &((half - content) as u64).to_le_bytes(), &BUILT_IN[content..half], after].concat();
            assert!(Model::load(&sealed(&shorter), Instructions::detected()).is_err(), "{name} is shorter");
        }
    }

    #[test]
    fn a_changed_number_under_a_right_checksum_is_refused_or_still_gives_probabilities() {
        for (name, _, content, end) in places() {
            for at in [content, end - 1] {
                let mut changed = BUILT_IN[..BUILT_IN.len() - 8].to_vec();
                changed[at] ^= 0x7F;
                let Ok(model) = Model::load(&sealed(&changed), Instructions::detected()) else { continue };
                let analysis = Reader::of(Ok(model), Instructions::detected())
                    .unwrap()
                    .analyse(&[Message { before: "", text: "나는 coffee를 ２잔 마셨어 😂" }]);
                let numbers = analysis[0].emotions.iter().chain(&analysis[0].effects).chain([&analysis[0].intensity]);
                assert!(numbers.copied().all(f32::is_finite), "{name}, byte {at}");
            }
        }
    }
}
