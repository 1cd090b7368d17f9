//! Sampling options for models that are not OpenAI-compatible: translated to the model's own names, or refused. An
//! option that would change the answer is never dropped silently.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use saegim_core::phrase;
use saegim_engine::MindHandle;
use saegim_provider::Sampling;
use serde_json::{Map, Value, json};

use crate::http::problem::Problem;

/// Fields that do not influence the answer: caller, purpose, billing and transport.
const ASIDE: [&str; 13] = [
    "messages",
    "metadata",
    "model",
    "parallel_tool_calls",
    "prediction",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "user",
];

/// An unsupported option and its field.
pub(super) struct Beyond {
    field: String,
    problem: Problem,
}

impl Beyond {
    fn done(field: &str) -> Self {
        let problem = Problem::bad(phrase!("http.openai.option_not_supported", field));
        Self { field: field.to_owned(), problem }
    }

    fn wrong(field: &str, wanted: &str) -> Self {
        let problem = Problem::bad(phrase!("http.openai.option_not_valid", field, wanted));
        Self { field: field.to_owned(), problem }
    }

    /// Returns the error in OpenAI's format, with the name of the field.
    pub(super) fn response(&self) -> Response {
        let error =
            json!({ "message": self.problem.detail(), "type": "invalid_request_error", "param": self.field, "code": "unsupported_value" });
        (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response()
    }
}

/// Returns the options for the mind's model, or an error if the model does not support one of them.
pub(super) fn wishes(request: &Value, mind: &MindHandle) -> Result<Option<Sampling>, Beyond> {
    let sampling = request.as_object().map_or_else(|| Ok(Sampling::default()), sampling)?;
    if let Some(field) = unread(&request["messages"]) {
        return Err(Beyond::done(&field));
    }
    match mind.cannot(&sampling) {
        Some(field) => Err(Beyond::done(field)),
        None => Ok(Some(sampling).filter(|sampling| *sampling != Sampling::default())),
    }
}

fn sampling(request: &Map<String, Value>) -> Result<Sampling, Beyond> {
    let mut wished = Sampling::default();
    for (field, value) in request.iter().filter(|(_, value)| !value.is_null()) {
        let number = |least: f64, most: f64| {
            let fits = value.as_f64().filter(|number| (least..=most).contains(number));
            fits.map(Some).ok_or_else(|| Beyond::wrong(field, &format!("a number from {least} to {most}")))
        };
        let count = || {
            let fits = value.as_u64().and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0);
            fits.map(Some).ok_or_else(|| Beyond::wrong(field, "a whole number above 0"))
        };
        match field.as_str() {
            "temperature" => wished.temperature = number(0.0, 2.0)?,
            "top_p" => wished.top_p = number(0.0, 1.0)?,
            "top_k" => wished.top_k = count()?,
            "presence_penalty" => wished.presence_penalty = number(-2.0, 2.0)?,
            "frequency_penalty" => wished.frequency_penalty = number(-2.0, 2.0)?,
            "seed" => wished.seed = Some(value.as_i64().ok_or_else(|| Beyond::wrong(field, "a whole number"))?),
            // If a client sends both, the newer name wins.
            "max_completion_tokens" => wished.most_tokens = count()?,
            "max_tokens" if request.get("max_completion_tokens").is_some_and(|newer| !newer.is_null()) => {}
            "max_tokens" => wished.most_tokens = count()?,
            "stop" => wished.stop = stops(value).ok_or_else(|| Beyond::wrong(field, "a text or a list of texts"))?,
            aside if ASIDE.contains(&aside) || asks_nothing(aside, value, request) => {}
            _ => return Err(Beyond::done(field)),
        }
    }
    Ok(wished)
}

fn stops(value: &Value) -> Option<Vec<String>> {
    let texts = match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(texts) => texts.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?,
        _ => return None,
    };
    texts.iter().all(|text| !text.is_empty()).then_some(texts)
}

/// Checks whether a field has its default value.
fn asks_nothing(field: &str, value: &Value, request: &Map<String, Value>) -> bool {
    let empty = || value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty);
    let uncalled = |choice: &str| request.get(choice).is_some_and(|choice| choice == "none");
    match field {
        "n" => value == 1,
        "tools" => empty() || uncalled("tool_choice"),
        "functions" => empty() || uncalled("function_call"),
        "tool_choice" | "function_call" => value == "auto" || value == "none",
        "response_format" => value["type"] == "text",
        "logprobs" => value == false,
        "top_logprobs" => value == 0,
        "modalities" => *value == json!(["text"]),
        "logit_bias" => empty(),
        _ => false,
    }
}

