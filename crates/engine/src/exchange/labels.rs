//! Converts the metadata of other programs to memory fields and tags.

use saegim_core::{Category, Kind, SessionId, Unit};
use serde_json::{Map, Value};

use crate::Draft;

/// Maximum length of a value that becomes a tag, in characters. Longer values are texts.
const LONGEST: usize = 60;

/// Number of metadata values that fit no memory field.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Unplaced(pub(super) usize);

/// Puts metadata into the matching memory fields. Other short values become tags like `topic:food`; the rest is counted.
pub(super) fn put(metadata: &Map<String, Value>, draft: &mut Draft) -> Unplaced {
    let mut unplaced = 0;
    for (name, value) in metadata {
        let text = value.as_str();
        match name.as_str() {
            "importance" if value.as_f64().is_some() => draft.importance = value.as_f64().map(|number| Unit::clamped(number as f32)),
            "tags" | "categories" | "labels" if value.is_array() => unplaced += list(value, draft),
            "kind" if text.is_some_and(|word| Kind::parse(word).is_ok()) => draft.kind = text.and_then(|word| Kind::parse(word).ok()),
            "category" if text.is_some_and(|word| Category::parse(word).is_ok()) => {
                draft.category = text.and_then(|word| Category::parse(word).ok());
            }
            "session" | "session_id" | "run_id" if text.is_some() => {
                draft.coordinate.session = text.and_then(|name| SessionId::new(name).ok());
            }
            "project" if text.is_some() => draft.coordinate.project = text.map(str::to_owned),
            "domain" if text.is_some() => draft.coordinate.domain = text.map(str::to_owned),
            _ => match label(value) {
                Some(label) => draft.tags.push(format!("{name}:{label}")),
                None if value.is_null() => {}
                None => unplaced += 1,
            },
        }
    }
    Unplaced(unplaced)
}

/// Adds a list of tags and returns the number of values that are not valid tags.
pub(super) fn list(value: &Value, draft: &mut Draft) -> usize {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let labels: Vec<String> = items.iter().filter_map(label).collect();
    let lost = items.len() - labels.len();
    draft.tags.extend(labels);
    lost
}

/// Returns a value as a tag, if it is short scalar text.
fn label(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => return None,
    };
    let fits = !text.is_empty() && text.chars().count() <= LONGEST && !text.chars().any(char::is_control);
    fits.then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_has_a_place_goes_there_and_the_rest_is_a_label_or_counted() {
        let metadata = json!({
            "importance": 0.5, "tags": ["일", 7, {"a": 1}], "kind": "semantic", "session_id": "저녁",
            "topic": "음식", "pinned": true, "nothing": null, "nested": {"a": 1}, "essay": "가".repeat(61),
        });
        let mut draft = Draft::default();
        assert_eq!(put(metadata.as_object().unwrap(), &mut draft), Unplaced(3));
        assert_eq!(draft.tags, ["pinned:true", "일", "7", "topic:음식"]);
        assert_eq!((draft.importance, draft.kind), (Some(Unit::clamped(0.5)), Some(Kind::Semantic)));
        assert_eq!(draft.coordinate.session.unwrap().as_str(), "저녁");
    }
}
