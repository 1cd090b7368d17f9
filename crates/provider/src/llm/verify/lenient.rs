//! Reads the JSON of a model leniently: text around it, stray commas, numbers and lists in other forms.

use saegim_core::{Emotion, Unit};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Returns the first JSON object in a model's output that deserialises to a `T`, or the reason why there is none. Models wrap
/// JSON in fences, reasoning and prose.
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

/// Maximum number of positions tried as the start of an object.
pub(super) const MOST_TRIES: usize = 8;

/// Parses the object at the start of a text and returns it with its end. Tolerates trailing commas.
pub(super) fn object(text: &str) -> Result<(Value, usize), String> {
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

/// Removes commas directly before a closing bracket, outside of strings.
pub(super) fn without_stray_commas(text: &str) -> String {
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

/// Reads a number, also from text (with or without `%`); 0 if there is none.
pub(super) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
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

/// Reads a list index, also from text.
pub(super) fn place<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    let value = Value::deserialize(from)?;
    let place = value.as_u64().or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()));
    place.and_then(|place| usize::try_from(place).ok()).ok_or_else(|| D::Error::custom("a place is no number"))
}

/// Reads a boolean, also from text; false if it is missing.
pub(super) fn so<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(value.as_bool().unwrap_or_else(|| value.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("true"))))
}

/// Reads a list, skipping invalid entries. `null` is an empty list. Fails if the list is not empty and no entry is valid.
pub(super) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
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

/// Reads an optional list, skipping invalid entries; never fails on its content.
pub(super) fn marks<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    let entries = Value::deserialize(from)?;
    Ok(entries.as_array().into_iter().flatten().filter_map(|entry| T::deserialize(entry).ok()).collect())
}

/// Reads known emotions and skips others; the result may be empty.
pub(super) fn emotions<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Emotion>, D::Error> {
    let named = match Value::deserialize(from)? {
        Value::Array(named) => named,
        Value::String(one) => vec![Value::String(one.to_lowercase())],
        _ => Vec::new(),
    };
    Ok(named.into_iter().filter_map(|name| serde_json::from_value(name).ok()).collect())
}

/// Reads text, also from a number; `None` otherwise.
pub(super) fn words<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// Reads an enum value; `None` if it is unknown.
pub(super) fn one_of<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).ok())
}

/// Returns a text on one line of at most `most` characters, without control characters and without invisible ones, which can
/// reverse the text direction or hide words.
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

/// Checks for invisible characters. The zero-width joiner is kept because emoji sequences need it.
pub(super) const fn unseen(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Replaces NaN and infinity with 0.
pub(crate) fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

/// Clamps any number from a model to 0..=1.
pub(crate) fn unit(number: f32) -> Unit {
    Unit::clamped(finite(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_brought_into_their_ranges() {
        assert_eq!((unit(f32::NAN), unit(7.0), unit(-1.0)), (Unit::ZERO, Unit::ONE, Unit::ZERO));
        assert_eq!(short("a\n\u{0}b   c", 3), "a b");
        assert_eq!(short("\u{202e}de\u{200b}lete\u{1b}[31m \u{2066} all\u{e0041}", 60), "delete [31m all");
        assert_eq!(short("👩\u{200d}🍳 가\u{feff}나", 60), "👩\u{200d}🍳 가나");
        assert_eq!((short("ab cd", 3), short("ab cd", 4), short("", 4)), ("ab".into(), "ab c".into(), String::new()));
    }
}
