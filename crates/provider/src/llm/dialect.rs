//! The three wire formats of model servers: OpenAI (also used by most local servers), Anthropic and Gemini.

use saegim_core::{Cause, Spent};
use serde_json::{Value, json};

use crate::llm::language_model::{ModelAnswer, ModelRequest, Speaker};
use crate::llm::post::Header;
use crate::llm::server_capabilities::Shape;
use crate::{ProviderError, Secret};

/// Wire format of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `/chat/completions`: OpenAI, LM Studio, Ollama, vLLM, llama.cpp, Gemini's compatible endpoint.
    OpenAi,
    /// `/v1/messages`.
    Anthropic,
    /// `/v1beta/models/...:generateContent`.
    Gemini,
}

/// Name of the tool that Anthropic models call to return structured answers.
const TOOL: &str = "answer";

/// Maximum plausible number of tokens of one request.
const MOST_COUNTED: u64 = 20_000_000;

/// Content of one stream event.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) spent: Spent,
    /// Cause, if the answer ended early.
    pub(crate) stopped: Option<Cause>,
    /// Whether this event ends the answer.
    pub(crate) ends: bool,
}

impl Dialect {
    /// Returns its name in ids and in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// Returns the base address of the vendor's own servers.
    pub const fn home(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
            Self::Gemini => "https://generativelanguage.googleapis.com",
        }
    }

    pub(crate) fn url(self, base: &str, model: &str, streams: bool) -> String {
        match (self, streams) {
            (Self::OpenAi, _) => format!("{base}/chat/completions"),
            (Self::Anthropic, _) => format!("{base}/v1/messages"),
            (Self::Gemini, false) => format!("{base}/v1beta/models/{model}:generateContent"),
            (Self::Gemini, true) => format!("{base}/v1beta/models/{model}:streamGenerateContent?alt=sse"),
        }
    }

    pub(crate) fn headers(self, key: Option<&Secret>) -> Vec<Header<'_>> {
        let mut headers = Vec::new();
        if self == Self::Anthropic {
            headers.push(Header::Plain("anthropic-version", "2023-06-01"));
        }
        headers.extend(key.map(|key| match self {
            Self::OpenAi => Header::Secret("authorization", "Bearer ", key),
            Self::Anthropic => Header::Secret("x-api-key", "", key),
            Self::Gemini => Header::Secret("x-goog-api-key", "", key),
        }));
        headers
    }

    /// Builds the request body.
    pub(crate) fn body(self, ask: &ModelRequest<'_>, to: &To<'_>) -> Value {
        let mut body = match self {
            Self::OpenAi => openai(ask, to),
            Self::Anthropic => anthropic(ask, to),
            Self::Gemini => gemini(ask, to),
        };
        let fields = if self == Self::Gemini { &mut body["generationConfig"] } else { &mut body };
        if let Some((sampling, fields)) = ask.sampling.zip(fields.as_object_mut()) {
            sampling.put_into(fields, self);
        }
        body
    }

    /// Parses a complete answer.
    pub(crate) fn told(self, answer: &Value) -> Result<ModelAnswer, ProviderError> {
        // Some servers return an error with status 200.
        if !answer["error"].is_null() {
            return Err(ProviderError::unanswered(Cause::Failing, format!("error in the answer: {}", word_of(answer))));
        }
        let (text, stopped, spent) = match self {
            Self::OpenAi => {
                let choice = &answer["choices"][0];
                let refused = choice["message"]["refusal"].as_str().is_some_and(|words| !words.is_empty());
                let stopped = if refused { Some(Cause::Refused) } else { openai_stop(&choice["finish_reason"]) };
                (text_of(&choice["message"]["content"]), stopped, openai_spent(&answer["usage"]))
            }
            Self::Anthropic => {
                let parts = answer["content"].as_array().map_or(&[][..], Vec::as_slice);
                let tool = parts.iter().find(|part| part["type"] == "tool_use").map(|part| part["input"].to_string());
                let text = tool.unwrap_or_else(|| parts.iter().filter_map(|part| part["text"].as_str()).collect());
                (text, anthropic_stop(&answer["stop_reason"]), anthropic_spent(&answer["usage"]))
            }
            Self::Gemini => {
                let piece = gemini_piece(answer);
                (piece.text, piece.stopped, piece.spent)
            }
        };
        match stopped {
            Some(cause) => Err(ProviderError::unanswered(cause, "the model stopped early".into())),
            None => Ok(ModelAnswer { text, spent }),
        }
    }

    /// Parses one stream event. Returns `None` for the end marker.
    pub(crate) fn piece(self, event: &str) -> Result<Option<Piece>, ProviderError> {
        if event == "[DONE]" {
            return Ok(None);
        }
        let garbled = |_| ProviderError::unanswered(Cause::Garbled, "an event of the stream is not JSON".into());
        let event: Value = serde_json::from_str(event).map_err(garbled)?;
        if !event["error"].is_null() {
            return Err(ProviderError::unanswered(Cause::Failing, format!("error in the stream: {}", word_of(&event))));
        }
        Ok(Some(match self {
            Self::OpenAi => {
                let choice = &event["choices"][0];
                let refused = choice["delta"]["refusal"].as_str().is_some_and(|words| !words.is_empty());
                Piece {
                    text: text_of(&choice["delta"]["content"]),
                    spent: openai_spent(&event["usage"]),
                    stopped: if refused { Some(Cause::Refused) } else { openai_stop(&choice["finish_reason"]) },
                    ends: !choice["finish_reason"].is_null(),
                }
            }
            Self::Anthropic => {
                let mut spent = anthropic_spent(&event["message"]["usage"]);
                spent.written = spent.written.saturating_add(counted(&event["usage"]["output_tokens"]));
                let reason = &event["delta"]["stop_reason"];
                let ends = !reason.is_null() || event["type"] == "message_stop";
                Piece { text: text_of(&event["delta"]["text"]), spent, stopped: anthropic_stop(reason), ends }
            }
            Self::Gemini => gemini_piece(&event),
        }))
    }
}

