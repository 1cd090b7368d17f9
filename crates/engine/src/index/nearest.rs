//! The memories nearest in meaning, for judging whether something is new.

use saegim_core::MemoryId;

use super::Index;

impl Index {
    /// The living documents nearest to `vector`, nearest first, with their cosines.
    pub(crate) fn nearest(&self, vector: &[i8], count: usize) -> Vec<(MemoryId, f32)> {
        let cosines = self.vectors.cosines(vector);
        let mut best: Vec<(f32, usize)> = Vec::with_capacity(count + 1);
        for (place, cosine) in cosines.into_iter().enumerate() {
            let Some(cosine) = cosine.filter(|_| self.documents[place].alive) else { continue };
            if best.len() < count || best.last().is_some_and(|last| cosine > last.0) {
                let at = best.partition_point(|other| other.0 >= cosine);
                best.insert(at, (cosine, place));
                best.truncate(count);
            }
        }
        best.into_iter().map(|(cosine, place)| (self.documents[place].id, cosine)).collect()
    }
}
