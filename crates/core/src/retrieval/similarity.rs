//! Embeddings, and similarity on one scale for all embedders.
//!
//! Raw cosines of different embedders are not comparable: unrelated sentences have about 0.14 with one and about 0.84 with
//! another. So each embedder has a [`Calibration`], and every threshold in saegim refers to the calibrated scale.

use crate::{Invalid, Unit, phrase};

/// A direction in an embedder's space: finite, normalized, not empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Box<[f32]>);

impl Embedding {
    /// Normalizes raw components. Rejects an empty vector, non-finite components and the zero vector, because such a vector would
    /// rank first in every search.
    pub fn new(components: Vec<f32>) -> Result<Self, Invalid> {
        if components.is_empty() {
            return Err(Invalid::new("embedding", phrase!("core.similarity.vector_empty")));
        }
        if components.iter().any(|component| !component.is_finite()) {
            return Err(Invalid::new("embedding", phrase!("core.similarity.vector_not_finite")));
        }
        let length = components.iter().map(|&component| f64::from(component).powi(2)).sum::<f64>().sqrt();
        if length < 1e-12 {
            return Err(Invalid::new("embedding", phrase!("core.similarity.vector_zero")));
        }
        Ok(Self(components.into_iter().map(|component| (f64::from(component) / length) as f32).collect()))
    }

    /// Subtracts `mean`, the part all texts share, and normalizes the rest. Rejects a mean of another size, and a vector equal to
    /// the mean.
    pub fn apart_from(&self, mean: &[f32]) -> Result<Self, Invalid> {
        if mean.len() != self.0.len() {
            return Err(Invalid::new("embedding", format!("it has {} components and the mean {}", self.0.len(), mean.len())));
        }
        Self::new(self.0.iter().zip(mean).map(|(component, mean)| component - mean).collect())
    }

    /// Returns the components; their squares sum to one.
    pub fn components(&self) -> &[f32] {
        &self.0
    }

    /// Returns the number of components.
    pub fn dims(&self) -> usize {
        self.0.len()
    }

    /// Quantizes each component to -127..=127. The largest component uses the full range, so that cosines differ from the exact
    /// ones by less than 0.01.
    pub fn quantised(&self) -> Vec<i8> {
        let largest = self.0.iter().fold(0.0f32, |largest, component| largest.max(component.abs()));
        self.0.iter().map(|component| (component / largest * 127.0).round() as i8).collect()
    }

    /// Returns the raw cosine with `other`, -1..=1. Both must come from the same embedder.
    pub fn cosine(&self, other: &Self) -> f32 {
        let dot: f32 = self.0.iter().zip(other.0.iter()).map(|(a, b)| a * b).sum();
        dot.clamp(-1.0, 1.0)
    }
}

/// Returns the context of a conversation: the decaying average of its latest message vectors, newest first, each weighted `keeps`
/// times the one after it. Returns `None` without messages or if they cancel out.
pub fn running(newest_first: &[Vec<i8>], keeps: f32) -> Option<Embedding> {
    let dims = newest_first.first()?.len();
    let mut sum = vec![0.0f32; dims];
    let mut weight = 1.0;
    for vector in newest_first.iter().filter(|vector| vector.len() == dims) {
        let length = vector.iter().map(|&component| f32::from(component).powi(2)).sum::<f32>().sqrt().max(1.0);
        for (sum, &component) in sum.iter_mut().zip(vector) {
            *sum += weight * f32::from(component) / length;
        }
        weight *= keeps;
    }
    Embedding::new(sum).ok()
}

/// Monotone, piecewise linear map from an embedder's raw cosine to calibrated similarity.
///
/// Measured so that paraphrases start at 0.85, clearly related texts at 0.60, and unrelated texts are near 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration(Vec<(f32, f32)>);

