//! What models answer. Its shape is read generously: a number that came as text, a word nobody knows or a comma too many costs
//! what it stands in and nothing else. Its content is not trusted: numbers are brought into their ranges, texts into their
//! lengths, and what is said to be taken from a message has to be in it.

use saegim_core::{Appraisal, Axis, CandidateType, Emotion, Emotions, Face, FactCategory, Feeling, Sentiment, Unit};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The most letters of anything a model writes that is kept.
pub(crate) const LONGEST: usize = 600;

/// The first JSON object in what a model said that is a `T`, or why there is none. Models wrap it in fences, thoughts and
/// prose.
pub(crate) fn read<T: DeserializeOwned>(said: &str) -> Result<T, String> {
    let said = said.rsplit("</think>").next().unwrap_or(said);
    let mut why = "there is no JSON object in it".to_owned();
    let (mut from, mut tries) = (0, 0);
    while let Some(start) = said[from..].find('{').map(|at| from + at).filter(|_| tries < MOST_TRIES) {
        match object(&said[start..]) {
            Ok((object, end)) => match serde_json::from_value(object) {
                Ok(read) => return Ok(read),
                Err(error) => (why, from) = (short(&error.to_string(), 200), start + end),
            },
            Err(error) => (why, from) = (short(&error, 200), start + 1),
        }
        tries += 1;
    }
    Err(why)
}

/// So many places are tried where an object may begin.
const MOST_TRIES: usize = 8;

/// The object a text begins with and where it ends; a comma too many is none of its faults.
fn object(text: &str) -> Result<(Value, usize), String> {
    let first = |text: &str| {
        let mut objects = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let object = objects.next().unwrap_or(Ok(Value::Null)).map_err(|error| error.to_string())?;
        Ok((object, objects.byte_offset()))
    };
    first(text).or_else(|why: String| {
        let tidied = without_stray_commas(text);
        if tidied.len() == text.len() { Err(why) } else { first(&tidied).map(|(object, end)| (object, end.min(text.len()))) }
    })
}

/// A text without the commas that stand right before a closing bracket, outside of strings.
fn without_stray_commas(text: &str) -> String {
    let (mut tidied, mut quoted, mut escaped) = (String::with_capacity(text.len()), false, false);
    for (at, letter) in text.char_indices() {
        let stray = letter == ',' && !quoted && text[at + 1..].trim_start().starts_with(['}', ']']);
        if !stray {
            tidied.push(letter);
        }
        quoted ^= letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
    }
    tidied
}

/// A number, also where it came as text; 0 where there is none.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Number(number) => number.as_f64().unwrap_or(0.0) as f32,
        Value::String(text) => match text.trim().strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f32>().map_or(0.0, |percent| percent / 100.0),
            None => text.trim().parse().unwrap_or(0.0),
        },
        Value::Bool(so) => f32::from(u8::from(so)),
        _ => 0.0,
    })
}

/// A place in a list, also where it came as text.
fn place<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    let value = Value::deserialize(from)?;
    let place = value.as_u64().or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()));
    place.and_then(|place| usize::try_from(place).ok()).ok_or_else(|| D::Error::custom("a place is no number"))
}

/// Whether something is so; not where nothing is said.
fn so<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(value.as_bool().unwrap_or_else(|| value.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("true"))))
}

/// A list without the entries that are none; `null` is an empty one. A list none of whose entries can be read is no list.
fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    let entries = match Value::deserialize(from)? {
        Value::Null => return Ok(Vec::new()),
        Value::Array(entries) => entries,
        _ => return Err(D::Error::custom("there should be a list")),
    };
    let (mut read, mut why, count) = (Vec::with_capacity(entries.len().min(64)), None, entries.len());
    for entry in entries {
        match serde_json::from_value(entry) {
            Ok(entry) => read.push(entry),
            Err(error) => why = Some(error),
        }
    }
    match why {
        Some(why) if read.is_empty() && count > 0 => Err(D::Error::custom(why)),
        _ => Ok(read),
    }
}

/// The same for what only goes beside an answer: of that nothing has to be readable.
fn marks<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    let entries = Value::deserialize(from)?;
    Ok(entries.as_array().into_iter().flatten().filter_map(|entry| T::deserialize(entry).ok()).collect())
}

/// Emotions there are; others are left out, and there may be none.
fn emotions<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Emotion>, D::Error> {
    let named = match Value::deserialize(from)? {
        Value::Array(named) => named,
        Value::String(one) => vec![Value::String(one.to_lowercase())],
        _ => Vec::new(),
    };
    Ok(named.into_iter().filter_map(|name| serde_json::from_value(name).ok()).collect())
}

/// Words, also where they came as a number; nothing where there are none.
fn words<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// A word of a list, nothing where it is another.
fn one_of<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).ok())
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
    #[serde(deserialize_with = "list")]
    pub(crate) findings: Vec<Found>,
    #[serde(default, deserialize_with = "marks")]
    pub(crate) left_alone: Vec<Left>,
    #[serde(flatten)]
    pub(crate) felt: Felt,
    #[serde(default)]
    pub(crate) face: serde_json::Value,
    #[serde(default, deserialize_with = "marks")]
    pub(crate) toward: Vec<Moved>,
}

