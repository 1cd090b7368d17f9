//! The ten emotions, how they blend, and the feeling attached to a memory.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Invalid, Sentiment, Unit, phrase};

/// One of the ten emotions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emotion {
    /// Gold.
    Joy,
    /// Blue.
    Sadness,
    /// Red.
    Anger,
    /// Purple.
    Fear,
    /// Green.
    Disgust,
    /// Orange.
    Anxiety,
    /// Teal.
    Envy,
    /// Indigo.
    Ennui,
    /// Pink and blue.
    Nostalgia,
    /// Grey.
    Neutral,
}

impl Emotion {
    /// All ten emotions in canonical order.
    pub const ALL: [Self; 10] = [
        Self::Joy,
        Self::Sadness,
        Self::Anger,
        Self::Fear,
        Self::Disgust,
        Self::Anxiety,
        Self::Envy,
        Self::Ennui,
        Self::Nostalgia,
        Self::Neutral,
    ];

    /// Returns its name in JSON, SQL and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Joy => "joy",
            Self::Sadness => "sadness",
            Self::Anger => "anger",
            Self::Fear => "fear",
            Self::Disgust => "disgust",
            Self::Anxiety => "anxiety",
            Self::Envy => "envy",
            Self::Ennui => "ennui",
            Self::Nostalgia => "nostalgia",
            Self::Neutral => "neutral",
        }
    }

    /// Returns its Korean name.
    pub const fn korean(self) -> &'static str {
        match self {
            Self::Joy => "기쁨",
            Self::Sadness => "슬픔",
            Self::Anger => "분노",
            Self::Fear => "두려움",
            Self::Disgust => "혐오",
            Self::Anxiety => "불안",
            Self::Envy => "부러움",
            Self::Ennui => "권태",
            Self::Nostalgia => "그리움",
            Self::Neutral => "무덤덤",
        }
    }

    /// Parses the English or the Korean name.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let word = text.trim().to_lowercase();
        Self::ALL.into_iter().find(|emotion| emotion.as_str() == word || emotion.korean() == word).ok_or_else(|| {
            let (english, korean) = (Self::ALL.map(Self::as_str).join(", "), Self::ALL.map(Self::korean).join(", "));
            let problem = phrase!("core.emotion.unknown", text, english, korean);
            Invalid::new("emotion", problem)
        })
    }

    /// Returns its colour as red, green, blue.
    pub const fn colour(self) -> [u8; 3] {
        match self {
            Self::Joy => [0xFF, 0xC8, 0x2E],
            Self::Sadness => [0x3B, 0x82, 0xF6],
            Self::Anger => [0xE5, 0x3E, 0x3E],
            Self::Fear => [0x8B, 0x5C, 0xF6],
            Self::Disgust => [0x38, 0xA1, 0x69],
            Self::Anxiety => [0xF9, 0x73, 0x16],
            Self::Envy => [0x14, 0xB8, 0xA6],
            Self::Ennui => [0x4F, 0x46, 0xA5],
            Self::Nostalgia => [0xC0, 0x84, 0xD8],
            Self::Neutral => [0x9C, 0xA3, 0xAF],
        }
    }

    /// Returns its valence, -1..=1.
    pub const fn sentiment(self) -> f32 {
        match self {
            Self::Joy => 0.8,
            Self::Sadness => -0.7,
            Self::Anger => -0.8,
            Self::Fear => -0.7,
            Self::Disgust => -0.7,
            Self::Anxiety => -0.5,
            Self::Envy => -0.4,
            Self::Ennui => -0.3,
            Self::Nostalgia => 0.1,
            Self::Neutral => 0.0,
        }
    }
}

impl fmt::Display for Emotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of simultaneous emotions. Neutral is only kept if it is alone; joy with sadness adds nostalgia.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Emotion>", into = "Vec<Emotion>")]
pub struct Emotions(u16);

impl Emotions {
    /// Combines emotions into a set.
    pub fn mix(emotions: impl IntoIterator<Item = Emotion>) -> Self {
        let bit = |emotion: Emotion| 1u16 << emotion as u16;
        let mut set = emotions.into_iter().fold(0, |set, emotion| set | bit(emotion));
        if set & bit(Emotion::Joy) != 0 && set & bit(Emotion::Sadness) != 0 {
            set |= bit(Emotion::Nostalgia);
        }
        if set != bit(Emotion::Neutral) {
            set &= !bit(Emotion::Neutral);
        }
        Self(set)
    }

    /// Decodes a set from its stored bits; unknown bits are dropped.
    pub fn from_bits(bits: u16) -> Self {
        Self::mix(Emotion::ALL.into_iter().filter(|&emotion| bits & (1 << emotion as u16) != 0))
    }

