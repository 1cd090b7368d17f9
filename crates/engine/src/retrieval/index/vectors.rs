//! Eight-bit vectors in contiguous memory, compared with a question in bulk.

use std::ops::Range;

/// Number of vectors per chunk. Growing by chunks avoids copying existing vectors.
const PIECE: usize = 4096;

/// Initial capacity of the first chunk, in vectors: most minds are small.
const FIRST_ROOM: usize = 2;

/// One row of components per document. A document without a vector has length zero.
#[derive(Default)]
pub(super) struct VectorRows {
    dims: usize,
    /// Chunks. All but the last are full.
    pieces: Vec<Vec<i8>>,
    lengths: Vec<f32>,
}

/// The vector of a question with its length.
pub(super) struct Direction<'a> {
    components: &'a [i8],
    length: f32,
}

impl VectorRows {
    /// Sets the vector of a document. Missing rows before it stay empty.
    pub(super) fn set(&mut self, document: usize, vector: Option<&[u8]>) {
        let vector = vector.unwrap_or_default();
        if self.dims == 0 {
            self.dims = vector.len();
        }
        if self.lengths.len() <= document {
            self.lengths.resize(document + 1, 0.0);
        }
        self.lengths[document] = 0.0;
        if vector.len() != self.dims || self.dims == 0 {
            if document < self.rows() {
                let place = document % PIECE * self.dims;
                self.pieces[document / PIECE][place..place + self.dims].fill(0);
            }
            return;
        }
        self.make_room(document);
        let place = document % PIECE * self.dims;
        let row = &mut self.pieces[document / PIECE][place..place + self.dims];
        for (component, byte) in row.iter_mut().zip(vector) {
            *component = *byte as i8;
        }
        self.lengths[document] = (plain_dot(row, row) as f32).sqrt();
    }

    /// Allocates rows up to that of a document.
    fn make_room(&mut self, document: usize) {
        while self.rows() <= document {
            let whole = PIECE * self.dims;
            if self.pieces.last().is_none_or(|piece| piece.len() == whole) {
                self.pieces.push(Vec::new());
            }
            let first = (self.pieces.len() - 1) * PIECE;
            let piece = self.pieces.last_mut().expect("one was just made");
            let wanted = (document + 1 - first).min(PIECE) * self.dims;
            if piece.capacity() < wanted {
                let room = (piece.capacity() / 2 * 3).max(FIRST_ROOM * self.dims).clamp(wanted, whole);
                piece.reserve_exact(room - piece.len());
            }
            piece.resize(wanted, 0);
        }
    }

    /// Returns the number of rows, including empty ones.
    fn rows(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.len() / self.dims)
    }

    /// Returns the number of components to compare.
    pub(super) fn components(&self) -> usize {
        self.rows() * self.dims
    }

    /// Prepares the vector of a question. Returns `None` if the dimensions do not match.
    pub(super) fn direction<'a>(&self, vector: &'a [i8]) -> Option<Direction<'a>> {
        if vector.len() != self.dims || self.dims == 0 {
            return None;
        }
        Some(Direction { components: vector, length: (plain_dot(vector, vector) as f32).sqrt().max(1.0) })
    }

    /// Returns the cosine of a document with a direction, or `None` if it has no vector.
    pub(super) fn cosine(&self, direction: &Direction<'_>, document: usize) -> Option<f32> {
        let length = self.lengths.get(document).copied().filter(|length| *length > 0.0)?;
        let (mut dot, place) = ([0], document % PIECE * self.dims);
        dots_of(direction.components, &self.pieces[document / PIECE][place..place + self.dims], &mut dot);
        Some((dot[0] as f32 / (direction.length * length)).clamp(-1.0, 1.0))
    }

    /// Writes the cosine of each document with a direction, NaN for documents without a vector.
    pub(super) fn cosines(&self, direction: &Direction<'_>, documents: Range<usize>, cosines: &mut [f32]) {
        cosines.fill(f32::NAN);
        // Documents past the last row have no vector.
        let end = documents.end.min(self.rows());
        let mut dots = [0i32; 256];
        let mut from = documents.start;
        while from < end {
            let to = end.min(from + dots.len()).min((from / PIECE + 1) * PIECE);
            let place = from % PIECE * self.dims;
            let rows = &self.pieces[from / PIECE][place..place + (to - from) * self.dims];
            let dots = &mut dots[..to - from];
            dots_of(direction.components, rows, dots);
            for (document, dot) in (from..to).zip(dots) {
                let length = self.lengths[document];
                if length > 0.0 {
                    cosines[document - documents.start] = (*dot as f32 / (direction.length * length)).clamp(-1.0, 1.0);
                }
            }
            from = to;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.components() + self.lengths.len() * 4
    }
}

