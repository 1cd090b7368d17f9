//! What models answer, read strictly. A model is not trusted: numbers are brought into their ranges, texts into their
//! lengths, and what is said to be taken from a message has to be in it.

use saegim_core::{Appraisal, Axis, CandidateType, Emotion, Emotions, Face, FactCategory, Feeling, Sentiment, Unit};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The most letters of anything a model writes that is kept.
pub(crate) const LONGEST: usize = 600;

/// The first JSON object in what a model said, as `T`, or why not. Models wrap it in fences and thoughts.
pub(crate) fn read<T: DeserializeOwned>(said: &str) -> Result<T, String> {
    let said = said.rsplit("</think>").next().unwrap_or(said);
    let (Some(start), Some(end)) = (said.find('{'), said.rfind('}')) else { return Err("there is no JSON object in it".into()) };
    let object = said.get(start..=end).ok_or("there is no whole JSON object in it")?;
    serde_json::from_str(object).map_err(|error| short(&error.to_string(), 200))
}

/// A text on one line, no longer than it may be, without control characters and without letters nobody sees: those turn the
/// direction of what follows or hide words in it.
pub(crate) fn short(text: &str, most: usize) -> String {
    let (mut line, mut letters, mut gap) = (String::new(), 0, false);
    for letter in text.chars().filter(|letter| !unseen(*letter)) {
        if letter.is_whitespace() || letter.is_control() {
            gap = !line.is_empty();
            continue;
        }
        if letters + usize::from(gap) >= most {
            break;
        }
        if std::mem::take(&mut gap) {
            line.push(' ');
            letters += 1;
        }
        line.push(letter);
        letters += 1;
    }
    line
}

