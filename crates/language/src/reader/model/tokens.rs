//! Splits a text into the model's pieces and remembers which bytes of the text each one stands for.

use std::ops::Range;

use saegim_encoder::{Characters, Pieces};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// Represents a space in pieces.
const SPACE: char = '▁';

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) piece: u32,
    /// Bytes of the text, on character borders; empty for a space alone.
    pub(super) range: Range<usize>,
    /// Whether a word starts here.
    pub(super) first: bool,
}

/// The vocabulary and the normalisation before it.
pub(super) struct Tokenizer {
    pub(super) characters: Characters,
    pub(super) pieces: Pieces,
}

impl Tokenizer {
    /// Returns the pieces of `text`; none if it is blank.
    pub(super) fn split(&self, text: &str) -> Vec<Token> {
        let line = self.normal(text);
        if line.text.chars().all(|letter| letter == SPACE) {
            return vec![];
        }
        let mut start = 0;
        let token = |(piece, end): (u32, usize)| {
            let letters = &line.text[start..end];
            let solid = start + letters.find(|letter| letter != SPACE).unwrap_or(0);
            let (first, last) = (&line.origins[solid], &line.origins[end - 1]);
            let blank = letters.chars().all(|letter| letter == SPACE);
            let range = if blank { first.start..first.start } else { first.start..last.end };
            start = end;
            Token { piece, range, first: letters.starts_with(SPACE) }
        };
        self.pieces.split_with_ends(&line.text).into_iter().map(token).collect()
    }

    /// Normalises `text`, with one mark before each word instead of spaces.
    fn normal(&self, text: &str) -> Line {
        let mut line = Line { text: String::from(SPACE), origins: vec![0..0; SPACE.len_utf8()] };
        for (letter, origin) in composed(text) {
            for normal in self.characters.apply(letter.encode_utf8(&mut [0; 4])).chars() {
                line.push(normal, &origin);
            }
        }
        while line.text.ends_with(SPACE) && line.text.len() > SPACE.len_utf8() {
            line.text.pop();
        }
        line
    }
}

/// A normalised text.
struct Line {
    text: String,
    /// For every byte of `text`, the bytes of the original it comes from.
    origins: Vec<Range<usize>>,
}

impl Line {
    fn push(&mut self, letter: char, origin: &Range<usize>) {
        let letter = if letter == ' ' { SPACE } else { letter };
        if letter != SPACE || !self.text.ends_with(SPACE) {
            self.text.push(letter);
            self.origins.resize(self.text.len(), origin.clone());
        }
    }
}

/// Returns the characters of `text` after composition (NFC), because the table of characters holds no combining ones, each with the
/// bytes it comes from.
fn composed(text: &str) -> Vec<(char, Range<usize>)> {
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text.char_indices().map(|(start, letter)| (letter, start..start + letter.len_utf8())).collect();
    }
    // A character that nothing before it can change starts a group; groups are composed one by one.
    let alone = |letter: char| canonical_combining_class(letter) == 0 && is_nfc_quick(std::iter::once(letter)) == IsNormalized::Yes;
    let mut starts: Vec<usize> =
        text.char_indices().filter(|&(start, letter)| start == 0 || alone(letter)).map(|(start, _)| start).collect();
    starts.push(text.len());
    let groups = starts.windows(2).map(|pair| pair[0]..pair[1]);
    groups.flat_map(|group| text[group.clone()].nfc().map(move |letter| (letter, group.clone()))).collect()
}