/// Target and options of a request.
pub(crate) struct To<'a> {
    pub(crate) model: &'a str,
    pub(crate) streams: bool,
    /// Capabilities of the server.
    pub(crate) shape: Shape,
    /// Maximum number of tokens of the answer, including reasoning.
    pub(crate) most_tokens: u32,
}

fn openai(ask: &ModelRequest<'_>, to: &To<'_>) -> Value {
    let mut messages = vec![json!({ "role": "system", "content": ask.system })];
    messages.extend(ask.messages.iter().map(|(speaker, text)| {
        let role = match speaker {
            Speaker::User => "user",
            Speaker::Model => "assistant",
        };
        json!({ "role": role, "content": text })
    }));
    let mut body = json!({ "model": to.model, "messages": messages });
    body[if to.shape.renamed { "max_completion_tokens" } else { "max_tokens" }] = json!(to.most_tokens);
    if let Some((name, schema)) = ask.schema.filter(|_| !to.shape.plain) {
        body["response_format"] = json!({ "type": "json_schema", "json_schema": { "name": name, "strict": true, "schema": schema } });
    }
    if to.streams {
        body["stream"] = json!(true);
        if !to.shape.uncounted {
            body["stream_options"] = json!({ "include_usage": true });
        }
    }
    body
}

fn anthropic(ask: &ModelRequest<'_>, to: &To<'_>) -> Value {
    let messages: Vec<Value> = ask
        .messages
        .iter()
        .map(|(speaker, text)| {
            let role = match speaker {
                Speaker::User => "user",
                Speaker::Model => "assistant",
            };
            json!({ "role": role, "content": text })
        })
        .collect();
    let mut body = json!({ "model": to.model, "max_tokens": to.most_tokens, "system": ask.system, "messages": messages });
    if let Some((_, schema)) = ask.schema.filter(|_| !to.shape.plain) {
        body["tools"] = json!([{ "name": TOOL, "description": "Gives the answer.", "input_schema": schema }]);
        body["tool_choice"] = json!({ "type": "tool", "name": TOOL });
    }
    if to.streams {
        body["stream"] = json!(true);
    }
    body
}

