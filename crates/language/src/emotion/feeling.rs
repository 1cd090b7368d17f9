//! Detects the feeling of a text from words and punctuation of both languages, and from a trained table if there are none.

/// Intensity of a feeling.
mod intensity;
/// Detection by words.
mod lexicon;
/// Detection by the trained table.
mod table;

use saegim_core::{Emotion, Emotions, Feeling, Sentiment, Unit};

use crate::emotion::life_event::life_feeling;
use crate::patterns::table::Pattern;
use intensity::{Grounds, intensity};
use lexicon::Sign;
use table::{EMOTIONS, Guess};

/// An emotion holds from this weight on.
const HOLDS: f32 = 0.36;
/// Share of the strongest emotion from which a weaker one is kept as well.
const BESIDE: f32 = 0.6;
/// How far the table may raise or lower what words say.
const LEAN: f32 = 0.25;
/// How sure the table must be of a polarity to speak alone.
const ALONE: f32 = 0.75;
/// A shout is glad unless the table is this sure that it is not, and this strongly.
const SHOUTED: f32 = 0.6;
const SHOUTED_JOY: f32 = 0.5;
/// What the table says alone is worth this much of its probability.
const GUESSED: f32 = 0.6;
/// And is felt this much as strongly: too little to be kept as a feeling of its own.
const GUESSED_INTENSITY: f32 = 0.65;
/// The part of the table in how pleasant a felt text is, and how far it may lean in a calm one.
const SENTIMENT_LEAN: f32 = 0.3;
const CALM_LEAN: f32 = 0.2;
/// How much a great event speaks for what it brings where no word does.
const GREAT: f32 = 0.75;
/// An event from this strength on is dark whatever is said of it: a death, an assault.
const SHAKING: f32 = 0.8;
/// Share of nostalgia that remains next to joy.
const NOSTALGIA_BESIDE_JOY: f32 = 0.75;
/// Laughing and weeping count less beside words: people laugh at what angers them and weep for joy.
const BESIDE_WORDS: f32 = 0.5;

/// Feelings that are somebody's name where they stand with a capital letter in mid sentence, or do something at its head.
static NAMES: Pattern = Pattern::new(
    r"(?-i:(?P<before>[a-z0-9,] )(?:Joy|Hope|Grace|Faith|Bliss|Sunny|Lucky)(?P<after>'s\b|\b)|^(?:Joy|Hope|Grace|Faith|Sunny|Lucky)(?P<verb>'s| (?:and|came|comes|said|says|called|calls|texted|went|told|asked|brought|made|cooked|likes|loves|wants|lives|works|is|was|has|had|will|just|visited|dropped|got)\b))",
);

/// Returns the feeling of a text. Negated words ("안 무서워", "not sad") do not count, later words outweigh earlier ones, and a
/// text without evidence is neutral.
pub(crate) fn feeling(text: &str) -> Feeling {
    let event = life_feeling(text);
    let text = nameless(text).to_lowercase().replace('’', "'");
    let words = lexicon::words(&text);
    let pictures = lexicon::pictures(&text);
    let guess = table::guess(&text);
    let mut levels = Levels::default();
    let beside = if words.signs.is_empty() { 1.0 } else { BESIDE_WORDS };
    let told: Vec<(&Sign, f32)> = words.signs.iter().map(|sign| (sign, 1.0)).chain(pictures.iter().map(|sign| (sign, beside))).collect();
    for (sign, share) in &told {
        levels.raise(sign.emotion, sign.strength * share);
    }
    levels.lean(&guess);
    // Relief that the suffering is over is not joy about the death, and childhood is no comfort to a person harmed in it.
    let undarkened = words.signs.iter().all(|sign| matches!(sign.emotion, Emotion::Joy | Emotion::Nostalgia));
    let rueful = undarkened && event.is_some_and(|event| event.emotion != Emotion::Joy && event.intensity.get() >= SHAKING);
    levels.at_once = words.at_once || rueful;
    if let Some(event) = event.filter(|_| words.signs.is_empty() || rueful) {
        levels.raise(event.emotion, GREAT);
    } else if told.is_empty() && !words.set_aside {
        levels.guess(&guess);
        // News told with two marks of exclamation and no word of displeasure is good news.
        if text.contains("!!") && guess.negative < SHOUTED {
            levels.raise(Emotion::Joy, SHOUTED_JOY);
        }
    }
    levels.settle();
    let lean = guess.positive - guess.negative;
    let emotions = levels.emotions();
    if emotions.holds(Emotion::Neutral) {
        let sure = 1.0 - guess.positive.max(guess.negative);
        let sentiment = Sentiment::clamped(CALM_LEAN * lean);
        return Feeling { emotions, sentiment, confidence: Unit::clamped(0.4 + 0.4 * sure), ..Feeling::default() };
    }
    let strongest = emotions.iter().map(|emotion| levels.of(emotion)).fold(0.0, f32::max);
    let share = if told.is_empty() { GUESSED_INTENSITY } else { 1.0 };
    let mild = !told.is_empty() && told.iter().all(|(sign, _)| lexicon::is_mild(&sign.word));
    let intensity = Unit::clamped(intensity(&Grounds { text: &text, emotions, level: strongest * share, mild, event }));
    let pleasant: Vec<f32> = emotions.iter().map(Emotion::sentiment).collect();
    let (low, high) = pleasant.iter().fold((0.0f32, 0.0f32), |(low, high), value| (low.min(*value), high.max(*value)));
    let mut keywords: Vec<String> = Vec::new();
    for (sign, _) in told.iter().filter(|(sign, _)| emotions.holds(sign.emotion)) {
        if !keywords.contains(&sign.word) {
            keywords.push(sign.word.clone());
        }
    }
    let agreed = if emotions.sentiment().get() < 0.0 { guess.negative } else { guess.positive };
    // How pleasant it is does not hang on how strong it is: a trifle can be all pleasure.
    let pleasure = (strongest * share).max(intensity.get()).max(0.25);
    Feeling {
        emotions,
        intensity,
        sentiment: sentiment(emotions.sentiment().get() * pleasure, lean),
        affect_amplitude: Unit::clamped((high - low) / 2.0 * intensity.get()),
        confidence: Unit::clamped(0.35 + 0.1 * keywords.len().min(3) as f32 + 0.35 * agreed),
        keywords,
    }
}

