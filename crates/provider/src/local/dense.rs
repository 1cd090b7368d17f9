//! Products with a matrix of 8-bit weights: where nearly all of an encoder's time goes.
//!
//! Weights stay 8 bits wide in memory, in panels of [`WIDTH`] outputs. A product widens one panel at a time
//! and runs all its rows over it, [`HEIGHT`] at a time, so that the sums stay in registers. Every output is
//! summed over its inputs in the same order whatever the other rows are: a text's vector does not depend on
//! the batch it came in.

use super::file::{Bytes, broken, floats};
use crate::ProviderError;

/// Outputs side by side: two registers of eight.
const WIDTH: usize = 16;
/// Rows at once: with two registers of weights and one of input, six rows fill the sixteen there are.
const HEIGHT: usize = 6;

/// A matrix of 8-bit weights with one scale per output, and a bias.
pub struct Dense {
    inputs: usize,
    outputs: usize,
    /// Panel after panel: `[panel][input][WIDTH]`, the last panel filled up with zeros.
    panels: Vec<[i8; WIDTH]>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// Rows to multiply: row `i` is `inputs` numbers from `i * stride` on, so that rows may overlap.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// The numbers.
    pub numbers: &'a [f32],
    /// How far apart rows begin.
    pub stride: usize,
    /// How many rows there are.
    pub count: usize,
}

impl Dense {
    /// Reads a matrix as the model file holds it: inputs, outputs, scales, weights `[input][output]`.
    pub fn read(section: &[u8], bias: Vec<f32>, what: &str) -> Result<Self, ProviderError> {
        let mut section = Bytes::new(section);
        let (inputs, outputs) = (section.size(what)?, section.size(what)?);
        let scales = floats(section.take(outputs.saturating_mul(4), what)?, what)?;
        let weights = section.take(inputs.saturating_mul(outputs), what)?;
        if !section.is_empty() || inputs == 0 || outputs == 0 {
            return Err(broken(format_args!("section {what} is not a matrix")));
        }
        Self::new(inputs, scales, bias, |input, output| weights[input * outputs + output].cast_signed())
            .map_err(|_| broken(format_args!("section {what} and its bias do not fit together")))
    }

    /// Packs the weights `weight(input, output)`; `bias` may be empty.
    pub fn new(inputs: usize, scales: Vec<f32>, bias: Vec<f32>, weight: impl Fn(usize, usize) -> i8) -> Result<Self, ProviderError> {
        let outputs = scales.len();
        let bias = if bias.is_empty() { vec![0.0; outputs] } else { bias };
        if bias.len() != outputs {
            return Err(broken("a matrix and its bias do not fit together"));
        }
        let mut panels = vec![[0; WIDTH]; inputs * outputs.div_ceil(WIDTH)];
        for (panel, rows) in panels.chunks_exact_mut(inputs).enumerate() {
            let first = panel * WIDTH;
            for (input, row) in rows.iter_mut().enumerate() {
                for (cell, output) in row.iter_mut().zip(first..outputs) {
                    *cell = weight(input, output);
                }
            }
        }
        Ok(Self { inputs, outputs, panels, scales, bias })
    }

    /// How many numbers a row must have.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many numbers a row gives.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The product of `rows` with the weights, plus the bias: `[row][output]`.
    pub fn product(&self, rows: Rows) -> Vec<f32> {
        assert!(rows.count == 0 || (rows.count - 1) * rows.stride + self.inputs <= rows.numbers.len(), "rows reach past their numbers");
        let mut out = vec![0.0; rows.count * self.outputs];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            #[expect(unsafe_code, reason = "calling a function compiled for processor features that were just detected")]
            // SAFETY: the features this function is compiled for are there.
            unsafe {
                self.product_with_avx2(rows, &mut out);
            };
            return out;
        }
        self.product_with::<{ cfg!(target_arch = "aarch64") }>(rows, &mut out);
        out
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn product_with_avx2(&self, rows: Rows, out: &mut [f32]) {
        self.product_with::<true>(rows, out);
    }

    /// The product, with or without fused multiplication and addition: where the processor lacks it, it is slow.
    #[inline(always)]
    fn product_with<const FUSED: bool>(&self, rows: Rows, out: &mut [f32]) {
        let mut wide = vec![[0.0; WIDTH]; self.inputs];
        for (panel, weights) in self.panels.chunks_exact(self.inputs).enumerate() {
            for (wide, narrow) in wide.iter_mut().zip(weights) {
                *wide = narrow.map(f32::from);
            }
            let mut block = Block { rows, wide: &wide, first: panel * WIDTH, row: 0 };
            while block.row < rows.count {
                match rows.count - block.row {
                    1 => self.tile::<1, FUSED>(&mut block, out),
                    2 => self.tile::<2, FUSED>(&mut block, out),
                    3 => self.tile::<3, FUSED>(&mut block, out),
                    4 => self.tile::<4, FUSED>(&mut block, out),
                    5 => self.tile::<5, FUSED>(&mut block, out),
                    _ => self.tile::<HEIGHT, FUSED>(&mut block, out),
                }
            }
        }
    }

