//! The interface of every component that judges and writes text.

use async_trait::async_trait;
use saegim_core::{
    Appraisal, Axis, CandidateType, Emotions, Face, FactCategory, Feeling, Language, Relationship, Role, SpeechStyle, Thought, TimeOfDay,
    Timestamp, Trigger, Unit,
};
use serde::Deserialize;
use serde_json::Value;

use crate::{ProviderError, Relayed, Sampling, Saying};

/// One message, with the context needed to read it.
#[derive(Clone, Copy, Debug)]
pub struct Utterance<'a> {
    /// Author of the message.
    pub role: Role,
    /// Text of the message.
    pub text: &'a str,
    /// Time, on the conversation's own clock.
    pub at: Timestamp,
    /// Name of the user in this mind.
    pub user: &'a str,
    /// Name of the character.
    pub character: &'a str,
    /// Previous message of the other side, for answers that need their question.
    pub before: Option<&'a str>,
}

/// Person a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// The user.
    User,
    /// The character.
    Character,
    /// User and character together.
    Both,
    /// Another person, by name or relation ("alice", "남동생").
    Other(String),
}

/// A structured statement: a subject has a value, or no longer has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Canonical subject, e.g. `residence`.
    pub subject: String,
    /// Value in the speaker's words, without particles and endings.
    pub value: String,
    /// Normalised value for comparison ("25" for 스물다섯 살).
    pub canonical: String,
    /// Category of the fact.
    pub category: FactCategory,
    /// Whether the subject holds one value at a time.
    pub single: bool,
    /// Whether the value no longer holds ("이제 커피 안 마셔").
    pub ends: bool,
}

/// An item extracted from an utterance that may become a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Text to remember, in the language of the utterance.
    pub content: String,
    /// Type of candidate.
    pub candidate_type: CandidateType,
    /// Person it is about.
    pub about: About,
    /// Structured statement, if it is one.
    pub claim: Option<Claim>,
    /// Associated feeling.
    pub feeling: Feeling,
    /// Confidence of the extraction, 0..=1.
    pub confidence: Unit,
    /// Expected importance in the future, 0..=1.
    pub future_impact: Unit,
    /// Whether the speaker asked to remember it.
    pub remember_this: bool,
    /// Whether it corrects an earlier statement ("아니, 수요일이 아니라 목요일이야").
    pub corrects: bool,
    /// Appraisal, if the extraction already produced one.
    pub appraisal: Option<Appraisal>,
}

/// Reason why a part of an utterance was ignored or blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftAlone {
    /// Greetings, weather, filler, and feelings without an object.
    SmallTalk,
    /// A question.
    Question,
    /// A hypothetical statement.
    Hypothetical,
    /// Someone else's words, a song, a film.
    Quote,
    /// A joke or sarcasm.
    Joke,
    /// A statement that the speaker does not know something.
    Ignorance,
    /// A command to the memory or the character's identity; held for the owner's decision.
    Instruction,
}

/// Effect of an utterance on one axis of the relationship.
#[derive(Clone, Debug, PartialEq)]
pub struct Toward {
    /// Affected axis.
    pub axis: Axis,
    /// Change in points, -5..=5; usually one to three.
    pub points: f32,
    /// Words that cause it, as evidence.
    pub cue: String,
}

/// Result of reading one utterance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Extracted items.
    pub findings: Vec<Finding>,
    /// Parts that were ignored or blocked, and why.
    pub left_alone: Vec<(String, LeftAlone)>,
    /// Feeling of the whole utterance.
    pub feeling: Feeling,
    /// Matching face.
    pub face: Face,
    /// Effects on affection, trust, respect and rivalry. Familiarity grows with every exchange.
    pub toward: Vec<Toward>,
    /// Whether the reading is independent of the current time: no relative date had to be resolved.
    pub timeless: bool,
}

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
    /// Sampling parameters of the caller. The rules ignore them.
    pub sampling: Option<&'a Sampling>,
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
pub struct Conviction {
    /// Statement, in the language of the memories.
    pub statement: String,
    /// Indices of the supporting memories; never empty.
    pub supporting: Vec<usize>,
}

/// Name and description of an island.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmark {
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
pub struct Daydream {
    /// Imagined text.
    pub scenario: String,
    /// What the character could say or do.
    pub action: Option<String>,
    /// Associated emotions.
    pub emotions: Emotions,
}

/// Memories to interpret from the character's point of view.
#[derive(Clone, Copy, Debug)]
pub struct InterpretFrom<'a> {
    /// Texts of the memories.
    pub memories: &'a [&'a str],
    /// Name of the user in this mind.
    pub user: &'a str,
    /// Name of the character.
    pub character: &'a str,
}

/// Two values of one subject.
#[derive(Clone, Copy, Debug)]
pub struct Conflict<'a> {
    /// Canonical subject.
    pub subject: &'a str,
    /// Earlier value.
    pub older: &'a str,
    /// Later value.
    pub newer: &'a str,
}

/// Relation between two values of one subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// Different wording of the same value.
    Same,
    /// The newer value replaces the older one.
    Replaced,
    /// Both values hold.
    Both,
    /// Unknown.
    #[default]
    Unsure,
}

