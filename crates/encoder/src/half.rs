//! 16-bit floating-point numbers (IEEE 754 binary16), as model files store scales.

/// Converts a half-precision number, given as two little-endian bytes.
pub fn from_half(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let (sign, exponent, fraction) = (bits >> 15, (bits >> 10) & 0x1F, bits & 0x3FF);
    let size = match exponent {
        // Subnormal: fraction * 2^-24, exact in f32.
        0 => fraction as f32 / 16_777_216.0,
        0x1F => f32::from_bits(0x7F80_0000 | (fraction << 13)),
        _ => f32::from_bits(((exponent + 112) << 23) | (fraction << 13)),
    };
    if sign == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_every_kind_are_read() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x83FF, -6.097_555e-5),
            (0x7BFF, 65504.0),
            (0x7C00, f32::INFINITY),
        ] {
            assert_eq!(from_half(u16::to_le_bytes(bits)), value, "{bits:#06x}");
        }
        assert!(from_half([0xFF, 0x7F]).is_nan());
    }
}
