//! The one interface of everything that judges and writes text.

use async_trait::async_trait;
use saegim_core::{
    Appraisal, Axis, CandidateType, Emotions, Face, FactCategory, Feeling, Language, Relationship, Role, SpeechStyle, Thought, TimeOfDay,
    Timestamp, Trigger, Unit,
};
use serde::Deserialize;
use serde_json::Value;

use crate::{ProviderError, Relayed, Sampling, Saying};

/// One message as a thinker hears it.
#[derive(Clone, Copy, Debug)]
pub struct Utterance<'a> {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: &'a str,
    /// When, on the conversation's own clock.
    pub at: Timestamp,
    /// The person's name as the mind knows it.
    pub user: &'a str,
    /// The character's name.
    pub character: &'a str,
    /// What the other side said right before, for answers that only make sense with their question.
    pub before: Option<&'a str>,
}

/// Whom a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// The person the memories are about.
    User,
    /// The character.
    Character,
    /// Both of them together.
    Both,
    /// Someone else, by name or relation ("alice", "남동생").
    Other(String),
}

/// A structured statement: this subject has this value, or no longer has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The canonical subject, e.g. `residence`.
    pub subject: String,
    /// The value in the speaker's words, particles and endings taken off.
    pub value: String,
    /// The value in a form in which equal values are equal text ("25" for 스물다섯 살).
    pub canonical: String,
    /// What it is about.
    pub category: FactCategory,
    /// Whether the subject holds one value at a time.
    pub single: bool,
    /// Whether the value no longer holds ("이제 커피 안 마셔").
    pub ends: bool,
}

/// Something worth judging that was taken from an utterance.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What would be remembered, in the language it was said in.
    pub content: String,
    /// What it is.
    pub candidate_type: CandidateType,
    /// Whom it is about.
    pub about: About,
    /// The structured statement, if it is one.
    pub claim: Option<Claim>,
    /// What goes with it.
    pub feeling: Feeling,
    /// How sure the extraction is.
    pub confidence: Unit,
    /// How much it will matter later.
    pub future_impact: Unit,
    /// Whether the speaker asked to remember it.
    pub remember_this: bool,
    /// Whether it takes back something said before ("아니, 수요일이 아니라 목요일이야").
    pub corrects: bool,
    /// How much it matters, where whoever found it has judged that too.
    pub appraisal: Option<Appraisal>,
}

/// Why a part of an utterance was left alone or held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftAlone {
    /// Greetings, weather, filler, and feelings that name nothing.
    SmallTalk,
    /// It asks instead of telling.
    Question,
    /// It is only supposed.
    Hypothetical,
    /// Someone else's words, a song, a film.
    Quote,
    /// Marked as a joke or as sarcasm.
    Joke,
    /// The speaker's own ignorance.
    Ignorance,
    /// It tries to command the memory or the character's identity: held for the owner.
    Instruction,
}

/// What an utterance does to one axis of the relationship between character and user.
#[derive(Clone, Debug, PartialEq)]
pub struct Toward {
    /// Which axis it moves.
    pub axis: Axis,
    /// How far, -5..=5; usually one to three.
    pub points: f32,
    /// The words that do it, as evidence.
    pub cue: String,
}

/// What a thinker took from one utterance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What may be worth keeping.
    pub findings: Vec<Finding>,
    /// Parts left alone or held, and why.
    pub left_alone: Vec<(String, LeftAlone)>,
    /// What the whole utterance feels like.
    pub feeling: Feeling,
    /// The face that goes with it.
    pub face: Face,
    /// What it does to the relationship: affection, trust, respect, rivalry. Familiarity grows by talking at all.
    pub toward: Vec<Toward>,
    /// Whether the same message is read the same at any other moment: no day in it had to be counted from now.
    pub timeless: bool,
}

