//! Which windows of which memories hold a term, and how much of a question each memory holds (BM25, over windows).

use std::collections::HashMap;

use saegim_core::{Held, RelevancePolicy, rarity};

/// The windows that hold one term, and how often.
#[derive(Default)]
struct List {
    windows: Vec<u32>,
    counts: Vec<u8>,
}

/// Terms of all memories of a mind, one way of cutting.
#[derive(Default)]
pub(super) struct Postings {
    number_of: HashMap<Box<str>, u32>,
    lists: Vec<List>,
    /// The document each window belongs to, rising.
    document_of: Vec<u32>,
    lengths: Vec<u16>,
    /// `k1 * (1 - b + b * length / mean length)` of each window.
    weights: Vec<f32>,
    saturation: f32,
    postings: usize,
}

impl Postings {
    /// Adds a window of a document.
    pub(super) fn add(&mut self, document: u32, terms: &[String]) {
        let window = self.document_of.len() as u32;
        self.document_of.push(document);
        self.lengths.push(terms.len().min(usize::from(u16::MAX)) as u16);
        for term in terms {
            let number = match self.number_of.get(term.as_str()) {
                Some(number) => *number,
                None => {
                    let number = self.lists.len() as u32;
                    self.number_of.insert(term.as_str().into(), number);
                    self.lists.push(List::default());
                    number
                }
            };
            let list = &mut self.lists[number as usize];
            if list.windows.last() == Some(&window) {
                let count = list.counts.last_mut().expect("a window has a count");
                *count = count.saturating_add(1);
            } else {
                list.windows.push(window);
                list.counts.push(1);
                self.postings += 1;
            }
        }
    }

    /// Works out what depends on the mean length of all windows.
    pub(super) fn settle(&mut self, policy: &RelevancePolicy) {
        let total: f64 = self.lengths.iter().map(|&length| f64::from(length)).sum();
        let mean = (total / self.lengths.len().max(1) as f64).max(1e-9) as f32;
        let (saturation, share) = (policy.word_saturation, policy.word_length);
        self.saturation = saturation;
        self.weights.clear();
        self.weights.extend(self.lengths.iter().map(|&length| saturation * (1.0 - share + share * f32::from(length) / mean)));
    }

    /// How much of the question's terms each document holds in its best window, by the terms' rarity: about one when all.
    /// A term asked twice counts a little more; one that nobody holds counts against everybody.
    pub(super) fn coverage(&self, terms: &[String], documents: usize, policy: &RelevancePolicy) -> Vec<f32> {
        let mut asked: HashMap<&str, u32> = HashMap::new();
        for term in terms {
            *asked.entry(term).or_default() += 1;
        }
        let mut asked: Vec<(&str, u32)> = asked.into_iter().collect();
        asked.sort_unstable();
        let windows = self.document_of.len() as f32;
        let mut held = vec![0f32; self.document_of.len()];
        let mut mass = 0.0;
        for (term, times) in asked {
            let weight = (times.min(2) as f32).sqrt();
            let list = self.number_of.get(term).map(|number| &self.lists[*number as usize]);
            let holding = list.map_or(0, |list| list.windows.len()) as f32;
            let rarity = rarity(term, Held { windows, holding }, policy);
            mass += weight * rarity;
            let Some(list) = list else { continue };
            for (&window, &count) in list.windows.iter().zip(&list.counts) {
                let count = f32::from(count);
                held[window as usize] += weight * rarity * count * (self.saturation + 1.0) / (count + self.weights[window as usize]);
            }
        }
        let mut best = vec![0f32; documents];
        if mass > 0.0 {
            for (&document, &held) in self.document_of.iter().zip(&held) {
                let best = &mut best[document as usize];
                *best = best.max(held / mass);
            }
        }
        best
    }

    /// Whether any window of a document holds a term.
    pub(super) fn holds(&self, document: u32, term: &str) -> bool {
        let Some(number) = self.number_of.get(term) else { return false };
        let first = self.document_of.partition_point(|other| *other < document) as u32;
        let list = &self.lists[*number as usize].windows;
        let at = list.partition_point(|window| *window < first);
        list.get(at).is_some_and(|window| self.document_of[*window as usize] == document)
    }

    pub(super) fn bytes(&self) -> usize {
        let names: usize = self.number_of.keys().map(|term| term.len() + 32).sum();
        self.postings * 5 + self.document_of.len() * 10 + self.lists.len() * 48 + names
    }
}
