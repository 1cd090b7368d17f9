//! Splits text into a model's pieces: the most likely segmentation under a unigram model.

use crate::damaged::Damaged;

/// Represents a space in pieces.
const SPACE: char = '▁';

/// The vocabulary of a model, indexed by the bytes of each piece.
pub struct Pieces {
    /// All pieces, concatenated. Piece `i` ends at `ends[i]`.
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// Log-likelihoods (natural logarithm) of the pieces.
    scores: Vec<f32>,
    /// Open-addressed hash table with the piece number + 1, or 0 for an empty slot. At most half full.
    slots: Vec<u32>,
    longest: usize,
    unknown: Unknown,
}

/// Substitute for a character that no piece covers.
pub struct Unknown {
    /// Piece number.
    pub piece: u32,
    /// Log-likelihood, far below that of any piece.
    pub score: f32,
}

impl Pieces {
    /// Builds the vocabulary from the pieces in order. Pieces in `silent` have a number but never match text: the begin and end
    /// marks, which text must not be able to forge.
    pub fn new<'a>(
        pieces: impl ExactSizeIterator<Item = &'a [u8]>,
        scores: Vec<f32>,
        silent: &[u32],
        unknown: Unknown,
    ) -> Result<Self, Damaged> {
        let count = pieces.len();
        if count == 0 || count != scores.len() || unknown.piece as usize >= count || count >= u32::MAX as usize / 4 {
            return Err(Damaged::new("the pieces and their scores do not fit together"));
        }
        let slots = vec![0; (count * 2).next_power_of_two()];
        let mut all = Self { bytes: Vec::with_capacity(count * 8), ends: Vec::with_capacity(count), scores, slots, longest: 0, unknown };
        for (number, piece) in (0u32..).zip(pieces) {
            all.bytes.extend_from_slice(piece);
            all.ends.push(u32::try_from(all.bytes.len()).map_err(|_| Damaged::new("the pieces are too long"))?);
            if !piece.is_empty() && !silent.contains(&number) {
                all.longest = all.longest.max(piece.len());
                all.insert(number, piece);
            }
        }
        Ok(all)
    }

    /// Returns the number of pieces.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    fn piece(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    fn insert(&mut self, number: u32, piece: &[u8]) {
        let hash = piece.iter().fold(HASH_START, |hash, &byte| hashed(hash, byte));
        let mut slot = self.first_slot(hash);
        while self.slots[slot] != 0 {
            slot = (slot + 1) % self.slots.len();
        }
        self.slots[slot] = number + 1;
    }

    fn find(&self, hash: u64, piece: &[u8]) -> Option<u32> {
        let mut slot = self.first_slot(hash);
        loop {
            let number = self.slots[slot].checked_sub(1)?;
            if self.piece(number) == piece {
                return Some(number);
            }
            slot = (slot + 1) % self.slots.len();
        }
    }

    fn first_slot(&self, hash: u64) -> usize {
        (hash ^ (hash >> 32)) as usize % self.slots.len()
    }

    /// Returns the piece numbers of the most likely split of `normal`, whose spaces must be encoded by [`spaced`].
    pub fn split(&self, normal: &str) -> Vec<u32> {
        self.split_with_ends(normal).into_iter().map(|(piece, _)| piece).collect()
    }

    /// Like [`Pieces::split`], with the byte at which each piece ends.
    pub fn split_with_ends(&self, normal: &str) -> Vec<(u32, usize)> {
        let bytes = normal.as_bytes();
        let mut best = vec![Step { score: f64::MIN, start: 0, piece: self.unknown.piece }; bytes.len() + 1];
        best[0].score = 0.0;
        for (start, first) in normal.char_indices() {
            let so_far = best[start].score;
            let mut hash = HASH_START;
            let mut reach = |end: usize, piece: u32, score: f32| {
                let score = so_far + f64::from(score);
                if score > best[end].score {
                    best[end] = Step { score, start, piece };
                }
            };
            let mut covered = false;
            for (end, &byte) in (start + 1..).zip(bytes[start..].iter().take(self.longest)) {
                hash = hashed(hash, byte);
                if let (true, Some(piece)) = (normal.is_char_boundary(end), self.find(hash, &bytes[start..end])) {
                    reach(end, piece, self.scores[piece as usize]);
                    covered |= end == start + first.len_utf8();
                }
            }
            if !covered {
                reach(start + first.len_utf8(), self.unknown.piece, self.unknown.score);
            }
        }
        let mut pieces = Vec::new();
        let mut end = bytes.len();
        while end > 0 {
            pieces.push((best[end].piece, end));
            end = best[end].start;
        }
        pieces.reverse();
        pieces
    }
}

/// The best path to a position in the text: its last piece, the start of that piece, and the total score.
#[derive(Clone, Copy)]
struct Step {
    score: f64,
    start: usize,
    piece: u32,
}

/// Returns `normal` with each run of spaces replaced by one mark before the next word, and none at the ends.
pub fn spaced(normal: &str) -> String {
    let mut text = String::with_capacity(normal.len() + normal.len() / 2);
    for word in normal.split(' ').filter(|word| !word.is_empty()) {
        text.push(SPACE);
        text.push_str(word);
    }
    text
}

/// FNV-1a start value. The hash is incremental, so that all pieces from one position need a single pass.
const HASH_START: u64 = 0xCBF2_9CE4_8422_2325;

fn hashed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces() -> Pieces {
        let known: [(&str, f32); 8] =
            [("<unk>", 0.0), ("</s>", 0.0), ("▁", -4.0), ("▁커피", -5.0), ("를", -3.0), ("커", -6.0), ("▁커피를", -9.0), ("s", -7.0)];
        let scores = known.iter().map(|piece| piece.1).collect();
        Pieces::new(known.iter().map(|piece| piece.0.as_bytes()), scores, &[0, 1], Unknown { piece: 0, score: -20.0 }).unwrap()
    }

    fn check(text: &str, expected: &[u32]) {
        assert_eq!(pieces().split(&spaced(text)), expected, "{text:?}");
    }

    #[test]
    fn the_likeliest_split_wins() {
        check("커피를", &[3, 4]);
        check("  커피를   커", &[3, 4, 2, 5]);
        check("", &[]);
        check("   ", &[]);
    }

    #[test]
    fn what_no_piece_covers_is_unknown_one_character_at_a_time() {
        check("커🙂를", &[2, 5, 0, 4]);
    }

    #[test]
    fn text_cannot_forge_the_end_of_a_sentence() {
        check("</s>", &[2, 0, 0, 7, 0]);
    }

    #[test]
    fn pieces_without_scores_are_refused() {
        let made = Pieces::new([b"a".as_slice()].into_iter(), vec![], &[], Unknown { piece: 0, score: 0.0 });
        assert!(made.is_err());
    }
}
