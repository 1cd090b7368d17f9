//! Reads model files, and the format of the built-in model: a magic number, named sections, and a checksum over all of it.
//!
//! No length read from a file is trusted: damage of any kind returns [`ProviderError::Broken`]. The layout is documented in
//! `model/derive.py`, which creates the file.

use crate::ProviderError;

const MAGIC: &[u8] = b"saegim-m";
const NAME: usize = 24;
const CHECKSUM: usize = 8;

/// Returns the error for a damaged model file; `what` names the place.
pub fn broken(what: impl std::fmt::Display) -> ProviderError {
    ProviderError::Broken(format!("{what}; the model file is damaged or has another version; install it again"))
}

/// Reads bytes front to back. Each read names its purpose for error messages.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the bytes not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], ProviderError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(|| broken(format_args!("{what} is cut short")))?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ProviderError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or_else(|| broken(format_args!("{what} is cut short")))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub fn u32(&mut self, what: &str) -> Result<u32, ProviderError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Reads a `u32` that is a count or an offset in memory.
    pub fn size(&mut self, what: &str) -> Result<usize, ProviderError> {
        usize::try_from(self.u32(what)?).map_err(|_| broken(format_args!("{what} is too large")))
    }

    /// Reads a `u64` that is a count or an offset in memory.
    pub fn long_size(&mut self, what: &str) -> Result<usize, ProviderError> {
        usize::try_from(u64::from_le_bytes(self.array(what)?)).map_err(|_| broken(format_args!("{what} is too large")))
    }

    pub fn f32(&mut self, what: &str) -> Result<f32, ProviderError> {
        let value = f32::from_le_bytes(self.array(what)?);
        if value.is_finite() { Ok(value) } else { Err(broken(format_args!("{what} is not a finite number"))) }
    }
}

/// Reads all of `bytes` as finite `f32` values.
pub fn floats(bytes: &[u8], what: &str) -> Result<Vec<f32>, ProviderError> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
    if !rest.is_empty() || numbers.iter().any(|number| !number.is_finite()) {
        return Err(broken(format_args!("{what} holds something other than finite numbers")));
    }
    Ok(numbers)
}

/// Named sections of a model file with a valid checksum.
pub struct Sections<'a> {
    sections: Vec<(&'a str, &'a [u8])>,
}

impl<'a> Sections<'a> {
    /// Verifies the magic number and the checksum, and locates the sections.
    pub fn read(file: &'a [u8]) -> Result<Self, ProviderError> {
        let body = file.strip_prefix(MAGIC).ok_or_else(|| broken("the magic word is missing"))?;
        let (body, sum) = body.split_last_chunk::<CHECKSUM>().ok_or_else(|| broken("the file is cut short"))?;
        if checksum(&file[..file.len() - CHECKSUM]) != u64::from_le_bytes(*sum) {
            return Err(broken("the checksum does not fit"));
        }
        let mut body = Bytes::new(body);
        let mut sections = Vec::new();
        while !body.is_empty() {
            let name = body.take(NAME, "a section's name")?;
            let end = name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
            let name = str::from_utf8(&name[..end]).map_err(|_| broken("a section's name is not text"))?;
            let length = body.long_size(name)?;
            sections.push((name, body.take(length, name)?));
        }
        Ok(Self { sections })
    }

    /// Returns the bytes of a section.
    pub fn get(&self, name: &str) -> Result<&'a [u8], ProviderError> {
        let found = self.sections.iter().find(|section| section.0 == name);
        found.map(|section| section.1).ok_or_else(|| broken(format_args!("section {name} is missing")))
    }

    /// Reads a section that contains one number.
    pub fn number(&self, name: &str) -> Result<f32, ProviderError> {
        Ok(self.vector(name, 1)?[0])
    }

    /// Reads a section that contains `length` numbers.
    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, ProviderError> {
        let numbers = floats(self.get(name)?, name)?;
        if numbers.len() == length { Ok(numbers) } else { Err(broken(format_args!("section {name} has another length"))) }
    }
}

/// Fletcher checksum: the sum of the running sums of the `u32` words. The last word is padded with zeros.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<4>();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    let padded = words.iter().chain((!rest.is_empty()).then_some(&last));
    let (_, sum) = padded.fold((0u64, 0u64), |(running, sum), &word| {
        let running = running.wrapping_add(u64::from(u32::from_le_bytes(word)));
        (running, sum.wrapping_add(running))
    });
    sum
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a file with these sections and a valid checksum.
    pub(crate) fn sealed(sections: &[(&str, &[u8])]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        for (name, body) in sections {
            let mut padded = [0; NAME];
            padded[..name.len()].copy_from_slice(name.as_bytes());
            file.extend_from_slice(&padded);
            file.extend_from_slice(&(body.len() as u64).to_le_bytes());
            file.extend_from_slice(body);
        }
        seal(file)
    }

    /// Appends the checksum to `body`.
    pub(crate) fn seal(mut body: Vec<u8>) -> Vec<u8> {
        let sum = checksum(&body);
        body.extend_from_slice(&sum.to_le_bytes());
        body
    }

    #[test]
    fn sections_come_back_by_name() {
        let file = sealed(&[("one", &[1, 2, 3]), ("two", &1.5f32.to_le_bytes())]);
        let sections = Sections::read(&file).unwrap();
        assert_eq!(sections.get("one").unwrap(), [1, 2, 3]);
        assert_eq!(sections.number("two").unwrap(), 1.5);
        assert!(sections.get("three").is_err());
        assert!(sections.vector("two", 2).is_err());
        assert!(sections.vector("one", 3).is_err());
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let file = sealed(&[("one", &[1, 2, 3]), ("two", &[4, 5, 6, 7])]);
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                assert!(matches!(Sections::read(&damaged), Err(ProviderError::Broken(_))), "byte {at}, bit {bit}");
            }
            assert!(matches!(Sections::read(&file[..at]), Err(ProviderError::Broken(_))), "cut at {at}");
        }
    }

    #[test]
    fn a_length_past_the_end_is_refused_even_under_a_right_checksum() {
        for length in [4, 1 << 20, u64::MAX] {
            let mut body = MAGIC.to_vec();
            body.extend_from_slice(&[b'a'; NAME]);
            body.extend_from_slice(&length.to_le_bytes());
            body.extend_from_slice(&[1, 2, 3]);
            assert!(matches!(Sections::read(&seal(body)), Err(ProviderError::Broken(_))), "{length}");
        }
    }
}
