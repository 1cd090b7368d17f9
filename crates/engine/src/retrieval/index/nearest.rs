//! How near in meaning memories are to a direction: for judging whether something is new, and for placing all of them.

use saegim_core::{MemoryId, Teller, Timestamp};
use saegim_store::ZoneRow;

use super::Index;
use super::STRETCH;
use super::evidence::shared;

/// The nearest so far, nearest first.
struct Best {
    count: usize,
    places: Vec<(f32, usize)>,
}

impl Best {
    fn of(count: usize) -> Self {
        Self { count, places: Vec::with_capacity(count + 1) }
    }

    fn take(&mut self, place: usize, cosine: f32) {
        if self.places.len() < self.count || self.places.last().is_some_and(|last| cosine > last.0) {
            let at = self.places.partition_point(|other| other.0 >= cosine);
            self.places.insert(at, (cosine, place));
            self.places.truncate(self.count);
        }
    }
}

impl Index {
    /// The living documents nearest to `vector`, nearest first, with their cosines.
    pub(crate) fn nearest(&self, vector: &[i8], count: usize) -> Vec<(MemoryId, f32)> {
        let mut best = Best::of(count);
        self.each_cosine(vector, |place, cosine| best.take(place, cosine));
        self.found(best)
    }

    /// The same among what the user said from `since` on, however much that is older or answered it is nearer.
    pub(crate) fn nearest_said(&self, vector: &[i8], count: usize, since: Timestamp) -> Vec<(MemoryId, f32)> {
        let mut best = Best::of(count);
        let Some(direction) = self.vectors.direction(vector) else { return Vec::new() };
        // Stretches in which all are older are passed over.
        for (stretch, _) in self.newest.iter().enumerate().filter(|(_, newest)| **newest >= since) {
            let first = stretch * STRETCH;
            for place in first..self.documents.len().min(first + STRETCH) {
                let document = &self.documents[place];
                if document.alive && document.teller == Teller::User && document.created_at >= since {
                    self.vectors.cosine(&direction, place).into_iter().for_each(|cosine| best.take(place, cosine));
                }
            }
        }
        self.found(best)
    }

    fn found(&self, best: Best) -> Vec<(MemoryId, f32)> {
        best.places.into_iter().map(|(cosine, place)| (self.documents[place].id, cosine)).collect()
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

    /// Visits living documents with their cosines.
    fn each_cosine(&self, vector: &[i8], mut visit: impl FnMut(usize, f32)) {
        let Some(direction) = self.vectors.direction(vector) else { return };
        let mut cosines = vec![0f32; STRETCH];
        for first in (0..self.documents.len()).step_by(STRETCH) {
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
