//! A transformer layer: attention between the pieces of a text, then a feed-forward step for each piece.

use crate::curves::{exp, gelu};
use crate::dense::{Dense, Rows};
use crate::instructions::{Instructions, Set};
use crate::norm::Norm;

/// The weights of one layer, normalised after each step as in BERT.
pub struct TransformerLayer {
    /// Projection to queries.
    pub query: Dense,
    /// Projection to keys.
    pub key: Dense,
    /// Projection to values.
    pub value: Dense,
    /// Projection of the attended values.
    pub attended: Dense,
    /// Normalisation after the attention.
    pub attended_norm: Norm,
    /// First matrix of the feed-forward step.
    pub widen: Dense,
    /// Second matrix of the feed-forward step.
    pub narrow: Dense,
    /// Normalisation after the feed-forward step.
    pub narrow_norm: Norm,
}

impl TransformerLayer {
    /// Applies the layer to the rows `x` of one or more texts with `lengths` pieces each. A piece attends to its own text only, so the
    /// result of a text does not depend on the others. `heads` divides the width of a row.
    pub fn apply(&self, x: &mut [f32], lengths: &[usize], heads: usize) {
        let count = lengths.iter().sum();
        let through = |dense: &Dense, numbers: &[f32]| dense.product(Rows { numbers, stride: dense.shape().inputs, count });
        let (queries, keys, values) = (through(&self.query, x), through(&self.key, x), through(&self.value, x));
        let width = self.query.shape().outputs;
        let (mut seen, mut first) = (vec![0.0; count * width], 0);
        for length in lengths {
            let rows = first * width..(first + length) * width;
            let text = Attention { queries: &queries[rows.clone()], keys: &keys[rows.clone()], values: &values[rows.clone()], width };
            Step::Attend { text, seen: &mut seen[rows], head: width / heads }.run(self.query.instructions());
            first += length;
        }
        add(x, &through(&self.attended, &seen));
        self.attended_norm.apply(x);
        let mut middle = through(&self.widen, x);
        Step::Curve(&mut middle).run(self.query.instructions());
        add(x, &through(&self.narrow, &middle));
        self.narrow_norm.apply(x);
    }
}

/// Work between two matrix products. Wider instructions take less time and give the same numbers: nothing is fused or reordered.
enum Step<'a> {
    /// Adds what each piece of a text attends to. `head` is the width of a head.
    Attend { text: Attention<'a>, seen: &'a mut [f32], head: usize },
    /// Applies the GELU to each number.
    Curve(&'a mut [f32]),
}

impl Step<'_> {
    fn run(self, instructions: Instructions) {
        match instructions.set() {
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calling a function compiled for processor features that were detected")]
            // SAFETY: `Instructions` exists only for features that the processor has.
            Set::Avx512 => unsafe { self.run_with_avx512() },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calling a function compiled for processor features that were detected")]
            // SAFETY: as above.
            Set::Avx2 => unsafe { self.run_with_avx2() },
            Set::Portable => self.run_here(),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn run_with_avx512(self) {
        self.run_here();
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_with_avx2(self) {
        self.run_here();
    }

    #[inline(always)]
    fn run_here(self) {
        match self {
            Self::Attend { text, seen, head } => text.add_to(seen, head),
            Self::Curve(numbers) => numbers.iter_mut().for_each(|x| *x = gelu(*x)),
        }
    }
}

/// The rows of one text.
struct Attention<'a> {
    queries: &'a [f32],
    keys: &'a [f32],
    values: &'a [f32],
    width: usize,
}

impl Attention<'_> {
    /// Computes multi-head attention: for each piece, the values of all pieces weighted by the softmax of query times key. `head` is
    /// the width of a head.
    #[inline(always)]
    fn add_to(&self, seen: &mut [f32], head: usize) {
        let width = self.width;
        let scale = 1.0 / (head as f32).sqrt();
        let mut weights = vec![0.0; self.queries.len() / width];
        for (query, seen) in self.queries.chunks_exact(width).zip(seen.chunks_exact_mut(width)) {
            for first in (0..width).step_by(head) {
                let part = first..first + head;
                for (weight, key) in weights.iter_mut().zip(self.keys.chunks_exact(width)) {
                    *weight = dot(&query[part.clone()], &key[part.clone()]) * scale;
                }
                let most = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                weights.iter_mut().for_each(|weight| *weight = exp(*weight - most));
                let sum: f32 = weights.iter().sum();
                for (weight, value) in weights.iter().zip(self.values.chunks_exact(width)) {
                    let share = weight / sum;
                    seen[part.clone()].iter_mut().zip(&value[part.clone()]).for_each(|(seen, value)| *seen += share * value);
                }
            }
        }
    }
}

fn add(x: &mut [f32], more: &[f32]) {
    x.iter_mut().zip(more).for_each(|(x, more)| *x += more);
}

/// Dot product in eight lanes, to break the dependency between consecutive additions.
#[inline(always)]
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let ((one, one_rest), (other, other_rest)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    let mut lanes = [0.0; 8];
    for (one, other) in one.iter().zip(other) {
        for ((lane, one), other) in lanes.iter_mut().zip(one).zip(other) {
            *lane += one * other;
        }
    }
    lanes.iter().sum::<f32>() + one_rest.iter().zip(other_rest).map(|(one, other)| one * other).sum::<f32>()
}
