use saegim_core::Embedding;
use saegim_engine::{Filter, MindHandle, Page};

use super::Failed;
use crate::made::HashEmbedder;

/// Vectors in contiguous memory, with the same quantization as in saegim.
pub(super) struct Scan {
    components: Vec<i8>,
    dims: usize,
    cores: usize,
}

impl Scan {
    /// Loads the vectors of all memories of a mind.
    pub(super) async fn of(mind: &MindHandle, size: usize) -> Result<Self, Failed> {
        let dims = 512;
        let mut components = Vec::with_capacity(size * dims);
        let mut page = Page { limit: 1000, before: None };
        loop {
            let memories = mind.list(&Filter::default(), page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            components.extend(memories.iter().flat_map(|memory| Embedding::quantised(&HashEmbedder::vector(&memory.content, dims))));
        }
        Ok(Self { components, dims, cores: std::thread::available_parallelism().map_or(1, usize::from) })
    }

    /// Returns the nearest rows. Uses the same number of threads as saegim.
    pub(super) fn nearest(&self, vector: &[i8], count: usize) -> Vec<(i32, usize)> {
        let threads = self.cores.min(self.components.len() / 6_000_000).max(1);
        let rows = self.components.len() / self.dims;
        let share = rows.div_ceil(threads).max(1);
        let part = |first: usize| {
            let rows = &self.components[first * self.dims..(first + share).min(rows) * self.dims];
            let mut best: Vec<(i32, usize)> = Vec::with_capacity(count * 2);
            compare(vector, rows, |row, dot| {
                if best.len() < count || dot > best[count - 1].0 {
                    best.push((dot, first + row));
                    best.sort_unstable_by(|a, b| b.cmp(a));
                    best.truncate(count);
                }
            });
            best
        };
        let mut all: Vec<(i32, usize)> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || part(thread * share))).collect();
            let mut all = part(0);
            all.extend(others.into_iter().flat_map(|other| other.join().expect("comparing does not panic")));
            all
        });
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.truncate(count);
        all
    }
}

/// Calls `told` with the dot product of every row. Uses AVX2 if the processor supports it.
fn compare(vector: &[i8], rows: &[i8], told: impl FnMut(usize, i32)) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the feature was just detected, and the function does nothing but arithmetic on its slices.
            return unsafe { compare_avx2(vector, rows, told) };
        }
    }
    compare_plain(vector, rows, told);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn compare_avx2(vector: &[i8], rows: &[i8], mut told: impl FnMut(usize, i32)) {
    use std::arch::x86_64::{
        __m128i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
    };
    const LANES: usize = 16;
    let whole = vector.len() / LANES * LANES;
    for (number, row) in rows.chunks_exact(vector.len()).enumerate() {
        // Two accumulators, so that consecutive additions do not depend on each other.
        let mut sums = [_mm256_setzero_si256(); 2];
        for (at, (ours, theirs)) in vector.chunks_exact(LANES).zip(row.chunks_exact(LANES)).enumerate() {
            #[allow(unsafe_code)]
            // SAFETY: both chunks are sixteen bytes long, and the loads need no alignment.
            let (ours, theirs) =
                unsafe { (_mm_loadu_si128(ours.as_ptr().cast::<__m128i>()), _mm_loadu_si128(theirs.as_ptr().cast::<__m128i>())) };
            let products = _mm256_madd_epi16(_mm256_cvtepi8_epi16(ours), _mm256_cvtepi8_epi16(theirs));
            sums[at % 2] = _mm256_add_epi32(sums[at % 2], products);
        }
        let mut lanes = [0i32; 8];
        #[allow(unsafe_code)]
        // SAFETY: eight 4-byte integers have exactly the 32 bytes that are stored.
        unsafe {
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), _mm256_add_epi32(sums[0], sums[1]));
        }
        told(number, lanes.iter().sum::<i32>() + dot(&vector[whole..], &row[whole..]));
    }
}

fn compare_plain(vector: &[i8], rows: &[i8], mut told: impl FnMut(usize, i32)) {
    for (row, components) in rows.chunks_exact(vector.len()).enumerate() {
        told(row, dot(vector, components));
    }
}

fn dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
}
