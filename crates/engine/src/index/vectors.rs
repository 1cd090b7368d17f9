//! Eight-bit vectors side by side, compared with a question all at once.

/// One row of components per document; a document without a vector has length zero.
#[derive(Default)]
pub(super) struct Vectors {
    dims: usize,
    components: Vec<i8>,
    lengths: Vec<f32>,
}

/// From this many components on, comparing is shared between threads.
const SHARED_FROM: usize = 8_000_000;

impl Vectors {
    /// Sets the vector of a document; rows in between are left empty.
    pub(super) fn set(&mut self, document: usize, vector: Option<&[u8]>) {
        let vector = vector.unwrap_or_default();
        if self.dims == 0 && !vector.is_empty() {
            self.dims = vector.len();
            self.components.resize(self.lengths.len() * self.dims, 0);
        }
        if self.lengths.len() <= document {
            self.lengths.resize(document + 1, 0.0);
            self.components.resize((document + 1) * self.dims, 0);
        }
        self.lengths[document] = 0.0;
        if vector.len() == self.dims && self.dims > 0 {
            let row = &mut self.components[document * self.dims..(document + 1) * self.dims];
            for (component, byte) in row.iter_mut().zip(vector) {
                *component = *byte as i8;
            }
            self.lengths[document] = (dot(row, row) as f32).sqrt();
        }
    }

    /// The cosine of every document with `vector`; none for documents without a vector.
    pub(super) fn cosines(&self, vector: &[i8]) -> Vec<Option<f32>> {
        let many = self.components.len() >= SHARED_FROM;
        self.cosines_shared(vector, if many { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 })
    }

    fn cosines_shared(&self, vector: &[i8], threads: usize) -> Vec<Option<f32>> {
        if vector.len() != self.dims || self.dims == 0 {
            return vec![None; self.lengths.len()];
        }
        let length = (dot(vector, vector) as f32).sqrt().max(1.0);
        let mut cosines = vec![None; self.lengths.len()];
        let compare = |first: usize, out: &mut [Option<f32>]| {
            for (offset, cosine) in out.iter_mut().enumerate() {
                let row = first + offset;
                let other = self.lengths[row];
                if other > 0.0 {
                    let components = &self.components[row * self.dims..(row + 1) * self.dims];
                    *cosine = Some((dot(vector, components) as f32 / (length * other)).clamp(-1.0, 1.0));
                }
            }
        };
        if threads == 1 {
            compare(0, &mut cosines);
            return cosines;
        }
        let share = cosines.len().div_ceil(threads);
        std::thread::scope(|scope| {
            for (part, out) in cosines.chunks_mut(share).enumerate() {
                let compare = &compare;
                scope.spawn(move || compare(part * share, out));
            }
        });
        cosines
    }

    pub(super) fn bytes(&self) -> usize {
        self.components.len() + self.lengths.len() * 8
    }
}

/// The dot product, by the widest registers this processor has.
fn dot(a: &[i8], b: &[i8]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the feature was just detected, and the function does nothing but arithmetic on its slices.
            return unsafe { dot_avx2(a, b) };
        }
    }
    plain_dot(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dot_avx2(a: &[i8], b: &[i8]) -> i32 {
    plain_dot(a, b)
}

/// The dot product, written so that a compiler can do many at once.
#[inline(always)]
fn plain_dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(i16::from(x)) * i32::from(i16::from(y))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_are_exact_and_missing_vectors_say_so() {
        let mut vectors = Vectors::default();
        vectors.set(0, None);
        vectors.set(1, Some(&[3, 4, 0]));
        vectors.set(2, Some(&[0, 0, (-5i8) as u8]));
        vectors.set(3, Some(&[1, 2]));
        let cosines = vectors.cosines(&[6, 8, 0]);
        assert_eq!(cosines, [None, Some(1.0), Some(0.0), None]);
        assert_eq!(vectors.cosines(&[1, 2]), [None; 4]);
    }

    #[test]
    fn sharing_between_threads_gives_the_same() {
        let mut vectors = Vectors::default();
        for row in 0..101usize {
            let vector: Vec<u8> = (0..512).map(|at| ((row * 31 + at * 7) % 251) as u8).collect();
            vectors.set(row, Some(&vector));
        }
        let question: Vec<i8> = (0..512).map(|at| (at % 100) as i8).collect();
        assert_eq!(vectors.cosines_shared(&question, 3), vectors.cosines_shared(&question, 1));
    }
}