/// Input of a user profile.
#[derive(Clone, Copy, Debug)]
pub struct ReflectFrom<'a> {
    /// Name of the user in this mind.
    pub user: &'a str,
    /// Facts: canonical subject and value.
    pub facts: &'a [(&'a str, &'a str)],
    /// Memories, most important first.
    pub memories: &'a [&'a str],
    /// Language of the profile.
    pub language: Language,
}

/// A part of a conversation to analyse.
#[derive(Clone, Copy, Debug)]
pub struct AnalyseFrom<'a> {
    /// Name of the user in this mind.
    pub user: &'a str,
    /// Name of the character.
    pub character: &'a str,
    /// Latest turns, oldest first.
    pub turns: &'a [(Role, &'a str)],
    /// Facts: canonical subject and value.
    pub facts: &'a [(&'a str, &'a str)],
    /// Relationship between character and user.
    pub relationship: &'a Relationship,
    /// Language of the note.
    pub language: Language,
}

/// Result of analysing a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Advice for the next answer.
    pub note: Option<String>,
    /// Effects of turns on the relationship, by turn index.
    pub toward: Vec<(usize, Toward)>,
    /// Pairs of contradicting facts, by index.
    pub conflicts: Vec<(usize, usize)>,
    /// Facts that a user turn made obsolete: index of the fact and of the turn.
    pub outdated: Vec<(usize, usize)>,
}

/// Result of testing a model.
#[derive(Debug)]
pub struct Trial {
    /// Model id.
    pub model: String,
    /// Address, if the model is not in this process.
    pub address: Option<String>,
    /// Thoughts the model is assigned to.
    pub thoughts: Vec<Thought>,
    /// Whether it gave a usable answer.
    pub went: Result<(), ProviderError>,
}

/// Judges and writes text: with rules by default, with a model if one is configured.
#[async_trait]
pub trait Thinker: Send + Sync {
    /// Returns the id of the thinker, for the ledger.
    fn id(&self) -> &str;

    /// Returns the model assigned to a thought, or `None` if the rules are used. The rules never fail.
    fn asks(&self, _thought: Thought) -> Option<&str> {
        None
    }

    /// Tests every model with a small request. The rules need no test.
    async fn try_out(&self) -> Vec<Trial> {
        Vec::new()
    }

    /// Extracts the items of an utterance that may be worth remembering.
    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError>;

    /// Appraises a text: factual, emotional, actionable, explicit.
    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError>;

    /// Returns the feeling of a text.
    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError>;

    /// Writes a brief reply in character: one or two sentences, in the requested language and speech level.
    async fn reply(&self, asked: &ReplyTo<'_>) -> Result<String, ProviderError>;

    /// Streams the reply to `said`. Text that was already passed on is the reply, even if it was interrupted.
    async fn speak(&self, asked: &ReplyTo<'_>, said: Saying<'_>) -> Result<String, ProviderError> {
        let answer = self.reply(asked).await?;
        said(&answer);
        Ok(answer)
    }

    /// Returns the OpenAI name of the first sampling parameter that the replying model does not support. The rules accept all
    /// of them because they do not sample.
    fn cannot(&self, _sampling: &Sampling) -> Option<&'static str> {
        None
    }

    /// Checks whether requests in the OpenAI format can be relayed to the replying model.
    fn relays(&self) -> bool {
        false
    }

    /// Relays a request in the OpenAI format and passes the stream events on as they arrive.
    async fn relay(&self, _request: &Value, _event: Saying<'_>) -> Result<Relayed, ProviderError> {
        Err(ProviderError::Invalid("rules cannot relay a request".into()))
    }

    /// Distils memories to their essence in one or two sentences: person, relation, pattern, without dates and circumstances.
    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError>;

    /// Derives the character's beliefs about itself from its core memories.
    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<Conviction>, ProviderError>;

    /// Names and describes the island founded on memories of one theme.
    async fn name_island(&self, texts: &[&str]) -> Result<Landmark, ProviderError>;

    /// Imagines something from these memories.
    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<Daydream, ProviderError>;

    /// Interprets memories from the character's point of view, by index. The rules return no interpretation.
    async fn interpret(&self, _from: &InterpretFrom<'_>) -> Result<Vec<(usize, String)>, ProviderError> {
        Ok(Vec::new())
    }

    /// Determines the relation between two values of one subject if the folding rules cannot decide.
    async fn settle(&self, _conflict: &Conflict<'_>) -> Result<Settlement, ProviderError> {
        Ok(Settlement::Unsure)
    }

    /// Describes the user in a few sentences. The rules return `None`.
    async fn reflect(&self, _from: &ReflectFrom<'_>) -> Result<Option<String>, ProviderError> {
        Ok(None)
    }

    /// Analyses a part of a conversation. The rules return nothing, because they already judged each turn.
    async fn analyse(&self, _from: &AnalyseFrom<'_>) -> Result<Analysis, ProviderError> {
        Ok(Analysis::default())
    }
}
