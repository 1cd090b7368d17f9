//! Cuts a message into parts that the model reads at once.

use std::ops::Range;

use super::Message;
use super::forward::Input;
use super::tokens::{Token, Tokenizer};

/// Maximum number of windows of one message: about 6,000 pieces, or two seconds.
pub(super) const MOST: usize = 64;
/// Maximum number of bytes of one message that are split into pieces.
const MOST_BYTES: usize = 1 << 16;
/// Number of bytes of the line before that are split into pieces. The model reads only its last pieces.
const BEFORE_BYTES: usize = 1 << 11;
/// Maximum number of pieces of an earlier statement that a message is compared with.
pub(super) const KNOWN: usize = 48;

/// What a window consists of: the mark for the beginning, pieces of the line before, the mark for an end, pieces of the message, the
/// mark for an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) begin: u32,
    pub(super) end: u32,
    /// Maximum number of pieces in all.
    pub(super) length: usize,
    /// Maximum number of pieces of the line before.
    pub(super) before: usize,
}

impl Layout {
    /// Number of marks in a window.
    pub(super) const MARKS: usize = 3;

    /// Returns the pieces of a window: what stands before, then the part itself, with marks.
    fn pieces(self, before: &[Token], own: &[Token]) -> Vec<u32> {
        let numbers = |tokens: &[Token]| tokens.iter().map(|token| token.piece).collect::<Vec<_>>();
        [vec![self.begin], numbers(before), vec![self.end], numbers(own), vec![self.end]].concat()
    }
}

/// A part of a message, with what stands before it.
pub(super) struct Window {
    pieces: Vec<u32>,
    /// Pieces of the part. At least one is not empty.
    pub(super) tokens: Vec<Token>,
    /// Bytes of the message. The ranges of the windows cover all that is read.
    pub(super) range: Range<usize>,
}

impl Window {
    pub(super) fn input(&self) -> Input<'_> {
        Input { pieces: &self.pieces, first: self.pieces.len() - 1 - self.tokens.len() }
    }
}

/// Returns a window in which the model compares the beginning of a message with an earlier statement; `None` if one of them is blank.
pub(super) fn comparison(known: &str, text: &str, tokenizer: &Tokenizer, layout: Layout) -> Option<Window> {
    let text = &text[..border(text, BEFORE_BYTES)];
    let mut before = tokenizer.split(&known[border(known, known.len().saturating_sub(BEFORE_BYTES))..]);
    let mut tokens = tokenizer.split(text);
    before.drain(..before.len().saturating_sub(KNOWN));
    tokens.truncate(layout.length - Layout::MARKS - before.len());
    let pieces = layout.pieces(&before, &tokens);
    (!before.is_empty() && !tokens.is_empty()).then_some(Window { pieces, tokens, range: 0..text.len() })
}

/// Cuts `message` into windows; none if it is blank. The first window sees the line before, the others what they follow.
pub(super) fn windows(message: Message, tokenizer: &Tokenizer, layout: Layout) -> Vec<Window> {
    let text = &message.text[..border(message.text, MOST_BYTES)];
    let tokens = tokenizer.split(text);
    let mut before = tokenizer.split(&message.before[border(message.before, message.before.len().saturating_sub(BEFORE_BYTES))..]);
    let (mut windows, mut rest, mut start) = (vec![], &tokens[..], 0);
    while !rest.is_empty() && windows.len() < MOST {
        before.drain(..before.len().saturating_sub(layout.before));
        let (own, behind) = rest.split_at(cut(text, rest, layout.length - Layout::MARKS - before.len()));
        let end = behind.iter().find(|token| !token.range.is_empty()).map_or(text.len(), |token| token.range.start.max(start));
        windows.push(Window { pieces: layout.pieces(&before, own), tokens: own.to_vec(), range: start..end });
        (before, rest, start) = (own.to_vec(), behind, end);
    }
    windows
}

/// Returns how many of `tokens` the next window takes: all if they fit into `room`, otherwise as many as reach the last end of a
/// sentence in the second half of the room, or else of a clause, or else of a word.
fn cut(text: &str, tokens: &[Token], room: usize) -> usize {
    if tokens.len() <= room {
        return tokens.len();
    }
    let border = |at: usize| {
        let before = &text[..tokens[at].range.start];
        let last = before.trim_end();
        let rank = if last.ends_with(['.', '!', '?', '…', '。', '~']) || before[last.len()..].contains('\n') {
            3
        } else if last.ends_with([',', ';', ':']) {
            2
        } else {
            1
        };
        (rank, at)
    };
    let borders = (room / 2 + 1..=room).filter(|&at| tokens[at].first).map(border);
    borders.max().map_or(room, |(_, at)| at)
}

/// Returns the last character border up to `at`.
fn border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
