//! Scores every memory on its own: words, letters and vector. This is the only step of a query that reads the whole mind; later
//! steps read only the best candidates. Works block by block, on several threads for large minds, in buffers that are reused
//! between queries.

use std::sync::{LazyLock, Mutex, PoisonError};

use saegim_core::{Cut, Evidence, RelevancePolicy, own_evidence};

use super::Index;
use super::document::ResolvedFilter;
use super::postings::QueryTerms;
use super::vectors::Direction;

/// Number of memories scored at a time. Their values fit into the fastest CPU cache.
pub(super) const BLOCK: usize = 4096;

/// Number of vector components that justify another thread.
const SHARE: usize = 6_000_000;

/// Number of available threads. Cached, because the system call takes longer than the search of a small mind.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// Score buffers with one value per memory.
#[derive(Default)]
pub(super) struct Sheet {
    words: Vec<f32>,
    letters: Vec<f32>,
    /// NaN where there is no vector.
    cosines: Vec<f32>,
}

/// Pool of unused buffers.
#[derive(Default)]
pub(super) struct Sheets(Mutex<Vec<Sheet>>);

impl Sheets {
    /// Maximum number of pooled buffers: the usual number of concurrent queries.
    const KEPT: usize = 2;

    fn take(&self, memories: usize) -> Sheet {
        let mut sheet = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        for column in [&mut sheet.words, &mut sheet.letters, &mut sheet.cosines] {
            column.resize(memories, 0.0);
        }
        sheet
    }

    fn give_back(&self, sheet: Sheet) {
        // Buffers of a small mind are cheap to allocate and not worth keeping for thousands of minds.
        if sheet.words.len() < BLOCK {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < Self::KEPT {
            kept.push(sheet);
        }
    }
}

/// Scores of every memory for one query.
pub(super) struct Weighed<'a> {
    sheet: Sheet,
    sheets: &'a Sheets,
    spread: Spread,
    policy: &'a RelevancePolicy,
}

impl Drop for Weighed<'_> {
    fn drop(&mut self) {
        self.sheets.give_back(std::mem::take(&mut self.sheet));
    }
}

impl Weighed<'_> {
    /// Returns the evidence for the memory at a place.
    pub(super) fn evidence(&self, place: u32) -> Evidence {
        let place = place as usize;
        let meaning = self.spread.standing_out(self.sheet.cosines[place]);
        Evidence { words: self.sheet.words[place], letters: self.sheet.letters[place], meaning }
    }

    /// Returns the evidence as one number.
    pub(super) fn own(&self, place: u32) -> f32 {
        own_evidence(self.evidence(place), self.policy)
    }

    /// Returns the cosine between its vector and that of the question, if both exist.
    pub(super) fn cosine(&self, place: u32) -> Option<f32> {
        Some(self.sheet.cosines[place as usize]).filter(|cosine| !cosine.is_nan())
    }
}

/// Mean and standard deviation of the cosines of a mind.
#[derive(Clone, Copy)]
struct Spread {
    mean: f32,
    spread: f32,
}

/// Partial sums of cosines.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn of(cosines: &[f32]) -> Self {
        // Within a block, single precision in several lanes is accurate enough.
        let (mut count, mut sum, mut squares) = ([0f32; 16], [0f32; 16], [0f32; 16]);
        for chunk in cosines.chunks(16) {
            for (lane, &cosine) in chunk.iter().enumerate() {
                let (one, cosine) = if cosine.is_nan() { (0.0, 0.0) } else { (1.0, cosine) };
                count[lane] += one;
                sum[lane] += cosine;
                squares[lane] += cosine * cosine;
            }
        }
        let total = |lanes: [f32; 16]| lanes.iter().map(|&lane| f64::from(lane)).sum();
        Self { count: total(count), sum: total(sum), squares: total(squares) }
    }

    fn and(self, other: Self) -> Self {
        Self { count: self.count + other.count, sum: self.sum + other.sum, squares: self.squares + other.squares }
    }

    /// Returns mean and standard deviation. Adds some virtual unrelated memories, so that in a mind of three memories the nearest
    /// does not count as outstanding.
    fn spread(self, policy: &RelevancePolicy) -> Spread {
        let (imagined, imagined_spread) = (f64::from(policy.imagined_vectors), f64::from(policy.imagined_spread));
        let number = (self.count + imagined).max(1.0);
        let mean = self.sum / number;
        // Squared deviations from the mean, of the actual cosines and of the virtual ones around zero.
        let there = self.squares - 2.0 * mean * self.sum + self.count * mean * mean;
        let imagined = imagined * (mean * mean + imagined_spread * imagined_spread);
        Spread { mean: mean as f32, spread: (((there + imagined) / number).max(0.0).sqrt().max(1e-6)) as f32 }
    }
}

impl Spread {
    /// Returns how many standard deviations a cosine is above the mean; 0 where there is no vector.
    fn standing_out(self, cosine: f32) -> f32 {
        if cosine.is_nan() { 0.0 } else { (cosine - self.mean) / self.spread }
    }
}

/// A query resolved against the index.
struct Looked<'a> {
    words: QueryTerms<'a>,
    letters: QueryTerms<'a>,
    direction: Option<Direction<'a>>,
}

/// The best results so far.
struct Best {
    size: usize,
    found: Vec<(f32, u32)>,
    /// Score that a further result must exceed. Of equal scores, the earlier one wins.
    least: f32,
    /// Whether any result was dropped.
    overfull: bool,
}

impl Best {
    fn new(size: usize) -> Self {
        Self { size, found: Vec::new(), least: f32::NEG_INFINITY, overfull: false }
    }

