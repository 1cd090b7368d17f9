//! Client metadata, stored as one tag per field: `name=value` with a JSON value. No field is dropped silently.

use saegim_core::phrase;
use serde_json::{Map, Value};

use super::Refused;
use crate::http::problem::Problem;

/// Maximum length of name and value together, in characters.
const LONGEST: usize = 10_000;

/// Converts metadata to tags; `None` if the request has none.
pub(super) fn labels(metadata: Option<&Value>) -> Result<Option<Vec<String>>, Refused> {
    let fields = match metadata {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(fields)) => fields,
        Some(_) => {
            return Err(Problem::bad(phrase!("http.mem0.metadata_not_an_object")).into());
        }
    };
    let labels: Vec<String> = fields.iter().map(|(name, value)| format!("{}={value}", escaped(name))).collect();
    match labels.iter().find(|label| label.chars().count() > LONGEST) {
        Some(label) => {
            let name: String = label.chars().take(50).take_while(|letter| *letter != '=').collect();
            Err(Problem::bad(phrase!("http.mem0.metadata_too_long", name, longest = LONGEST)).into())
        }
        None => Ok(Some(labels)),
    }
}

/// Returns the metadata stored in tags.
pub(super) fn of(tags: &[String]) -> Value {
    let fields: Map<String, Value> = tags.iter().filter_map(|tag| field(tag)).collect();
    if fields.is_empty() { Value::Null } else { Value::Object(fields) }
}

/// Replaces all metadata tags; other tags stay.
pub(super) fn replaced(tags: &[String], labels: Vec<String>) -> Vec<String> {
    let other = tags.iter().filter(|tag| field(tag).is_none()).cloned();
    other.chain(labels).collect()
}

/// Merges metadata tags; for an existing name the new value wins.
pub(super) fn joined(tags: &[String], labels: Vec<String>) -> Vec<String> {
    let named = |label: &str| field(label).map(|(name, _)| name);
    let newer: Vec<Option<String>> = labels.iter().map(|label| named(label)).collect();
    let other = tags.iter().filter(|tag| named(tag).is_none_or(|name| !newer.contains(&Some(name)))).cloned();
    other.chain(labels.iter().cloned()).collect()
}

fn field(tag: &str) -> Option<(String, Value)> {
    let (name, value) = tag.split_once('=')?;
    Some((plain(name), serde_json::from_str(value).ok()?))
}

/// Escapes characters that would end the name or be stripped from a tag.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if matches!(letter, '%' | '=' | '#') || letter.is_whitespace() || letter.is_control() {
            text += &format!("%{:X};", letter as u32);
        } else {
            text.push(letter);
        }
    }
    text
}

fn plain(name: &str) -> String {
    let mut parts = name.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.split_once(';').and_then(|(code, rest)| Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, rest)));
        match code {
            Some((letter, rest)) => {
                text.push(letter);
                text += rest;
            }
            None => {
                text.push('%');
                text += part;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_kept_beside_a_text_comes_back_as_it_was() {
        let long = "x".repeat(2_000);
        for metadata in [
            json!({ "cat": "food", "n": 3, "nested": { "k": [1, null] }, "null": null }),
            json!({ "a=b": "c", "#tag": "d", " padded ": "e", "50%": "f", "%3D;": "g", "": "h", "한글 이름": "값" }),
            json!({ "long": long }),
        ] {
            let labels = labels(Some(&metadata)).unwrap_or_else(|_| panic!("{metadata}")).unwrap();
            let mut kept: Vec<String> = labels.iter().map(|label| label.trim().trim_start_matches('#').to_owned()).collect();
            kept.push("plain label".into());
            assert_eq!(of(&kept), metadata);
        }
        assert!(matches!(labels(None), Ok(None)) && matches!(labels(Some(&Value::Null)), Ok(None)));
        assert!(labels(Some(&json!("text"))).is_err() && labels(Some(&json!({ "a": "x".repeat(20_000) }))).is_err());
    }

    #[test]
    fn labels_of_people_stay_and_newer_values_hold() {
        let tags = ["바다".to_owned(), "a=1".to_owned(), "b=2".to_owned()];
        assert_eq!(replaced(&tags, vec!["c=3".into()]), ["바다", "c=3"]);
        assert_eq!(joined(&tags, vec!["a=9".into()]), ["바다", "b=2", "a=9"]);
    }
}
