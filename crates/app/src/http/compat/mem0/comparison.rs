//! Comparisons of one field in a filter.

use std::cmp::Ordering;

use saegim_core::{Span, Timestamp};
use serde_json::{Map, Value};

use super::Refused;
use super::filter::{NAMES, unknown};

/// A test of a field value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Is(Value),
    IsNot(Value),
    OneOf(Vec<Value>),
    NoneOf(Vec<Value>),
    Beyond(Bound, Value),
    Contains(String),
    ContainsInAnyCase(String),
    /// The field is present.
    Anything,
    Both(Vec<Test>),
}

/// Direction of a range test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Over,
    AtLeast,
    Under,
    AtMost,
}

impl Test {
    pub(super) fn of(field: &str, value: &Value) -> Result<Self, Refused> {
        match value {
            Value::String(any) if any == "*" => Ok(Self::Anything),
            Value::Array(_) => Ok(Self::OneOf(several(field, value))),
            Value::Object(operators) => Self::operators(field, operators),
            Value::String(text) if field == "keywords" => Ok(Self::ContainsInAnyCase(text.to_lowercase())),
            other => Ok(Self::Is(plain(field, other))),
        }
    }

    fn operators(field: &str, operators: &Map<String, Value>) -> Result<Self, Refused> {
        let mut all = Vec::new();
        for (name, value) in operators {
            let text = || value.as_str().map(str::to_owned).ok_or_else(|| unknown(&format!("{field}.{name}")));
            let bound = |bound| match value {
                Value::Number(_) | Value::String(_) => Ok(Self::Beyond(bound, value.clone())),
                _ => Err(unknown(&format!("{field}.{name}"))),
            };
            all.push(match name.trim_start_matches('$') {
                "eq" if value == "*" => Self::Anything,
                "eq" => Self::Is(plain(field, value)),
                "ne" => Self::IsNot(plain(field, value)),
                "in" => Self::OneOf(several(field, value)),
                "nin" => Self::NoneOf(several(field, value)),
                "gt" => bound(Bound::Over)?,
                "gte" => bound(Bound::AtLeast)?,
                "lt" => bound(Bound::Under)?,
                "lte" => bound(Bound::AtMost)?,
                "contains" => Self::Contains(text()?),
                "icontains" => Self::ContainsInAnyCase(text()?.to_lowercase()),
                _ => return Err(unknown(&format!("{field}.{name}"))),
            });
        }
        match all.len() {
            0 => Err(unknown(field)),
            1 => Ok(all.remove(0)),
            _ => Ok(Self::Both(all)),
        }
    }

    pub(super) fn passes(&self, value: &Value) -> bool {
        // A list matches if any of its elements does.
        let is = |wanted: &Value| value == wanted || value.as_array().is_some_and(|parts| parts.contains(wanted));
        let texts = || match value {
            Value::Array(parts) => parts.iter().filter_map(Value::as_str).collect(),
            Value::String(text) => vec![text.as_str()],
            _ => Vec::new(),
        };
        match self {
            Self::Is(wanted) => is(wanted) || moments(value, wanted).is_some_and(|(one, other)| one == other),
            Self::IsNot(wanted) => !is(wanted),
            Self::OneOf(wanted) => wanted.iter().any(|one| is(one) || one == "*" && !value.is_null()),
            Self::NoneOf(wanted) => !wanted.iter().any(is),
            Self::Beyond(bound, other) => order(value, other).is_some_and(|order| match bound {
                Bound::Over => order.is_gt(),
                Bound::AtLeast => order.is_ge(),
                Bound::Under => order.is_lt(),
                Bound::AtMost => order.is_le(),
            }),
            Self::Contains(part) => texts().iter().any(|text| text.contains(part.as_str())),
            Self::ContainsInAnyCase(part) => texts().iter().any(|text| text.to_lowercase().contains(part.as_str())),
            Self::Anything => !value.is_null(),
            Self::Both(all) => all.iter().all(|one| one.passes(value)),
        }
    }
}

/// Normalizes a value to compare with. Ids are text, even if the client sends a number.
fn plain(field: &str, value: &Value) -> Value {
    match value {
        Value::Number(number) if NAMES.contains(&field) => Value::String(number.to_string()),
        Value::String(text) if NAMES.contains(&field) => Value::String(text.trim().to_owned()),
        other => other.clone(),
    }
}

fn several(field: &str, value: &Value) -> Vec<Value> {
    match value {
        Value::Array(all) => all.iter().map(|one| plain(field, one)).collect(),
        one => vec![plain(field, one)],
    }
}

/// Compares two values: times chronologically, numbers by size, texts by character.
fn order(value: &Value, other: &Value) -> Option<Ordering> {
    if let Some((one, other)) = moments(value, other) {
        return Some(one.cmp(&other));
    }
    match (value, other) {
        (Value::Number(_), Value::Number(_)) => value.as_f64()?.partial_cmp(&other.as_f64()?),
        (Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

fn moments(value: &Value, other: &Value) -> Option<(Timestamp, Timestamp)> {
    Some((moment(value.as_str()?)?, moment(other.as_str()?)?))
}

/// Parses a time in RFC 3339, the same without a zone, or a date.
pub(super) fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim().replacen(' ', "T", 1);
    [text.clone(), format!("{text}Z"), format!("{text}T00:00:00Z")].iter().find_map(|text| Timestamp::parse(text).ok())
}

/// Returns the start of the day after a date; `None` if the text is not a plain date.
pub(super) fn next_day(text: &str) -> Option<Timestamp> {
    moment(text).filter(|_| text.trim().chars().count() == 10).map(|day| day.plus(Span::days(1)))
}

/// Parses a `timestamp`: seconds or milliseconds since 1970, or text.
pub(super) fn told_at(value: &Value) -> Option<Timestamp> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    match number {
        // Numbers below 1e11 are seconds (until the year 5138); larger ones are milliseconds.
        Some(number) if number.abs() < 1e11 => Some(Timestamp::from_millis((number * 1000.0) as i64)),
        Some(number) if number.abs() < 1e14 => Some(Timestamp::from_millis(number as i64)),
        Some(_) => None,
        None => moment(value.as_str()?),
    }
}
