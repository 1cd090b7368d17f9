//! Forward pass of the larger model: a transformer over the pieces of a text, followed by mean pooling.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Mutex;

use saegim_encoder::{Bits, Blocks, Damaged, Norm, TransformerLayer};

use super::file::{File, Sizes};
use crate::ProviderError;

/// The weights of the model.
pub struct LargeEncoder {
    sizes: Sizes,
    table: Table,
    /// Position embeddings, added to the piece rows.
    places: Vec<f32>,
    norm: Norm,
    layers: Vec<TransformerLayer>,
}

impl LargeEncoder {
    /// Reads the weights. `disk` is the same file; the embedding rows are read from it on demand.
    pub fn read(file: &File, disk: fs::File) -> Result<Self, Damaged> {
        let sizes = file.sizes;
        let width = sizes.width;
        let row = Bits::Four.row_bytes(width);
        let mut places = file.vector("emb.pos", sizes.positions * width)?;
        // Every piece has type 0, so its type embedding is added to the positions once.
        let kind = file.vector("emb.type", sizes.types * width)?;
        for place in places.chunks_exact_mut(width) {
            place.iter_mut().zip(&kind).for_each(|(x, kind)| *x += kind);
        }
        let layer = |layer: usize| {
            let name = |part: &str| format!("l{layer}.{part}");
            Ok::<_, Damaged>(TransformerLayer {
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
            table: Table { disk: Mutex::new(disk), offset: file.offset("emb.word", row.checked_mul(sizes.rows))? as u64, width },
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
            layer.apply(&mut x, &[count], self.sizes.heads);
        }
        let mut mean = vec![0.0; width];
        for row in x.chunks_exact(width) {
            mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / count as f32);
        }
        Ok(mean)
    }
}

/// Embedding rows, left on disk: a text needs a few kilobytes of the 54 MB, and the OS page cache holds frequent rows.
struct Table {
    disk: Mutex<fs::File>,
    offset: u64,
    width: usize,
}

impl Table {
    /// Adds the embedding rows of `pieces` to the rows of `x`.
    fn add_rows(&self, pieces: &[u32], x: &mut [f32]) -> Result<(), ProviderError> {
        let mut disk = self.disk.lock().map_err(|_| ProviderError::Down("an earlier read of the model file failed".into()))?;
        let mut bytes = vec![0; Bits::Four.row_bytes(self.width)];
        for (x, &piece) in x.chunks_exact_mut(self.width).zip(pieces) {
            let start = SeekFrom::Start(self.offset + u64::from(piece) * bytes.len() as u64);
            let read = disk.seek(start).and_then(|_| disk.read_exact(&mut bytes));
            read.map_err(|error| ProviderError::Down(format!("the model file can no longer be read: {error}")))?;
            Blocks::new(&bytes, Bits::Four, self.width)?.add_row(0, x);
        }
        Ok(())
    }
}