/// A message to answer, and all that may go into the answer.
#[derive(Clone, Copy, Debug)]
pub struct ReplyTo<'a> {
    /// The user's message.
    pub text: &'a str,
    /// The character's name.
    pub character: &'a str,
    /// The person's name as the mind knows it.
    pub user: &'a str,
    /// The language to answer in.
    pub language: Language,
    /// The level of speech to answer in.
    pub style: SpeechStyle,
    /// What is known of the user now: canonical subject and value.
    pub facts: &'a [(String, String)],
    /// Remembered lines that may matter, the best first.
    pub memories: &'a [String],
    /// What the message feels like.
    pub feeling: &'a Feeling,
    /// What was taken from it.
    pub reading: &'a Reading,
    /// All that is remembered for it, as it is given to a model; rules have the parts above.
    pub context: &'a str,
    /// What was said before and how the caller wants it answered, the oldest first.
    pub before: &'a [(Role, String)],
    /// How the caller wants the answer drawn; rules draw nothing.
    pub sampling: Option<&'a Sampling>,
}

/// Core memories to draw beliefs from.
#[derive(Clone, Copy, Debug)]
pub struct BelieveFrom<'a> {
    /// What the memories say, in the order they came.
    pub memories: &'a [&'a str],
    /// The person's name as the mind knows it.
    pub user: &'a str,
    /// The character's name.
    pub character: &'a str,
}

/// "I am someone who ...", and which of the memories say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conviction {
    /// The statement, in the language of the memories.
    pub statement: String,
    /// The places of its memories in the list; never empty.
    pub supporting: Vec<usize>,
}

/// A name for a side of the personality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmark {
    /// Its name, in the language of the memories.
    pub name: String,
    /// Its sign.
    pub emoji: String,
    /// What it means, without quoting the memories.
    pub description: String,
}

/// What something may be imagined from.
#[derive(Clone, Copy, Debug)]
pub struct ImagineFrom<'a> {
    /// What set it off.
    pub trigger: Trigger,
    /// The time of day, where that is what set it off.
    pub time_of_day: Option<TimeOfDay>,
    /// What the host told.
    pub context: Option<&'a str>,
    /// What it is to turn around: a category's word, or `moments`.
    pub theme: &'a str,
    /// What is remembered of it, the nearest first; never empty.
    pub memories: &'a [&'a str],
    /// The person's name as the mind knows it.
    pub user: &'a str,
    /// The language to imagine in.
    pub language: Language,
    /// The level of speech the character speaks in.
    pub style: SpeechStyle,
    /// A throw that chooses among several ways to say the same.
    pub throw: u64,
}

/// Something imagined.
#[derive(Clone, Debug, PartialEq)]
pub struct Daydream {
    /// What is imagined.
    pub scenario: String,
    /// What the character could say or do.
    pub action: Option<String>,
    /// What it feels.
    pub emotions: Emotions,
}

/// Memories a character makes something of.
#[derive(Clone, Copy, Debug)]
pub struct InterpretFrom<'a> {
    /// What they say.
    pub memories: &'a [&'a str],
    /// The person's name as the mind knows it.
    pub user: &'a str,
    /// The character's name.
    pub character: &'a str,
}

/// Two values of one subject.
#[derive(Clone, Copy, Debug)]
pub struct Conflict<'a> {
    /// The canonical subject.
    pub subject: &'a str,
    /// The value known before.
    pub older: &'a str,
    /// The value said since.
    pub newer: &'a str,
}

/// How two values of one subject stand to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// One thing in other words.
    Same,
    /// The newer is so instead of the older.
    Replaced,
    /// Both are so.
    Both,
    /// That cannot be told.
    #[default]
    Unsure,
}

/// What a person may be described from.
#[derive(Clone, Copy, Debug)]
pub struct ReflectFrom<'a> {
    /// The person's name as the mind knows it.
    pub user: &'a str,
    /// What is known of them: canonical subject and value.
    pub facts: &'a [(&'a str, &'a str)],
    /// What is remembered, the most important first.
    pub memories: &'a [&'a str],
    /// The language to write in.
    pub language: Language,
}

/// A stretch of conversation to be thought over.
#[derive(Clone, Copy, Debug)]
pub struct AnalyseFrom<'a> {
    /// The person's name as the mind knows it.
    pub user: &'a str,
    /// The character's name.
    pub character: &'a str,
    /// The last turns, the oldest first.
    pub turns: &'a [(Role, &'a str)],
    /// What is known: canonical subject and value.
    pub facts: &'a [(&'a str, &'a str)],
    /// How the two stand to each other.
    pub relationship: &'a Relationship,
    /// The language to write in.
    pub language: Language,
}