#[derive(Deserialize)]
pub(crate) struct Found {
    pub(crate) content: String,
    #[serde(rename = "type")]
    pub(crate) kind: CandidateType,
    pub(crate) about: Whom,
    #[serde(default, deserialize_with = "words")]
    pub(crate) who: Option<String>,
    #[serde(default, deserialize_with = "words")]
    pub(crate) subject: Option<String>,
    #[serde(default, deserialize_with = "words")]
    pub(crate) value: Option<String>,
    #[serde(default, deserialize_with = "one_of")]
    pub(crate) category: Option<FactCategory>,
    #[serde(default, deserialize_with = "so")]
    pub(crate) ends: bool,
    #[serde(default, deserialize_with = "so")]
    pub(crate) corrects: bool,
    #[serde(deserialize_with = "number")]
    pub(crate) confidence: f32,
    #[serde(deserialize_with = "number")]
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
    #[serde(deserialize_with = "number")]
    factual: f32,
    #[serde(deserialize_with = "number")]
    emotional: f32,
    #[serde(deserialize_with = "number")]
    actionable: f32,
    #[serde(deserialize_with = "number")]
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
    #[serde(deserialize_with = "emotions")]
    emotions: Vec<Emotion>,
    #[serde(deserialize_with = "number")]
    intensity: f32,
    #[serde(deserialize_with = "number")]
    sentiment: f32,
    #[serde(default, deserialize_with = "marks")]
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
    #[serde(deserialize_with = "number")]
    pub(crate) points: f32,
    pub(crate) cue: String,
    #[serde(default, deserialize_with = "place")]
    pub(crate) place: usize,
}

#[derive(Deserialize)]
pub(crate) struct Distilled {
    pub(crate) essence: String,
}

#[derive(Deserialize)]
pub(crate) struct Interpreted {
    #[serde(deserialize_with = "list")]
    pub(crate) interpretations: Vec<View>,
}

#[derive(Deserialize)]
pub(crate) struct View {
    #[serde(deserialize_with = "place")]
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
    #[serde(deserialize_with = "list")]
    pub(crate) beliefs: Vec<Belief>,
}

#[derive(Deserialize)]
pub(crate) struct Belief {
    pub(crate) statement: String,
    #[serde(deserialize_with = "marks")]
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
    #[serde(default, deserialize_with = "words")]
    pub(crate) action: Option<String>,
    #[serde(default, deserialize_with = "emotions")]
    pub(crate) emotions: Vec<Emotion>,
}

#[derive(Deserialize)]
pub(crate) struct Analysed {
    pub(crate) note: String,
    #[serde(default, deserialize_with = "marks")]
    pub(crate) advice: Vec<Advised>,
    #[serde(default, deserialize_with = "marks")]
    pub(crate) toward: Vec<Moved>,
    #[serde(default, deserialize_with = "marks")]
    pub(crate) conflicts: Vec<Pair>,
    #[serde(default, deserialize_with = "marks")]
    pub(crate) outdated: Vec<Outdated>,
}

#[derive(Deserialize)]
pub(crate) struct Advised {
    pub(crate) point: String,
    #[serde(default)]
    pub(crate) about: String,
}

#[derive(Deserialize)]
pub(crate) struct Pair {
    #[serde(deserialize_with = "place")]
    pub(crate) one: usize,
    #[serde(deserialize_with = "place")]
    pub(crate) other: usize,
}

#[derive(Deserialize)]
pub(crate) struct Outdated {
    #[serde(deserialize_with = "place")]
    pub(crate) fact: usize,
    #[serde(deserialize_with = "place")]
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
        for said in [r#"{"essence":"a",}"#, r#"{"essence":"a"} I chose {a} because {it} fits."#, r#"Here is {the answer}: {"essence":"a"}"#]
        {
            assert_eq!(read(said).as_deref(), Ok("a"), "{said}");
        }
        assert_eq!(read(r#"{"essence":"a,}"}"#).as_deref(), Ok("a,}"), "a comma in a text is its own");
        for said in ["", "no", "{", "}{", r#"{"essence":3}"#, r#"{"essence":"a""#, "[]"] {
            assert!(read(said).is_err(), "{said}");
        }
    }

    #[test]
    fn one_odd_word_costs_no_more_than_itself() {
        let found = |fields: &str| {
            format!(
                r#"{{"content":"a","type":"fact","about":"user","who":null,"subject":"age","value":25,"category":"whatever","ends":null,
                "corrects":"false","confidence":"0.9","future_impact":"80%","factual":"1","emotional":null,"actionable":0.1,"explicit":0,
                "emotions":["joy","hunger",3],"intensity":"0.5","sentiment":"-0.25"{fields}}}"#
            )
        };
        let said = format!(
            r#"{{"findings":[{},{}],"left_alone":null,"emotions":["hunger"],"intensity":0.5,"sentiment":0,"face":null,"toward":null}}"#,
            found(""),
            found(r#","type":"poem""#)
        );
        let read = read::<Extracted>(&said).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((read.findings.len(), read.left_alone.len(), read.toward.len()), (1, 0, 0));
        let (one, feeling) = (&read.findings[0], read.findings[0].felt.feeling("a"));
        assert_eq!((one.value.as_deref(), one.category, one.ends, one.corrects), (Some("25"), None, false, false));
        assert_eq!((one.confidence, one.future_impact, feeling.sentiment.get()), (0.9, 0.8, -0.25));
        assert!(
            self::read::<Extracted>(
                r#"{"findings":["x"],"left_alone":[],"emotions":[],"intensity":0,"sentiment":0,"face":"sad","toward":[]}"#
            )
            .is_err()
        );
        assert!(self::read::<Extracted>(r#"{"result":["not","what","was","asked"]}"#).is_err());
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
