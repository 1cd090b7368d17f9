//! Numbers packed in blocks, as GGUF files hold them, and how they are unpacked.

/// How numbers are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    Float,
    Half,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4K,
    Q5K,
    Q6K,
}

/// Half precision to single.
fn half(bytes: &[u8]) -> f32 {
    let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
    let (sign, exponent, fraction) = (u32::from(bits >> 15) << 31, u32::from(bits >> 10) & 31, u32::from(bits) & 1023);
    match exponent {
        0 => f32::from_bits(sign) + f32::from_bits(sign | 0x3F80_0000) * fraction as f32 * 2f32.powi(-24),
        31 => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// The sixth-bit scales and minima of a block of 256.
fn scale(at: usize, packed: &[u8]) -> (f32, f32) {
    let (low, high) = if at < 4 {
        (packed[at] & 63, packed[at + 4] & 63)
    } else {
        ((packed[at + 4] & 15) | (packed[at - 4] >> 6) << 4, (packed[at + 4] >> 4) | (packed[at] >> 6) << 4)
    };
    (f32::from(low), f32::from(high))
}

impl Blocks {
    /// By the number the format has for it.
    pub(super) fn of(kind: u32) -> Option<Self> {
        Some(match kind {
            0 => Self::Float,
            1 => Self::Half,
            2 => Self::Q4_0,
            3 => Self::Q4_1,
            6 => Self::Q5_0,
            7 => Self::Q5_1,
            8 => Self::Q8_0,
            12 => Self::Q4K,
            13 => Self::Q5K,
            14 => Self::Q6K,
            _ => return None,
        })
    }

    /// How many numbers a block has, and how many bytes.
    const fn size(self) -> (usize, usize) {
        match self {
            Self::Float => (1, 4),
            Self::Half => (1, 2),
            Self::Q4_0 => (32, 18),
            Self::Q4_1 => (32, 20),
            Self::Q5_0 => (32, 22),
            Self::Q5_1 => (32, 24),
            Self::Q8_0 => (32, 34),
            Self::Q4K => (256, 144),
            Self::Q5K => (256, 176),
            Self::Q6K => (256, 210),
        }
    }

    /// How many bytes a row of so many numbers takes; nothing where it does not come out even.
    pub(super) fn row_bytes(self, columns: usize) -> Option<usize> {
        let (numbers, bytes) = self.size();
        columns.is_multiple_of(numbers).then_some(columns / numbers)?.checked_mul(bytes)
    }

    /// Unpacks a row.
    pub(super) fn unpack(self, row: &[u8], into: &mut [f32]) {
        let (numbers, bytes) = self.size();
        for (block, out) in row.chunks_exact(bytes).zip(into.chunks_exact_mut(numbers)) {
            match self {
                Self::Float => out[0] = f32::from_le_bytes([block[0], block[1], block[2], block[3]]),
                Self::Half => out[0] = half(block),
                Self::Q8_0 => {
                    let scale = half(block);
                    out.iter_mut().zip(&block[2..]).for_each(|(out, byte)| *out = scale * f32::from(*byte as i8));
                }
                Self::Q4_0 => fours(&block[2..], out, (half(block), half(block) * -8.0)),
                Self::Q4_1 => fours(&block[4..], out, (half(block), half(&block[2..]))),
                Self::Q5_0 => fives(&block[2..], out, (half(block), half(block) * -16.0)),
                Self::Q5_1 => fives(&block[4..], out, (half(block), half(&block[2..]))),
                Self::Q4K | Self::Q5K => nested(block, out, self == Self::Q5K),
                Self::Q6K => sixes(block, out),
            }
        }
    }
}

fn fours(packed: &[u8], out: &mut [f32], (scale, least): (f32, f32)) {
    for (at, byte) in packed.iter().enumerate().take(16) {
        out[at] = scale * f32::from(byte & 15) + least;
        out[at + 16] = scale * f32::from(byte >> 4) + least;
    }
}

fn fives(packed: &[u8], out: &mut [f32], (scale, least): (f32, f32)) {
    let high = u32::from_le_bytes([packed[0], packed[1], packed[2], packed[3]]);
    for (at, byte) in packed[4..].iter().enumerate().take(16) {
        let (one, other) = ((high >> at & 1) as u8, (high >> (at + 16) & 1) as u8);
        out[at] = scale * f32::from(byte & 15 | one << 4) + least;
        out[at + 16] = scale * f32::from(byte >> 4 | other << 4) + least;
    }
}

fn nested(block: &[u8], out: &mut [f32], fifth: bool) {
    let (whole, least) = (half(block), half(&block[2..]));
    let (scales, rest) = block[4..].split_at(12);
    let (high, packed) = if fifth { rest.split_at(32) } else { (&[][..], rest) };
    for (pair, bytes) in packed.chunks_exact(32).enumerate() {
        for part in 0..2 {
            let (scale, minimum) = scale(2 * pair + part, scales);
            let (scale, minimum) = (whole * scale, least * minimum);
            for (at, byte) in bytes.iter().enumerate() {
                let extra = if fifth { (high[at] >> (2 * pair + part) & 1) << 4 } else { 0 };
                let number = (if part == 0 { byte & 15 } else { byte >> 4 }) | extra;
                out[pair * 64 + part * 32 + at] = scale * f32::from(number) - minimum;
            }
        }
    }
}

fn sixes(block: &[u8], out: &mut [f32]) {
    let (low, high, scales, whole) = (&block[..128], &block[128..192], &block[192..208], half(&block[208..]));
    for part in 0..2 {
        let (low, high, scales) = (&low[part * 64..], &high[part * 32..], &scales[part * 8..]);
        let out = &mut out[part * 128..];
        for at in 0..32 {
            let numbers = [
                (low[at] & 15) | (high[at] & 3) << 4,
                (low[at + 32] & 15) | (high[at] >> 2 & 3) << 4,
                (low[at] >> 4) | (high[at] >> 4 & 3) << 4,
                (low[at + 32] >> 4) | (high[at] >> 6) << 4,
            ];
            for (place, number) in numbers.into_iter().enumerate() {
                let scale = whole * f32::from(scales[at / 16 + 2 * place] as i8);
                out[place * 32 + at] = scale * (f32::from(number) - 32.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_they_say() {
        for (bits, number) in [(0x3C00u16, 1.0f32), (0xC000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8), (0x0000, 0.0)] {
            assert_eq!(half(&bits.to_le_bytes()), number);
        }
    }

    #[test]
    fn blocks_unpack_to_what_was_packed() {
        let one = 0x3C00u16.to_le_bytes();
        let mut out = vec![0.0; 32];
        let block: Vec<u8> = one.into_iter().chain((0..16).map(|at| at | (15 - at) << 4)).collect();
        Blocks::Q4_0.unpack(&block, &mut out);
        assert_eq!((out[0], out[15], out[16], out[31]), (-8.0, 7.0, 7.0, -8.0));
        let block: Vec<u8> = one.into_iter().chain((0..32).map(|at| (at as i8 - 16) as u8)).collect();
        Blocks::Q8_0.unpack(&block, &mut out);
        assert_eq!((out[0], out[31]), (-16.0, 15.0));
        assert_eq!(Blocks::Q4K.row_bytes(100), None);
        assert_eq!(Blocks::Q6K.row_bytes(512), Some(420));
    }
}
