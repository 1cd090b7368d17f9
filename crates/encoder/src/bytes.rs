//! Safe reading of bytes: no length read from a file is trusted.

use crate::damaged::Damaged;
use crate::half::from_half;

/// Reads bytes front to back. Each read names its purpose for error messages.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// Starts at the first of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns whether all bytes were read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the bytes not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads the next `length` bytes.
    pub fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(|| Damaged::new(format_args!("{what} is cut short")))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads the next `N` bytes.
    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Damaged> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or_else(|| Damaged::new(format_args!("{what} is cut short")))?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads a `u32`.
    pub fn u32(&mut self, what: &str) -> Result<u32, Damaged> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Reads a `u32` that is a count or an offset in memory.
    pub fn size(&mut self, what: &str) -> Result<usize, Damaged> {
        usize::try_from(self.u32(what)?).map_err(|_| Damaged::new(format_args!("{what} is too large")))
    }

    /// Reads a `u64` that is a count or an offset in memory.
    pub fn long_size(&mut self, what: &str) -> Result<usize, Damaged> {
        usize::try_from(u64::from_le_bytes(self.array(what)?)).map_err(|_| Damaged::new(format_args!("{what} is too large")))
    }

    /// Reads a finite `f32`.
    pub fn f32(&mut self, what: &str) -> Result<f32, Damaged> {
        let value = f32::from_le_bytes(self.array(what)?);
        if value.is_finite() { Ok(value) } else { Err(Damaged::new(format_args!("{what} is not a finite number"))) }
    }
}

/// Reads all of `bytes` as finite `f32` values.
pub fn floats(bytes: &[u8], what: &str) -> Result<Vec<f32>, Damaged> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    all_finite(numbers.iter().map(|&number| f32::from_le_bytes(number)).collect(), rest, what)
}

/// Reads all of `bytes` as finite 16-bit floating-point numbers.
pub fn halves(bytes: &[u8], what: &str) -> Result<Vec<f32>, Damaged> {
    let (numbers, rest) = bytes.as_chunks::<2>();
    all_finite(numbers.iter().map(|&number| from_half(number)).collect(), rest, what)
}

fn all_finite(numbers: Vec<f32>, rest: &[u8], what: &str) -> Result<Vec<f32>, Damaged> {
    if !rest.is_empty() || numbers.iter().any(|number| !number.is_finite()) {
        return Err(Damaged::new(format_args!("{what} holds something other than finite numbers")));
    }
    Ok(numbers)
}
