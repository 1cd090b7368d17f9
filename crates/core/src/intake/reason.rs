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
        self.phrase().in_language(Language::of(text)).to_owned()
    }

    fn phrase(self) -> Phrase {
        match self {
            Self::Echo => phrase!("repeats text from the prompt", "프롬프트에 있던 내용을 반복함"),
            Self::LowScore { score, least } => {
                let (score, least) = told_apart(score.get(), least);
                phrase!("score {score} is below {least}", "{score}점으로 기준 {least}점보다 낮음")
            }
            Self::Known { similarity } => {
                let alike = similarity.get();
                phrase!("already known (similarity {alike:.2}); strengthened", "이미 아는 내용 (유사도 {alike:.2}), 선명도 올라감")
            }
            Self::KnownMemory => phrase!("already known; strengthened", "이미 아는 내용, 선명도 올라감"),
            Self::KnownFact => phrase!("already known as a fact", "이미 사실로 알고 있음"),
            Self::Predictable { similarity } => {
                let alike = similarity.get();
                phrase!("predictable (similarity {alike:.2})", "예상할 수 있는 내용 (유사도 {alike:.2})")
            }
            Self::Important { similarity } => {
                let alike = similarity.get();
                phrase!("similar to a known memory ({alike:.2}), but important", "아는 내용과 비슷하지만({alike:.2}) 중요함")
            }
            Self::Requested => phrase!("requested to be remembered", "기억해 달라고 요청함"),
            Self::Habit { times } => phrase!("mentioned {times} times: a habit", "{times}번 나온 이야기: 습관"),
            Self::Topic { times } => phrase!("mentioned {times} times", "{times}번 나온 이야기"),
            Self::HabitAgain { times } => {
                phrase!("mentioned {times} times: a habit; strengthened", "{times}번 나온 이야기: 습관, 선명도 올라감")
            }
            Self::TopicAgain { times } => phrase!("mentioned {times} times; strengthened", "{times}번 나온 이야기, 선명도 올라감"),
            Self::New { similarity } => {
                let alike = similarity.get();
                phrase!("new (similarity {alike:.2})", "새로운 내용 (유사도 {alike:.2})")
            }
        }
    }
}
