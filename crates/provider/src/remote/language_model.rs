//! Anything that continues a conversation: a server, or a model in this process.

use async_trait::async_trait;
use saegim_core::{Spent, Thought};
use serde_json::Value;

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
}

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// The text.
    pub text: String,
    /// What it used, as far as it says.
    pub spent: Spent,
}

/// Continues a conversation.
#[async_trait]
pub trait LanguageModel: Send + Sync {
    /// Which model, e.g. `openai/gpt-5-mini`; never its address or key.
    fn id(&self) -> &str;

    /// Answers, whole.
    async fn ask(&self, ask: &Ask<'_>) -> Result<Told, ProviderError>;

    /// Answers, and hands over what there is of it as it comes.
    async fn speak(&self, ask: &Ask<'_>, said: Saying<'_>) -> Result<Told, ProviderError>;
}
