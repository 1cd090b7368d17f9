//! Forward pass of the built-in model: Universal Sentence Encoder, multilingual, version 3.
//!
//! Each piece has an embedding row of 512 values. Three branches of two layers each see windows of 2, 3 and 5 neighbouring
//! pieces. Their outputs and the rows are normalised, averaged over the sentence and passed through four layers to the sentence
//! vector.

use std::borrow::Cow;

use saegim_encoder::{Damaged, Dense, Norm, Picked, Rows, Sections, Shape, from_half};

/// Number of components of a sentence vector.
pub const DIMS: usize = 512;
/// Width of one branch.
const BRANCH: usize = 256;
/// Number of features per piece: its row and the three branches.
const FEATURES: usize = DIMS + 3 * BRANCH;
/// Window size of each branch, and how many of its pieces precede the current piece.
const WINDOWS: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];
/// Rows of zeros before, between and after sentences: the maximum distance a window extends past a sentence.
const MARGIN: usize = 2;

/// The weights of the model.
pub struct Encoder {
    table: Table,
    project: Dense,
    project_norm: Norm,
    branches: Vec<[Dense; 2]>,
    token_norm: Norm,
    pool: Dense,
    deep0: Dense,
    deep1: Dense,
    deep1_skip: Dense,
    deep2: Dense,
    deep3: Dense,
    deep3_skip: Dense,
}

/// A partly encoded sentence: the mean of its piece features, and the number of pieces.
pub struct Sentence {
    mean: Vec<f32>,
    count: usize,
}

impl Encoder {
    /// Reads the weights for `pieces` pieces. `keep` decides whether the large table is borrowed or copied.
    pub fn read<'a>(sections: &Sections<'a>, pieces: usize, keep: impl Fn(&'a [u8]) -> Cow<'static, [u8]>) -> Result<Self, Damaged> {
        let epsilon = sections.number("epsilon")?;
        if epsilon <= 0.0 {
            return Err(Damaged::new("section epsilon is not above zero"));
        }
        let dense = |name: &str, shape: [usize; 2], bias: Vec<f32>| {
            let dense = Dense::read(sections.get(name)?, bias, name)?;
            let Shape { inputs, outputs, .. } = dense.shape();
            let fits = [inputs, outputs] == shape;
            if fits { Ok(dense) } else { Err(Damaged::new(format_args!("section {name} has another shape"))) }
        };
        let biased = |name: &str, shape: [usize; 2]| dense(name, shape, sections.vector(&format!("{name}.bias"), shape[1])?);
        let plain = |name: &str, shape: [usize; 2]| dense(name, shape, vec![]);
        let norm = |name: &str, length: usize| {
            let gain = sections.vector(&format!("{name}.gain"), length)?;
            Ok::<_, Damaged>(Norm { gain, bias: sections.vector(&format!("{name}.bias"), length)?, epsilon })
        };
        let branch = |width: usize| {
            let layer = |layer| biased(&format!("window{width}.{layer}"), [width * BRANCH, BRANCH]);
            Ok::<_, Damaged>([layer("first")?, layer("second")?])
        };
        Ok(Self {
            table: Table::read(sections, pieces, keep)?,
            project: biased("project", [DIMS, 3 * BRANCH])?,
            project_norm: norm("project.norm", 3 * BRANCH)?,
            branches: WINDOWS.iter().map(|window| branch(window.0)).collect::<Result<_, _>>()?,
            token_norm: norm("token.norm", FEATURES)?,
            pool: biased("pool", [FEATURES, DIMS])?,
            deep0: plain("deep0", [DIMS, 320])?,
            deep1: plain("deep1", [320, 320])?,
            deep1_skip: plain("deep1.skip", [DIMS, 320])?,
            deep2: plain("deep2", [320, DIMS])?,
            deep3: plain("deep3", [DIMS, DIMS])?,
            deep3_skip: plain("deep3.skip", [320, DIMS])?,
        })
    }