    fn put(&mut self, own: f32, place: u32) {
        self.found.push((own, place));
        if self.found.len() >= self.size * 2 {
            self.narrow();
        }
    }

    fn narrow(&mut self) {
        if self.found.len() > self.size {
            self.found.select_nth_unstable_by(self.size - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            self.found.truncate(self.size);
            self.least = self.found[self.size - 1].0;
            self.overfull = true;
        }
    }
}

impl Index {
    /// Scores every memory for a query.
    pub(super) fn weigh<'a>(&'a self, cut: &Cut, vector: Option<&'a [i8]>, policy: &'a RelevancePolicy) -> Weighed<'a> {
        let looked = Looked {
            words: self.words.seek(&cut.words, policy),
            letters: self.letters.seek(&cut.letters, policy),
            direction: vector.and_then(|vector| self.vectors.direction(vector)),
        };
        let mut sheet = self.sheets.take(self.documents.len());
        let share = self.share();
        let parts: Vec<(usize, [&mut [f32]; 3])> = sheet
            .words
            .chunks_mut(share)
            .zip(sheet.letters.chunks_mut(share))
            .zip(sheet.cosines.chunks_mut(share))
            .enumerate()
            .map(|(part, ((words, letters), cosines))| (part * share, [words, letters, cosines]))
            .collect();
        let sums = shared(parts, |(first, columns)| self.weigh_part(&looked, first, columns));
        let spread = sums.into_iter().fold(Sums::default(), Sums::and).spread(policy);
        Weighed { sheet, sheets: &self.sheets, spread, policy }
    }

    /// Returns the number of memories per thread.
    pub(super) fn share(&self) -> usize {
        let threads = CORES.min(self.vectors.components() / SHARE).max(1);
        self.documents.len().div_ceil(threads).max(1)
    }

    fn weigh_part(&self, looked: &Looked<'_>, first: usize, [words, letters, cosines]: [&mut [f32]; 3]) -> Sums {
        let mut sums = Sums::default();
        for start in (0..words.len()).step_by(BLOCK) {
            let block = start..words.len().min(start + BLOCK);
            let documents = first + block.start..first + block.end;
            self.words.coverage(&looked.words, documents.clone(), &mut words[block.clone()]);
            self.letters.coverage(&looked.letters, documents.clone(), &mut letters[block.clone()]);
            match &looked.direction {
                Some(direction) => self.vectors.cosines(direction, documents, &mut cosines[block.clone()]),
                None => cosines[block.clone()].fill(f32::NAN),
            }
            sums = sums.and(Sums::of(&cosines[block]));
        }
        sums
    }

    /// Returns the `size` matching places with the most evidence, in ascending order, and whether more would match. Of equal
    /// scores, the older ones win.
    pub(super) fn best(&self, weighed: &Weighed<'_>, passing: &ResolvedFilter, size: usize) -> (Vec<u32>, bool) {
        let mut best = Best::new(size);
        for place in 0..self.documents.len() as u32 {
            let own = weighed.own(place);
            // The filter is checked only for those that would be among the best.
            if own > best.least && passing.lets(&self.documents[place as usize]) {
                best.put(own, place);
            }
        }
        best.narrow();
        let mut places: Vec<u32> = best.found.into_iter().map(|(_, place)| place).collect();
        places.sort_unstable();
        (places, best.overfull)
    }
}

/// Processes the parts in parallel, the first on the calling thread, and returns the results in order.
pub(super) fn shared<P: Send, R: Send>(parts: Vec<P>, work: impl Fn(P) -> R + Sync) -> Vec<R> {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return Vec::new() };
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut results = vec![work(first)];
        results.extend(others.into_iter().map(|other| other.join().expect("comparing does not panic")));
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_those_of_a_whole_sort() {
        let owns: Vec<f32> = (0..1000u32).map(|place| (place * 7919 % 101) as f32).collect();
        let mut order: Vec<u32> = (0..1000).collect();
        order.sort_by(|a, b| owns[*b as usize].total_cmp(&owns[*a as usize]).then(a.cmp(b)));
        for size in [1, 7, 200, 999, 1000, 2000] {
            let mut best = Best::new(size);
            for (place, &own) in owns.iter().enumerate() {
                if own > best.least {
                    best.put(own, place as u32);
                }
            }
            best.narrow();
            let mut found: Vec<u32> = best.found.iter().map(|(_, place)| *place).collect();
            found.sort_unstable();
            let mut expected = order[..size.min(1000)].to_vec();
            expected.sort_unstable();
            assert_eq!((found, best.overfull), (expected, size < 1000), "{size}");
        }
    }

    #[test]
    fn the_spread_is_that_of_the_cosines_and_the_imagined() {
        let cosines: Vec<f32> = (0..301).map(|at| if at % 10 == 3 { f32::NAN } else { (at as f32 * 0.37).sin() * 0.4 + 0.1 }).collect();
        let policy = RelevancePolicy::default();
        let (imagined, imagined_spread) = (f64::from(policy.imagined_vectors), f64::from(policy.imagined_spread));
        let spread = cosines.chunks(100).map(Sums::of).fold(Sums::default(), Sums::and).spread(&policy);
        let known: Vec<f64> = cosines.iter().filter(|cosine| !cosine.is_nan()).map(|cosine| f64::from(*cosine)).collect();
        let number = known.len() as f64 + imagined;
        let mean = known.iter().sum::<f64>() / number;
        let squares = known.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>();
        let expected = ((squares + imagined * (mean.powi(2) + imagined_spread.powi(2))) / number).sqrt();
        assert!((f64::from(spread.mean) - mean).abs() < 1e-6 && (f64::from(spread.spread) - expected).abs() < 1e-6);
        assert_eq!(spread.standing_out(f32::NAN), 0.0);
    }
}