impl Calibration {
    /// Creates the map from `(raw cosine, similarity)` knots, both strictly increasing, similarities in 0..=1.
    pub fn new(knots: Vec<(f32, f32)>) -> Result<Self, Invalid> {
        let rises = knots.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
        let in_range = knots.iter().all(|knot| knot.0.is_finite() && (0.0..=1.0).contains(&knot.1));
        if knots.len() < 2 || !rises || !in_range {
            let problem = phrase!("core.similarity.calibration_form");
            return Err(Invalid::new("calibration", problem));
        }
        Ok(Self(knots))
    }

    /// Derives the map from an embedder's cosines of labelled pairs. Overlapping bands are resolved conservatively: a related
    /// memory mistaken for a duplicate is lost, while a duplicate that is stored twice is only a nuisance.
    ///
    /// 0 is the 75th percentile of unrelated pairs. 0.60 is the 40th percentile of related pairs, but at least the 98th of
    /// unrelated ones. 0.85 is about the 94th percentile of related pairs.
    pub fn measured(same: &[f32], related: &[f32], unrelated: &[f32]) -> Result<Self, Invalid> {
        if same.is_empty() || related.is_empty() || unrelated.is_empty() {
            return Err(Invalid::new("calibration", phrase!("core.similarity.no_pairs")));
        }
        const APART: f32 = 0.02;
        let zero = quantile(unrelated, 0.75);
        let clearly = quantile(related, 0.40).max(quantile(unrelated, 0.98)).max(zero + 2.0 * APART);
        let alike = quantile(related, 0.9375).max(clearly + APART).min(0.99);
        let faintly = (zero + clearly) / 2.0;
        Self::new(vec![(zero, 0.0), (faintly, 0.2), (clearly, 0.6), (alike, 0.85), (1.0, 1.0)])
    }

    /// Returns the calibrated similarity of a raw cosine; constant below the first and above the last knot.
    pub fn similarity(&self, cosine: f32) -> Unit {
        let first = self.0[0];
        let last = self.0[self.0.len() - 1];
        if cosine <= first.0 || cosine.is_nan() {
            return Unit::clamped(first.1);
        }
        if cosine >= last.0 {
            return Unit::clamped(last.1);
        }
        let upper = self.0.partition_point(|knot| knot.0 < cosine);
        let (low, high) = (self.0[upper - 1], self.0[upper]);
        let share = (cosine - low.0) / (high.0 - low.0);
        Unit::clamped(low.1 + share * (high.1 - low.1))
    }

    /// Returns the knots, for docs and reports.
    pub fn knots(&self) -> &[(f32, f32)] {
        &self.0
    }
}

/// Returns the quantile of the numbers (nearest rank).
fn quantile(numbers: &[f32], share: f32) -> f32 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted[((sorted.len() - 1) as f32 * share).round() as usize]
}

