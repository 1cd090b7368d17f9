//! Detects feelings by words, with negation and emphasis.

use std::sync::LazyLock;

use saegim_core::Emotion;

use crate::patterns::table::{Pattern, rows};

/// How many letters before and after a word may deny it.
const REACH: usize = 24;
/// What is said before a turn ("..., but") counts this much of what comes after it.
const BEFORE_A_TURN: f32 = 0.55;
/// Praise denied is mild displeasure.
const DENIED_JOY: f32 = 0.55;
/// What troubled once and is over now is mild pleasure.
const OVER: f32 = 0.5;
/// What one mark of loudness adds to an ordinary feeling, and what saying it softly leaves of it.
const LOUDER: f32 = 0.08;
const SOFTER: f32 = 0.8;
/// What a mocking turn of phrase is worth.
const MOCKED: f32 = 0.65;

/// A feeling supported by a piece of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sign {
    pub(super) emotion: Emotion,
    /// Strength, 0..=1.
    pub(super) strength: f32,
    /// The piece of text.
    pub(super) word: String,
}

struct Entry {
    /// None for words that only look like a feeling.
    emotions: Vec<Emotion>,
    strength: f32,
    pattern: Pattern,
}

static KOREAN: LazyLock<Vec<Entry>> = LazyLock::new(|| entries(include_str!("../../../data/emotion/lexicon.tsv")));
static ENGLISH: LazyLock<Vec<Entry>> = LazyLock::new(|| entries(include_str!("../../../data/emotion/lexicon_en.tsv")));
static SIGNS: LazyLock<Vec<(Emotion, f32, Vec<&'static str>)>> = LazyLock::new(|| {
    let table = rows(include_str!("../../../data/emotion/signs.tsv"));
    table
        .filter_map(|row| {
            let [emotion, strength, signs, ..] = row[..] else { return None };
            Some((Emotion::parse(emotion).ok()?, strength.parse().ok()?, signs.split(',').collect()))
        })
        .collect()
});

fn entries(table: &'static str) -> Vec<Entry> {
    rows(table)
        .filter_map(|row| {
            let [emotions, strength, pattern, ..] = row[..] else { return None };
            let emotions = emotions.split(',').filter_map(|emotion| Emotion::parse(emotion).ok()).collect();
            Some(Entry { emotions, strength: strength.parse().ok()?, pattern: Pattern::new(pattern) })
        })
        .collect()
}

/// The ways of saying, by name.
struct Marks {
    louder: Pattern,
    softer: Pattern,
    denied_before: Pattern,
    denied_after: Pattern,
    over: Pattern,
    turn: Pattern,
    mock: Pattern,
    laugh: Pattern,
    mild: Pattern,
    at_once: Pattern,
    joined: Vec<Pattern>,
    by_turns: Pattern,
    earnest: Pattern,
}

static MARKS: LazyLock<Marks> = LazyLock::new(|| {
    let table: Vec<_> = rows(include_str!("../../../data/emotion/marks.tsv")).collect();
    let marks = |name: &str| -> Vec<Pattern> {
        table.iter().filter(|row| row.first() == Some(&name)).filter_map(|row| row.get(1)).map(|row| Pattern::new(row)).collect()
    };
    let mark = |name: &str| marks(name).pop().expect("every mark is in the table");
    Marks {
        louder: mark("louder"),
        softer: mark("softer"),
        denied_before: mark("denied before"),
        denied_after: mark("denied after"),
        over: mark("over"),
        turn: mark("turn"),
        mock: mark("mock"),
        laugh: mark("laugh"),
        mild: mark("mild"),
        at_once: mark("at once"),
        joined: marks("joined"),
        by_turns: mark("by turns"),
        earnest: mark("earnest"),
    }
});

/// Result of the word search.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Feelings that are named or shown.
    pub(super) signs: Vec<Sign>,
    /// Whether a word was found that does not count, because it is negated or only resembles a feeling.
    pub(super) set_aside: bool,
    /// Whether the text says that positive and negative feelings hold at once.
    pub(super) at_once: bool,
}

