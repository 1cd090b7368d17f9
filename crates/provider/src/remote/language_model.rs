//! Anything that continues a conversation: a server, or a model in this process.

use async_trait::async_trait;
use saegim_core::{Cause, Spent, Thought};
use serde_json::Value;

use super::sampling::Sampling;
use crate::ProviderError;

/// Who said something to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Whoever asks.
    User,
    /// The model itself.
    Model,
}

/// Hears an answer as it comes.
pub type Saying<'a> = &'a mut (dyn FnMut(&str) + Send);

/// What a model is asked.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// For what.
    pub thought: Thought,
    /// What it is to do.
    pub system: &'a str,
    /// What was said so far; the last is the user's.
    pub messages: Vec<(Speaker, String)>,
    /// The name and the schema of the answer, where it is structured.
    pub schema: Option<(&'a str, &'a Value)>,
    /// How long the answer may be.
    pub most_tokens: u32,
    /// How whoever asks wants it drawn, where they say so.
    pub sampling: Option<&'a Sampling>,
}

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// The text.
    pub text: String,
    /// What it used, as far as it says.
    pub spent: Spent,
}

/// What came of a request that was passed on as it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relayed {
    /// The server's status.
    pub status: u16,
    /// Its answer, where it came whole.
    pub body: Value,
    /// What the first choice says.
    pub text: String,
    /// Whether it wants something done before it answers.
    pub calls_tools: bool,
    /// Whether anything at all was said or called, by whichever choice.
    pub said: bool,
    /// Whether anything of a stream was handed over.
    pub heard: bool,
    /// Whether the first choice came to its end.
    pub finished: bool,
    /// Why it broke off, if it did.
    pub stopped: Option<Cause>,
    /// What a stream says it used.
    pub(crate) spent: Spent,
}

impl Relayed {
    /// Takes in an answer or one event of a stream; `part` is where its message stands.
    pub(crate) fn hear(&mut self, event: &Value, part: &str) {
        let used = super::dialect::openai_spent(&event["usage"]);
        if used.tokens() > 0 {
            self.spent = used;
        }
        for choice in event["choices"].as_array().into_iter().flatten() {
            let message = &choice[part];
            // A refusal is what the model says, too.
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
    /// Which model, e.g. `openai/gpt-5-mini`; never its address or key.
    fn id(&self) -> &str;

    /// Where it is, if it is not in this process; without any key.
    fn address(&self) -> Option<&str> {
        None
    }

    /// Answers, whole.
    async fn ask(&self, ask: &Ask<'_>) -> Result<Told, ProviderError>;

    /// Answers, and hands over what there is of it as it comes.
    async fn speak(&self, ask: &Ask<'_>, said: Saying<'_>) -> Result<Told, ProviderError>;

    /// What of a caller's wishes it cannot do, as OpenAI calls it; one that is not told how says the likeliest word each time.
    fn cannot(&self, sampling: &Sampling) -> Option<&'static str> {
        sampling.undrawn()
    }

    /// Whether requests in OpenAI's own shape can be passed on to it.
    fn relays(&self) -> bool {
        false
    }

    /// Passes on a request in OpenAI's own shape, and hands over the events of its stream as they come.
    async fn relay(&self, _request: &Value, _event: Saying<'_>) -> Result<Relayed, ProviderError> {
        Err(ProviderError::unanswered(Cause::Unaccepted, "this model cannot relay a request".into()))
    }
}
