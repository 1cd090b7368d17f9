//! Filters of mem0 clients: conditions joined by AND, OR and NOT. Unknown conditions are refused, because ignoring one
//! would return or delete more than was asked for.

use saegim_core::{MindKey, SessionId, phrase};
use saegim_engine::{Filter, MindSearch};
use serde_json::{Map, Value};

use super::comparison::{Bound, Test, moment, next_day};
use super::{Item, Refused};
use crate::http::problem::Problem;

/// Fields that select the user, character, work and session.
pub(super) const NAMES: [&str; 4] = ["user_id", "agent_id", "app_id", "run_id"];

/// Other fields a memory can be filtered by.
const FIELDS: [&str; 8] = ["created_at", "updated_at", "timestamp", "expiration_date", "categories", "keywords", "memory_ids", "hash"];

/// A condition on a memory and its mind.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    None(Vec<Condition>),
    Field(&'static str, Test),
    /// A condition on a metadata value at the given path.
    Metadata(Vec<String>, Test),
}

/// Fields of a read request that do not filter: limits, order and format.
const OF_NO_MATTER: [&str; 22] = [
    "query",
    "top_k",
    "limit",
    "threshold",
    "rerank",
    "page",
    "page_size",
    "version",
    "api_version",
    "output_format",
    "async_mode",
    "org_id",
    "project_id",
    "keyword_search",
    "filter_memories",
    "reference_date",
    "latest_only",
    "show_expired",
    "fields",
    "explain",
    "enable_graph",
    "source",
];

impl Condition {
    /// Returns the condition of a request: the top-level ids and `filters`.
    pub(super) fn of(fields: &Value) -> Result<Self, Refused> {
        let mut all = Vec::new();
        for (name, value) in fields.as_object().into_iter().flatten() {
            match snake(name).as_str() {
                "filters" if value.is_null() => {}
                "filters" => all.push(Self::group(value)?),
                other => {
                    if let Some(name) = NAMES.iter().find(|name| **name == other).filter(|_| !value.is_null()) {
                        all.push(Self::Field(name, Test::of(name, value)?));
                    }
                }
            }
        }
        Ok(Self::All(all))
    }

