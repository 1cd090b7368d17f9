//! The memories nearest in meaning, for judging whether something is new.

use saegim_core::MemoryId;

use super::Index;
use super::evidence::BLOCK;

impl Index {
    /// The living documents nearest to `vector`, nearest first, with their cosines.
    pub(crate) fn nearest(&self, vector: &[i8], count: usize) -> Vec<(MemoryId, f32)> {
        let Some(direction) = self.vectors.direction(vector) else { return Vec::new() };
        let mut best: Vec<(f32, usize)> = Vec::with_capacity(count + 1);
        let mut cosines = vec![0f32; BLOCK];
        for first in (0..self.documents.len()).step_by(BLOCK) {
            let block = first..self.documents.len().min(first + BLOCK);
            let cosines = &mut cosines[..block.len()];
            self.vectors.cosines(&direction, block.clone(), cosines);
            for (place, &cosine) in block.zip(&*cosines) {
                let wanted = best.len() < count || best.last().is_some_and(|last| cosine > last.0);
                if wanted && !cosine.is_nan() && self.documents[place].alive {
                    let at = best.partition_point(|other| other.0 >= cosine);
                    best.insert(at, (cosine, place));
                    best.truncate(count);
                }
            }
        }
        best.into_iter().map(|(cosine, place)| (self.documents[place].id, cosine)).collect()
    }
}