fn gemini(ask: &ModelRequest<'_>, to: &To<'_>) -> Value {
    let contents: Vec<Value> = ask
        .messages
        .iter()
        .map(|(speaker, text)| {
            let role = match speaker {
                Speaker::User => "user",
                Speaker::Model => "model",
            };
            json!({ "role": role, "parts": [{ "text": text }] })
        })
        .collect();
    let mut config = json!({ "maxOutputTokens": to.most_tokens });
    if let Some((_, schema)) = ask.schema.filter(|_| !to.shape.plain) {
        config["responseMimeType"] = json!("application/json");
        config["responseJsonSchema"] = schema.clone();
    }
    json!({ "systemInstruction": { "parts": [{ "text": ask.system }] }, "contents": contents, "generationConfig": config })
}

/// Returns the text of a string or of a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn openai_stop(reason: &Value) -> Option<Cause> {
    match reason.as_str()? {
        "length" => Some(Cause::Endless),
        "content_filter" => Some(Cause::Refused),
        _ => None,
    }
}

pub(crate) fn openai_spent(usage: &Value) -> Spent {
    spent(&usage["prompt_tokens"], &usage["completion_tokens"])
}

fn anthropic_stop(reason: &Value) -> Option<Cause> {
    match reason.as_str()? {
        "max_tokens" | "model_context_window_exceeded" => Some(Cause::Endless),
        "refusal" => Some(Cause::Refused),
        _ => None,
    }
}

fn anthropic_spent(usage: &Value) -> Spent {
    spent(&usage["input_tokens"], &usage["output_tokens"])
}

fn gemini_piece(event: &Value) -> Piece {
    let candidate = &event["candidates"][0];
    let parts = candidate["content"]["parts"].as_array().map_or(&[][..], Vec::as_slice);
    // Skip reasoning parts.
    let said = parts.iter().filter(|part| part["thought"] != true);
    let usage = &event["usageMetadata"];
    let mut spent = spent(&usage["promptTokenCount"], &usage["candidatesTokenCount"]);
    spent.written = spent.written.saturating_add(counted(&usage["thoughtsTokenCount"]));
    let blocked = !event["promptFeedback"]["blockReason"].is_null();
    let stopped = match candidate["finishReason"].as_str() {
        _ if blocked => Some(Cause::Refused),
        None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => None,
        Some("MAX_TOKENS") => Some(Cause::Endless),
        Some(_) => Some(Cause::Refused),
    };
    let ends = blocked || !candidate["finishReason"].is_null();
    Piece { text: said.filter_map(|part| part["text"].as_str()).collect(), spent, stopped, ends }
}

fn spent(read: &Value, written: &Value) -> Spent {
    Spent { requests: 0, read: counted(read), written: counted(written) }
}

/// Reads a token count. An implausible count is treated as missing, so it is estimated and does not affect the meter or the
/// daily budget.
fn counted(told: &Value) -> u64 {
    told.as_u64().filter(|tokens| *tokens <= MOST_COUNTED).unwrap_or(0)
}

/// Returns the error code of a server. Its messages are ignored because they may repeat the request.
pub(crate) fn word_of(answer: &Value) -> String {
    let error = &answer["error"];
    let words = [&error["code"], &error["type"], &error["status"], &answer["type"]].map(|word| word.as_str().unwrap_or_default());
    let plain = |word: &&str| {
        !word.is_empty() && word.len() <= 40 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
    };
    words.into_iter().find(plain).unwrap_or("no reason given").to_owned()
}