    /// Returns the condition of a read request. All other fields also count as conditions or are refused.
    pub(super) fn of_reading(fields: &Value) -> Result<Self, Refused> {
        let mut all = vec![Self::of(fields)?];
        for (name, value) in fields.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
            let day = || value.as_str().filter(|text| moment(text).is_some()).ok_or_else(|| unknown(&format!("{name}: {value}")));
            all.push(match snake(name).as_str() {
                "start_date" => Self::Field("created_at", Test::Beyond(Bound::AtLeast, day()?.into())),
                // A date covers the whole day, so the limit is the start of the next one.
                "end_date" => Self::Field(
                    "created_at",
                    match next_day(day()?) {
                        Some(next) => Test::Beyond(Bound::Under, next.to_string().into()),
                        None => Test::Beyond(Bound::AtMost, day()?.into()),
                    },
                ),
                "filters" => continue,
                other if NAMES.contains(&other) || OF_NO_MATTER.contains(&other) => continue,
                _ => Self::one(name, value)?,
            });
        }
        Ok(Self::All(all))
    }

    fn group(value: &Value) -> Result<Self, Refused> {
        let Value::Object(fields) = value else { return Err(unknown(&value.to_string())) };
        let all: Result<Vec<Self>, Refused> = fields.iter().map(|(name, value)| Self::one(name, value)).collect();
        Ok(Self::All(all?))
    }

    fn one(name: &str, value: &Value) -> Result<Self, Refused> {
        let groups = || match value {
            Value::Array(all) => all.iter().map(Self::group).collect::<Result<Vec<_>, _>>(),
            one => Ok(vec![Self::group(one)?]),
        };
        match (name, snake(name).as_str()) {
            ("AND" | "and", _) => Ok(Self::All(groups()?)),
            ("OR" | "or", _) => Ok(Self::Any(groups()?)),
            ("NOT" | "not", _) => Ok(Self::None(groups()?)),
            (_, "metadata") => Self::metadata(value),
            (_, other) => {
                let field = NAMES.iter().chain(&FIELDS).find(|known| **known == other).ok_or_else(|| unknown(name))?;
                Ok(Self::Field(field, Test::of(field, value)?))
            }
        }
    }

    fn metadata(value: &Value) -> Result<Self, Refused> {
        let fields = match value {
            Value::Object(fields) if !fields.keys().any(|name| is_operator(name)) => fields,
            Value::String(any) if any == "*" => return Ok(Self::Field("metadata", Test::Anything)),
            _ => return Err(unknown("metadata")),
        };
        Ok(Self::All(Self::within(&[], fields)?))
    }

    /// Returns conditions on metadata values, at any depth.
    fn within(path: &[String], fields: &Map<String, Value>) -> Result<Vec<Self>, Refused> {
        let mut all = Vec::new();
        for (name, value) in fields {
            let path: Vec<String> = path.iter().chain([name]).cloned().collect();
            match value {
                Value::Object(inner) if !inner.is_empty() && !inner.keys().any(|name| is_operator(name)) => {
                    all.extend(Self::within(&path, inner)?);
                }
                _ => all.push(Self::Metadata(path, Test::of("metadata", value)?)),
            }
        }
        Ok(all)
    }

    /// Checks whether the condition mentions a user, agent, app or run, even if it accepts any.
    pub(super) fn names_someone(&self) -> bool {
        match self {
            Self::All(all) | Self::Any(all) | Self::None(all) => all.iter().any(Self::names_someone),
            Self::Field(name, _) => NAMES.contains(name),
            Self::Metadata(..) => false,
        }
    }

    /// Checks whether it tests only user, agent and app, so that it holds for all memories of a mind or for none.
    pub(super) fn is_about_minds_alone(&self) -> bool {
        match self {
            Self::All(all) | Self::Any(all) | Self::None(all) => all.iter().all(Self::is_about_minds_alone),
            Self::Field(name, _) => NAMES[..3].contains(name),
            Self::Metadata(..) => false,
        }
    }

    /// Returns the value that a field must equal, if there is exactly one.
    pub(super) fn name(&self, wanted: &str) -> Option<String> {
        match self {
            Self::All(all) => all.iter().find_map(|one| one.name(wanted)),
            Self::Field(name, Test::Is(value)) if *name == wanted => value.as_str().map(str::to_owned),
            _ => None,
        }
    }

    /// Returns a search for the minds that can match.
    pub(super) fn minds(&self) -> MindSearch {
        MindSearch { user: self.name("user_id"), character: self.name("agent_id"), work: self.name("app_id") }
    }

    /// Returns the part of the condition the store can evaluate.
    pub(super) fn filter(&self) -> Filter {
        Filter { session: self.name("run_id").and_then(|name| SessionId::new(name).ok()), ..Filter::default() }
    }

    /// Checks whether the condition mentions a field.
    pub(super) fn mentions(&self, wanted: &str) -> bool {
        match self {
            Self::All(all) | Self::Any(all) | Self::None(all) => all.iter().any(|one| one.mentions(wanted)),
            Self::Field(name, _) => *name == wanted,
            Self::Metadata(..) => false,
        }
    }

    /// Checks whether a mind may contain matching memories.
    pub(super) fn can_hold_in(&self, key: &MindKey) -> bool {
        match self {
            Self::All(all) => all.iter().all(|one| one.can_hold_in(key)),
            Self::Any(all) => all.iter().any(|one| one.can_hold_in(key)),
            Self::Field("user_id", test) => test.passes(&key.user().into()),
            Self::Field("agent_id", test) => test.passes(&key.character().into()),
            Self::Field("app_id", test) => test.passes(&key.work().into()),
            // A negated condition on minds alone excludes all memories of a matching mind.
            Self::None(all) => !all.iter().any(|one| one.is_about_minds_alone() && one.can_hold_in(key)),
            Self::Field(..) | Self::Metadata(..) => true,
        }
    }

    /// Checks whether a memory matches.
    pub(super) fn holds(&self, item: &Item<'_>) -> bool {
        self.holds_for(&item.json())
    }

    fn holds_for(&self, item: &Value) -> bool {
        match self {
            Self::All(all) => all.iter().all(|one| one.holds_for(item)),
            Self::Any(all) => all.iter().any(|one| one.holds_for(item)),
            Self::None(all) => !all.iter().any(|one| one.holds_for(item)),
            Self::Metadata(path, test) => test.passes(path.iter().fold(&item["metadata"], |value, name| &value[name])),
            Self::Field(name, test) => test.passes(match *name {
                "timestamp" => &item["created_at"],
                "keywords" => &item["memory"],
                "memory_ids" => &item["id"],
                other => &item[other],
            }),
        }
    }
}

