//! The interface of every model that continues a conversation: a server, or a model in this process.

use async_trait::async_trait;
use saegim_core::{Cause, Spent, Thought};
use serde_json::Value;

use crate::ProviderError;
use crate::llm::sampling::Sampling;

/// Author of a message to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The caller.
    User,
    /// The model.
    Model,
}

/// Callback that receives an answer as it is streamed.
pub type Saying<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A request to a model.
#[derive(Clone, Debug)]
pub struct ModelRequest<'a> {
    /// Type of request, for metering and limits.
    pub thought: Thought,
    /// System prompt.
    pub system: &'a str,
    /// Conversation so far; the last message is from the user.
    pub messages: Vec<(Speaker, String)>,
    /// Name and schema of a structured answer.
    pub schema: Option<(&'a str, &'a Value)>,
    /// Maximum number of tokens of the answer, without reasoning.
    pub most_tokens: u32,
    /// Sampling parameters from the caller, if any.
    pub sampling: Option<&'a Sampling>,
}

/// Answer of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelAnswer {
    /// The text.
    pub text: String,
    /// Reported usage, if any.
    pub spent: Spent,
}

/// Result of a relayed request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relayed {
    /// HTTP status of the server.
    pub status: u16,
    /// Response body, if it was not streamed.
    pub body: Value,
    /// Text of the first choice.
    pub text: String,
    /// Whether the first choice calls tools.
    pub calls_tools: bool,
    /// Whether any choice contains text or a tool call.
    pub said: bool,
    /// Whether any stream event was passed on.
    pub heard: bool,
    /// Whether the first choice is complete.
    pub finished: bool,
    /// Cause, if it ended early.
    pub stopped: Option<Cause>,
    /// Usage reported by a stream.
    pub(crate) spent: Spent,
}

impl Relayed {
    /// Processes an answer or one stream event. `part` is the field that contains the message.
    pub(crate) fn hear(&mut self, event: &Value, part: &str) {
        let used = crate::llm::dialect::openai_spent(&event["usage"]);
        if used.tokens() > 0 {
            self.spent = used;
        }
        for choice in event["choices"].as_array().into_iter().flatten() {
            let message = &choice[part];
            // A refusal counts as text of the model.
            let texts = ["content", "refusal"].map(|name| message[name].as_str().unwrap_or_default());
            let calls = ["tool_calls", "function_call"].iter().any(|calls| match &message[*calls] {
                Value::Array(calls) => !calls.is_empty(),
                calls => !calls.is_null(),
            });
            self.said |= calls || texts.iter().any(|text| !text.trim().is_empty());
            if choice["index"].as_u64().unwrap_or(0) != 0 {
                continue;
            }
            texts.iter().for_each(|text| self.text.push_str(text));
            self.calls_tools |= calls;
            self.finished |= !choice["finish_reason"].is_null();
            self.stopped = match choice["finish_reason"].as_str() {
                Some("length") => Some(Cause::Endless),
                Some("content_filter") => Some(Cause::Refused),
                _ if !texts[1].is_empty() => Some(Cause::Refused),
                _ => self.stopped,
            };
        }
    }
}

/// Continues a conversation.
#[async_trait]
pub trait LanguageModel: Send + Sync {
    /// Returns the model id, e.g. `openai/gpt-5-mini`. Never contains an address or a key.
    fn id(&self) -> &str;

    /// Returns the server address without any key, or `None` if the model runs in this process.
    fn address(&self) -> Option<&str> {
        None
    }

    /// Returns a complete answer.
    async fn ask(&self, ask: &ModelRequest<'_>) -> Result<ModelAnswer, ProviderError>;

    /// Streams an answer to `said` and returns it when complete.
    async fn speak(&self, ask: &ModelRequest<'_>, said: Saying<'_>) -> Result<ModelAnswer, ProviderError>;

    /// Returns the OpenAI name of the first sampling parameter the model does not support. The default is a model with greedy
    /// decoding.
    fn cannot(&self, sampling: &Sampling) -> Option<&'static str> {
        sampling.undrawn()
    }

    /// Checks whether requests in the OpenAI format can be relayed to it.
    fn relays(&self) -> bool {
        false
    }

    /// Relays a request in the OpenAI format and passes the stream events on as they arrive.
    async fn relay(&self, _request: &Value, _event: Saying<'_>) -> Result<Relayed, ProviderError> {
        Err(ProviderError::unanswered(Cause::Unaccepted, "this model cannot relay a request".into()))
    }
}
