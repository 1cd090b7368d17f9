//! Filters over JSON values, as LangGraph's in-memory store evaluates them: nested fields, lists element by element,
//! and operators. Unknown operators are refused, because ignoring one would return more than was asked for.

use std::cmp::Ordering;

use saegim_core::phrase;
use serde_json::Value;

use crate::http::problem::Problem;

/// Refuses unknown operators at any depth.
pub(super) fn known(wanted: &Value) -> Result<(), Problem> {
    match wanted {
        Value::Object(fields) => fields.iter().try_for_each(|(name, inner)| match name.as_str() {
            "$eq" | "$ne" => Ok(()),
            "$gt" | "$gte" | "$lt" | "$lte" if number(inner).is_some() => Ok(()),
            "$gt" | "$gte" | "$lt" | "$lte" => Err(Problem::bad(phrase!("http.matching.not_a_number", name))),
            other if other.starts_with('$') => {
                let other: String = other.chars().take(50).collect();
                Err(Problem::bad(phrase!("http.matching.operator_not_supported", other)))
            }
            _ => known(inner),
        }),
        Value::Array(parts) => parts.iter().try_for_each(known),
        _ => Ok(()),
    }
}

/// Checks whether a value matches: equal, by operators, or field by field.
pub(super) fn fits(value: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Object(fields) if fields.keys().any(|name| name.starts_with('$')) => {
            fields.iter().all(|(name, other)| passes(value, name, other))
        }
        Value::Object(fields) => value.is_object() && fields.iter().all(|(name, wanted)| fits(&value[name], wanted)),
        Value::Array(wanted) => value
            .as_array()
            .is_some_and(|parts| parts.len() == wanted.len() && parts.iter().zip(wanted).all(|(part, wanted)| fits(part, wanted))),
        other => same(value, other),
    }
}

fn passes(value: &Value, operator: &str, other: &Value) -> bool {
    let order = || number(value).zip(number(other)).and_then(|(one, other)| one.partial_cmp(&other));
    match operator {
        "$eq" => same(value, other),
        "$ne" => !same(value, other),
        "$gt" => order().is_some_and(Ordering::is_gt),
        "$gte" => order().is_some_and(Ordering::is_ge),
        "$lt" => order().is_some_and(Ordering::is_lt),
        "$lte" => order().is_some_and(Ordering::is_le),
        _ => false,
    }
}

/// Converts a number or a numeric string to a number.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// Compares two values. 3 and 3.0 are equal.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(_), Value::Number(_)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_filter_means_what_it_says_however_deep() {
        let value = json!({ "n": 3, "text": "초밥", "tags": ["a", "b"], "who": { "name": "민수", "age": 30, "home": { "city": "부산" } } });
        for (filter, holds) in [
            (json!({}), true),
            (json!({ "n": 3.0 }), true),
            (json!({ "n": { "$gte": 3, "$lt": 4 } }), true),
            (json!({ "n": { "$gt": 3 } }), false),
            (json!({ "n": { "$gt": "2" } }), true),
            (json!({ "text": { "$gt": 1 } }), false),
            (json!({ "who": { "name": "민수" } }), true),
            (json!({ "who": { "name": "지우" } }), false),
            (json!({ "who": { "home": { "city": { "$ne": "서울" } }, "age": { "$gte": 30 } } }), true),
            (json!({ "who": { "home": { "city": { "$eq": "서울" } } } }), false),
            (json!({ "text": { "name": "민수" } }), false),
            (json!({ "tags": ["a", "b"] }), true),
            (json!({ "tags": ["a"] }), false),
            (json!({ "tags": ["a", { "$ne": "c" }] }), true),
            (json!({ "none": null }), true),
            (json!({ "none": { "$ne": 1 } }), true),
        ] {
            assert!(known(&filter).is_ok());
            assert_eq!(fits(&value, &filter), holds, "{filter}");
        }
        for filter in [json!({ "n": { "$in": [3] } }), json!({ "who": { "age": { "$exists": true } } }), json!({ "n": { "$gt": "글" } })] {
            assert!(known(&filter).is_err(), "{filter}");
        }
    }
}
