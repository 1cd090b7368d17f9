//! Texts with random words that occur nowhere else, and the search for what is left of them.

use std::collections::HashMap;

use crate::made::{Numbers, sentence};

/// Length of the pieces that are looked for, in bytes. Random ones are long enough to occur nowhere by chance.
const PIECE: usize = 8;

/// A text, and its random words.
#[derive(Clone)]
pub(crate) struct Marked {
    pub(crate) text: String,
    pub(crate) words: Vec<String>,
}

/// Returns a random word of Latin letters or of Hangul syllables.
pub(crate) fn word(numbers: &mut Numbers) -> String {
    if numbers.below(2) == 0 {
        (0..16).map(|_| char::from(b'a' + numbers.below(26) as u8)).collect()
    } else {
        (0..8).map(|_| char::from_u32(0xAC00 + numbers.below(11_172) as u32).expect("a Hangul syllable")).collect()
    }
}

impl Marked {
    /// Writes a text of one sentence up to several pages, every sentence with a word of its own.
    pub(crate) fn text(numbers: &mut Numbers) -> Self {
        // A long one continues on other pages of the file.
        let sentences = match numbers.below(40) {
            0..32 => 1,
            32..39 => 2 + numbers.below(8),
            _ => 30 + numbers.below(40),
        };
        let (mut text, mut words) = (String::new(), Vec::new());
        for _ in 0..sentences {
            let word = word(numbers);
            text.push_str(&format!("{} {word}. ", sentence(numbers)));
            words.push(word);
        }
        Self { text: text.trim_end().to_owned(), words }
    }

    /// Writes a message that states a fact about the user.
    pub(crate) fn message(numbers: &mut Numbers) -> Self {
        let word = word(numbers);
        let text = match numbers.below(6) {
            0 => format!("우리 고양이 이름은 {word}야"),
            1 => format!("나는 요즘 {word}에서 일해"),
            2 => format!("I work at {word} now"),
            3 => format!("My dog is called {word}."),
            4 => format!("나는 {word} 알레르기가 있어"),
            _ => format!("I visited {word} and lost my {} wallet there", numbers.below(1000)),
        };
        Self { text, words: vec![word] }
    }
}

/// Pieces of deleted texts, for a search in one pass over a file.
pub(crate) struct Fragments<'a> {
    pieces: HashMap<u64, &'a str>,
    /// One bit per hash of a piece, so that almost every position is passed without a look-up.
    filter: Vec<u64>,
}

const FILTER_BITS: u64 = 1 << 22;

fn bit(piece: u64) -> u64 {
    (piece.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % FILTER_BITS
}

impl<'a> Fragments<'a> {
    /// Prepares the search for the first and the last bytes of every word, because an index may store a word without its
    /// beginning, and a torn page may hold only one end of it.
    pub(crate) fn of(gone: &'a [Vec<String>]) -> Self {
        let (mut pieces, mut filter) = (HashMap::new(), vec![0u64; (FILTER_BITS / 64) as usize]);
        for word in gone.iter().flatten() {
            let bytes = word.as_bytes();
            for start in [0, bytes.len() - PIECE] {
                let piece = u64::from_le_bytes(bytes[start..start + PIECE].try_into().expect("eight bytes"));
                pieces.insert(piece, word.as_str());
                filter[(bit(piece) / 64) as usize] |= 1 << (bit(piece) % 64);
            }
        }
        Self { pieces, filter }
    }

    /// Returns the deleted words of which a piece is in `bytes`, each once with its first position.
    pub(crate) fn within(&self, bytes: &[u8]) -> Vec<String> {
        let mut found: HashMap<&str, usize> = HashMap::new();
        // The last eight bytes, as `from_le_bytes` would read them.
        let mut piece = 0u64;
        for (end, byte) in bytes.iter().enumerate() {
            piece = (piece >> 8) | (u64::from(*byte) << 56);
            if self.filter[(bit(piece) / 64) as usize] & (1 << (bit(piece) % 64)) != 0
                && let Some(word) = self.pieces.get(&piece)
            {
                found.entry(word).or_insert(end + 1 - PIECE);
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(_, position)| *position);
        let around = |position: usize| {
            let near = &bytes[position.saturating_sub(40)..(position + 60).min(bytes.len())];
            String::from_utf8_lossy(near).replace(|letter: char| letter.is_control(), ".")
        };
        found.into_iter().map(|(word, position)| format!("{word} at byte {position}: {}", around(position))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_deleted_word_is_found_wherever_it_lies() {
        let mut numbers = Numbers::new(7);
        let gone: Vec<Vec<String>> = (0..50).map(|_| vec![word(&mut numbers)]).collect();
        let (fragments, other) = (Fragments::of(&gone), Marked::text(&mut numbers));
        assert!(fragments.within(other.text.as_bytes()).is_empty());
        for words in &gone {
            let (bytes, word) = (words[0].as_bytes(), &words[0]);
            for piece in [bytes, &bytes[..PIECE], &bytes[bytes.len() - PIECE..]] {
                let file = [other.text.as_bytes(), b"\0\x01", piece, b"\xff\0"].concat();
                let found = fragments.within(&file);
                let expected = format!("{word} at byte {}: ", other.text.len() + 2);
                assert!(found.len() == 1 && found[0].starts_with(&expected), "{found:?}");
            }
        }
    }
}