/// Whether a letter is there without being seen. The joiner stays: emoji are joined by it.
const fn unseen(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[derive(Deserialize)]
pub(crate) struct Extracted {
    pub(crate) findings: Vec<Found>,
    pub(crate) left_alone: Vec<Left>,
    #[serde(flatten)]
    pub(crate) felt: Felt,
    pub(crate) face: serde_json::Value,
    pub(crate) toward: Vec<Moved>,
}

#[derive(Deserialize)]
pub(crate) struct Found {
    pub(crate) content: String,
    #[serde(rename = "type")]
    pub(crate) kind: CandidateType,
    pub(crate) about: Whom,
    pub(crate) who: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) value: Option<String>,
    pub(crate) category: Option<FactCategory>,
    #[serde(default)]
    pub(crate) ends: bool,
    #[serde(default)]
    pub(crate) corrects: bool,
    pub(crate) confidence: f32,
    pub(crate) future_impact: f32,
    #[serde(flatten)]
    pub(crate) appraised: Appraised,
    #[serde(flatten)]
    pub(crate) felt: Felt,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Whom {
    User,
    Character,
    Both,
    Other,
}

#[derive(Deserialize)]
pub(crate) struct Left {
    pub(crate) text: String,
    pub(crate) why: Why,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Why {
    SmallTalk,
    Question,
    Hypothetical,
    Quote,
    Joke,
    Ignorance,
    Instruction,
}

#[derive(Deserialize)]
pub(crate) struct Appraised {
    factual: f32,
    emotional: f32,
    actionable: f32,
    explicit: f32,
}

impl Appraised {
    pub(crate) fn appraisal(&self) -> Appraisal {
        Appraisal {
            factual: unit(self.factual),
            emotional: unit(self.emotional),
            actionable: unit(self.actionable),
            explicit: unit(self.explicit),
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Felt {
    emotions: Vec<Emotion>,
    intensity: f32,
    sentiment: f32,
    #[serde(default)]
    keywords: Vec<String>,
}

impl Felt {
    /// The feeling; only keywords that are in `text` show it.
    pub(crate) fn feeling(&self, text: &str) -> Feeling {
        let emotions = Emotions::mix(self.emotions.iter().copied());
        let named = Feeling::named(emotions, unit(self.intensity));
        let keywords = self.keywords.iter().filter(|word| !word.trim().is_empty() && text.contains(word.as_str())).take(8).cloned();
        Feeling {
            sentiment: Sentiment::clamped(finite(self.sentiment)),
            confidence: Unit::clamped(0.9),
            keywords: keywords.collect(),
            ..named
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Moved {
    pub(crate) axis: Axis,
    pub(crate) points: f32,
    pub(crate) cue: String,
    #[serde(default)]
    pub(crate) place: usize,
}

#[derive(Deserialize)]
pub(crate) struct Distilled {
    pub(crate) essence: String,
}

#[derive(Deserialize)]
pub(crate) struct Interpreted {
    pub(crate) interpretations: Vec<View>,
}

#[derive(Deserialize)]
pub(crate) struct View {
    pub(crate) place: usize,
    pub(crate) text: String,
}

#[derive(Deserialize)]
pub(crate) struct SettledAs {
    pub(crate) standing: crate::Settlement,
}

#[derive(Deserialize)]
pub(crate) struct Reflected {
    pub(crate) profile: String,
}

#[derive(Deserialize)]
pub(crate) struct Believed {
    pub(crate) beliefs: Vec<Belief>,
}

#[derive(Deserialize)]
pub(crate) struct Belief {
    pub(crate) statement: String,
    pub(crate) supporting: Vec<usize>,
}

#[derive(Deserialize)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) emoji: String,
    pub(crate) description: String,
}

#[derive(Deserialize)]
pub(crate) struct Imagined {
    pub(crate) scenario: String,
    pub(crate) action: Option<String>,
    pub(crate) emotions: Vec<Emotion>,
}

#[derive(Deserialize)]
pub(crate) struct Analysed {
    pub(crate) note: String,
    pub(crate) toward: Vec<Moved>,
    pub(crate) conflicts: Vec<Pair>,
    #[serde(default)]
    pub(crate) outdated: Vec<Outdated>,
}

#[derive(Deserialize)]
pub(crate) struct Pair {
    pub(crate) one: usize,
    pub(crate) other: usize,
}

#[derive(Deserialize)]
pub(crate) struct Outdated {
    pub(crate) fact: usize,
    pub(crate) place: usize,
    pub(crate) cue: String,
}

/// A number, 0 where it is none.
pub(crate) fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

/// A share from whatever number a model gave.
pub(crate) fn unit(number: f32) -> Unit {
    Unit::clamped(finite(number))
}

/// The face, whatever shape a model gave it.
pub(crate) fn face(value: &serde_json::Value) -> Option<Face> {
    Face::normalise(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_in_its_wrapping() {
        let read = |said: &str| read::<Distilled>(said).map(|distilled| distilled.essence);
        for said in [
            r#"{"essence":"a"}"#,
            "Sure!\n```json\n{\"essence\":\"a\"}\n```",
            r#"<think>{"essence":"no"}</think> {"essence":"a"}"#,
            r#"{"essence":"a","more":1}"#,
        ] {
            assert_eq!(read(said).as_deref(), Ok("a"), "{said}");
        }
        for said in ["", "no", "{", "}{", r#"{"essence":3}"#, r#"{"essence":"a""#, "[]"] {
            assert!(read(said).is_err(), "{said}");
        }
    }

    #[test]
    fn numbers_and_texts_are_brought_into_their_ranges() {
        assert_eq!((unit(f32::NAN), unit(7.0), unit(-1.0)), (Unit::ZERO, Unit::ONE, Unit::ZERO));
        assert_eq!(short("a\n\u{0}b   c", 3), "a b");
        assert_eq!(short("\u{202e}de\u{200b}lete\u{1b}[31m \u{2066} all\u{e0041}", 60), "delete [31m all");
        assert_eq!(short("👩\u{200d}🍳 가\u{feff}나", 60), "👩\u{200d}🍳 가나");
        assert_eq!((short("ab cd", 3), short("ab cd", 4), short("", 4)), ("ab".into(), "ab c".into(), String::new()));
    }
}
