//! What the rules write on request: replies, beliefs, names of islands, imagined scenes.

use saegim_core::{Emotions, Feeling, Language, Role, SpeechStyle, TimeOfDay, Trigger};

use crate::Reading;

/// A message to answer, with everything the answer may use.
#[derive(Clone, Copy, Debug)]
pub struct ReplyTo<'a> {
    /// Message of the user.
    pub text: &'a str,
    /// Name of the character.
    pub character: &'a str,
    /// Name of the user in this mind.
    pub user: &'a str,
    /// Language of the answer.
    pub language: Language,
    /// Speech level of the answer.
    pub style: SpeechStyle,
    /// Current facts about the user: canonical subject and value.
    pub facts: &'a [(String, String)],
    /// Relevant memories, best first.
    pub memories: &'a [String],
    /// Feeling of the message.
    pub feeling: &'a Feeling,
    /// Reading of the message.
    pub reading: &'a Reading,
    /// Complete remembered context as passed to a model. The rules use the fields above instead.
    pub context: &'a str,
    /// Conversation history including the caller's system messages, oldest first.
    pub before: &'a [(Role, String)],
}

/// Core memories to derive beliefs from.
#[derive(Clone, Copy, Debug)]
pub struct BelieveFrom<'a> {
    /// Texts of the memories, in order.
    pub memories: &'a [&'a str],
    /// Name of the user in this mind.
    pub user: &'a str,
    /// Name of the character.
    pub character: &'a str,
}

/// "I am someone who ...", with the memories that support it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedBelief {
    /// Statement, in the language of the memories.
    pub statement: String,
    /// Indices of the supporting memories; never empty.
    pub supporting: Vec<usize>,
}

/// Name and description of an island.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IslandLabel {
    /// Name, in the language of the memories.
    pub name: String,
    /// Emoji.
    pub emoji: String,
    /// Meaning, without quoting the memories.
    pub description: String,
}

/// Input of an imagination.
#[derive(Clone, Copy, Debug)]
pub struct ImagineFrom<'a> {
    /// Trigger of the imagination.
    pub trigger: Trigger,
    /// Time of day, if that is the trigger.
    pub time_of_day: Option<TimeOfDay>,
    /// Context from the host.
    pub context: Option<&'a str>,
    /// Theme: the word of a category, or `moments`.
    pub theme: &'a str,
    /// Memories about the theme, nearest first; never empty.
    pub memories: &'a [&'a str],
    /// Name of the user in this mind.
    pub user: &'a str,
    /// Language of the result.
    pub language: Language,
    /// Speech level of the character.
    pub style: SpeechStyle,
    /// Random number that selects among several wordings.
    pub throw: u64,
}

/// An imagined scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ImaginedScenario {
    /// Imagined text.
    pub scenario: String,
    /// What the character could say or do.
    pub action: Option<String>,
    /// Associated emotions.
    pub emotions: Emotions,
}
