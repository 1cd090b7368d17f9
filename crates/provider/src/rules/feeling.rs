//! What a text feels like, by a lexicon of both languages.

use std::sync::LazyLock;

use saegim_core::{Emotion, Emotions, Feeling, Sentiment, Unit};

use super::table::rows;

struct Entry {
    emotion: Emotion,
    strength: f32,
    word: &'static str,
}

static LEXICON: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = Vec::new();
    for row in rows(include_str!("../../rules/feelings.tsv")) {
        let [emotion, strength, words, ..] = row[..] else { continue };
        let (Ok(emotion), Ok(strength)) = (Emotion::parse(emotion), strength.parse()) else { continue };
        entries.extend(words.split(',').map(|word| Entry { emotion, strength, word }));
    }
    entries
});

/// What a text feels like. Words that are denied ("안 무서워", "not sad") do not count; without any word it is neutral.
pub fn feeling(text: &str) -> Feeling {
    let lower = text.to_lowercase();
    let felt: Vec<&Entry> = LEXICON.iter().filter(|entry| holds(&lower, entry.word)).collect();
    let keywords: Vec<String> = felt.iter().map(|entry| entry.word.to_owned()).collect();
    if felt.is_empty() {
        return Feeling { emotions: Emotions::mix([Emotion::Neutral]), confidence: Unit::clamped(0.4), ..Feeling::default() };
    }
    let strongest = felt.iter().map(|entry| entry.strength).fold(0.0, f32::max);
    let intensity = Unit::clamped(strongest + louder(&lower) + 0.05 * (felt.len() as f32 - 1.0));
    let emotions = Emotions::mix(felt.iter().map(|entry| entry.emotion));
    let sentiments: Vec<f32> = emotions.iter().map(Emotion::sentiment).collect();
    let (low, high) = sentiments.iter().fold((0.0f32, 0.0f32), |(low, high), value| (low.min(*value), high.max(*value)));
    Feeling {
        emotions,
        intensity,
        sentiment: Sentiment::clamped(emotions.sentiment().get() * intensity.get().max(0.25)),
        affect_amplitude: Unit::clamped((high - low) / 2.0 * intensity.get()),
        confidence: Unit::clamped(0.5 + 0.1 * felt.len() as f32),
        keywords,
    }
}

/// Whether a word is there and not denied; a Latin word must begin where a word begins.
fn holds(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = &text[..at];
        let begins = !word.starts_with(|letter: char| letter.is_ascii_alphabetic())
            || !before.ends_with(|letter: char| letter.is_ascii_alphanumeric());
        let denied =
            ["안 ", "안", "not ", "n't ", "never ", "no "].iter().any(|denial| before.ends_with(denial)) && !before.ends_with("불안");
        begins && !denied
    })
}

/// What marks of strength add: 너무, so, exclamation marks.
fn louder(text: &str) -> f32 {
    let marks = ["너무", "진짜", "완전", "정말", "엄청", "so ", "really ", "very ", "extremely ", "!!", "ㅠㅠㅠ"];
    (marks.iter().filter(|mark| text.contains(**mark)).count() as f32 * 0.1).min(0.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, emotion: Emotion) {
        assert!(feeling(text).emotions.holds(emotion), "{text}: {:?}", feeling(text));
    }

    #[test]
    fn feelings_are_found_in_both_languages() {
        check("오늘 너무 행복해", Emotion::Joy);
        check("I'm so lonely tonight", Emotion::Sadness);
        check("진짜 짜증나", Emotion::Anger);
        check("점심 먹었어", Emotion::Neutral);
        check("I'm not sad", Emotion::Neutral);
    }
}
