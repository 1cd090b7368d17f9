//! The messages of a reply request, and the words that describe style and language to a model.

use saegim_core::{Language, Role, SpeechStyle, Thought};
use saegim_language::ReplyTo;

use crate::llm::language_model::Speaker;
use crate::llm::prompt;

pub(super) fn style_words(style: SpeechStyle, language: Language) -> &'static str {
    match (style, language) {
        (SpeechStyle::Formal, Language::Korean) => "존댓말로",
        (SpeechStyle::Casual, Language::Korean) => "반말로",
        (SpeechStyle::Intimate, Language::Korean) => "아주 가까운 사이의 다정한 반말로",
        (SpeechStyle::Formal, Language::English) => "politely",
        (SpeechStyle::Casual, Language::English) => "casually, as a friend",
        (SpeechStyle::Intimate, Language::English) => "warmly, as someone very close",
    }
}

pub(super) fn language_word(language: Language) -> &'static str {
    match language {
        Language::Korean => "Korean",
        Language::English => "English",
    }
}

/// Builds the conversation of a reply request: the caller's system messages, the history, and the message with the remembered
/// context. The caller's system messages replace the default prompt, because they define who answers and how.
pub(super) fn reply_messages(asked: &ReplyTo<'_>) -> (String, Vec<(Speaker, String)>) {
    let own: Vec<&str> = asked
        .before
        .iter()
        .filter(|(role, _)| *role == Role::System)
        .map(|(_, text)| text.trim())
        .filter(|text| !text.is_empty())
        .collect();
    let style = style_words(asked.style, asked.language);
    let values = [("character", asked.character), ("user", asked.user), ("style", style)];
    let system = if own.is_empty() { prompt::filled(&prompt::system(Thought::Reply, asked.language), &values) } else { own.join("\n\n") };
    let mut messages: Vec<(Speaker, String)> = Vec::new();
    let mut say = |speaker: Speaker, text: String| match messages.last_mut() {
        // Servers require alternating roles, starting with the user.
        Some((last, said)) if *last == speaker => *said = format!("{said}\n{text}"),
        None if speaker == Speaker::Model => {}
        _ => messages.push((speaker, text)),
    };
    for (role, text) in asked.before.iter().filter(|(_, text)| !text.trim().is_empty()) {
        match role {
            Role::System => {}
            Role::Assistant | Role::Persona => say(Speaker::Model, text.clone()),
            Role::User => say(Speaker::User, text.clone()),
            // Tool output is data and is marked as such.
            Role::Event => say(Speaker::User, format!("<data>\n{}\n</data>", text.replace("</data>", "< /data>"))),
        }
    }
    let beside = prompt::beside(asked.language, asked.context);
    say(Speaker::User, format!("{beside}{}", asked.text));
    (system, messages)
}
