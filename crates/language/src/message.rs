//! A message and the result of reading it.

use saegim_core::{
    Appraisal, CandidateType, Face, FactCategory, Feeling, RelationshipEffect, Role, StatedValue, StatementGroup, StatementStatus,
    Timestamp, Unit,
};

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
    /// Whether the value is no longer true ("이제 커피 안 마셔").
    pub ends: bool,
}

/// What found an item in an utterance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadBy {
    /// The hand-written rules alone.
    #[default]
    Rules,
    /// The trained reader alone.
    Reader,
    /// The rules and the trained reader.
    Both,
    /// A language model.
    Model,
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
    /// What found it.
    pub read_by: ReadBy,
}

/// A clause that says something lasting about the user or a person of theirs, in the user's own words.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedClause {
    /// The clause, verbatim.
    pub text: String,
    /// Values marked in it.
    pub values: Vec<StatedValue>,
    /// Whether it corrects an earlier statement.
    pub corrects: bool,
    /// What it is about.
    pub group: StatementGroup,
    /// Whose information it is: the user or another person (by name or relation).
    pub about: About,
    /// When it holds.
    pub status: StatementStatus,
    /// Calibrated probability that group, person and status are right and that it is lasting, 0..=1.
    pub probability: Unit,
    /// Whether the probability is high enough to be shown as current without confirmation.
    pub sure: bool,
    /// What the probability is combined from.
    pub factors: Vec<Factor>,
}

/// One factor of a probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    /// Its name in the calibration.
    pub name: &'static str,
    /// Probability of this factor alone, 0..=1.
    pub probability: f32,
}

/// Reason why a part of an utterance was ignored or blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
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

/// Result of reading one utterance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Extracted items.
    pub findings: Vec<Finding>,
    /// Clauses about a life, in the user's own words.
    pub statements: Vec<StatedClause>,
    /// What the clauses of the message are about, whether or not they say anything lasting. Empty if only the rules read it.
    pub groups: Vec<StatementGroup>,
    /// Parts that were ignored or blocked, and why.
    pub left_alone: Vec<(String, SkipReason)>,
    /// Feeling of the whole utterance.
    pub feeling: Feeling,
    /// Matching face.
    pub face: Face,
    /// Effects on affection, trust, respect and rivalry. Familiarity grows with every exchange.
    pub toward: Vec<RelationshipEffect>,
    /// Whether the reading is independent of the current time: no relative date had to be resolved.
    pub timeless: bool,
}
