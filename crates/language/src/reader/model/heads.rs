//! The output layers: one matrix per kind of label.

use saegim_encoder::{Dense, Rows};

/// Outputs beyond this are cut. Far above what training gives, far below overflow.
const MOST: f32 = 10_000.0;

/// One output layer.
pub(super) struct Head {
    pub(super) dense: Dense,
    /// Outputs are divided by this before they become probabilities. Above zero.
    pub(super) temperature: f32,
}

impl Head {
    /// Returns the outputs for rows of the head's width: `[row][label]`. They are finite whatever the rows hold.
    pub(super) fn outputs(&self, rows: &[f32]) -> Vec<f32> {
        let width = self.dense.shape().inputs;
        let mut outputs = self.dense.product(Rows { numbers: rows, stride: width, count: rows.len() / width });
        outputs.iter_mut().for_each(|output| *output = if output.is_nan() { 0.0 } else { (*output / self.temperature).clamp(-MOST, MOST) });
        outputs
    }

    /// Returns the probabilities of the labels for each row; those of a row add up to 1.
    pub(super) fn shares(&self, rows: &[f32]) -> Vec<f32> {
        let mut shares = self.outputs(rows);
        for row in shares.chunks_exact_mut(self.dense.shape().outputs) {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            row.iter_mut().for_each(|x| *x = (*x - most).exp());
            let sum: f32 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= sum);
        }
        shares
    }
}

/// All output layers.
pub(super) struct Heads {
    /// Per piece: [`super::labels::TAGS`].
    pub(super) tags: Head,
    /// Per piece: no clause starts here, one does.
    pub(super) starts: Head,
    /// Per message, each for itself.
    pub(super) emotions: Head,
    /// Per message, numbers instead of probabilities.
    pub(super) effects: Head,
    /// Per message.
    pub(super) face: Head,
    /// Per message: none, light, clear, strong.
    pub(super) intensity: Head,
    /// Per clause, as are the following. Their rows are the mean of the clause, then the mean of the message.
    pub(super) group: Head,
    pub(super) act: Head,
    pub(super) holder: Head,
    pub(super) status: Head,
    pub(super) keep: Head,
}