/// What came of thinking a conversation over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Advice for the next answer.
    pub note: Option<String>,
    /// What turns did to the relationship, by their place in the list.
    pub toward: Vec<(usize, Toward)>,
    /// Facts that cannot both be so, by their places in the list.
    pub conflicts: Vec<(usize, usize)>,
    /// Facts that a turn of the user's has made untrue: the places of the fact and of the turn.
    pub outdated: Vec<(usize, usize)>,
}

/// How a model did when it was tried.
#[derive(Debug)]
pub struct Trial {
    /// Which model.
    pub model: String,
    /// Where it is, if it is not in this process.
    pub address: Option<String>,
    /// What it is asked for.
    pub thoughts: Vec<Thought>,
    /// Whether it answered something that can be used.
    pub went: Result<(), ProviderError>,
}

/// Judges and writes text: rules by default, a model where there is one.
#[async_trait]
pub trait Thinker: Send + Sync {
    /// Who judged, for the ledger.
    fn id(&self) -> &str;

    /// The model that is asked for a thought; none where rules answer, which never fail.
    fn asks(&self, _thought: Thought) -> Option<&str> {
        None
    }

    /// Asks every model something small: which it is, what it is asked for, and whether it answers. Rules need no trial.
    async fn try_out(&self) -> Vec<Trial> {
        Vec::new()
    }

    /// What may be worth keeping of an utterance.
    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError>;

    /// The four questions of an appraisal.
    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError>;

    /// What a text feels like.
    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError>;

    /// A brief answer in character: one or two sentences, in the language and level of speech asked for.
    async fn reply(&self, asked: &ReplyTo<'_>) -> Result<String, ProviderError>;

    /// The same answer, handed over as it comes. What was handed over is the answer, also where it breaks off.
    async fn speak(&self, asked: &ReplyTo<'_>, said: Saying<'_>) -> Result<String, ProviderError> {
        let answer = self.reply(asked).await?;
        said(&answer);
        Ok(answer)
    }

    /// What of a caller's wishes whoever replies cannot do, as OpenAI calls it. Rules draw nothing, and whatever is wished of
    /// that is so.
    fn cannot(&self, _sampling: &Sampling) -> Option<&'static str> {
        None
    }

    /// Whether a request in OpenAI's own shape can be passed on to whoever replies.
    fn relays(&self) -> bool {
        false
    }

    /// Passes such a request on, and hands over the events of its stream as they come.
    async fn relay(&self, _request: &Value, _event: Saying<'_>) -> Result<Relayed, ProviderError> {
        Err(ProviderError::Invalid("rules cannot relay a request".into()))
    }

    /// The common essence of memories in a sentence or two: person, relation, pattern; dates and circumstances dropped.
    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError>;

    /// What the character may believe of itself because of its core memories.
    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<Conviction>, ProviderError>;

    /// A name for the side of the personality that memories on one theme found.
    async fn name_island(&self, texts: &[&str]) -> Result<Landmark, ProviderError>;

    /// Something the character could think of by itself, out of these memories.
    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<Daydream, ProviderError>;

    /// What memories mean to the character, by their places in the list. Rules see nothing in them.
    async fn interpret(&self, _from: &InterpretFrom<'_>) -> Result<Vec<(usize, String)>, ProviderError> {
        Ok(Vec::new())
    }

    /// How two values of one subject stand to each other, where the rules that fold facts are in doubt.
    async fn settle(&self, _conflict: &Conflict<'_>) -> Result<Settlement, ProviderError> {
        Ok(Settlement::Unsure)
    }

    /// What the user is like, in a few sentences. Rules list facts and describe nobody.
    async fn reflect(&self, _from: &ReflectFrom<'_>) -> Result<Option<String>, ProviderError> {
        Ok(None)
    }

    /// What a stretch of conversation did, and what to mind next. Rules have judged each turn by itself already.
    async fn analyse(&self, _from: &AnalyseFrom<'_>) -> Result<Analysis, ProviderError> {
        Ok(Analysis::default())
    }
}
