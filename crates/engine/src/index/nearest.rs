//! How near in meaning memories are to a direction: for judging whether something is new, and for placing all of them.

use saegim_core::{MemoryId, Timestamp};
use saegim_store::ZoneRow;

use super::Index;
use super::STRETCH;
use super::evidence::shared;

impl Index {
    /// The living documents nearest to `vector`, nearest first, with their cosines.
    pub(crate) fn nearest(&self, vector: &[i8], count: usize) -> Vec<(MemoryId, f32)> {
        self.nearest_since(vector, count, None)
    }

    /// The same among those from `since` on, however many older ones are nearer.
    pub(crate) fn nearest_since(&self, vector: &[i8], count: usize, since: Option<Timestamp>) -> Vec<(MemoryId, f32)> {
        let mut best: Vec<(f32, usize)> = Vec::with_capacity(count + 1);
        let in_time = |place: usize| since.is_none_or(|since| self.documents[place].created_at >= since);
        self.each_cosine(vector, since, |place, cosine| {
            if (best.len() < count || best.last().is_some_and(|last| cosine > last.0)) && in_time(place) {
                let at = best.partition_point(|other| other.0 >= cosine);
                best.insert(at, (cosine, place));
                best.truncate(count);
            }
        });
        best.into_iter().map(|(cosine, place)| (self.documents[place].id, cosine)).collect()
    }

    /// What placing needs to know of every living document, each with its cosine to `vector` where it has one.
    pub(crate) fn zone_rows(&self, vector: Option<&[i8]>) -> impl Iterator<Item = (ZoneRow, Option<f32>)> {
        let mut cosines = Vec::new();
        if let Some(direction) = vector.and_then(|vector| self.vectors.direction(vector)) {
            cosines = vec![f32::NAN; self.documents.len()];
            let share = self.share();
            let parts = cosines.chunks_mut(share).enumerate().map(|(part, cosines)| (part * share, cosines)).collect();
            shared(parts, |(first, cosines)| self.vectors.cosines(&direction, first..first + cosines.len(), cosines));
        }
        let living = self.standing.iter().enumerate().filter_map(|(place, row)| Some((place, (*row)?)));
        living.map(move |(place, row)| (row, cosines.get(place).copied().filter(|cosine| !cosine.is_nan())))
    }

    /// Visits living documents with their cosines; stretches in which all are older than `since` are passed over.
    fn each_cosine(&self, vector: &[i8], since: Option<Timestamp>, mut visit: impl FnMut(usize, f32)) {
        let Some(direction) = self.vectors.direction(vector) else { return };
        let mut cosines = vec![0f32; STRETCH];
        for (stretch, newest) in self.newest.iter().enumerate() {
            if since.is_some_and(|since| *newest < since) {
                continue;
            }
            let first = stretch * STRETCH;
            let block = first..self.documents.len().min(first + STRETCH);
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
