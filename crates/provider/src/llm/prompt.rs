//! The prompts: one file per thought and language, and the JSON schemas of the answers.

use std::sync::LazyLock;

use saegim_core::{Language, Thought};
use serde_json::Value;

/// Prompt of a thought in both languages, and its schema.
struct Prompt {
    english: &'static str,
    korean: &'static str,
    schema: Option<Value>,
}

macro_rules! prompt {
    ($name:literal, structured) => {
        Prompt {
            english: include_str!(concat!("../../prompts/en/", $name, ".txt")),
            korean: include_str!(concat!("../../prompts/ko/", $name, ".txt")),
            schema: Some(
                serde_json::from_str(include_str!(concat!("../../prompts/schema/", $name, ".json"))).expect("a schema of ours is JSON"),
            ),
        }
    };
    ($name:literal, free) => {
        Prompt {
            english: include_str!(concat!("../../prompts/en/", $name, ".txt")),
            korean: include_str!(concat!("../../prompts/ko/", $name, ".txt")),
            schema: None,
        }
    };
}

/// In the order of [`Thought::ALL`].
static PROMPTS: LazyLock<[Prompt; 12]> = LazyLock::new(|| {
    [
        prompt!("extract", structured),
        prompt!("appraise", structured),
        prompt!("feel", structured),
        prompt!("interpret", structured),
        prompt!("distil", structured),
        prompt!("settle", structured),
        prompt!("reflect", structured),
        prompt!("believe", structured),
        prompt!("name", structured),
        prompt!("imagine", structured),
        prompt!("analyse", structured),
        prompt!("reply", free),
    ]
});

fn prompt(thought: Thought) -> &'static Prompt {
    &PROMPTS[thought as usize]
}

/// Returns the system prompt. Includes the answer schema for servers without structured output.
pub(crate) fn system(thought: Thought, language: Language) -> String {
    let (own, data) = match language {
        Language::English => (prompt(thought).english, include_str!("../../prompts/en/data.txt")),
        Language::Korean => (prompt(thought).korean, include_str!("../../prompts/ko/data.txt")),
    };
    match schema(thought) {
        Some(schema) => format!("{own}\n{data}{schema}\n"),
        None => own.to_owned(),
    }
}

/// Returns the answer schema of a thought, or `None` if the answer is free text.
pub fn schema(thought: Thought) -> Option<&'static Value> {
    prompt(thought).schema.as_ref()
}

/// Formats the remembered context for insertion before a message; empty if there is none.
pub(crate) fn beside(language: Language, context: &str) -> String {
    if context.trim().is_empty() {
        return String::new();
    }
    let template = match language {
        Language::English => include_str!("../../prompts/en/beside.txt"),
        Language::Korean => include_str!("../../prompts/ko/beside.txt"),
    };
    filled(template, &[("context", context)])
}

/// Returns the message that asks the model to repair an unusable answer.
pub(crate) fn repair(language: Language, why: &str) -> String {
    let template = match language {
        Language::English => include_str!("../../prompts/en/repair.txt"),
        Language::Korean => include_str!("../../prompts/ko/repair.txt"),
    };
    filled(template, &[("why", why)])
}

/// Fills a template in one pass from left to right, so that inserted values are never expanded.
pub(crate) fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            rest = &rest[before.len()..];
            break;
        };
        text.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = behind;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_offers_the_points_of_the_table_of_advice_and_no_others() {
        let schema = schema(Thought::Analyse).expect("a schema");
        let offered: Vec<&str> = schema["properties"]["advice"]["items"]["properties"]["point"]["enum"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(serde_json::Value::as_str)
            .collect();
        assert_eq!(offered, saegim_language::advice_points().collect::<Vec<_>>());
    }

    #[test]
    fn every_thought_has_its_prompt_in_both_languages_and_its_schema() {
        assert_eq!(PROMPTS.len(), Thought::ALL.len());
        for thought in Thought::ALL {
            let (english, korean) = (system(*thought, Language::English), system(*thought, Language::Korean));
            assert_eq!((Language::of(&english[..80]), english == korean), (Language::English, false), "{thought}");
            assert!(korean.chars().filter(|letter| ('가'..='힣').contains(letter)).count() > 50, "{thought}");
            assert_eq!(schema(*thought).is_some(), *thought != Thought::Reply, "{thought}");
        }
    }

    /// Checks the requirements of strict servers: every property is required and no others are allowed.
    fn check(schema: &Value, at: &str) {
        if let Some(properties) = schema["properties"].as_object() {
            let names: Vec<&str> = properties.keys().map(String::as_str).collect();
            let mut required: Vec<&str> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            required.sort_unstable();
            let mut sorted = names.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, required, "{at}");
            assert_eq!(schema["additionalProperties"], false, "{at}");
            names.iter().for_each(|name| check(&properties[*name], &format!("{at}.{name}")));
        }
        if !schema["items"].is_null() {
            check(&schema["items"], at);
        }
    }

    #[test]
    fn schemas_are_as_strict_servers_want_them() {
        Thought::ALL.iter().filter_map(|thought| Some((thought, schema(*thought)?))).for_each(|(thought, schema)| {
            assert_eq!(schema["type"], "object");
            check(schema, thought.as_str());
        });
    }

    #[test]
    fn what_is_filled_in_is_never_read_as_a_place() {
        assert_eq!(filled("{{a}} and {{b}}!", &[("a", "{{b}}"), ("b", "two")]), "{{b}} and two!");
        assert_eq!(filled("x {{a} open {{", &[]), "x {{a} open {{");
    }
}
