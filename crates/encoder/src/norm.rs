//! Layer normalisation: every row is brought to mean 0 and variance 1, then scaled and shifted.

/// Parameters of one normalisation.
pub struct Norm {
    /// Factor per component.
    pub gain: Vec<f32>,
    /// Offset per component.
    pub bias: Vec<f32>,
    /// Added to the variance to avoid division by zero.
    pub epsilon: f32,
}

impl Norm {
    /// Normalises each row of `rows` in place: `(x - mean) / sqrt(variance + epsilon) * gain + bias`.
    pub fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.gain.len()) {
            let count = row.len() as f32;
            let mean = sum(row, |x| x) / count;
            row.iter_mut().for_each(|x| *x -= mean);
            let variance = sum(row, |x| x * x) / count;
            let scale = 1.0 / (variance + self.epsilon).sqrt();
            for (x, (gain, bias)) in row.iter_mut().zip(self.gain.iter().zip(&self.bias)) {
                *x = *x * scale * gain + bias;
            }
        }
    }
}

/// Sums `part` of each number in eight lanes, to break the dependency between consecutive additions.
fn sum(numbers: &[f32], part: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for chunk in chunks {
        for (lane, &number) in lanes.iter_mut().zip(chunk) {
            *lane += part(number);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|&number| part(number)).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_with_mean_bias_and_deviation_gain() {
        let norm = Norm { gain: vec![2.0; 4], bias: vec![1.0; 4], epsilon: 0.0 };
        let mut rows = vec![1.0, 1.0, 3.0, 3.0, -5.0, 5.0, -5.0, 5.0];
        norm.apply(&mut rows);
        assert_eq!(rows, [-1.0, -1.0, 3.0, 3.0, -1.0, 3.0, -1.0, 3.0]);
    }

    #[test]
    fn a_level_row_does_not_divide_by_zero() {
        let norm = Norm { gain: vec![1.0; 3], bias: vec![0.5; 3], epsilon: 1e-6 };
        let mut rows = vec![7.0; 3];
        norm.apply(&mut rows);
        assert_eq!(rows, [0.5; 3]);
    }
}
