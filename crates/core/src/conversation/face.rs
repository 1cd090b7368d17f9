//! The one-hot face handed to a user interface: exactly one of four, always.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Emotion, Emotions};

/// The face shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Face {
    /// At rest.
    #[default]
    Neutral,
    /// Sad.
    Sad,
    /// Happy.
    Happy,
    /// Angry.
    Angry,
}

impl Face {
    /// The four faces in the order of the wire form.
    pub const ALL: [Self; 4] = [Self::Neutral, Self::Sad, Self::Happy, Self::Angry];

    /// Which of several wins: angry over sad over happy over neutral.
    const PRIORITY: [Self; 4] = [Self::Angry, Self::Sad, Self::Happy, Self::Neutral];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Sad => "sad",
            Self::Happy => "happy",
            Self::Angry => "angry",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.as_str().eq_ignore_ascii_case(word.trim()))
    }

    /// Makes a face of whatever a model answered. Anything above zero counts as set; among several the
    /// largest number wins and equals fall to the priority; nothing usable is `None`, for rules to decide.
    pub fn normalise(answer: &Value) -> Option<Self> {
        let weight = |face: Self| match answer.get(face.as_str())? {
            Value::Bool(set) => Some(f64::from(u8::from(*set))),
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        };
        let mut best: Option<(Self, f64)> = None;
        for face in Self::PRIORITY {
            let Some(weight) = weight(face).filter(|&weight| weight > 0.0) else { continue };
            if best.is_none_or(|(_, most)| weight > most) {
                best = Some((face, weight));
            }
        }
        best.map(|(face, _)| face).or_else(|| Self::parse(answer.as_str()?))
    }

    /// Makes a face of whatever text a model answered: JSON, JSON among other words, or a face's own word; `None` when it says none.
    pub fn read(answer: &str) -> Option<Self> {
        let trimmed = answer.trim();
        let whole = serde_json::from_str(trimmed).ok();
        let inside = || {
            let (from, to) = (trimmed.find('{')?, trimmed.rfind('}')?);
            serde_json::from_str(trimmed.get(from..=to)?).ok()
        };
        let value: Option<Value> = whole.or_else(inside);
        value.as_ref().and_then(Self::normalise).or_else(|| Self::parse(trimmed.trim_matches(|letter: char| !letter.is_ascii_alphabetic())))
    }

    /// The face that shows these emotions, by the same priority. Nostalgia is sad alone, and happy beside joy: a memory told with
    /// pleasure is told for the pleasure.
    pub fn of(emotions: Emotions) -> Self {
        let any = |list: &[Emotion]| list.iter().any(|&emotion| emotions.holds(emotion));
        if any(&[Emotion::Anger, Emotion::Disgust]) {
            Self::Angry
        } else if any(&[Emotion::Sadness, Emotion::Fear, Emotion::Anxiety]) {
            Self::Sad
        } else if emotions.holds(Emotion::Joy) {
            Self::Happy
        } else if emotions.holds(Emotion::Nostalgia) {
            Self::Sad
        } else {
            Self::Neutral
        }
    }
}

impl Serialize for Face {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(4))?;
        for face in Self::ALL {
            map.serialize_entry(face.as_str(), &u8::from(face == *self))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Face {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::normalise(&Value::deserialize(deserializer)?).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn check(answer: Value, face: Option<Face>) {
        assert_eq!(Face::normalise(&answer), face, "{answer}");
    }

    #[test]
    fn a_broken_answer_is_normalised() {
        check(json!({"neutral": 0, "sad": 0, "happy": 1, "angry": 0}), Some(Face::Happy));
        check(json!({"happy": 1, "angry": 1}), Some(Face::Angry));
        check(json!({"sad": 1, "angry": 1}), Some(Face::Angry));
        check(json!({"sad": 1, "happy": 1}), Some(Face::Sad));
        check(json!({"neutral": 1, "happy": 1}), Some(Face::Happy));
        check(json!({"happy": 0.9, "sad": 0.2}), Some(Face::Happy));
        check(json!({"happy": true, "neutral": "1"}), Some(Face::Happy));
        check(json!({"happy": -1}), None);
        check(json!({"neutral": 0, "sad": 0, "happy": 0, "angry": 0}), None);
        check(json!("Sad"), Some(Face::Sad));
        check(json!([1, 2]), None);
        check(json!({"happy": "NaN", "sad": "inf"}), None);
    }

    #[test]
    fn a_memory_told_with_pleasure_shows_a_happy_face() {
        let face = |emotions: &[Emotion]| Face::of(Emotions::mix(emotions.iter().copied()));
        assert_eq!(face(&[Emotion::Joy, Emotion::Nostalgia]), Face::Happy);
        assert_eq!(face(&[Emotion::Nostalgia]), Face::Sad);
        assert_eq!(face(&[Emotion::Joy, Emotion::Sadness]), Face::Sad);
        assert_eq!(face(&[Emotion::Joy, Emotion::Anger]), Face::Angry);
        assert_eq!(face(&[Emotion::Ennui]), Face::Neutral);
    }

    #[test]
    fn the_wire_form_is_one_hot() {
        assert_eq!(serde_json::to_string(&Face::Sad).unwrap(), r#"{"neutral":0,"sad":1,"happy":0,"angry":0}"#);
    }

    fn garbage() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, |inner| {
            let key = prop_oneof![Just("neutral"), Just("sad"), Just("happy"), Just("angry"), Just("기쁨")];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((key, inner), 0..6)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())),
            ]
        })
    }

    fn check_read(answer: &str, face: Option<Face>) {
        assert_eq!(Face::read(answer), face, "{answer}");
    }

    #[test]
    fn a_face_is_found_in_what_a_model_wrote() {
        check_read(r#"{"neutral":0,"sad":1,"happy":0,"angry":0}"#, Some(Face::Sad));
        check_read("Sure! Here it is:\n```json\n{\"happy\": 1}\n```", Some(Face::Happy));
        check_read(" Angry. ", Some(Face::Angry));
        check_read("} {", None);
        check_read("I cannot tell", None);
        check_read("", None);
    }

    proptest! {
        #[test]
        fn any_text_whatever_gives_exactly_one_face(answer in prop_oneof![".*", garbage().prop_map(|answer| format!("answer: {answer}!")), "[{}\\[\\]\":,0-9a-z가-힣 ]*"]) {
            let shown = serde_json::to_value(Face::read(&answer).unwrap_or_default()).unwrap();
            let set: i64 = Face::ALL.iter().map(|face| shown[face.as_str()].as_i64().unwrap()).sum();
            prop_assert_eq!(set, 1);
        }

        #[test]
        fn any_answer_whatever_gives_exactly_one_face(answer in garbage()) {
            let face: Face = serde_json::from_value(answer).unwrap();
            let shown = serde_json::to_value(face).unwrap();
            let set: i64 = Face::ALL.iter().map(|face| shown[face.as_str()].as_i64().unwrap()).sum();
            prop_assert_eq!(set, 1);
        }
    }
}