    /// Returns the mean features of each sentence. Every sentence must have at least one piece, all from this model's
    /// vocabulary.
    pub fn sentences(&self, sentences: &[Vec<u32>]) -> Vec<Sentence> {
        let count: usize = sentences.iter().map(Vec::len).sum();
        let mut features = vec![0.0; count * FEATURES];
        for (features, &piece) in features.chunks_exact_mut(FEATURES).zip(sentences.iter().flatten()) {
            self.table.row(piece as usize, &mut features[..DIMS]);
        }
        let mut shared = self.project.product(Rows { numbers: &features, stride: FEATURES, count });
        self.project_norm.apply(&mut shared);
        // Pad each sentence with zeros. Rows are contiguous, so that a window is one slice.
        let mut places = Vec::with_capacity(count);
        let mut next = MARGIN;
        for sentence in sentences {
            places.extend(next..next + sentence.len());
            next += sentence.len() + MARGIN;
        }
        for (branch, (layers, (_, before))) in self.branches.iter().zip(WINDOWS).enumerate() {
            let mut x = vec![0.0; next * BRANCH];
            for (&place, shared) in places.iter().zip(shared.chunks_exact(3 * BRANCH)) {
                x[place * BRANCH..][..BRANCH].copy_from_slice(&shared[branch * BRANCH..][..BRANCH]);
            }
            let starts: Vec<usize> = places.iter().map(|place| (place - before) * BRANCH).collect();
            for layer in layers {
                let found = layer.product_of(Picked { numbers: &x, starts: &starts });
                for (&place, found) in places.iter().zip(found.chunks_exact(BRANCH)) {
                    x[place * BRANCH..][..BRANCH].iter_mut().zip(found).for_each(|(x, found)| *x += found.max(0.0));
                }
            }
            for (features, &place) in features.chunks_exact_mut(FEATURES).zip(&places) {
                features[DIMS + branch * BRANCH..][..BRANCH].copy_from_slice(&x[place * BRANCH..][..BRANCH]);
            }
        }
        self.token_norm.apply(&mut features);
        let mut rows = features.chunks_exact(FEATURES);
        let mean = |sentence: &Vec<u32>| {
            let (mut mean, count) = (vec![0.0; FEATURES], sentence.len());
            for features in rows.by_ref().take(count) {
                mean.iter_mut().zip(features).for_each(|(mean, feature)| *mean += feature / count as f32);
            }
            Sentence { mean, count }
        };
        sentences.iter().map(mean).collect()
    }

    /// Returns the vectors of sentences, not normalised: `[sentence][DIMS]`.
    pub fn vectors(&self, sentences: &[Sentence]) -> Vec<f32> {
        let count = sentences.len();
        let through = |dense: &Dense, numbers: &[f32]| dense.product(Rows { numbers, stride: dense.shape().inputs, count });
        let means: Vec<f32> = sentences.iter().flat_map(|sentence| &sentence.mean).copied().collect();
        let mut pooled = through(&self.pool, &means);
        // The model was trained on sums divided by the square root of the count, which is the mean times that root.
        for (pooled, sentence) in pooled.chunks_exact_mut(DIMS).zip(sentences) {
            let root = (sentence.count as f32).sqrt();
            pooled.iter_mut().for_each(|x| *x *= root);
        }
        let y0 = positive(through(&self.deep0, &pooled));
        let y1 = positive(sum(through(&self.deep1_skip, &pooled), &through(&self.deep1, &y0)));
        let y2 = positive(through(&self.deep2, &y1));
        let mut vectors = sum(through(&self.deep3_skip, &y1), &through(&self.deep3, &y2));
        vectors.iter_mut().for_each(|x| *x = x.tanh());
        vectors
    }
}

fn positive(mut numbers: Vec<f32>) -> Vec<f32> {
    numbers.iter_mut().for_each(|x| *x = x.max(0.0));
    numbers
}

fn sum(mut numbers: Vec<f32>, others: &[f32]) -> Vec<f32> {
    numbers.iter_mut().zip(others).for_each(|(x, other)| *x += other);
    numbers
}

/// Embedding table with 4 bits per value: blocks of 64 with a minimum and a step, 16 bits each.
struct Table {
    least: Cow<'static, [u8]>,
    step: Cow<'static, [u8]>,
    codes: Cow<'static, [u8]>,
}

impl Table {
    const BLOCK: usize = 64;
    const BLOCKS: usize = DIMS / Self::BLOCK;

    fn read<'a>(sections: &Sections<'a>, pieces: usize, keep: impl Fn(&'a [u8]) -> Cow<'static, [u8]>) -> Result<Self, Damaged> {
        let part = |name: &str, width: usize| {
            let bytes = sections.get(name)?;
            let fits = Some(bytes.len()) == pieces.checked_mul(width);
            if fits { Ok(keep(bytes)) } else { Err(Damaged::new(format_args!("section {name} has another length"))) }
        };
        Ok(Self {
            least: part("rows.least", Self::BLOCKS * 2)?,
            step: part("rows.step", Self::BLOCKS * 2)?,
            codes: part("rows.codes", DIMS / 2)?,
        })
    }

    /// Writes the embedding row of `piece` to `row`.
    fn row(&self, piece: usize, row: &mut [f32]) {
        let codes = self.codes[piece * DIMS / 2..].chunks_exact(Self::BLOCK / 2);
        for (block, (row, codes)) in row.chunks_exact_mut(Self::BLOCK).zip(codes).enumerate() {
            let at = (piece * Self::BLOCKS + block) * 2;
            let least = from_half([self.least[at], self.least[at + 1]]);
            let step = from_half([self.step[at], self.step[at + 1]]);
            for (pair, code) in row.chunks_exact_mut(2).zip(codes) {
                pair[0] = f32::from(code & 15) * step + least;
                pair[1] = f32::from(code >> 4) * step + least;
            }
        }
    }
}
