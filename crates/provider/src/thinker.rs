//! The interface of every component that judges and writes text.

use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{Appraisal, Feeling, Language, Relationship, RelationshipEffect, Role, Thought};
use saegim_language::{
    BelieveFrom, DerivedBelief, ImagineFrom, ImaginedScenario, IslandLabel, MessageReader, Reading, ReplyTo, RuleThinker, Utterance,
};
use serde::Deserialize;
use serde_json::Value;

use crate::{LanguageModel, ProviderError, Relayed, Sampling, Saying};

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
    pub toward: Vec<(usize, RelationshipEffect)>,
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

    /// Returns the model assigned to a thought.
    fn model(&self, _thought: Thought) -> Option<Arc<dyn LanguageModel>> {
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
    async fn reply(&self, asked: &ReplyTo<'_>, sampling: Option<&Sampling>) -> Result<String, ProviderError>;

    /// Streams the reply to `said`. Text that was already passed on is the reply, even if it was interrupted.
    async fn speak(&self, asked: &ReplyTo<'_>, sampling: Option<&Sampling>, said: Saying<'_>) -> Result<String, ProviderError> {
        let answer = self.reply(asked, sampling).await?;
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
    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<DerivedBelief>, ProviderError>;

    /// Names and describes the island founded on memories of one theme.
    async fn name_island(&self, texts: &[&str]) -> Result<IslandLabel, ProviderError>;

    /// Imagines something from these memories.
    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<ImaginedScenario, ProviderError>;

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

/// Maximum length in bytes of a message that is read on the calling thread: a few milliseconds.
const INLINE: usize = 600;

/// Reads a message with the trained reader and the rules. A long message is read on a thread of its own, because it may take seconds.
pub(crate) async fn read_message(utterance: &Utterance<'_>) -> Reading {
    if utterance.text.len() <= INLINE {
        return MessageReader.read(utterance);
    }
    let Utterance { role, text, at, user, character, before } = *utterance;
    let (text, user, character, before) = (text.to_owned(), user.to_owned(), character.to_owned(), before.map(str::to_owned));
    let read = move || {
        let utterance = Utterance { role, text: &text, at, user: &user, character: &character, before: before.as_deref() };
        MessageReader.read(&utterance)
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| RuleThinker.read(utterance))
}

/// The rules answer at once and never fail.
#[async_trait]
impl Thinker for RuleThinker {
    fn id(&self) -> &str {
        Self::ID
    }

    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        Ok(read_message(utterance).await)
    }

    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError> {
        Ok(Self::appraise(self, text))
    }

    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError> {
        Ok(Self::feel(self, text))
    }

    async fn reply(&self, asked: &ReplyTo<'_>, _sampling: Option<&Sampling>) -> Result<String, ProviderError> {
        Ok(Self::reply(self, asked))
    }

    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError> {
        Ok(Self::distil(self, texts))
    }

    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<DerivedBelief>, ProviderError> {
        Ok(Self::believe(self, from))
    }

    async fn name_island(&self, texts: &[&str]) -> Result<IslandLabel, ProviderError> {
        Ok(Self::name_island(self, texts))
    }

    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<ImaginedScenario, ProviderError> {
        Ok(Self::imagine(self, from))
    }
}
