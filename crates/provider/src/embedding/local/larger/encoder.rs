//! Forward pass of the larger model: a transformer over the pieces of a text, followed by mean pooling.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Mutex;

use super::super::curves::{exp, gelu};
use super::super::dense::{Dense, Rows};
use super::super::half::from_half;
use super::super::norm::Norm;
use super::file::{BLOCK, BLOCK_BYTES, File, Sizes, code};
use crate::ProviderError;

/// The weights of the model.
pub struct LargeEncoder {
    sizes: Sizes,
    table: Table,
    /// Position embeddings, added to the piece rows.
    places: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    query: Dense,
    key: Dense,
    value: Dense,
    attended: Dense,
    attended_norm: Norm,
    widen: Dense,
    narrow: Dense,
    narrow_norm: Norm,
}

impl LargeEncoder {
    /// Reads the weights. `disk` is the same file; the embedding rows are read from it on demand.
    pub fn read(file: &File, disk: fs::File) -> Result<Self, ProviderError> {
        let sizes = file.sizes;
        let width = sizes.width;
        let row = width / BLOCK * BLOCK_BYTES;
        let mut places = file.vector("emb.pos", sizes.positions * width)?;
        // Every piece has type 0, so its type embedding is added to the positions once.
        let kind = file.vector("emb.type", sizes.types * width)?;
        for place in places.chunks_exact_mut(width) {
            place.iter_mut().zip(&kind).for_each(|(x, kind)| *x += kind);
        }
        let layer = |layer: usize| {
            let name = |part: &str| format!("l{layer}.{part}");
            Ok::<_, ProviderError>(Layer {
                query: file.dense(&name("q"), width, width)?,
                key: file.dense(&name("k"), width, width)?,
                value: file.dense(&name("v"), width, width)?,
                attended: file.dense(&name("ao"), width, width)?,
                attended_norm: file.norm(&name("aln"))?,
                widen: file.dense(&name("fi"), width, sizes.middle)?,
                narrow: file.dense(&name("fo"), sizes.middle, width)?,
                narrow_norm: file.norm(&name("oln"))?,
            })
        };
        Ok(Self {
            sizes,
            table: Table { disk: Mutex::new(disk), offset: file.offset("emb.word", row.checked_mul(sizes.rows))? as u64, row },
            places,
            norm: file.norm("emb.ln")?,
            layers: (0..sizes.layers).map(layer).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the vector of one text, not normalised. Requires at least one piece and at most as many as there are positions.
    pub fn vector(&self, pieces: &[u32]) -> Result<Vec<f32>, ProviderError> {
        let (width, count) = (self.sizes.width, pieces.len());
        let mut x = self.places[..count * width].to_vec();
        self.table.add_rows(pieces, &mut x)?;
        self.norm.apply(&mut x);
        for layer in &self.layers {
            let through = |dense: &Dense, numbers: &[f32]| dense.product(Rows { numbers, stride: dense.shape().inputs, count });
            let seen = self.run_jobs(&through(&layer.query, &x), &through(&layer.key, &x), &through(&layer.value, &x));
            add(&mut x, &through(&layer.attended, &seen));
            layer.attended_norm.apply(&mut x);
            let mut middle = through(&layer.widen, &x);
            middle.iter_mut().for_each(|x| *x = gelu(*x));
            add(&mut x, &through(&layer.narrow, &middle));
            layer.narrow_norm.apply(&mut x);
        }
        let mut mean = vec![0.0; width];
        for row in x.chunks_exact(width) {
            mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / count as f32);
        }
        Ok(mean)
    }

    /// Computes multi-head attention: for each piece, the values of all pieces weighted by the softmax of query times key.
    fn run_jobs(&self, queries: &[f32], keys: &[f32], values: &[f32]) -> Vec<f32> {
        let width = self.sizes.width;
        let head = width / self.sizes.heads;
        let scale = 1.0 / (head as f32).sqrt();
        let mut seen = vec![0.0; queries.len()];
        let mut weights = vec![0.0; queries.len() / width];
        for (query, seen) in queries.chunks_exact(width).zip(seen.chunks_exact_mut(width)) {
            for first in (0..width).step_by(head) {
                let part = first..first + head;
                for (weight, key) in weights.iter_mut().zip(keys.chunks_exact(width)) {
                    *weight = dot(&query[part.clone()], &key[part.clone()]) * scale;
                }
                let most = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                weights.iter_mut().for_each(|weight| *weight = exp(*weight - most));
                let sum: f32 = weights.iter().sum();
                for (weight, value) in weights.iter().zip(values.chunks_exact(width)) {
                    let share = weight / sum;
                    seen[part.clone()].iter_mut().zip(&value[part.clone()]).for_each(|(seen, value)| *seen += share * value);
                }
            }
        }
        seen
    }
}

fn add(x: &mut [f32], more: &[f32]) {
    x.iter_mut().zip(more).for_each(|(x, more)| *x += more);
}

/// Dot product in eight lanes, to break the dependency between consecutive additions.
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let ((one, one_rest), (other, other_rest)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    let mut lanes = [0.0; 8];
    for (one, other) in one.iter().zip(other) {
        for ((lane, one), other) in lanes.iter_mut().zip(one).zip(other) {
            *lane += one * other;
        }
    }
    lanes.iter().sum::<f32>() + one_rest.iter().zip(other_rest).map(|(one, other)| one * other).sum::<f32>()
}

/// Embedding rows, left on disk: a text needs a few kilobytes of the 54 MB, and the OS page cache holds frequent rows.
struct Table {
    disk: Mutex<fs::File>,
    offset: u64,
    row: usize,
}

impl Table {
    /// Adds the embedding rows of `pieces` to the rows of `x`.
    fn add_rows(&self, pieces: &[u32], x: &mut [f32]) -> Result<(), ProviderError> {
        let mut disk = self.disk.lock().map_err(|_| ProviderError::Down("an earlier read of the model file failed".into()))?;
        let mut bytes = vec![0; self.row];
        for (x, &piece) in x.chunks_exact_mut(self.row / BLOCK_BYTES * BLOCK).zip(pieces) {
            let start = SeekFrom::Start(self.offset + u64::from(piece) * self.row as u64);
            let read = disk.seek(start).and_then(|_| disk.read_exact(&mut bytes));
            read.map_err(|error| ProviderError::Down(format!("the model file can no longer be read: {error}")))?;
            for (x, block) in x.chunks_exact_mut(BLOCK).zip(bytes.chunks_exact(BLOCK_BYTES)) {
                let scale = from_half([block[0], block[1]]);
                for (place, x) in x.iter_mut().enumerate() {
                    *x += f32::from(code(block, place)) * scale;
                }
            }
        }
        Ok(())
    }
}
