//! Text normalisation of the model's tokenizer: NFKC and a few more foldings, as a compiled table.
//!
//! The table is a double-array trie over UTF-8 bytes. Its leaves point at NUL-terminated replacements. The longest matching key
//! is replaced; text without a match stays unchanged.

use crate::bytes::Bytes;
use crate::damaged::Damaged;

/// A compiled replacement table.
pub struct Charsmap {
    units: Vec<u32>,
    replacements: Vec<u8>,
}

impl Charsmap {
    /// Reads a table: the trie size in bytes, the trie, the replacements.
    pub fn read(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut bytes = Bytes::new(bytes);
        let size = bytes.size("charsmap")?;
        let (units, rest) = bytes.take(size, "charsmap")?.as_chunks::<4>();
        let units: Vec<u32> = units.iter().map(|&unit| u32::from_le_bytes(unit)).collect();
        let replacements = bytes.rest().to_vec();
        if units.is_empty() || !rest.is_empty() || replacements.last() != Some(&0) || str::from_utf8(&replacements).is_err() {
            return Err(Damaged::new("section charsmap is not a table of replacements"));
        }
        Ok(Self { units, replacements })
    }

    /// Returns `text` with all replacements applied.
    pub fn apply(&self, text: &str) -> String {
        let mut normal = String::with_capacity(text.len() + text.len() / 4);
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            match self.longest(rest) {
                Some((length, replacement)) => {
                    normal.push_str(replacement);
                    rest = &rest[length..];
                }
                None => {
                    normal.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        normal
    }

    /// Returns the length of the longest key that is a prefix of `text`, and its replacement.
    fn longest(&self, text: &str) -> Option<(usize, &str)> {
        let mut node = offset(*self.units.first()?);
        let mut found = None;
        for (index, &byte) in text.as_bytes().iter().enumerate() {
            node ^= usize::from(byte);
            let Some(&unit) = self.units.get(node) else { break };
            // Each unit stores its own label, which detects a step into a unit of another key.
            if unit & 0x8000_00FF != u32::from(byte) {
                break;
            }
            node ^= offset(unit);
            let ends_here = unit & 0x100 != 0;
            if let (true, Some(&leaf)) = (ends_here && text.is_char_boundary(index + 1), self.units.get(node)) {
                found = Some((index + 1, (leaf & 0x7FFF_FFFF) as usize));
            }
        }
        let (length, start) = found?;
        let bytes = self.replacements.get(start..)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        Some((length, str::from_utf8(&bytes[..end]).ok()?))
    }
}

/// Returns the offset of a unit's children, to be combined by XOR.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 0x200) >> 6)) as usize
}
