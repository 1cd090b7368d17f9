//! How near in meaning memories are to a direction: for judging whether something is new, and for placing all of them.

use saegim_core::MemoryId;

use super::Index;
use super::evidence::BLOCK;

impl Index {
    /// The living documents nearest to `vector`, nearest first, with their cosines.
    pub(crate) fn nearest(&self, vector: &[i8], count: usize) -> Vec<(MemoryId, f32)> {
        let mut best: Vec<(f32, usize)> = Vec::with_capacity(count + 1);
        self.each_cosine(vector, |place, cosine| {
            if best.len() < count || best.last().is_some_and(|last| cosine > last.0) {
                let at = best.partition_point(|other| other.0 >= cosine);
                best.insert(at, (cosine, place));
                best.truncate(count);
            }
        });
        best.into_iter().map(|(cosine, place)| (self.documents[place].id, cosine)).collect()
    }

    /// The cosine of every living document with `vector`; those without a vector are left out.
    pub(crate) fn cosines(&self, vector: &[i8]) -> Vec<(MemoryId, f32)> {
        let mut all = Vec::with_capacity(self.documents.len());
        self.each_cosine(vector, |place, cosine| all.push((self.documents[place].id, cosine)));
        all
    }

    fn each_cosine(&self, vector: &[i8], mut visit: impl FnMut(usize, f32)) {
        let Some(direction) = self.vectors.direction(vector) else { return };
        let mut cosines = vec![0f32; BLOCK];
        for first in (0..self.documents.len()).step_by(BLOCK) {
            let block = first..self.documents.len().min(first + BLOCK);
            let cosines = &mut cosines[..block.len()];
            self.vectors.cosines(&direction, block.clone(), cosines);
            for (place, &cosine) in block.zip(&*cosines) {
                if !cosine.is_nan() && self.documents[place].alive {
                    visit(place, cosine);
                }
            }
        }
    }
}
