//! Compares a message with an earlier statement: the first layers of the reader, then layers that were trained for it. The file is
//! written by `reader/train/relation.py`.

use saegim_encoder::{BLOCK, Bits, Bytes, Damaged, Instructions, Sections, Shape, TransformerLayer};

use super::decode::mean;
use super::file::{LayerSizes, Loader, Model, bits};
use super::forward::Input;
use super::groups;
use super::heads::Head;
use super::windows::{KNOWN, Window};
use crate::reader::analysis::Relation;

const MAGIC: &[u8] = b"saegim-c";
const VERSION: usize = 1;

/// What a message means for an earlier statement, in the order of the outputs: nothing, it is over, it is said again.
const RELATIONS: [&str; 3] = ["holds", "over", "same"];

/// The layers and outputs of the comparison.
pub(super) struct Comparison {
    /// Number of layers of the reader that come first.
    shared: usize,
    layers: Vec<TransformerLayer>,
    relation: Head,
}

impl Comparison {
    /// Loads a comparison that belongs to this reader. No size in it is trusted.
    pub(super) fn load(bytes: &[u8], instructions: Instructions, reader: &Model) -> Result<Self, Damaged> {
        let loader = Loader { sections: Sections::read(bytes, MAGIC)?, instructions };
        let mut numbers = Bytes::new(loader.sections.get("sizes")?);
        let mut next = || numbers.size("section sizes");
        let [version, width, middle, of_weights, shared, layers, known] = [next()?, next()?, next()?, next()?, next()?, next()?, next()?];
        let sizes = LayerSizes { width, middle, bits: bits(of_weights)? };
        let fits = version == VERSION && known == KNOWN && width == reader.encoder.width && shared <= reader.encoder.layers.len();
        if !fits || !(1..=100).contains(&layers) || !(1..=10_000).contains(&middle) || !middle.is_multiple_of(BLOCK) {
            return Err(Damaged::new("the comparison does not fit the reader"));
        }
        if loader.sections.get("relation.labels")? != RELATIONS.join("\0").as_bytes() {
            return Err(Damaged::new("the comparison has other labels"));
        }
        let shape = Shape { inputs: 2 * width, outputs: RELATIONS.len(), block: BLOCK };
        Ok(Self {
            shared,
            layers: (0..layers).map(|layer| loader.layer(layer, sizes)).collect::<Result<_, _>>()?,
            relation: Head { dense: loader.dense("relation", shape, Bits::Eight)?, temperature: 1.0 },
        })
    }

    /// Returns what a message means for each of these earlier statements, in order.
    pub(super) fn relations(&self, reader: &Model, text: &str, known: &[&str]) -> Vec<Relation> {
        let windows: Vec<Option<Window>> = known.iter().map(|known| reader.comparison(known, text)).collect();
        let inputs: Vec<Input> = windows.iter().flatten().map(Window::input).collect();
        let (encoder, layers) = (&reader.encoder, reader.encoder.layers[..self.shared].iter().chain(&self.layers));
        let mut rows = groups(&inputs).flat_map(|group| encoder.rows(group, layers.clone()));
        let mut compared = |window: &Window| {
            let rows = rows.next()?;
            let (before, own) = rows.split_at(window.input().first * encoder.width);
            let shares = self.relation.shares(&[before, own].map(|rows| mean(rows.chunks_exact(encoder.width), encoder.width)).concat());
            Some(Relation { over: shares[1], same: shares[2] })
        };
        let nothing = Relation { over: 0.0, same: 0.0 };
        windows.iter().map(|window| window.as_ref().and_then(&mut compared).unwrap_or(nothing)).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::reader::model::{BUILT_IN, COMPARISON, Reader};

    /// Largest difference of a probability from what the training program computes: it does not round rows to 8 bits.
    const PROBABILITY: f64 = 0.03;

    #[test]
    fn pairs_are_compared_as_in_training_with_any_instructions() {
        for instructions in Instructions::all() {
            let reader = Model::load(BUILT_IN, instructions).unwrap();
            let comparison = Comparison::load(COMPARISON, instructions, &reader).unwrap();
            let mut pairs = 0;
            for line in include_str!("../../../tests/reader/comparison.jsonl").lines() {
                let line: Value = serde_json::from_str(line).unwrap();
                let (known, text) = (line["known"].as_str().unwrap(), line["text"].as_str().unwrap());
                let relation = comparison.relations(&reader, text, &[known]).remove(0);
                for (name, found) in [("over", relation.over), ("same", relation.same)] {
                    let expected = line[name].as_f64().unwrap();
                    assert!((f64::from(found) - expected).abs() < PROBABILITY, "{name} {found} instead of {expected}: {known} | {text}");
                }
                pairs += 1;
            }
            assert!(pairs > 50);
        }
    }

    #[test]
    fn several_statements_are_compared_at_once_and_blank_ones_mean_nothing() {
        let reader = Reader::built_in();
        let known = ["수원에서 자취해", "", "커피를 좋아해", "  "];
        let together = reader.compare("본가로 다시 들어왔어", &known);
        let alone: Vec<Relation> = known.iter().flat_map(|known| reader.compare("본가로 다시 들어왔어", &[*known])).collect();
        for (one, other) in together.iter().zip(&alone) {
            assert!((one.over - other.over).abs() < 1e-4 && (one.same - other.same).abs() < 1e-4, "{one:?} {other:?}");
        }
        assert_eq!((together[1].over, together[3].over), (0.0, 0.0));
        assert!(reader.compare("", &["커피를 좋아해"])[0].over == 0.0);
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let reader = Model::load(BUILT_IN, Instructions::detected()).unwrap();
        for end in [0, 8, COMPARISON.len() / 2, COMPARISON.len() - 1] {
            assert!(Comparison::load(&COMPARISON[..end], Instructions::detected(), &reader).is_err(), "cut at {end}");
        }
        let mut damaged = COMPARISON.to_vec();
        damaged[60] ^= 1;
        assert!(Comparison::load(&damaged, Instructions::detected(), &reader).is_err());
    }
}
