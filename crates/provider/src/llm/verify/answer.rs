//! Parses model answers. Parsing is lenient about form: a number sent as text, an unknown word or a stray comma costs only the
//! element it is in. The content is not trusted: numbers are clamped, texts are truncated, and quotes from a message must occur
//! in it.

use saegim_core::{Appraisal, Axis, CandidateType, Emotion, Emotions, Face, FactCategory, Feeling, Sentiment, Unit};
use serde::Deserialize;

use super::lenient::{emotions, finite, list, marks, number, one_of, place, so, unit, words};

/// Maximum number of characters stored of any text a model writes.
pub(crate) const LONGEST: usize = 600;

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
    /// Returns the feeling. Keywords that do not occur in `text` are dropped.
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

/// Parses the face in any of the accepted forms.
pub(crate) fn face(value: &serde_json::Value) -> Option<Face> {
    Face::normalise(value)
}

#[cfg(test)]
mod tests {
    use super::super::lenient::read;
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
}
