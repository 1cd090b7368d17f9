//! Inverted index: maps terms to the windows that contain them, and calculates how much of a question each memory covers (BM25 over
//! windows).

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::ops::Range;

use saegim_core::{Held, RelevancePolicy, rarity};

/// Posting list of a term: windows in ascending order, with term counts.
enum List {
    /// Most terms occur in one or two windows; those are stored inline in the table.
    Few {
        held: u8,
        counts: [u8; FEW],
        windows: [u32; FEW],
    },
    Many(Box<Many>),
}

const FEW: usize = 3;

#[derive(Default)]
struct Many {
    windows: Vec<u32>,
    counts: Vec<u8>,
}

impl List {
    fn of(window: u32) -> Self {
        Self::Few { held: 1, counts: [1; FEW], windows: [window; FEW] }
    }

    fn windows(&self) -> &[u32] {
        match self {
            Self::Few { held, windows, .. } => &windows[..usize::from(*held)],
            Self::Many(many) => &many.windows,
        }
    }

    fn counts(&self) -> &[u8] {
        match self {
            Self::Few { held, counts, .. } => &counts[..usize::from(*held)],
            Self::Many(many) => &many.counts,
        }
    }

    fn last_count(&mut self) -> Option<&mut u8> {
        match self {
            Self::Few { held, counts, .. } => counts[..usize::from(*held)].last_mut(),
            Self::Many(many) => many.counts.last_mut(),
        }
    }

    /// Appends a window. It must be greater than all others.
    fn push(&mut self, window: u32) {
        match self {
            Self::Few { held, counts, windows } if usize::from(*held) < FEW => {
                windows[usize::from(*held)] = window;
                counts[usize::from(*held)] = 1;
                *held += 1;
            }
            Self::Few { .. } => {
                let (mut windows, mut counts) = (self.windows().to_vec(), self.counts().to_vec());
                windows.push(window);
                counts.push(1);
                *self = Self::Many(Box::new(Many { windows, counts }));
            }
            Self::Many(many) => {
                many.windows.push(window);
                many.counts.push(1);
            }
        }
    }
}

/// Posting lists of all memories of a mind, for one tokenisation. Terms are stored only as 64-bit hashes with a per-table key,
/// which is enough to distinguish the terms of a mind and avoids a second copy of its words.
#[derive(Default)]
pub(super) struct Postings {
    lists: HashMap<u64, List, BuildHasherDefault<AsItIs>>,
    hashed: RandomState,
    /// Document of each window, ascending.
    document_of: Vec<u32>,
    lengths: Vec<u16>,
    length_of_all: u64,
    longest: u16,
    /// Number of lists stored outside of the table, and their total length.
    outside: (usize, usize),
}

/// Identity hasher for keys that are already hashes.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole numbers are looked up");
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Terms of a question resolved against the postings.
pub(super) struct QueryTerms<'a> {
    /// Lists of the terms that occur, with the weight of each term.
    lists: Vec<(f32, &'a List)>,
    /// Total weight of the question.
    mass: f32,
    saturation: f32,
    /// Per window length: the score of a single occurrence, and the length normalisation of the denominator.
    of_length: Vec<(f32, f32)>,
}

impl Postings {
    /// Adds a window of a document.
    pub(super) fn add(&mut self, document: u32, terms: &[String]) {
        let window = self.document_of.len() as u32;
        let length = terms.len().min(usize::from(u16::MAX)) as u16;
        self.document_of.push(document);
        self.lengths.push(length);
        self.length_of_all += u64::from(length);
        self.longest = self.longest.max(length);
        for term in terms {
            let Some(list) = self.lists.get_mut(&self.hashed.hash_one(term.as_str())) else {
                self.lists.insert(self.hashed.hash_one(term.as_str()), List::of(window));
                continue;
            };
            if list.windows().last() == Some(&window) {
                let count = list.last_count().expect("a window has a count");
                *count = count.saturating_add(1);
                continue;
            }
            list.push(window);
            let held = list.windows().len();
            if held > FEW {
                let (lists, windows) = &mut self.outside;
                *lists += usize::from(held == FEW + 1);
                *windows += if held == FEW + 1 { held } else { 1 };
            }
        }
    }

    /// Frees spare capacity, after many additions.
    pub(super) fn tighten(&mut self) {
        for list in self.lists.values_mut() {
            if let List::Many(many) = list {
                many.windows.shrink_to_fit();
                many.counts.shrink_to_fit();
            }
        }
        self.lists.shrink_to_fit();
        self.document_of.shrink_to_fit();
        self.lengths.shrink_to_fit();
    }

    fn list(&self, term: &str) -> Option<&List> {
        self.lists.get(&self.hashed.hash_one(term))
    }