/// Finds the feelings that a lower-case text has words for.
pub(super) fn words(text: &str) -> Words {
    let mut found = Vec::new();
    let hangul = text.chars().any(|letter| ('가'..='힣').contains(&letter));
    let latin = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let lists = [hangul.then_some(&*KOREAN), latin.then_some(&*ENGLISH)];
    for entry in lists.into_iter().flatten().flatten() {
        let Some(regex) = entry.pattern.on(text) else { continue };
        found.extend(regex.find_iter(text).map(|piece| (piece.range(), entry)));
    }
    // The longest piece first; what overlaps it is part of it.
    found.sort_by_key(|(range, _)| (std::cmp::Reverse(range.len()), range.start));
    let mut kept: Vec<(std::ops::Range<usize>, &Entry)> = Vec::new();
    for (range, entry) in found {
        if kept.iter().all(|(other, _)| range.end <= other.start || other.end <= range.start) {
            kept.push((range, entry));
        }
    }
    let at_once = MARKS.at_once.fits(text) || MARKS.joined.iter().any(|joined| joined.fits(text)) && !MARKS.by_turns.fits(text);
    let turn = MARKS.turn.on(text).and_then(|regex| regex.find_iter(text).last()).map_or(0, |turn| turn.start());
    let after_turn = kept.iter().any(|(range, entry)| range.end > turn && !entry.emotions.is_empty());
    let mut set_aside = kept.iter().any(|(_, entry)| entry.emotions.is_empty());
    let mocked = MARKS.mock.fits(text);
    let mut signs = Vec::new();
    for (range, entry) in kept {
        let weight = if after_turn && !at_once && range.end <= turn { BEFORE_A_TURN } else { 1.0 };
        let word = text[range.clone()].trim().to_owned();
        let denied = denied(text, &range);
        for &emotion in &entry.emotions {
            let (emotion, strength) = match (emotion, denied) {
                (Emotion::Joy, _) if mocked => continue,
                (emotion, false) => (emotion, entry.strength),
                (Emotion::Joy, true) => (Emotion::Sadness, DENIED_JOY),
                (_, true) if MARKS.over.fits(text) => (Emotion::Joy, OVER),
                (_, true) => {
                    set_aside = true;
                    continue;
                }
            };
            signs.push(Sign { emotion, strength: strength * weight, word: word.clone() });
        }
    }
    if mocked {
        let word = MARKS.mock.on(text).and_then(|regex| regex.find(text)).map_or("", |piece| piece.as_str());
        signs.push(Sign { emotion: Emotion::Anger, strength: MOCKED, word: word.trim().to_owned() });
    }
    Words { signs, set_aside, at_once }
}

/// Finds the feelings shown by laughter, crying and emoji.
pub(super) fn pictures(text: &str) -> Vec<Sign> {
    let mut signs = Vec::new();
    for (emotion, strength, shapes) in &*SIGNS {
        let stands_alone = |at: usize, shape: &str| {
            let letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
            let latin = shape.starts_with(|first: char| first.is_ascii_alphabetic());
            !latin || !letter(text[..at].chars().next_back()) && !letter(text[at + shape.len()..].chars().next())
        };
        for shape in shapes {
            if text.match_indices(shape).any(|(at, _)| stands_alone(at, shape)) {
                signs.push(Sign { emotion: *emotion, strength: *strength, word: (*shape).to_owned() });
            }
        }
    }
    signs
}

/// Emphasis of a text.
pub(super) struct Voice {
    /// Number of emphasis marks, at most three.
    pub(super) louder: usize,
    /// Whether it is softened ("a little").
    pub(super) softened: bool,
}

impl Voice {
    /// Returns the factor for the intensity: above one if emphatic, below one if softened.
    pub(super) fn loudness(&self) -> f32 {
        let louder = 1.0 + LOUDER * self.louder as f32;
        if self.softened { louder * SOFTER } else { louder }
    }
}

/// Returns the emphasis of a lower-case text.
pub(super) fn voice(text: &str) -> Voice {
    let louder = MARKS.louder.on(text).map_or(0, |regex| regex.find_iter(text).take(3).count());
    Voice { louder, softened: MARKS.softer.fits(text) }
}

/// Checks whether a feeling word is mild: annoyance, amusement or taste.
pub(super) fn is_mild(word: &str) -> bool {
    MARKS.mild.fits(word)
}

/// Checks whether a death wish in a text is meant seriously, even if there is laughter.
pub(super) fn is_earnest(text: &str) -> bool {
    MARKS.earnest.fits(text)
}

/// Checks whether a text contains laughter.
pub(super) fn laughs(text: &str) -> bool {
    MARKS.laugh.fits(text)
}

/// Checks whether the words around a piece of a lower-case text negate it.
pub(super) fn denied(text: &str, piece: &std::ops::Range<usize>) -> bool {
    let (before, after) = (&text[..piece.start], &text[piece.end..]);
    let from = before.char_indices().rev().take(REACH).last().map_or(before.len(), |(at, _)| at);
    let to = after.char_indices().nth(REACH).map_or(after.len(), |(at, _)| at);
    MARKS.denied_before.fits(&before[from..]) || MARKS.denied_after.fits(&after[..to])
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn every_pattern_can_be_read() {
        for entry in KOREAN.iter().chain(&*ENGLISH) {
            assert!(entry.pattern.get().is_some());
        }
        let marks = &*MARKS;
        for mark in [&marks.louder, &marks.softer, &marks.denied_before, &marks.denied_after, &marks.over, &marks.turn, &marks.mock] {
            assert!(mark.get().is_some_and(|regex: &Regex| !regex.as_str().is_empty()));
        }
        assert!(KOREAN.len() > 20 && ENGLISH.len() > 15 && SIGNS.len() > 5);
    }

    fn check(text: &str, expected: &[Emotion]) {
        let found: Vec<Emotion> = words(text).signs.into_iter().map(|sign| sign.emotion).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_is_denied_does_not_count() {
        check("행복해", &[Emotion::Joy]);
        check("행복하지 않아", &[Emotion::Sadness]);
        check("i'm not happy", &[Emotion::Sadness]);
        check("화난 거 아니야", &[]);
        check("i'm not angry", &[]);
        check("이제 안 무서워", &[Emotion::Joy]);
        check("불안해", &[Emotion::Anxiety]);
    }

    #[test]
    fn an_idiom_takes_the_place_of_its_words() {
        check("웃겨 죽겠네", &[Emotion::Joy]);
        check("공포 영화 봤어", &[]);
        check("thanks for nothing", &[Emotion::Anger]);
    }
}
