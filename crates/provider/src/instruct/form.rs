//! The form an answer has to have, out of its schema.

use serde_json::Value;

/// A part of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// Named parts, in the order they are asked for.
    Object(Vec<(String, Form)>),
    /// Any number of parts of one form.
    List(Box<Form>),
    /// Any text.
    Text,
    /// A number; any, or a whole one, which in our answers is always a place in a list and so never below nought.
    Number { whole: bool },
    /// One of these, as they are written in JSON.
    Choice(Vec<String>),
    /// A text, or nothing.
    Perhaps,
}

impl Form {
    /// The form a schema describes; nothing where it uses what answers of ours never do.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        if let Some(choices) = schema["enum"].as_array() {
            return Some(Self::Choice(choices.iter().map(Value::to_string).collect()));
        }
        Some(match &schema["type"] {
            Value::String(kind) => match kind.as_str() {
                "object" => {
                    let names = schema["required"].as_array()?.iter().map(Value::as_str);
                    let parts = names.map(|name| name.and_then(|name| Some((name.to_owned(), Self::of(&schema["properties"][name])?))));
                    Self::Object(parts.collect::<Option<_>>()?)
                }
                "array" => Self::List(Box::new(Self::of(&schema["items"])?)),
                "string" => Self::Text,
                "number" => Self::Number { whole: false },
                "integer" => Self::Number { whole: true },
                "boolean" => Self::Choice(vec!["true".into(), "false".into()]),
                _ => return None,
            },
            Value::Array(kinds) if kinds.len() == 2 && kinds[0] == "string" && kinds[1] == "null" => Self::Perhaps,
            _ => return None,
        })
    }

    /// Every way such a part may begin: as far as the form goes before the model has something to say, and all of it where
    /// that is a choice.
    pub(super) fn beginnings(&self) -> Vec<String> {
        match self {
            Self::Object(parts) => vec![parts.first().map_or_else(|| "{".into(), |(name, _)| format!("{{\"{name}\":"))],
            Self::List(item) => std::iter::once("[]".into()).chain(item.beginnings().iter().map(|item| format!("[{item}"))).collect(),
            Self::Text => vec!["\"".into()],
            Self::Number { whole } => (!whole).then_some("-").into_iter().chain(DIGITS).map(Into::into).collect(),
            Self::Choice(choices) => choices.clone(),
            Self::Perhaps => vec!["null".into(), "\"".into()],
        }
    }
}

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// Whether letters may be the beginning of a number.
pub(super) fn begins_number(letters: &str, whole: bool) -> bool {
    let digits = letters.strip_prefix('-').filter(|_| !whole).unwrap_or(letters);
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let leading = before.len() > 1 && before.starts_with('0');
    plain(before) && plain(after) && !leading && (!digits.contains('.') || !whole && !before.is_empty())
}

/// Whether letters are a whole number as they stand.
pub(super) fn is_number(letters: &str) -> bool {
    letters.ends_with(|last: char| last.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_answer_of_ours_has_a_form() {
        for thought in saegim_core::Thought::ALL {
            if let Some(schema) = crate::schema_of(*thought) {
                assert!(matches!(Form::of(schema), Some(Form::Object(_))), "{thought}");
            }
        }
    }

    #[test]
    fn a_form_is_what_its_schema_says() {
        let schema = json!({ "type": "object", "required": ["b", "a"], "properties": {
            "a": { "type": "array", "items": { "type": ["string", "null"], "enum": ["x", null] } },
            "b": { "type": ["string", "null"] },
        }});
        let list = Form::List(Box::new(Form::Choice(vec!["\"x\"".into(), "null".into()])));
        assert_eq!(Form::of(&schema), Some(Form::Object(vec![("b".into(), Form::Perhaps), ("a".into(), list)])));
        assert_eq!(Form::of(&json!({ "anyOf": [] })), None);
        assert_eq!(Form::of(&json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "map" } } })), None);
    }

    #[test]
    fn numbers_are_told_from_what_only_looks_like_one() {
        for (letters, whole, begins, done) in [
            ("-", false, true, false),
            ("0.", false, true, false),
            ("0.25", false, true, true),
            ("-3", false, true, true),
            ("-3", true, false, true),
            ("1.", true, false, false),
            (".5", false, false, true),
            ("01", false, false, true),
            ("1.2.3", false, false, true),
            ("1-", false, false, false),
        ] {
            assert_eq!((begins_number(letters, whole), is_number(letters)), (begins, done), "{letters}");
        }
    }
}
