//! The trained table: weights of words and character n-grams for emotions and polarities.
//!
//! `rules/feeling/train.py` writes the file and extracts the same features; the NOTICE next to it names the data.

use std::collections::HashSet;
use std::sync::LazyLock;

use saegim_core::Emotion;
use unicode_normalization::UnicodeNormalization;

static FILE: &[u8] = include_bytes!("../../../data/emotion/weights.bin");

/// Emotions of the first heads, in file order.
pub(super) const EMOTIONS: [Emotion; 7] =
    [Emotion::Joy, Emotion::Sadness, Emotion::Anger, Emotion::Fear, Emotion::Disgust, Emotion::Anxiety, Emotion::Ennui];
/// Emotions, then positive, negative, ambiguous and neutral.
const HEADS: usize = EMOTIONS.len() + 4;
/// A mark, the number of rows and the number of heads.
const HEADER: usize = 12;

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(FILE).expect("the table is built in and a test reads it"));

/// Predicted probabilities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    /// Probability per emotion of [`EMOTIONS`]; they need not sum to one.
    pub(super) emotions: [f32; 7],
    /// Probability of a positive text. Together with `negative` and the rest it sums to one.
    pub(super) positive: f32,
    pub(super) negative: f32,
}

struct Table {
    keys: Vec<u32>,
    weights: &'static [u8],
    scales: [f32; HEADS],
    bias: [f32; HEADS],
}

impl Table {
    fn read(file: &'static [u8]) -> Option<Self> {
        let number = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
        let (rows, heads) = (number(4)? as usize, number(8)? as usize);
        let floats = |from: usize| -> Option<[f32; HEADS]> {
            let mut values = [0.0; HEADS];
            for (place, value) in values.iter_mut().enumerate() {
                *value = f32::from_bits(number(from + place * 4)?);
            }
            Some(values)
        };
        let keys_at = HEADER + 2 * HEADS * 4;
        let weights_at = keys_at + rows * 3;
        let keys = file.get(keys_at..weights_at)?.chunks_exact(3).map(|key| u32::from_le_bytes([key[0], key[1], key[2], 0]));
        let weights = file.get(weights_at..)?;
        let sound = file.starts_with(b"feel") && heads == HEADS && weights.len() == rows * HEADS;
        sound.then_some(Self { keys: keys.collect(), weights, scales: floats(HEADER)?, bias: floats(HEADER + HEADS * 4)? })
    }

    /// Bias plus the mean of the known features' weights times the square root of their number.
    fn scores(&self, keys: &HashSet<u32>) -> [f32; HEADS] {
        let mut sums = [0i32; HEADS];
        let mut known = 0usize;
        for key in keys {
            let Ok(row) = self.keys.binary_search(key) else { continue };
            known += 1;
            for (sum, weight) in sums.iter_mut().zip(&self.weights[row * HEADS..]) {
                *sum += i32::from(i8::from_le_bytes([*weight]));
            }
        }
        let share = 1.0 / (known.max(1) as f32).sqrt();
        std::array::from_fn(|head| self.bias[head] + sums[head] as f32 * self.scales[head] * share)
    }
}

/// Predicts the feeling of a text.
pub(super) fn guess(text: &str) -> Guess {
    let scores = TABLE.scores(&keys(&normal(text)));
    let most = scores[EMOTIONS.len()..].iter().copied().fold(f32::MIN, f32::max);
    let raised: [f32; 4] = std::array::from_fn(|place| (scores[EMOTIONS.len() + place] - most).exp());
    let sum: f32 = raised.iter().sum();
    Guess {
        emotions: std::array::from_fn(|place| 1.0 / (1.0 + (-scores[place]).exp())),
        positive: raised[0] / sum,
        negative: raised[1] / sum,
    }
}

/// Lower case, digits as 0, several spaces as one, a letter repeated three times or more as two.
fn normal(text: &str) -> Vec<char> {
    let mut out: Vec<char> = Vec::with_capacity(text.len());
    for letter in text.nfc().flat_map(char::to_lowercase) {
        let letter = match letter {
            letter if letter.is_whitespace() => ' ',
            '0'..='9' => '0',
            '’' => '\'',
            letter => letter,
        };
        if letter == ' ' && out.last().is_none_or(|&last| last == ' ') || out.ends_with(&[letter, letter]) {
            continue;
        }
        out.push(letter);
    }
    if out.last() == Some(&' ') {
        out.pop();
    }
    out
}

/// The keys of words, of neighbouring words, and of the two to five letters in a row of each padded word.
fn keys(text: &[char]) -> HashSet<u32> {
    let mut keys = HashSet::with_capacity(text.len() * 4);
    let mut before = vec!['^'];
    let mut padded = Vec::new();
    for word in text.split(|&letter| letter == ' ') {
        let mut bare: Vec<char> = word.iter().copied().filter(|&letter| letter.is_alphanumeric() || letter == '\'').collect();
        if bare.is_empty() {
            bare = word.to_vec();
        }
        keys.insert(key("w", bare.iter()));
        keys.insert(key("p", before.iter().chain(&[' ']).chain(&bare)));
        before = bare;
        padded.clear();
        padded.push(' ');
        padded.extend(word);
        padded.push(' ');
        let most = if word.iter().all(char::is_ascii) { 5 } else { 4 };
        for length in 2..=most {
            keys.extend(padded.windows(length).map(|letters| key("c", letters.iter())));
        }
    }
    keys
}

/// FNV-1a of the feature's bytes, folded to 24 bits.
fn key<'a>(kind: &str, letters: impl Iterator<Item = &'a char>) -> u32 {
    let step = |code: u32, byte: u8| (code ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let mut code = kind.bytes().fold(0x811C_9DC5, step);
    for letter in letters {
        code = letter.encode_utf8(&mut [0; 4]).bytes().fold(code, step);
    }
    (code ^ (code >> 24)) & 0x00FF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_can_be_read() {
        let table = Table::read(FILE).expect("sound");
        assert!(table.keys.len() > 10_000 && table.keys.is_sorted());
        assert!(FILE.len() < 620_000);
    }

    #[test]
    fn a_text_is_made_plain_as_in_training() {
        for (text, plain) in [("  Soooo  GOOD!!! 10’s ", "soo good!! 00's"), ("ㅋㅋㅋㅋ 좋아", "ㅋㅋ 좋아"), ("", "")] {
            assert_eq!(normal(text).into_iter().collect::<String>(), plain);
        }
    }

    #[test]
    fn the_table_tells_pleasant_from_unpleasant() {
        for text in ["I love this, thank you so much", "정말 감동이에요 행복합니다"] {
            assert!(guess(text).positive > 0.5, "{text}: {:?}", guess(text));
        }
        for text in ["this is disgusting and I hate it", "진짜 짜증나고 화가 난다"] {
            assert!(guess(text).negative > 0.5, "{text}: {:?}", guess(text));
        }
    }
}
