//! Marked values from the tags of the pieces.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

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

/// Particles and endings that follow a Korean value within its word, as the training authors write them.
static ENDINGS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("../../../model/endings.txt").split_whitespace().collect());

fn is_hangul(letter: char) -> bool {
    ('가'..='힣').contains(&letter)
}

/// Grows a range to whole words of Latin letters and digits and, in Korean, from the start of the word to a known ending; leaves out
/// quotes and punctuation at its ends.
fn word_bounds(text: &str, range: Range<usize>) -> Range<usize> {
    let latin = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
    let Range { mut start, mut end } = range;
    while start > 0 && latin(start - 1) && latin(start) {
        start -= 1;
    }
    while end > 0 && latin(end) && latin(end - 1) {
        end += 1;
    }
    if text[start..].starts_with(is_hangul) {
        let word = text[..start].trim_end_matches(char::is_alphanumeric).len();
        start = word.min(start);
    }
    let rest = text[end..].split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    if end > start && text[..end].ends_with(is_hangul) && !rest.is_empty() {
        let ending = rest.char_indices().map(|(at, _)| at).find(|at| ENDINGS.contains(&rest[*at..]));
        end += ending.unwrap_or(rest.len());
    }
    let mark = |letter: char| !letter.is_alphanumeric();
    let from_start = text[start..end].trim_start_matches(mark);
    start = end - from_start.len();
    start..start + from_start.trim_end_matches(mark).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_where_a_known_ending_begins() {
        for (text, marked, value) in [
            ("요즘 판교에서 일해", "판", "판교"),
            ("요즘 판교에서 일해", "교", "판교"),
            ("물이 무서워", "물", "물"),
            ("영감은 담배를 피워", "영", "영감"),
            ("corgi called Biscuit", "isc", "Biscuit"),
            ("(\"Leeds\")", "\"Leeds\"", "Leeds"),
        ] {
            let start = text.find(marked).expect("the marked part is in the text");
            assert_eq!(&text[word_bounds(text, start..start + marked.len())], value, "{text} | {marked}");
        }
    }
}