/// The text without feelings that are somebody's name.
fn nameless(text: &str) -> std::borrow::Cow<'_, str> {
    NAMES.on(text).map_or_else(|| text.into(), |regex| regex.replace_all(text, "${before}someone${after}${verb}"))
}

/// Checks whether a lower-case word only expresses a feeling.
pub(crate) fn is_felt(word: &str) -> bool {
    !lexicon::words(word).signs.is_empty()
}

/// Checks whether the words around a piece of text negate it: "안 ...", "not ...", "... 지 않아".
pub(crate) fn denies(text: &str, piece: &std::ops::Range<usize>) -> bool {
    lexicon::denied(text, piece)
}

/// How pleasant it is: mostly what the emotions say, partly where the table leans, never against the emotions.
fn sentiment(felt: f32, lean: f32) -> Sentiment {
    let mixed = felt * (1.0 - SENTIMENT_LEAN) + lean * SENTIMENT_LEAN;
    let least = 0.05f32.copysign(felt);
    Sentiment::clamped(if felt < 0.0 { mixed.min(least) } else { mixed.max(least) })
}

/// Evidence for each emotion.
#[derive(Default)]
struct Levels {
    /// In the order of [`Emotion::ALL`].
    each: [f32; 10],
    /// Whether positive and negative feelings are both stated.
    at_once: bool,
}

impl Levels {
    fn of(&self, emotion: Emotion) -> f32 {
        self.each[emotion as usize]
    }

    /// Another sign of the same emotion adds a fifth of itself to the strongest.
    fn raise(&mut self, emotion: Emotion, strength: f32) {
        let level = &mut self.each[emotion as usize];
        *level = (level.max(strength) + 0.2 * level.min(strength)).min(1.0);
    }

    /// Shifts the scores of the words toward the polarity of the table.
    fn lean(&mut self, guess: &Guess) {
        let lean = guess.positive - guess.negative;
        for emotion in Emotion::ALL {
            let level = &mut self.each[emotion as usize];
            if *level > 0.0 {
                *level = (*level + LEAN * lean * emotion.sentiment().signum()).clamp(0.0, 1.0);
            }
        }
    }

    /// Takes the emotion from the table if no word names one.
    fn guess(&mut self, guess: &Guess) {
        if guess.positive > ALONE {
            self.raise(Emotion::Joy, guess.positive * GUESSED);
        } else if guess.negative > ALONE {
            let worst = EMOTIONS.iter().zip(guess.emotions).skip(1).max_by(|one, other| one.1.total_cmp(&other.1));
            self.raise(worst.map_or(Emotion::Sadness, |(emotion, _)| *emotion), guess.negative * GUESSED);
        }
    }

    /// Reduces nostalgia next to joy: a pleasant memory is mainly joy.
    fn settle(&mut self) {
        if self.of(Emotion::Joy) > 0.0 {
            self.each[Emotion::Nostalgia as usize] *= NOSTALGIA_BESIDE_JOY;
        }
    }

    /// The emotions that hold: strong enough, and not far behind the strongest. Joy and a darker feeling hold together only as
    /// equals or where both are said to be felt at once, for the face shows the darker one.
    fn emotions(&self) -> Emotions {
        let most = self.each.iter().copied().fold(0.0, f32::max);
        let darkest = Emotion::ALL.into_iter().skip(1).map(|emotion| self.of(emotion)).fold(0.0, f32::max);
        let brightest = self.of(Emotion::Joy);
        if self.at_once && brightest > 0.0 && darkest > 0.0 {
            let dark = Emotion::ALL.into_iter().skip(1).filter(|&emotion| self.of(emotion) >= darkest);
            return Emotions::mix(dark.chain([Emotion::Joy]));
        }
        if most < HOLDS {
            return Emotions::mix([Emotion::Neutral]);
        }
        let joyful = brightest >= most;
        let felt = Emotion::ALL.into_iter().filter(|&emotion| {
            let level = self.of(emotion);
            let other_side = joyful != (emotion == Emotion::Joy);
            level >= HOLDS && level >= most * BESIDE && (!other_side || level >= most)
        });
        Emotions::mix(felt)
    }
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

    #[test]
    fn a_louder_feeling_is_stronger() {
        assert!(feeling("너무 행복해!!").intensity > feeling("행복해").intensity);
        assert!(feeling("a bit sad").intensity < feeling("so sad").intensity);
    }
}
