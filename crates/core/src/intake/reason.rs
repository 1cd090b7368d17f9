//! Reasons of verdicts, in the language of the finding.

use crate::{Language, Phrase, Unit, phrase, told_apart};

/// Reason of a verdict on a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reason {
    /// It repeats the prompt.
    Echo,
    /// Its score is below the promotion score.
    LowScore { score: Unit, least: f32 },
    /// A memory says the same.
    Known { similarity: Unit },
    /// It is a known fact with a memory.
    KnownMemory,
    /// It is a known fact without a memory.
    KnownFact,
    /// Similar memories make it predictable.
    Predictable { similarity: Unit },
    /// Predictable, but important.
    Important { similarity: Unit },
    /// The user asked to remember it.
    Requested,
    /// An activity was mentioned often enough to become a memory.
    Habit { times: u32 },
    /// A topic was mentioned often enough to become a memory.
    Topic { times: u32 },
    /// The memory of a habit was mentioned again.
    HabitAgain { times: u32 },
    /// The memory of a topic was mentioned again.
    TopicAgain { times: u32 },
    /// Nothing similar is known.
    New { similarity: Unit },
}

impl Reason {
    /// Returns the reason in the language of `text`.
    pub(crate) fn for_text(self, text: &str) -> String {
        self.phrase().in_language(Language::of(text))
    }

    fn phrase(self) -> Phrase {
        match self {
            Self::Echo => phrase!("core.reason.echo"),
            Self::LowScore { score, least } => {
                let (score, least) = told_apart(score.get(), least);
                phrase!("core.reason.low_score", score, least)
            }
            Self::Known { similarity } => {
                let alike = similarity.get();
                phrase!("core.reason.known", alike = format_args!("{alike:.2}"))
            }
            Self::KnownMemory => phrase!("core.reason.known_memory"),
            Self::KnownFact => phrase!("core.reason.known_fact"),
            Self::Predictable { similarity } => {
                let alike = similarity.get();
                phrase!("core.reason.predictable", alike = format_args!("{alike:.2}"))
            }
            Self::Important { similarity } => {
                let alike = similarity.get();
                phrase!("core.reason.important", alike = format_args!("{alike:.2}"))
            }
            Self::Requested => phrase!("core.reason.requested"),
            Self::Habit { times } => phrase!("core.reason.habit", times),
            Self::Topic { times } => phrase!("core.reason.topic", times),
            Self::HabitAgain { times } => {
                phrase!("core.reason.habit_again", times)
            }
            Self::TopicAgain { times } => phrase!("core.reason.topic_again", times),
            Self::New { similarity } => {
                let alike = similarity.get();
                phrase!("core.reason.new", alike = format_args!("{alike:.2}"))
            }
        }
    }
}
