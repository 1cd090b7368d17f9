//! How the larger model's tokenizer normalises text: one character at a time.

use unicode_normalization::UnicodeNormalization;

use super::super::file::{Bytes, broken};
use crate::ProviderError;

/// What stands in the place of which character.
pub struct Characters {
    /// Rising by character.
    replacements: Vec<(char, String)>,
}

impl Characters {
    /// Reads `count` entries: a character, how many stand in its place, and those.
    pub fn read(bytes: &[u8], count: usize) -> Result<Self, ProviderError> {
        const WHAT: &str = "the normalisation";
        let mut bytes = Bytes::new(bytes);
        let character = |bytes: &mut Bytes| char::from_u32(bytes.u32(WHAT)?).ok_or_else(|| broken("the normalisation holds no characters"));
        let mut replacements = vec![];
        for _ in 0..count {
            let from = character(&mut bytes)?;
            let [length] = bytes.array(WHAT)?;
            replacements.push((from, (0..length).map(|_| character(&mut bytes)).collect::<Result<String, _>>()?));
        }
        if !bytes.is_empty() {
            return Err(broken("the normalisation goes on behind its end"));
        }
        replacements.sort();
        Ok(Self { replacements })
    }

    /// `text` with every replacement made. Composed first: the table does not know letters that combine.
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
