//! Matrix products with 8-bit weights, where an encoder spends nearly all of its time.
//!
//! Weights stay 8 bits wide in memory, in panels of [`WIDTH`] outputs. A product widens one panel at a time and multiplies all
//! rows with it, one tile of rows at a time, so that the sums stay in registers. A single row uses several panels at once
//! instead. Each output is summed over its inputs in the same order, independent of the other rows and of the register width,
//! so the vector of a text does not depend on its batch.

use crate::bytes::{Bytes, floats};
use crate::damaged::Damaged;
use crate::instructions::{Instructions, Set};

/// Outputs per panel: two registers of eight values, or one of sixteen.
const WIDTH: usize = 16;
/// Rows per tile. With two registers of weights and one of input, six rows fill the sixteen registers.
const TILE: usize = 6;
/// Rows per tile on processors with thirty-two registers of sixteen values.
const TALL: usize = 12;
/// Panels processed at once for a single row, to break the dependency between consecutive sums.
const ABREAST: usize = 4;

/// A matrix of 8-bit weights with one scale per block of inputs, and a bias.
pub struct Dense {
    shape: Shape,
    /// Panels in order, `[panel][input][WIDTH]`; the last panel is padded with zeros.
    panels: Vec<[i8; WIDTH]>,
    /// `[panel][block][WIDTH]`.
    scales: Vec<[f32; WIDTH]>,
    bias: Vec<f32>,
    instructions: Instructions,
}

/// Size of a matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of values in an input row.
    pub inputs: usize,
    /// Number of values in an output row.
    pub outputs: usize,
    /// Number of consecutive inputs that share a scale. The number of inputs is a multiple of it.
    pub block: usize,
}

/// Rows to multiply. Row `i` is the `inputs` values from `i * stride` on, so rows may overlap.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// Values of all rows.
    pub numbers: &'a [f32],
    /// Distance between the starts of two rows.
    pub stride: usize,
    /// Number of rows.
    pub count: usize,
}

/// Rows to multiply, each with its own start.
#[derive(Clone, Copy)]
pub struct Picked<'a> {
    /// Values of all rows.
    pub numbers: &'a [f32],
    /// Start of each row.
    pub starts: &'a [usize],
}

impl Dense {
    /// Reads a matrix in the layout of the model file: inputs, outputs, scales, weights `[input][output]`.
    pub fn read(section: &[u8], bias: Vec<f32>, what: &str) -> Result<Self, Damaged> {
        let mut section = Bytes::new(section);
        let (inputs, outputs) = (section.size(what)?, section.size(what)?);
        let scales = floats(section.take(outputs.saturating_mul(4), what)?, what)?;
        let weights = section.take(inputs.saturating_mul(outputs), what)?;
        if !section.is_empty() || weights.is_empty() || !(bias.is_empty() || bias.len() == outputs) {
            return Err(Damaged::new(format_args!("section {what} is not a matrix with its bias")));
        }
        let weight = |input: usize, output: usize| weights[input * outputs + output].cast_signed();
        Ok(Self::new(Shape { inputs, outputs, block: inputs }, bias, |_, output| scales[output], weight))
    }

    /// Packs the weights `weight(input, output) * scale(block, output)`. `bias` may be empty.
    pub fn new(shape: Shape, bias: Vec<f32>, scale: impl Fn(usize, usize) -> f32, weight: impl Fn(usize, usize) -> i8) -> Self {
        let Shape { inputs, outputs, block } = shape;
        let bias = if bias.is_empty() { vec![0.0; outputs] } else { bias };
        assert!(inputs > 0 && inputs.is_multiple_of(block) && bias.len() == outputs, "whoever reads the file has checked the shape");
        Self {
            shape,
            panels: panels(inputs, outputs, weight),
            scales: panels(inputs / block, outputs, scale),
            bias,
            instructions: Instructions::detected(),
        }
    }

    /// Uses these instructions instead of the widest ones.
    pub fn with(self, instructions: Instructions) -> Self {
        Self { instructions, ..self }
    }

    /// Returns the instructions in use.
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Returns the size of the matrix.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the product of `rows` with the weights, plus the bias: `[row][output]`.
    pub fn product(&self, rows: Rows) -> Vec<f32> {
        let starts: Vec<usize> = (0..rows.count).map(|row| row * rows.stride).collect();
        self.product_of(Picked { numbers: rows.numbers, starts: &starts })
    }