    /// Returns the set as bits, one per emotion in the order of [`Emotion::ALL`].
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Iterates over the emotions in the order of [`Emotion::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Emotion> {
        Emotion::ALL.into_iter().filter(move |&emotion| self.0 & (1 << emotion as u16) != 0)
    }

    /// Whether the set contains `emotion`.
    pub const fn holds(self, emotion: Emotion) -> bool {
        self.0 & (1 << emotion as u16) != 0
    }

    /// Returns the number of emotions. Neutral counts as one.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty: the emotion is unknown.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the mean colour of the set; the neutral colour if it is empty.
    pub fn colour(self) -> [u8; 3] {
        if self.is_empty() {
            return Emotion::Neutral.colour();
        }
        let mut sum = [0u32; 3];
        for emotion in self.iter() {
            for (channel, value) in sum.iter_mut().zip(emotion.colour()) {
                *channel += u32::from(value);
            }
        }
        sum.map(|channel| (channel / self.len() as u32) as u8)
    }

    /// Returns the mean valence of the set.
    pub fn sentiment(self) -> Sentiment {
        if self.is_empty() {
            return Sentiment::default();
        }
        Sentiment::clamped(self.iter().map(Emotion::sentiment).sum::<f32>() / self.len() as f32)
    }
}

impl From<Vec<Emotion>> for Emotions {
    fn from(emotions: Vec<Emotion>) -> Self {
        Self::mix(emotions)
    }
}

impl From<Emotions> for Vec<Emotion> {
    fn from(emotions: Emotions) -> Self {
        emotions.iter().collect()
    }
}

/// A feeling: emotions, intensity, valence, and the words that express it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Feeling {
    /// The emotions.
    pub emotions: Emotions,
    /// Intensity.
    pub intensity: Unit,
    /// Valence.
    pub sentiment: Sentiment,
    /// Range between the most positive and the most negative emotion; 0 if they agree.
    pub affect_amplitude: Unit,
    /// Confidence of the judgement.
    pub confidence: Unit,
    /// Words that express it.
    pub keywords: Vec<String>,
}

impl Feeling {
    /// Creates a feeling from emotions and an intensity given explicitly, without a text to judge.
    pub fn named(emotions: Emotions, intensity: Unit) -> Self {
        let strongest = emotions.iter().map(Emotion::sentiment);
        let (low, high) = strongest.fold((0.0f32, 0.0f32), |(low, high), value| (low.min(value), high.max(value)));
        Self {
            emotions,
            intensity,
            sentiment: Sentiment::clamped(emotions.sentiment().get() * intensity.get().max(0.25)),
            affect_amplitude: Unit::clamped((high - low) / 2.0 * intensity.get()),
            confidence: Unit::ONE,
            keywords: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Emotion::*;

    fn check(given: &[Emotion], mixed: &[Emotion]) {
        assert_eq!(Emotions::mix(given.iter().copied()).iter().collect::<Vec<_>>(), mixed, "{given:?}");
    }

    #[test]
    fn emotions_mix() {
        check(&[], &[]);
        check(&[Joy], &[Joy]);
        check(&[Sadness, Joy], &[Joy, Sadness, Nostalgia]);
        check(&[Neutral], &[Neutral]);
        check(&[Neutral, Anger], &[Anger]);
        check(&[Envy, Envy], &[Envy]);
    }

    #[test]
    fn a_mixed_feeling_has_a_mixed_colour() {
        let mixed = Emotions::mix([Anger, Fear]).colour();
        assert_eq!(mixed, [0xB8, 0x4D, 0x9A]);
    }

    proptest! {
        #[test]
        fn a_mixture_is_as_pleasant_as_its_parts_are_on_the_average(bits in 1u16..1024) {
            let set = Emotions::from_bits(bits);
            let parts: Vec<f32> = set.iter().map(Emotion::sentiment).collect();
            let mean = parts.iter().sum::<f32>() / parts.len() as f32;
            prop_assert!((set.sentiment().get() - mean).abs() < 1e-6);
            prop_assert!(set.sentiment().get().abs() <= parts.iter().fold(0.0f32, |most, part| most.max(part.abs())) + 1e-6);
        }

        #[test]
        fn feelings_swing_wider_the_further_they_lie_apart_and_the_stronger_they_are(intensity in 0.01f32..=1.0, more in 0.0f32..1.0) {
            let swing = |emotions: &[Emotion], intensity: f32| {
                Feeling::named(Emotions::mix(emotions.iter().copied()), Unit::clamped(intensity)).affect_amplitude
            };
            prop_assert!(swing(&[Joy, Anger], intensity) > swing(&[Joy], intensity));
            prop_assert!(swing(&[Joy, Anger], (intensity + more).min(1.0)) >= swing(&[Joy, Anger], intensity));
        }
    }

    #[test]
    fn bits_that_mean_nothing_are_dropped() {
        let all = Emotions::from_bits(u16::MAX);
        assert!(all.holds(Nostalgia) && !all.holds(Neutral));
        assert_eq!(Emotions::from_bits(all.bits()), all);
    }

    #[test]
    fn emotions_are_read_in_both_languages() {
        assert_eq!(Emotion::parse("그리움").unwrap(), Nostalgia);
        assert_eq!(Emotion::parse(" JOY ").unwrap(), Joy);
        assert!(Emotion::parse("happy").unwrap_err().to_string().contains("joy"));
    }
}
