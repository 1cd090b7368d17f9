//! Asks a model to answer as a persona.

use saegim_core::{Cause, Thought};

use crate::ProviderError;
use crate::llm::language_model::{LanguageModel, ModelRequest, Speaker};
use crate::llm::verify::strip_reasoning::aloud;

/// Maximum length of an answer in characters; the rest is cut off.
const LONGEST: usize = 8_000;

/// Returns the answer of a model to the prompt of a persona: bounded, without reasoning and control characters. Fails if nothing
/// readable is left, or if the answer is data instead of text.
pub async fn persona_answer(model: &dyn LanguageModel, system: &str, prompt: String) -> Result<String, ProviderError> {
    let messages = vec![(Speaker::User, prompt)];
    let ask = ModelRequest { thought: Thought::Reply, system, messages, schema: None, most_tokens: 2_000, sampling: None };
    let told = model.ask(&ask).await?;
    let plain = |letter: &char| matches!(letter, '\n' | '\t') || !letter.is_control() && !is_hidden(*letter);
    let text: String = aloud(&told.text).chars().filter(plain).take(LONGEST).collect();
    let text = text.trim();
    if text.is_empty() {
        return Err(ProviderError::unanswered(Cause::Empty, "the answer is empty".into()));
    }
    let data = text.starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(text).is_ok();
    if data || text.contains('\u{fffd}') {
        return Err(ProviderError::unanswered(Cause::Garbled, "the answer is not readable text".into()));
    }
    Ok(text.to_owned())
}

/// Whether a character is invisible or changes the direction of the text.
fn is_hidden(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
