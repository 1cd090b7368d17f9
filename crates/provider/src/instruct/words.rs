//! The pieces a model reads and writes: byte-level pairs, joined in the order its file lists.

use std::collections::HashMap;

use super::gguf::Gguf;
use crate::ProviderError;

/// A model's vocabulary.
pub(super) struct Words {
    pieces: Vec<String>,
    ids: HashMap<String, u32>,
    ranks: HashMap<String, usize>,
    /// The letter each byte is written as, and back.
    letters: Vec<char>,
    bytes: HashMap<char, u8>,
    /// Pieces of digits and points alone.
    pub(super) digits: Vec<(u32, String)>,
    /// Pieces that begin with what may come after a number.
    pub(super) after_numbers: Vec<u32>,
}

/// The letters bytes are written as: printable ones as themselves, the others from 256 on.
fn letters() -> Vec<char> {
    let plain = |byte: u32| (33..=126).contains(&byte) || (161..=172).contains(&byte) || (174..=255).contains(&byte);
    let mut next = 256;
    (0..256)
        .map(|byte| {
            let code = if plain(byte) {
                byte
            } else {
                next += 1;
                next - 1
            };
            char::from_u32(code).expect("below the surrogates")
        })
        .collect()
}

impl Words {
    pub(super) fn of(file: &Gguf) -> Result<Self, ProviderError> {
        let lacks = |what: &str| ProviderError::Broken(format!("the model file has no {what}"));
        if file.text("tokenizer.ggml.model") != Some("gpt2") {
            return Err(ProviderError::Invalid("only models with a byte-level BPE tokenizer are supported".into()));
        }
        let pieces = file.texts("tokenizer.ggml.tokens").ok_or_else(|| lacks("tokens"))?.to_vec();
        let merges = file.texts("tokenizer.ggml.merges").ok_or_else(|| lacks("pairs"))?;
        let ids = pieces.iter().enumerate().map(|(id, piece)| (piece.clone(), id as u32)).collect();
        let ranks = merges.iter().enumerate().map(|(rank, pair)| (pair.clone(), rank)).collect();
        let letters = letters();
        let bytes = letters.iter().enumerate().map(|(byte, letter)| (*letter, byte as u8)).collect();
        let mut words = Self { pieces, ids, ranks, letters, bytes, digits: Vec::new(), after_numbers: Vec::new() };
        for id in 0..words.pieces.len() as u32 {
            let written = words.written(id);
            if !written.is_empty() && written.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
                words.digits.push((id, String::from_utf8_lossy(&written).into_owned()));
            } else if written.first().is_some_and(|byte| b",}] \n".contains(byte)) {
                words.after_numbers.push(id);
            }
        }
        Ok(words)
    }

    /// The pieces a text may begin with.
    pub(super) fn beginnings(&self, text: &str) -> Vec<u32> {
        let letters: String = text.bytes().map(|byte| self.letters[usize::from(byte)]).collect();
        let ends = letters.char_indices().map(|(at, letter)| at + letter.len_utf8());
        ends.filter_map(|end| self.ids.get(&letters[..end]).copied()).collect()
    }

    /// The id of a piece that is written as it is: a mark of the conversation.
    pub(super) fn mark(&self, piece: &str) -> Option<u32> {
        self.ids.get(piece).copied()
    }

    /// The pieces of a text.
    pub(super) fn read(&self, text: &str) -> Vec<u32> {
        split(text).into_iter().flat_map(|part| self.joined(part)).collect()
    }

    fn joined(&self, part: &str) -> Vec<u32> {
        let mut pieces: Vec<String> = part.bytes().map(|byte| self.letters[usize::from(byte)].to_string()).collect();
        loop {
            let pairs = pieces.windows(2).enumerate();
            let best = pairs.filter_map(|(at, pair)| Some((*self.ranks.get(&format!("{} {}", pair[0], pair[1]))?, at))).min();
            let Some((_, at)) = best else { break };
            let second = pieces.remove(at + 1);
            pieces[at].push_str(&second);
        }
        pieces.iter().filter_map(|piece| self.ids.get(piece).copied()).collect()
    }

    /// The bytes a piece stands for.
    pub(super) fn written(&self, id: u32) -> Vec<u8> {
        let piece = self.pieces.get(id as usize).map_or("", String::as_str);
        piece.chars().filter_map(|letter| self.bytes.get(&letter).copied()).collect()
    }
}

/// Cuts a text as such vocabularies were made for: words with the blank before them, digits one by one, marks together.
fn split(text: &str) -> Vec<&str> {
    #[derive(PartialEq, Clone, Copy)]
    enum Kind {
        Letter,
        Digit,
        Blank,
        Mark,
    }
    let kind = |letter: char| match letter {
        letter if letter.is_alphabetic() => Kind::Letter,
        letter if letter.is_numeric() => Kind::Digit,
        letter if letter.is_whitespace() => Kind::Blank,
        _ => Kind::Mark,
    };
    let mut parts = Vec::new();
    let (mut start, mut last) = (0, None);
    for (at, letter) in text.char_indices() {
        let now = kind(letter);
        let goes_on = match last {
            None => true,
            Some((Kind::Digit, _)) => false,
            // A single blank belongs to the word after it.
            Some((Kind::Blank, ' ')) if at - start == 1 => matches!(now, Kind::Letter | Kind::Mark | Kind::Blank),
            Some((before, _)) => before == now,
        };
        if !goes_on {
            // The last of several blanks belongs to the word after them.
            let blank = matches!(last, Some((Kind::Blank, ' '))) && at - start > 1 && matches!(now, Kind::Letter | Kind::Mark);
            let cut = if blank { at - 1 } else { at };
            parts.push(&text[start..cut]);
            start = cut;
        }
        last = Some((now, letter));
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_words_with_their_blanks_and_loses_nothing() {
        assert_eq!(split("Hello, big  world 42\n오늘은"), ["Hello", ",", " big", " ", " world", " ", "4", "2", "\n", "오늘은"]);
        for text in ["", " ", "a", "  \n x", "{\"a\": 1}", "가나 다 1,234"] {
            assert_eq!(split(text).concat(), text);
        }
    }

    #[test]
    fn every_byte_has_a_letter_of_its_own() {
        let letters = letters();
        let different: std::collections::HashSet<char> = letters.iter().copied().collect();
        assert_eq!((letters.len(), different.len(), letters[usize::from(b'A')], letters[usize::from(b' ')]), (256, 256, 'A', 'Ġ'));
    }
}