fn is_operator(name: &str) -> bool {
    let name = name.trim_start_matches('$');
    ["eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "icontains"].contains(&name)
}

/// Converts camelCase to snake_case: `userId` becomes `user_id`.
pub(super) fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

pub(super) fn unknown(what: &str) -> Refused {
    let what: String = what.chars().take(100).collect();
    Problem::bad(phrase!("http.mem0.filter_not_supported", what, names = NAMES.join(", "), fields = FIELDS.join(", "))).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(filters: Value) -> Option<bool> {
        let item = json!({
            "id": "m1", "memory": "나는 Sushi를 좋아해", "user_id": "u1", "agent_id": "luna", "app_id": "default", "run_id": "r1",
            "created_at": "2026-03-04T05:06:07Z", "updated_at": "2026-03-05T00:00:00Z", "categories": ["preferences"],
            "metadata": { "cat": "food", "n": 3, "a=b": "c", "tags": ["x", "y"] },
        });
        Condition::of(&json!({ "filters": filters })).ok().map(|condition| condition.holds_for(&item))
    }

    #[test]
    fn a_condition_holds_as_it_says() {
        for (filters, holds) in [
            (json!({ "user_id": "u1" }), true),
            (json!({ "userId": "u1", "agentId": "luna" }), true),
            (json!({ "user_id": "u2" }), false),
            (json!({ "user_id": "*" }), true),
            (json!({ "user_id": { "in": ["u1", "u2"] } }), true),
            (json!({ "user_id": ["u2", "u3"] }), false),
            (json!({ "user_id": { "ne": "u1" } }), false),
            (json!({ "AND": [{ "user_id": "u1" }, { "run_id": "r2" }] }), false),
            (json!({ "OR": [{ "user_id": "u9" }, { "agent_id": "luna" }] }), true),
            (json!({ "AND": [{ "user_id": "u1" }, { "NOT": [{ "run_id": "r1" }] }] }), false),
            (json!({ "NOT": { "run_id": "r2" } }), true),
            (json!({ "metadata": { "cat": "food" } }), true),
            (json!({ "metadata": { "cat": "nope" } }), false),
            (json!({ "metadata": { "n": { "gte": 3, "lt": 4 } } }), true),
            (json!({ "metadata": { "n": { "gt": 3 } } }), false),
            (json!({ "metadata": { "a=b": "c", "tags": "x" } }), true),
            (json!({ "metadata": { "cat": "*" } }), true),
            (json!({ "created_at": { "gte": "2026-03-04", "lte": "2026-03-05" } }), true),
            (json!({ "createdAt": { "gte": "2030-01-01" } }), false),
            (json!({ "updated_at": { "lt": "2026-03-05T09:00:00+09:00" } }), false),
            (json!({ "updated_at": { "lte": "2026-03-05T09:00:00+09:00" } }), true),
            (json!({ "categories": { "contains": "prefer" } }), true),
            (json!({ "categories": { "in": ["preferences", "people"] } }), true),
            (json!({ "categories": { "contains": "zzz" } }), false),
            (json!({ "keywords": { "icontains": "sushi" } }), true),
            (json!({ "keywords": { "contains": "sushi" } }), false),
            (json!({ "memory_ids": ["m1", "m2"] }), true),
            (json!({ "run_id": null }), false),
        ] {
            assert_eq!(check(filters.clone()), Some(holds), "{filters}");
        }
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for filters in [
            json!({ "usr_id": "u1" }),
            json!({ "user_id": { "like": "u" } }),
            json!({ "user_id": {} }),
            json!({ "metadata": { "contains": "x" } }),
            json!({ "metadata": "x" }),
            json!({ "created_at": { "gte": ["2026"] } }),
            json!({ "XOR": [{ "user_id": "u1" }] }),
            json!({ "AND": ["u1"] }),
            json!("u1"),
        ] {
            assert_eq!(check(filters.clone()), None, "{filters}");
        }
    }

    #[test]
    fn names_tell_which_minds_can_be_meant() {
        let of = |fields: Value| Condition::of(&fields).unwrap_or_else(|_| panic!("{fields}"));
        let key = MindKey::new("u1", "luna").unwrap();
        for (fields, can) in [
            (json!({ "user_id": "u1" }), true),
            (json!({ "agent_id": "luna", "filters": { "OR": [{ "user_id": "u1" }, { "user_id": "u2" }] } }), true),
            (json!({ "filters": { "OR": [{ "user_id": "u3" }, { "user_id": "u2" }] } }), false),
            (json!({ "filters": { "NOT": [{ "user_id": "u2" }] } }), true),
            (json!({ "filters": { "NOT": [{ "user_id": "u1" }] } }), false),
            (json!({ "filters": { "NOT": [{ "OR": [{ "user_id": "u1" }, { "user_id": "u2" }] }] } }), false),
            (json!({ "filters": { "NOT": [{ "AND": [{ "user_id": "u1" }, { "run_id": "r" }] }] } }), true),
            (json!({ "filters": { "AND": [{ "user_id": "u1" }, { "NOT": [{ "NOT": [{ "user_id": "u1" }] }] }] } }), true),
            (json!({ "app_id": "other" }), false),
            (json!({ "run_id": "r" }), true),
        ] {
            assert_eq!(of(fields.clone()).can_hold_in(&key), can, "{fields}");
        }
        assert_eq!(of(json!({ "filters": { "AND": [{ "user_id": 5 }] } })).name("user_id").as_deref(), Some("5"));
        assert!(!of(json!({ "filters": { "metadata": { "a": 1 } } })).names_someone());
    }
}
