//! Text normalisation of the larger model's tokenizer, one character at a time.

use unicode_normalization::UnicodeNormalization;

use crate::bytes::Bytes;
use crate::damaged::Damaged;

/// A table of character replacements.
pub struct Characters {
    /// Sorted by character.
    replacements: Vec<(char, String)>,
}

impl Characters {
    /// Reads `count` entries: a character, the number of replacement characters, and those characters.
    pub fn read(bytes: &[u8], count: usize) -> Result<Self, Damaged> {
        const WHAT: &str = "the normalisation";
        let mut bytes = Bytes::new(bytes);
        let character =
            |bytes: &mut Bytes| char::from_u32(bytes.u32(WHAT)?).ok_or_else(|| Damaged::new("the normalisation holds no characters"));
        let mut replacements = vec![];
        for _ in 0..count {
            let from = character(&mut bytes)?;
            let [length] = bytes.array(WHAT)?;
            replacements.push((from, (0..length).map(|_| character(&mut bytes)).collect::<Result<String, _>>()?));
        }
        if !bytes.is_empty() {
            return Err(Damaged::new("the normalisation goes on behind its end"));
        }
        replacements.sort();
        Ok(Self { replacements })
    }

    /// Returns `text` with all replacements applied. Composes it first (NFC), because the table does not contain combining
    /// characters.
    pub fn apply(&self, text: &str) -> String {
        let mut normal = String::with_capacity(text.len());
        for character in text.nfc() {
            match self.replacements.binary_search_by_key(&character, |replacement| replacement.0) {
                Ok(found) => normal.push_str(&self.replacements[found].1),
                Err(_) => normal.push(character),
            }
        }
        normal
    }
}