/// Calculates the dot product of a vector with each row, using the widest available SIMD registers.
fn dots_of(vector: &[i8], rows: &[i8], dots: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512bw") {
            #[allow(unsafe_code)]
            // SAFETY: the feature was just detected, and the function only does arithmetic on its slices.
            return unsafe { dots_avx512(vector, rows, dots) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the feature was just detected, and the function only does arithmetic on its slices.
            return unsafe { dots_avx2(vector, rows, dots) };
        }
    }
    plain_dots(vector, rows, dots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn dots_avx512(vector: &[i8], rows: &[i8], dots: &mut [i32]) {
    use std::arch::x86_64::{
        __m256i, _mm256_loadu_si256, _mm512_add_epi32, _mm512_cvtepi8_epi16, _mm512_madd_epi16, _mm512_reduce_add_epi32,
        _mm512_setzero_si512,
    };
    const LANES: usize = 32;
    let whole = vector.len() / LANES * LANES;
    for (row, out) in rows.chunks_exact(vector.len()).zip(dots) {
        // Two accumulators, so that consecutive additions do not depend on each other.
        let mut sums = [_mm512_setzero_si512(); 2];
        for (at, (ours, theirs)) in vector.chunks_exact(LANES).zip(row.chunks_exact(LANES)).enumerate() {
            #[allow(unsafe_code)]
            // SAFETY: both chunks are 32 bytes long, and the loads need no alignment.
            let (ours, theirs) =
                unsafe { (_mm256_loadu_si256(ours.as_ptr().cast::<__m256i>()), _mm256_loadu_si256(theirs.as_ptr().cast::<__m256i>())) };
            let products = _mm512_madd_epi16(_mm512_cvtepi8_epi16(ours), _mm512_cvtepi8_epi16(theirs));
            sums[at % 2] = _mm512_add_epi32(sums[at % 2], products);
        }
        *out = _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1])) + plain_dot(&vector[whole..], &row[whole..]);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dots_avx2(vector: &[i8], rows: &[i8], dots: &mut [i32]) {
    use std::arch::x86_64::{
        __m128i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
    };
    const LANES: usize = 16;
    let whole = vector.len() / LANES * LANES;
    for (row, out) in rows.chunks_exact(vector.len()).zip(dots) {
        // Two accumulators, so that consecutive additions do not depend on each other.
        let mut sums = [_mm256_setzero_si256(); 2];
        for (at, (ours, theirs)) in vector.chunks_exact(LANES).zip(row.chunks_exact(LANES)).enumerate() {
            #[allow(unsafe_code)]
            // SAFETY: both chunks are 16 bytes long, and the loads need no alignment.
            let (ours, theirs) =
                unsafe { (_mm_loadu_si128(ours.as_ptr().cast::<__m128i>()), _mm_loadu_si128(theirs.as_ptr().cast::<__m128i>())) };
            let products = _mm256_madd_epi16(_mm256_cvtepi8_epi16(ours), _mm256_cvtepi8_epi16(theirs));
            sums[at % 2] = _mm256_add_epi32(sums[at % 2], products);
        }
        let mut lanes = [0i32; 8];
        #[allow(unsafe_code)]
        // SAFETY: eight four-byte numbers fit the 32 bytes that are stored.
        unsafe {
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), _mm256_add_epi32(sums[0], sums[1]));
        }
        *out = lanes.iter().sum::<i32>() + plain_dot(&vector[whole..], &row[whole..]);
    }
}

#[inline(always)]
fn plain_dots(vector: &[i8], rows: &[i8], dots: &mut [i32]) {
    for (row, out) in rows.chunks_exact(vector.len()).zip(dots) {
        *out = plain_dot(vector, row);
    }
}

/// Calculates the dot product, written so that the compiler can vectorise it.
#[inline(always)]
fn plain_dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(i16::from(x)) * i32::from(i16::from(y))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(vectors: &VectorRows, question: &[i8], expected: &[Option<f32>]) {
        let count = vectors.lengths.len();
        let mut cosines = vec![9.0; count];
        match vectors.direction(question) {
            Some(direction) => vectors.cosines(&direction, 0..count, &mut cosines),
            None => cosines.fill(f32::NAN),
        }
        let same = |(cosine, expected): (&f32, &Option<f32>)| match expected {
            Some(expected) => (cosine - expected).abs() < 1e-5,
            None => cosine.is_nan(),
        };
        assert!(cosines.iter().zip(expected).all(same) && count == expected.len(), "{cosines:?}");
    }

    #[test]
    fn cosines_are_exact_and_missing_vectors_say_so() {
        let mut vectors = VectorRows::default();
        vectors.set(0, None);
        vectors.set(1, Some(&[3, 4, 0]));
        vectors.set(2, Some(&[0, 0, (-5i8) as u8]));
        vectors.set(3, Some(&[1, 2]));
        check(&vectors, &[6, 8, 0], &[None, Some(1.0), Some(0.0), None]);
        check(&vectors, &[1, 2], &[None; 4]);
    }

    #[test]
    fn wide_registers_give_the_same() {
        for dims in [1, 15, 16, 24, 33, 256, 512] {
            let number = |at: usize| (at * 7919 % 255) as u8 as i8;
            let vector: Vec<i8> = (0..dims).map(|at| number(at + 11)).collect();
            let rows: Vec<i8> = (0..dims * 5).map(number).collect();
            let (mut wide, mut plain) = ([0; 5], [0; 5]);
            dots_of(&vector, &rows, &mut wide);
            plain_dots(&vector, &rows, &mut plain);
            assert_eq!(wide, plain, "{dims}");
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[allow(unsafe_code)]
                // SAFETY: the feature was just detected.
                unsafe {
                    dots_avx2(&vector, &rows, &mut wide);
                }
                assert_eq!(wide, plain, "{dims}");
            }
        }
    }

    #[test]
    fn part_by_part_gives_the_same() {
        let mut vectors = VectorRows::default();
        let count = PIECE + 301;
        for row in 0..count {
            let vector: Vec<u8> = (0..24).map(|at| ((row * 31 + at * 7) % 251) as u8).collect();
            vectors.set(row, (row % 17 != 3).then_some(&vector));
        }
        let question: Vec<i8> = (0..24).map(|at| (at % 100) as i8).collect();
        let direction = vectors.direction(&question).unwrap();
        let bits = |part: Range<usize>| {
            let mut cosines = vec![0.0; part.len()];
            vectors.cosines(&direction, part, &mut cosines);
            cosines.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let parts: Vec<u32> = [0..5, 5..PIECE - 1, PIECE - 1..PIECE + 2, PIECE + 2..count].into_iter().flat_map(bits).collect();
        assert_eq!(bits(0..count), parts);
    }
}