    /// The next `COUNT` rows of one panel.
    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "counted loops are what the compiler turns into registers; iterators were ten times slower"
    )]
    fn tile<const COUNT: usize, const FUSED: bool>(&self, block: &mut Block, out: &mut [f32]) {
        let start = |index: usize| (block.row + index) * block.rows.stride;
        let inputs: [&[f32]; COUNT] = std::array::from_fn(|index| &block.rows.numbers[start(index)..start(index) + block.wide.len()]);
        let mut sums = [[0.0; WIDTH]; COUNT];
        for place in 0..block.wide.len() {
            let weights = &block.wide[place];
            for row in 0..COUNT {
                let input = inputs[row][place];
                for output in 0..WIDTH {
                    sums[row][output] = multiply_add::<FUSED>(input, weights[output], sums[row][output]);
                }
            }
        }
        let last = (block.first + WIDTH).min(self.outputs);
        for (sums, out) in sums.iter().zip(out[block.row * self.outputs..].chunks_exact_mut(self.outputs)) {
            let scaled = self.scales[block.first..last].iter().zip(&self.bias[block.first..last]);
            for ((out, sum), (scale, bias)) in out[block.first..last].iter_mut().zip(sums).zip(scaled) {
                *out = sum * scale + bias;
            }
        }
        block.row += COUNT;
    }
}

#[inline(always)]
fn multiply_add<const FUSED: bool>(factor: f32, other: f32, summand: f32) -> f32 {
    if FUSED { factor.mul_add(other, summand) } else { factor * other + summand }
}

/// Where a product stands: its rows, the widened panel and that panel's first output, and the next row.
struct Block<'a> {
    rows: Rows<'a>,
    wide: &'a [[f32; WIDTH]],
    first: usize,
    row: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small whole numbers, so that every order of summing gives the same.
    fn weight(input: usize, output: usize) -> i8 {
        ((input * 7 + output * 3) % 11) as i8 - 5
    }

    fn check(inputs: usize, outputs: usize, count: usize, stride: usize) {
        let numbers: Vec<f32> = (0..inputs + stride * count).map(|place| ((place * 5) % 13) as f32 - 6.0).collect();
        let scales: Vec<f32> = (0..outputs).map(|output| 0.5 + output as f32).collect();
        let bias: Vec<f32> = (0..outputs).map(|output| output as f32 - 2.0).collect();
        let dense = Dense::new(inputs, scales.clone(), bias.clone(), weight).unwrap();
        let product = dense.product(Rows { numbers: &numbers, stride, count });
        let mut portable = vec![0.0; count * outputs];
        dense.product_with::<false>(Rows { numbers: &numbers, stride, count }, &mut portable);
        for row in 0..count {
            for output in 0..outputs {
                let sum: f32 = (0..inputs).map(|input| numbers[row * stride + input] * f32::from(weight(input, output))).sum();
                let expected = sum * scales[output] + bias[output];
                assert_eq!(product[row * outputs + output], expected, "{inputs}x{outputs}, row {row}, output {output}");
                assert_eq!(portable[row * outputs + output], expected, "portable {inputs}x{outputs}, row {row}, output {output}");
            }
        }
    }

    #[test]
    fn a_product_is_what_the_slow_obvious_loop_says() {
        for count in 0..14 {
            check(8, 16, count, 8);
            check(5, 3, count, 5);
            check(9, 33, count, 2);
        }
    }

    #[test]
    fn a_matrix_that_is_cut_short_or_goes_on_is_refused() {
        let mut section = vec![];
        section.extend_from_slice(&2u32.to_le_bytes());
        section.extend_from_slice(&1u32.to_le_bytes());
        section.extend_from_slice(&0.5f32.to_le_bytes());
        section.extend_from_slice(&[1, 0xFF]);
        let dense = Dense::read(&section, vec![], "it").unwrap();
        assert_eq!(dense.product(Rows { numbers: &[4.0, 6.0], stride: 2, count: 1 }), [-1.0]);
        for end in 0..section.len() {
            assert!(Dense::read(&section[..end], vec![], "it").is_err(), "{end}");
        }
        assert!(Dense::read(&[section.clone(), vec![0]].concat(), vec![], "it").is_err());
        assert!(Dense::read(&section, vec![1.0, 2.0], "it").is_err());
        section[..8].fill(0xFF);
        assert!(Dense::read(&section, vec![], "it").is_err());
    }
}