/// Returns the path of the first message that has a part other than text.
fn unread(messages: &Value) -> Option<String> {
    let strange = |part: &Value| !matches!(part["type"].as_str(), None | Some("text" | "input_text" | "output_text" | "refusal"));
    let place =
        messages.as_array()?.iter().position(|message| message["content"].as_array().is_some_and(|parts| parts.iter().any(strange)))?;
    Some(format!("messages[{place}].content"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(request: &Value, wished: Result<&Sampling, &str>) {
        let read = sampling(request.as_object().unwrap()).map_err(|beyond| beyond.field);
        assert_eq!(read.as_ref().map_err(String::as_str), wished, "{request}");
    }

    #[test]
    fn what_can_be_passed_on_is_read_and_all_else_is_named() {
        let plain = Sampling::default();
        check(&json!({ "model": "m", "messages": [], "stream": true, "user": "u", "store": false, "temperature": null }), Ok(&plain));
        let asked = json!({ "temperature": 0.2, "top_p": 0.9, "top_k": 40, "stop": ["끝", "END"], "max_tokens": 50, "seed": 7,
            "presence_penalty": 0.1, "frequency_penalty": -0.1 });
        let wished = Sampling {
            temperature: Some(0.2),
            top_p: Some(0.9),
            top_k: Some(40),
            stop: vec!["끝".into(), "END".into()],
            most_tokens: Some(50),
            presence_penalty: Some(0.1),
            frequency_penalty: Some(-0.1),
            seed: Some(7),
        };
        check(&asked, Ok(&wished));
        let both = json!({ "max_tokens": 50, "max_completion_tokens": 20, "stop": "END" });
        check(&both, Ok(&Sampling { most_tokens: Some(20), stop: vec!["END".into()], ..plain.clone() }));
        for harmless in [
            json!({ "n": 1, "logprobs": false, "tools": [], "tool_choice": "auto", "response_format": { "type": "text" } }),
            json!({ "tools": [{ "type": "function" }], "tool_choice": "none", "logit_bias": {}, "modalities": ["text"] }),
        ] {
            check(&harmless, Ok(&plain));
        }
        for (request, field) in [
            (json!({ "n": 2 }), "n"),
            (json!({ "logprobs": true }), "logprobs"),
            (json!({ "top_logprobs": 3 }), "top_logprobs"),
            (json!({ "tools": [{ "type": "function" }] }), "tools"),
            (json!({ "functions": [{ "name": "f" }], "function_call": "auto" }), "functions"),
            (json!({ "tool_choice": "required" }), "tool_choice"),
            (json!({ "response_format": { "type": "json_object" } }), "response_format"),
            (json!({ "logit_bias": { "50256": -100 } }), "logit_bias"),
            (json!({ "modalities": ["text", "audio"] }), "modalities"),
            (json!({ "reasoning_effort": "high" }), "reasoning_effort"),
            (json!({ "web_search_options": {} }), "web_search_options"),
            (json!({ "temperature": 2.5 }), "temperature"),
            (json!({ "temperature": "warm" }), "temperature"),
            (json!({ "top_p": 1.1 }), "top_p"),
            (json!({ "max_tokens": 0 }), "max_tokens"),
            (json!({ "max_completion_tokens": 1.5 }), "max_completion_tokens"),
            (json!({ "seed": 1.5 }), "seed"),
            (json!({ "stop": [1] }), "stop"),
            (json!({ "stop": "" }), "stop"),
            (json!({ "presence_penalty": 3 }), "presence_penalty"),
        ] {
            check(&request, Err(field));
        }
    }

    #[test]
    fn a_picture_is_not_passed_over() {
        let text = json!({ "role": "user", "content": [{ "type": "text", "text": "hi" }] });
        let picture = json!({ "role": "user", "content": [{ "type": "text", "text": "hi" }, { "type": "image_url", "image_url": {} }] });
        assert_eq!(unread(&json!([text.clone(), { "role": "user", "content": "hi" }, { "role": "assistant", "content": null }])), None);
        assert_eq!(unread(&json!([text, picture])).as_deref(), Some("messages[1].content"));
    }
}
