//! Marked values from the tags of the pieces.

use std::ops::Range;

use super::labels::TAGS;
use super::tokens::Token;
use crate::reader::analysis::{MarkedValue, SUBJECTS};

/// Returns the values that the tags of `tokens` mark, in the order of the text. `tags` holds the probabilities of every piece. A value
/// is as sure as its least sure piece.
pub(super) fn values(text: &str, tokens: &[Token], tags: &[f32]) -> Vec<MarkedValue> {
    let mut found: Vec<(Range<usize>, usize, f32)> = vec![];
    let mut open = false;
    for (token, tags) in tokens.iter().zip(tags.chunks_exact(TAGS)).filter(|(token, _)| !token.range.is_empty()) {
        let best = likeliest(tags);
        if best == 0 {
            open = false;
            continue;
        }
        let (subject, inside) = ((best - 1) / 2, best.is_multiple_of(2));
        let probability = (tags[1 + 2 * subject] + tags[2 + 2 * subject]).min(1.0);
        match found.last_mut() {
            Some((range, same, least)) if open && inside && *same == subject => {
                range.end = token.range.end;
                *least = least.min(probability);
            }
            _ => found.push((token.range.clone(), subject, probability)),
        }
        open = true;
    }
    let grown = found.into_iter().map(|(range, subject, probability)| MarkedValue {
        range: word_bounds(text, range),
        subject: SUBJECTS[subject],
        probability,
    });
    apart(grown.filter(|value| !value.range.is_empty()).collect())
}

/// Sorts values and keeps the surer one of two that overlap: values that have grown into the same word.
pub(super) fn apart(mut values: Vec<MarkedValue>) -> Vec<MarkedValue> {
    values.sort_by_key(|value| (value.range.start, value.range.end));
    let mut kept: Vec<MarkedValue> = vec![];
    for value in values {
        match kept.last_mut() {
            Some(last) if value.range.start < last.range.end => {
                if value.probability > last.probability {
                    *last = value;
                }
            }
            _ => kept.push(value),
        }
    }
    kept
}

/// Returns the label with the highest probability; the first of several.
pub(super) fn likeliest(shares: &[f32]) -> usize {
    let better = |best: usize, at: usize| if shares[at] > shares[best] { at } else { best };
    (0..shares.len()).fold(0, better)
}

/// Grows a range to whole words of Latin letters and digits, and leaves out quotes and punctuation at its ends.
fn word_bounds(text: &str, range: Range<usize>) -> Range<usize> {
    let latin = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
    let Range { mut start, mut end } = range;
    while start > 0 && latin(start - 1) && latin(start) {
        start -= 1;
    }
    while end > 0 && latin(end) && latin(end - 1) {
        end += 1;
    }
    let mark = |letter: char| !letter.is_alphanumeric();
    let from_start = text[start..end].trim_start_matches(mark);
    start = end - from_start.len();
    start..start + from_start.trim_end_matches(mark).len()
}
