//! Findings: items of a message that may become memories, with everything that was looked up about them.

use crate::{CandidateType, Category, Embedding, Feeling, Kind, Memory, Settled, TurnId, Unit};

/// An item of a message that may become a memory.
#[derive(Clone, Debug)]
pub struct IntakeFinding {
    /// Text to remember.
    pub content: String,
    /// Type of candidate.
    pub candidate_type: CandidateType,
    /// Associated feeling.
    pub feeling: Feeling,
    /// Confidence of the reading.
    pub confidence: Unit,
    /// Expected importance in the future.
    pub future_impact: Unit,
    /// Whether the user asked to remember it.
    pub remember_this: bool,
    /// Whether it states a value of a subject.
    pub has_claim: bool,
    /// Whether it is a life event, such as a wedding.
    pub life_event: bool,
    /// Kind and category of its memory.
    pub class: MemoryClass,
    /// Kind and category of its memory if it is a habit.
    pub class_of_habit: MemoryClass,
}

/// Kind and category of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryClass {
    /// Kind.
    pub kind: Kind,
    /// Category, if it has one.
    pub category: Option<Category>,
}

/// A finding with everything that was looked up about it.
#[derive(Clone, Debug)]
pub struct FindingInput {
    /// The finding.
    pub finding: IntakeFinding,
    /// Whether it only repeats the prompt.
    pub is_echo: bool,
    /// Its effect on the facts about the user.
    pub fact: SettledFact,
    /// Vector of its text, if there is one.
    pub vector: Option<Embedding>,
    /// Appraisal of its text.
    pub appraisal: Appraised,
    /// Known memories that it may repeat, the most similar first.
    pub similar: Vec<SimilarMemory>,
    /// How it relates to each earlier finding of the exchange.
    pub to_earlier: Vec<TextRelation>,
    /// Earlier mentions of the same activity or topic.
    pub mentions: EarlierMentions,
}

/// Appraisal of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Appraised {
    /// Not asked yet; the decision reports the text if it needs the appraisal.
    NotYet,
    /// The answer; `None` if no thinker can appraise it.
    Done(Option<Unit>),
}

/// Effect of a finding on the facts about the user.
#[derive(Clone, Debug)]
pub struct SettledFact {
    /// The effect.
    pub effect: Settled,
    /// Number of mentions of the fact, if it was known.
    pub mentions: u32,
    /// Turns in which the fact was mentioned, if it was known.
    pub turns: Vec<TurnId>,
    /// Memory learned from one of these turns, if there is one.
    pub memory: Option<KnownMemory>,
}

impl Default for SettledFact {
    fn default() -> Self {
        Self { effect: Settled::Nothing, mentions: 0, turns: Vec::new(), memory: None }
    }
}

/// A memory that a finding may reinforce.
#[derive(Clone, Debug)]
pub struct KnownMemory {
    /// The memory as stored.
    pub memory: Memory,
    /// Essences above it that the finding mentions too.
    pub essences: Vec<Memory>,
}

/// A known memory that a finding may repeat.
#[derive(Clone, Debug)]
pub struct SimilarMemory {
    /// The memory.
    pub known: KnownMemory,
    /// Similarity of the vectors.
    pub similarity: Unit,
    /// Comparison of the texts.
    pub relation: TextRelation,
}

/// Comparison of the text of a finding with the text of a memory.
#[derive(Clone, Debug, Default)]
pub struct TextRelation {
    /// Whether they can have the same meaning: the finding says neither something else nor more.
    pub same_meaning: bool,
    /// Whether they can be about the same activity.
    pub same_activity: bool,
    /// Earlier mentions that are about the activity of the memory, too.
    pub covers: Vec<TurnId>,
}

/// Earlier mentions of the activity or topic of a finding, one turn per session and day.
#[derive(Clone, Debug, Default)]
pub struct EarlierMentions {
    /// The turns, the oldest first.
    pub turns: Vec<TurnId>,
    /// Whether they share an object or a person rather than an activity.
    pub is_topic: bool,
    /// Memories about the topic, grouped by the turn they were learned from, the newest turn first.
    pub memories: Vec<Vec<KnownMemory>>,
}

impl EarlierMentions {
    /// Returns the number of mentions including the current one.
    pub fn times(&self) -> u32 {
        self.turns.len() as u32 + 1
    }
}