    /// Like [`Dense::product`], for rows with arbitrary starts.
    pub fn product_of(&self, rows: Picked) -> Vec<f32> {
        assert!(rows.starts.iter().all(|start| start + self.shape.inputs <= rows.numbers.len()), "rows reach past their numbers");
        let mut out = vec![0.0; rows.starts.len() * self.shape.outputs];
        match self.instructions.set() {
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calling a function compiled for processor features that were detected")]
            // SAFETY: `Instructions` exists only for features that the processor has.
            Set::Avx512 => unsafe { self.product_with_avx512(rows, &mut out) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calling a function compiled for processor features that were detected")]
            // SAFETY: as above.
            Set::Avx2 => unsafe { self.product_with_avx2(rows, &mut out) },
            Set::Portable => self.product_with::<TILE, { cfg!(target_arch = "aarch64") }>(rows, &mut out),
        }
        out
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn product_with_avx512(&self, rows: Picked, out: &mut [f32]) {
        self.product_with::<TALL, true>(rows, out);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn product_with_avx2(&self, rows: Picked, out: &mut [f32]) {
        self.product_with::<TILE, true>(rows, out);
    }

    /// Computes the product with or without fused multiply-add, which is slow on processors that lack it.
    #[inline(always)]
    fn product_with<const HEIGHT: usize, const FUSED: bool>(&self, rows: Picked, out: &mut [f32]) {
        let Shape { inputs, outputs, .. } = self.shape;
        if let [start] = rows.starts {
            return self.single::<FUSED>(&rows.numbers[*start..][..inputs], out);
        }
        // Tiles of nearly equal height: a single leftover row would take as long as four.
        let tiles = rows.starts.len().div_ceil(HEIGHT).max(1);
        let height = rows.starts.len().div_ceil(tiles).max(1);
        let packed = self.pack(rows, height);
        let mut wide = vec![[0.0; WIDTH]; inputs];
        for number in 0..self.panels.len() / inputs {
            let mut panel = Panel { number, widened: false, wide: &mut wide };
            for (tile, packed) in packed.chunks(height * inputs).enumerate() {
                let out = &mut out[tile * height * outputs..];
                match packed.len() / inputs {
                    1 => self.tile::<1, FUSED>(packed, &mut panel, out),
                    2 => self.tile::<2, FUSED>(packed, &mut panel, out),
                    3 => self.tile::<3, FUSED>(packed, &mut panel, out),
                    4 => self.tile::<4, FUSED>(packed, &mut panel, out),
                    5 => self.tile::<5, FUSED>(packed, &mut panel, out),
                    TILE => self.tile::<TILE, FUSED>(packed, &mut panel, out),
                    7 => self.tile::<7, FUSED>(packed, &mut panel, out),
                    8 => self.tile::<8, FUSED>(packed, &mut panel, out),
                    9 => self.tile::<9, FUSED>(packed, &mut panel, out),
                    10 => self.tile::<10, FUSED>(packed, &mut panel, out),
                    11 => self.tile::<11, FUSED>(packed, &mut panel, out),
                    _ => self.tile::<TALL, FUSED>(packed, &mut panel, out),
                }
            }
        }
    }

    /// Computes the product of a tile of `COUNT` rows with one panel.
    #[inline(always)]
    fn tile<const COUNT: usize, const FUSED: bool>(&self, packed: &[f32], panel: &mut Panel<'_>, out: &mut [f32]) {
        let Shape { inputs, block, .. } = self.shape;
        let sums = if panel.widened {
            let mut sums = Sums::<COUNT>::new();
            for (inputs, weights) in packed.as_chunks::<COUNT>().0.iter().zip(panel.wide.iter()) {
                sums.add::<FUSED>(inputs, weights);
            }
            sums
        } else {
            let weights = &self.panels[panel.number * inputs..][..inputs];
            let scales = &self.scales[panel.number * (inputs / block)..][..inputs / block];
            let mut sums = Sums::<COUNT>::new();
            // Widening in the same loop keeps the compiler from interchanging the loops, which is many times slower.
            let blocks = packed.chunks_exact(COUNT * block).zip(panel.wide.chunks_exact_mut(block));
            for ((packed, wide), (weights, scales)) in blocks.zip(weights.chunks_exact(block).zip(scales)) {
                for ((inputs, wide), weights) in packed.as_chunks::<COUNT>().0.iter().zip(wide).zip(weights) {
                    *wide = widened(*weights, *scales);
                    sums.add::<FUSED>(inputs, wide);
                }
            }
            panel.widened = true;
            sums
        };
        self.finish(&sums.all(), out, panel.number);
    }

    /// Computes the product of one row with [`ABREAST`] panels at a time, directly from the 8-bit weights.
    #[inline(always)]
    fn single<const FUSED: bool>(&self, row: &[f32], out: &mut [f32]) {
        let Shape { inputs, block, .. } = self.shape;
        let (panels, blocks) = (self.panels.len() / inputs, inputs / block);
        for first in (0..panels).step_by(ABREAST) {
            // Past the last panel, the first panel of the group is summed again and the result is discarded.
            let at = |place: usize| if first + place < panels { first + place } else { first };
            let weights: [_; ABREAST] = std::array::from_fn(|place| &self.panels[at(place) * inputs..][..inputs]);
            let scales: [_; ABREAST] = std::array::from_fn(|place| &self.scales[at(place) * blocks..][..blocks]);
            let [mut a, mut b, mut c, mut d] = [[0.0; WIDTH]; ABREAST];
            for number in 0..blocks {
                let scales: [[f32; WIDTH]; ABREAST] = std::array::from_fn(|place| scales[place][number]);
                for (input, number) in row[number * block..][..block].iter().zip(number * block..) {
                    add_one::<FUSED>(&mut a, *input, &widened(weights[0][number], scales[0]));
                    add_one::<FUSED>(&mut b, *input, &widened(weights[1][number], scales[1]));
                    add_one::<FUSED>(&mut c, *input, &widened(weights[2][number], scales[2]));
                    add_one::<FUSED>(&mut d, *input, &widened(weights[3][number], scales[3]));
                }
            }
            for (sums, panel) in [a, b, c, d].into_iter().zip(first..panels) {
                self.finish(&[sums], out, panel);
            }
        }
    }

    /// Packs the rows into tiles of equal height (the last may be lower), `[input][row]` within a tile, as [`Sums`] reads them.
    fn pack(&self, rows: Picked, height: usize) -> Vec<f32> {
        let inputs = self.shape.inputs;
        let mut packed = vec![0.0; rows.starts.len() * inputs];
        for (packed, starts) in packed.chunks_mut(height * inputs).zip(rows.starts.chunks(height)) {
            let height = starts.len();
            for (row, &start) in starts.iter().enumerate() {
                for (cell, number) in packed[row..].iter_mut().step_by(height).zip(&rows.numbers[start..start + inputs]) {
                    *cell = *number;
                }
            }
        }
        packed
    }

    /// Writes the sums of a tile and a panel, plus the bias, to their rows of `out`.
    fn finish(&self, sums: &[[f32; WIDTH]], out: &mut [f32], panel: usize) {
        let (first, last) = (panel * WIDTH, (panel * WIDTH + WIDTH).min(self.shape.outputs));
        for (sums, out) in sums.iter().zip(out.chunks_exact_mut(self.shape.outputs)) {
            for ((out, sum), bias) in out[first..last].iter_mut().zip(sums).zip(&self.bias[first..last]) {
                *out = sum + bias;
            }
        }
    }
}

/// Returns the values `number(row, output)` as `[panel][row][WIDTH]`.
fn panels<T: Copy + Default>(rows: usize, outputs: usize, number: impl Fn(usize, usize) -> T) -> Vec<[T; WIDTH]> {
    let mut panels = vec![[T::default(); WIDTH]; rows * outputs.div_ceil(WIDTH)];
    for (panel, cells) in panels.chunks_exact_mut(rows).enumerate() {
        for (row, cells) in cells.iter_mut().enumerate() {
            for (cell, output) in cells.iter_mut().zip(panel * WIDTH..outputs) {
                *cell = number(row, output);
            }
        }
    }
    panels
}

/// A panel and, once widened, its weights as `f32`.
struct Panel<'a> {
    number: usize,
    widened: bool,
    wide: &'a mut [[f32; WIDTH]],
}

/// Sums of one tile of `COUNT` rows with one panel. Uses twelve fields instead of an array because only fields stay in
/// registers in every build.
struct Sums<const COUNT: usize> {
    a: [f32; WIDTH],
    b: [f32; WIDTH],
    c: [f32; WIDTH],
    d: [f32; WIDTH],
    e: [f32; WIDTH],
    f: [f32; WIDTH],
    g: [f32; WIDTH],
    h: [f32; WIDTH],
    i: [f32; WIDTH],
    j: [f32; WIDTH],
    k: [f32; WIDTH],
    l: [f32; WIDTH],
}

impl<const COUNT: usize> Sums<COUNT> {
    #[inline(always)]
    fn new() -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = [[0.0; WIDTH]; TALL];
        Self { a, b, c, d, e, f, g, h, i, j, k, l }
    }

    /// Adds one input of every row times the weights.
    #[inline(always)]
    fn add<const FUSED: bool>(&mut self, inputs: &[f32; COUNT], weights: &[f32; WIDTH]) {
        add::<COUNT, 0, FUSED>(&mut self.a, inputs, weights);
        add::<COUNT, 1, FUSED>(&mut self.b, inputs, weights);
        add::<COUNT, 2, FUSED>(&mut self.c, inputs, weights);
        add::<COUNT, 3, FUSED>(&mut self.d, inputs, weights);
        add::<COUNT, 4, FUSED>(&mut self.e, inputs, weights);
        add::<COUNT, 5, FUSED>(&mut self.f, inputs, weights);
        add::<COUNT, 6, FUSED>(&mut self.g, inputs, weights);
        add::<COUNT, 7, FUSED>(&mut self.h, inputs, weights);
        add::<COUNT, 8, FUSED>(&mut self.i, inputs, weights);
        add::<COUNT, 9, FUSED>(&mut self.j, inputs, weights);
        add::<COUNT, 10, FUSED>(&mut self.k, inputs, weights);
        add::<COUNT, 11, FUSED>(&mut self.l, inputs, weights);
    }

    #[inline(always)]
    fn all(self) -> [[f32; WIDTH]; COUNT] {
        let all = [self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h, self.i, self.j, self.k, self.l];
        std::array::from_fn(|row| all[row])
    }
}

/// Converts 8-bit weights to scaled `f32` values.
#[inline(always)]
fn widened(weights: [i8; WIDTH], scales: [f32; WIDTH]) -> [f32; WIDTH] {
    let mut wide = scales;
    for (wide, weight) in wide.iter_mut().zip(weights) {
        *wide *= f32::from(weight);
    }
    wide
}

/// Adds input `ROW` times the weights if the tile has that row.
#[inline(always)]
fn add<const COUNT: usize, const ROW: usize, const FUSED: bool>(sums: &mut [f32; WIDTH], inputs: &[f32; COUNT], weights: &[f32; WIDTH]) {
    if ROW < COUNT {
        add_one::<FUSED>(sums, inputs[ROW], weights);
    }
}

/// Adds one input times the weights.
#[inline(always)]
fn add_one<const FUSED: bool>(sums: &mut [f32; WIDTH], input: f32, weights: &[f32; WIDTH]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = if FUSED { input.mul_add(*weight, *sum) } else { input * weight + *sum };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns small integers, so that every summation order gives the same result.
    fn weight(input: usize, output: usize) -> i8 {
        ((input * 7 + output * 3) % 11) as i8 - 5
    }

    fn check(shape: Shape, count: usize, stride: usize) {
        let Shape { inputs, outputs, block } = shape;
        let numbers: Vec<f32> = (0..inputs + stride * count).map(|place| ((place * 5) % 13) as f32 - 6.0).collect();
        let scale = |block: usize, output: usize| 0.5 + (block * 2 + output) as f32;
        let bias: Vec<f32> = (0..outputs).map(|output| output as f32 - 2.0).collect();
        let rows = Rows { numbers: &numbers, stride, count };
        for instructions in Instructions::all() {
            let product = Dense::new(shape, bias.clone(), scale, weight).with(instructions).product(rows);
            for row in 0..count {
                for output in 0..outputs {
                    let term =
                        |input: usize| numbers[row * stride + input] * f32::from(weight(input, output)) * scale(input / block, output);
                    let expected = (0..inputs).map(term).sum::<f32>() + bias[output];
                    assert_eq!(
                        product[row * outputs + output],
                        expected,
                        "{instructions:?} {inputs}x{outputs}, row {row}, output {output}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_product_is_what_the_slow_obvious_loop_says() {
        for count in 0..27 {
            check(Shape { inputs: 8, outputs: 16, block: 8 }, count, 8);
            check(Shape { inputs: 5, outputs: 3, block: 1 }, count, 5);
            check(Shape { inputs: 9, outputs: 33, block: 3 }, count, 2);
            check(Shape { inputs: 4, outputs: 100, block: 2 }, count, 4);
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
