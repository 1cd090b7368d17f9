//! Intensity of a feeling: one scale for both languages, independent of the emotion.
//!
//! | from | meaning |
//! |---|---|
//! | 0.2 | shown in passing: a laugh, an emoji, a mild word |
//! | 0.4 | named: "행복해", "so annoying" |
//! | 0.6 | named emphatically or by several words; ordinary words stay below 0.7 however emphatic they are |
//! | 0.75 | strong: words only used for strong feelings, and major life events |
//! | 0.85 | shaken: a death, the worst day of a life |

use std::sync::LazyLock;

use saegim_core::{Emotion, Emotions};

use super::lexicon;
use crate::emotion::life_event::{LifeFeeling, tells_story};
use crate::patterns::table::{Pattern, rows};

/// What a word counts for that names a feeling, of how surely it names it.
const ORDINARY: f32 = 0.6;
/// What is left of a feeling that only mild words speak for: annoyance, amusement, a taste.
const MILD: f32 = 0.75;
/// No ordinary word is stronger than this, however loudly it is said.
const MOST_ORDINARY: f32 = 0.68;
/// What being loud adds to a strong feeling, for each mark of loudness: little, for it was strong before.
const LOUDER: f32 = 0.02;
/// From here on words tell what shook somebody.
const SHAKEN: f32 = 0.85;
/// How much is left of a strong feeling said only "a little".
const SOFTENED: f32 = 0.85;

struct Strong {
    never: Vec<Pattern>,
    words: Vec<(f32, Pattern)>,
}

static STRONG: LazyLock<Strong> = LazyLock::new(|| {
    let mut strong = Strong { never: Vec::new(), words: Vec::new() };
    for row in rows(include_str!("../../../data/emotion/strong.tsv")) {
        match row[..] {
            ["never", pattern, ..] => strong.never.push(Pattern::new(pattern)),
            [strength, pattern, ..] => strong.words.extend(strength.parse().ok().map(|strength| (strength, Pattern::new(pattern)))),
            _ => {}
        }
    }
    strong
});

/// Evidence for the intensity of a feeling.
pub(super) struct Grounds<'a> {
    /// Text in lower case.
    pub(super) text: &'a str,
    /// Detected emotions, with the evidence for the strongest one, 0..=1.
    pub(super) emotions: Emotions,
    pub(super) level: f32,
    /// Whether only mild words support it.
    pub(super) mild: bool,
    /// Major life event in the text, if any.
    pub(super) event: Option<LifeFeeling>,
}

/// Returns the intensity, 0..=1: that of ordinary words, or that of strong words and events.
pub(super) fn intensity(grounds: &Grounds<'_>) -> f32 {
    let voice = lexicon::voice(grounds.text);
    let soft = if voice.softened { SOFTENED } else { 1.0 };
    let level = if grounds.mild { grounds.level * MILD } else { grounds.level };
    let ordinary = (level * ORDINARY * voice.loudness()).min(MOST_ORDINARY);
    let strong = strong(grounds).map(|strong| strong * soft);
    let great = grounds.event.map(|event| event.intensity.get());
    let louder = LOUDER * voice.louder as f32;
    [strong, great].into_iter().flatten().map(|least| least + louder).fold(ordinary, f32::max)
}

/// How strong the strongest of the words is that only strong feelings have. Who laughs at it was not shaken by it, nor is who weeps
/// over a story.
fn strong(grounds: &Grounds<'_>) -> Option<f32> {
    let mut text = std::borrow::Cow::Borrowed(grounds.text);
    for never in &STRONG.never {
        if let Some(regex) = never.on(&text) {
            text = regex.replace_all(&text, " … ").into_owned().into();
        }
    }
    let dark = !grounds.emotions.holds(Emotion::Joy);
    if dark && (lexicon::laughs(&text) && !lexicon::is_earnest(&text) || tells_story(&text)) {
        return None;
    }
    let said = |pattern: &Pattern| {
        pattern.on(&text).is_some_and(|regex| regex.find_iter(&text).any(|piece| !lexicon::denied(&text, &piece.range())))
    };
    // Laughter leaves nothing of a wish to die even where it sounds glad.
    let meant = |strength: f32| strength < SHAKEN || !lexicon::laughs(&text) || lexicon::is_earnest(&text);
    STRONG
        .words
        .iter()
        .filter(|(strength, pattern)| meant(*strength) && said(pattern))
        .map(|(strength, _)| *strength)
        .max_by(f32::total_cmp)
}