    /// Resolves the terms of a question. A repeated term weighs slightly more; a term that occurs nowhere lowers the coverage of
    /// every memory.
    pub(super) fn seek(&self, terms: &[String], policy: &RelevancePolicy) -> QueryTerms<'_> {
        let mut asked: HashMap<&str, u32> = HashMap::new();
        for term in terms {
            *asked.entry(term).or_default() += 1;
        }
        let mut asked: Vec<(&str, u32)> = asked.into_iter().collect();
        asked.sort_unstable();
        let windows = self.document_of.len() as f32;
        let (mut lists, mut mass) = (Vec::with_capacity(asked.len()), 0.0);
        for (term, times) in asked {
            let weight = (times.min(2) as f32).sqrt();
            let list = self.list(term);
            let holding = list.map_or(0, |list| list.windows().len()) as f32;
            let rarity = rarity(term, Held { windows, holding }, policy);
            mass += weight * rarity;
            lists.extend(list.map(|list| (weight * rarity, list)));
        }
        let mean = (self.length_of_all as f64 / self.lengths.len().max(1) as f64).max(1e-9) as f32;
        let (saturation, share) = (policy.word_saturation, policy.word_length);
        let of_length = |length: u16| {
            // `k1 * (1 - b + b * length / mean length)`
            let weight = saturation * (1.0 - share + share * f32::from(length) / mean);
            ((saturation + 1.0) / (1.0 + weight), weight)
        };
        QueryTerms { lists, mass, saturation, of_length: (0..=self.longest).map(of_length).collect() }
    }

    /// Writes to `best` how much of the question each document covers in its best window, weighted by inverse document frequency.
    /// About one if it covers everything.
    pub(super) fn coverage(&self, sought: &QueryTerms<'_>, documents: Range<usize>, best: &mut [f32]) {
        best.fill(0.0);
        if sought.lists.is_empty() || sought.mass <= 0.0 {
            return;
        }
        let first = self.document_of.partition_point(|&document| (document as usize) < documents.start);
        let end = self.document_of.partition_point(|&document| (document as usize) < documents.end);
        let mut held = vec![0f32; end - first];
        for &(worth, list) in &sought.lists {
            let (windows, counts) = (list.windows(), list.counts());
            let from = windows.partition_point(|&window| (window as usize) < first);
            let to = from + windows[from..].partition_point(|&window| (window as usize) < end);
            for (&window, &count) in windows[from..to].iter().zip(&counts[from..to]) {
                let (once, weight) = sought.of_length[usize::from(self.lengths[window as usize])];
                let count = f32::from(count);
                let share = if count == 1.0 { once } else { count * (sought.saturation + 1.0) / (count + weight) };
                held[window as usize - first] += worth * share;
            }
        }
        for (&document, &held) in self.document_of[first..end].iter().zip(&held) {
            let best = &mut best[document as usize - documents.start];
            *best = best.max(held / sought.mass);
        }
    }

    /// Checks whether any window of a document contains a term.
    pub(super) fn holds(&self, document: u32, term: &str) -> bool {
        let Some(list) = self.list(term).map(List::windows) else { return false };
        let first = self.document_of.partition_point(|other| *other < document) as u32;
        let at = list.partition_point(|window| *window < first);
        list.get(at).is_some_and(|window| self.document_of[*window as usize] == document)
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        // The table is at most seven eighths full and has one control byte per slot.
        let table = self.lists.capacity() * 8 / 7 * (std::mem::size_of::<(u64, List)>() + 1);
        let (lists, windows) = self.outside;
        table + lists * (std::mem::size_of::<Many>() + 32) + windows * 5 + self.document_of.capacity() * 6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(windows: &[(u32, &str)]) -> Postings {
        let mut postings = Postings::default();
        for (document, terms) in windows {
            postings.add(*document, &terms.split(' ').map(String::from).collect::<Vec<_>>());
        }
        postings
    }

    fn coverage(postings: &Postings, terms: &str, documents: Range<usize>) -> Vec<f32> {
        let terms: Vec<String> = terms.split(' ').map(String::from).collect();
        let sought = postings.seek(&terms, &RelevancePolicy::default());
        let mut best = vec![9.0; documents.len()];
        postings.coverage(&sought, documents, &mut best);
        best
    }

    #[test]
    fn a_memory_counts_by_its_best_window() {
        let postings = made(&[(0, "a b"), (1, "a c"), (1, "d e"), (2, "f f")]);
        let best = coverage(&postings, "a d", 0..3);
        assert!(best[0] > 0.0 && best[1] > best[0] && best[2] == 0.0, "{best:?}");
        // Both windows together would contain all terms; only the best one counts.
        assert!(best[1] < 0.9, "{best:?}");
    }

    #[test]
    fn part_by_part_gives_the_same() {
        let texts: Vec<(u32, String)> = (0..97u32).map(|number| (number / 2, format!("a{} b{} c", number % 7, number % 11))).collect();
        let postings = made(&texts.iter().map(|(document, terms)| (*document, terms.as_str())).collect::<Vec<_>>());
        let whole = coverage(&postings, "a3 b5 c c zz", 0..49);
        let parts: Vec<f32> = [0..13, 13..14, 14..49].into_iter().flat_map(|part| coverage(&postings, "a3 b5 c c zz", part)).collect();
        assert_eq!(whole, parts);
        assert!(coverage(&postings, "zz", 0..49).iter().all(|held| *held == 0.0));
    }
}
