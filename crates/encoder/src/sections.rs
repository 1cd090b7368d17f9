//! Model files of named sections: a magic number, the sections, and a checksum over all of it.

use crate::bytes::{Bytes, floats};
use crate::damaged::Damaged;

const NAME: usize = 24;
const CHECKSUM: usize = 8;

/// Named sections of a model file with a valid checksum.
pub struct Sections<'a> {
    sections: Vec<(&'a str, &'a [u8])>,
}

impl<'a> Sections<'a> {
    /// Verifies that the file starts with `magic`, verifies the checksum, and locates the sections.
    pub fn read(file: &'a [u8], magic: &[u8]) -> Result<Self, Damaged> {
        let body = file.strip_prefix(magic).ok_or_else(|| Damaged::new("the magic word is missing"))?;
        let (body, sum) = body.split_last_chunk::<CHECKSUM>().ok_or_else(|| Damaged::new("the file is cut short"))?;
        if checksum(&file[..file.len() - CHECKSUM]) != u64::from_le_bytes(*sum) {
            return Err(Damaged::new("the checksum does not fit"));
        }
        let mut body = Bytes::new(body);
        let mut sections = Vec::new();
        while !body.is_empty() {
            let name = body.take(NAME, "a section's name")?;
            let end = name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
            let name = str::from_utf8(&name[..end]).map_err(|_| Damaged::new("a section's name is not text"))?;
            let length = body.long_size(name)?;
            sections.push((name, body.take(length, name)?));
        }
        Ok(Self { sections })
    }

    /// Returns the bytes of a section.
    pub fn get(&self, name: &str) -> Result<&'a [u8], Damaged> {
        let found = self.sections.iter().find(|section| section.0 == name);
        found.map(|section| section.1).ok_or_else(|| Damaged::new(format_args!("section {name} is missing")))
    }

    /// Reads a section that contains one number.
    pub fn number(&self, name: &str) -> Result<f32, Damaged> {
        Ok(self.vector(name, 1)?[0])
    }

    /// Reads a section that contains `length` numbers.
    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, Damaged> {
        let numbers = floats(self.get(name)?, name)?;
        if numbers.len() == length { Ok(numbers) } else { Err(Damaged::new(format_args!("section {name} has another length"))) }
    }
}

/// Returns the checksum that ends a file, over all bytes before it: the sum of the running sums of the `u32` words (Fletcher). The
/// last word is padded with zeros.
pub fn checksum(bytes: &[u8]) -> u64 {
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
mod tests {
    use super::*;

    const MAGIC: &[u8] = b"saegim-t";

    /// Returns a file with these sections and a valid checksum.
    fn sealed(sections: &[(&str, &[u8])]) -> Vec<u8> {
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
    fn seal(mut body: Vec<u8>) -> Vec<u8> {
        let sum = checksum(&body);
        body.extend_from_slice(&sum.to_le_bytes());
        body
    }

    #[test]
    fn sections_come_back_by_name() {
        let file = sealed(&[("one", &[1, 2, 3]), ("two", &1.5f32.to_le_bytes())]);
        let sections = Sections::read(&file, MAGIC).unwrap();
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
                assert!(Sections::read(&damaged, MAGIC).is_err(), "byte {at}, bit {bit}");
            }
            assert!(Sections::read(&file[..at], MAGIC).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_length_past_the_end_is_refused_even_under_a_right_checksum() {
        for length in [4, 1 << 20, u64::MAX] {
            let mut body = MAGIC.to_vec();
            body.extend_from_slice(&[b'a'; NAME]);
            body.extend_from_slice(&length.to_le_bytes());
            body.extend_from_slice(&[1, 2, 3]);
            assert!(Sections::read(&seal(body), MAGIC).is_err(), "{length}");
        }
    }
}
