//! What the reader finds in a message.

use std::ops::Range;

use saegim_core::{Face, StatementGroup, StatementStatus};

/// Kinds of clauses, in the order of the model's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Fact,
    Preference,
    Plan,
    Promise,
    Boundary,
    Feeling,
    Event,
    Talk,
    Question,
    Answer,
    Remember,
    Correction,
    Command,
}

/// Whose information a clause is, in the order of the model's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The person typing.
    User,
    /// A person or pet in the user's life.
    Other,
    /// Hypothetical, quoted, a joke, role-play, a dream, a film or a game.
    Unreal,
    /// The world: news, celebrities, strangers.
    World,
}

/// The most probable label of a clause, with its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likely<T> {
    pub(crate) label: T,
    pub(crate) probability: f32,
}

/// One clause of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClauseAnalysis {
    /// Bytes of the message, without spaces at the ends.
    pub(crate) range: Range<usize>,
    /// What it is about; `None` if it says nothing about a life.
    pub(crate) group: Likely<Option<StatementGroup>>,
    /// Probability that it says something about a life: 1 minus that of no group.
    pub(crate) life: f32,
    pub(crate) act: Likely<Act>,
    pub(crate) holder: Likely<Holder>,
    /// Probability that the holder is the user or somebody in the user's life.
    pub(crate) real: f32,
    pub(crate) status: Likely<StatementStatus>,
    /// Probability that it is worth knowing in a month.
    pub(crate) keep: f32,
    /// Probability that it tells something: that it is neither a question nor a command to the memory.
    pub(crate) told: f32,
    /// Probability of the least certain of its borders.
    pub(crate) borders: f32,
}

/// A marked value: `residence`, `부산`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MarkedValue {
    /// Bytes of the message.
    pub(crate) range: Range<usize>,
    /// One of [`SUBJECTS`].
    pub(crate) subject: &'static str,
    pub(crate) probability: f32,
}

/// Everything the reader finds in one message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MessageAnalysis {
    /// In the order of the text; together they cover it. A text of more than about 6,000 pieces is read up to there only.
    pub(crate) clauses: Vec<ClauseAnalysis>,
    /// In the order of the text; they do not overlap.
    pub(crate) values: Vec<MarkedValue>,
    /// Probability of every emotion, in the order of [`EMOTIONS`].
    pub(crate) emotions: [f32; 10],
    /// 0 none, 1 light, 2 clear, 3 strong: the expected value.
    pub(crate) intensity: f32,
    /// Face the character should show.
    pub(crate) face: Likely<Face>,
    /// Effects on the relationship, -1..=1, in the order of [`AXES`].
    pub(crate) effects: [f32; 5],
}

/// Probabilities of what a message means for an earlier statement. What is left is the probability that it means nothing for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Relation {
    /// The statement does not hold any more, or never did.
    pub(crate) over: f32,
    /// The statement is said again.
    pub(crate) same: f32,
}

/// Labels of the emotion outputs.
pub(crate) const EMOTIONS: [&str; 10] = ["joy", "sadness", "anger", "fear", "disgust", "anxiety", "envy", "ennui", "nostalgia", "neutral"];

/// Labels of the effect outputs.
pub(crate) const AXES: [&str; 5] = ["affection", "trust", "familiarity", "respect", "rivalry"];

/// Subjects of marked values, in the order of the model's outputs.
pub(crate) const SUBJECTS: [&str; 39] = [
    "name",
    "nickname",
    "age",
    "birthday",
    "nationality",
    "height",
    "weight",
    "blood_type",
    "residence",
    "hometown",
    "living_with",
    "job",
    "workplace",
    "school",
    "major",
    "skill",
    "language",
    "mbti",
    "religion",
    "handedness",
    "rel",
    "pname",
    "status",
    "pet",
    "petname",
    "allergy",
    "illness",
    "medication",
    "diet",
    "food",
    "drink",
    "likes",
    "dislikes",
    "phobia",
    "hobby",
    "instrument",
    "possession",
    "car",
    "when",
];