/// Returns the cosine of two quantized vectors.
pub fn cosine(one: &[i8], other: &[i8]) -> f32 {
    let dot = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum::<i32>() as f32;
    let lengths = (dot(one, one) * dot(other, other)).sqrt();
    if one.len() != other.len() || lengths == 0.0 { 0.0 } else { (dot(one, other) / lengths).clamp(-1.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_map_puts_each_band_where_it_belongs() {
        let band = |low: f32, high: f32| (0..50).map(|step| low + (high - low) * step as f32 / 49.0).collect::<Vec<_>>();
        for shift in [0.0, 0.4] {
            let scale = |numbers: Vec<f32>| -> Vec<f32> { numbers.into_iter().map(|number| shift + number * (1.0 - shift)).collect() };
            let (same, related, unrelated) = (scale(band(0.6, 0.95)), scale(band(0.35, 0.7)), scale(band(0.0, 0.3)));
            let map = Calibration::measured(&same, &related, &unrelated).unwrap();
            let share = |band: &[f32], low: f32, high: f32| {
                band.iter().filter(|cosine| (low..high).contains(&map.similarity(**cosine).get())).count() as f32 / band.len() as f32
            };
            assert!(share(&unrelated, 0.0, 0.3) > 0.95 && share(&related, 0.85, 1.1) <= 0.08 && share(&same, 0.85, 1.1) > 0.6);
            assert!(share(&related, 0.6, 0.85) > 0.5, "{:?}", map.knots());
        }
        assert!(Calibration::measured(&[], &[0.1], &[0.1]).is_err());
        // Even if the bands cannot be separated there is an increasing map.
        assert!(Calibration::measured(&[0.9; 4], &[0.9; 4], &[0.9; 4]).is_ok());
    }

    #[test]
    fn the_newest_message_counts_most_and_nothing_said_is_no_context() {
        let (east, north) = (vec![127i8, 0], vec![0i8, 127]);
        let of = |said: &[Vec<i8>], keeps| running(said, keeps).map(|context| context.components().to_vec());
        assert_eq!(of(&[], 0.8), None);
        assert_eq!(of(std::slice::from_ref(&east), 0.8), Some(vec![1.0, 0.0]));
        let both = of(&[east.clone(), north.clone()], 0.8).unwrap();
        assert!(both[0] > both[1] && both[1] > 0.0, "{both:?}");
        assert_eq!(of(&[east.clone(), north], 0.0), Some(vec![1.0, 0.0]));
        assert_eq!(of(&[east, vec![-127, 0]], 1.0), None, "opposites cancel out");
    }

    fn check(components: &[f32], usable: bool) {
        assert_eq!(Embedding::new(components.to_vec()).is_ok(), usable, "{components:?}");
    }

    #[test]
    fn a_vector_that_would_hijack_search_is_refused() {
        check(&[3.0, 4.0], true);
        check(&[], false);
        check(&[0.0, 0.0], false);
        check(&[1.0, f32::NAN], false);
        check(&[1.0, f32::INFINITY], false);
    }

    #[test]
    fn an_embedding_has_length_one() {
        let embedding = Embedding::new(vec![3.0, 4.0]).unwrap();
        assert_eq!(embedding.components(), [0.6, 0.8]);
        assert!((embedding.cosine(&embedding) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_all_share_can_be_taken_off() {
        let up = Embedding::new(vec![0.8, 0.6]).unwrap();
        let down = Embedding::new(vec![0.8, -0.6]).unwrap();
        let apart = |vector: &Embedding| vector.apart_from(&[0.6, 0.0]).unwrap();
        // (0.2, 0.6) with (0.2, -0.6): 0.04 - 0.36 over 0.04 + 0.36.
        assert!((apart(&up).cosine(&apart(&down)) + 0.8).abs() < 1e-5);
        assert!(up.apart_from(&[0.6]).is_err() && up.apart_from(up.components()).is_err());
    }

    #[test]
    fn eight_bits_keep_the_direction() {
        let cosine = |a: &[i8], b: &[i8]| {
            let dot = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(x, y)| f32::from(*x) * f32::from(*y)).sum::<f32>();
            dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
        };
        let wave = |phase: f32| Embedding::new((0..256).map(|at| (at as f32 * 0.37 + phase).sin()).collect()).unwrap();
        for phase in [0.0, 0.3, 1.0, 2.0] {
            let (a, b) = (wave(0.0), wave(phase));
            assert!((cosine(&a.quantised(), &b.quantised()) - a.cosine(&b)).abs() < 0.01, "{phase}");
        }
    }

    #[test]
    fn calibration_is_linear_between_knots_and_level_outside() {
        let calibration = Calibration::new(vec![(0.1, 0.0), (0.5, 0.6), (0.9, 1.0)]).unwrap();
        for (cosine, similarity) in [(-1.0, 0.0), (0.1, 0.0), (0.3, 0.3), (0.5, 0.6), (0.7, 0.8), (0.95, 1.0), (f32::NAN, 0.0)] {
            assert!((calibration.similarity(cosine).get() - similarity).abs() < 1e-6, "{cosine}");
        }
    }

    #[test]
    fn a_map_that_falls_is_refused() {
        assert!(Calibration::new(vec![(0.1, 0.5), (0.5, 0.4)]).is_err());
        assert!(Calibration::new(vec![(0.5, 0.0), (0.1, 1.0)]).is_err());
    }
}
