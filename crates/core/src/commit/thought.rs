//! Requests to a thinker, failure causes, and the record of who judged.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;

word_enum! {
    /// Kind of request to a thinker.
    Thought "thought" {
        /// Extract candidates from a message.
        Extract = "extract",
        /// Answer the four appraisal questions.
        Appraise = "appraise",
        /// Detect the emotions of a text.
        Feel = "feel",
        /// Interpret an event from the character's perspective.
        Interpret = "interpret",
        /// Distil memories into an essence.
        Distil = "distil",
        /// Decide whether two values of a subject can both be true.
        Settle = "settle",
        /// Describe the user from everything known.
        Reflect = "reflect",
        /// Derive beliefs of the character about itself.
        Believe = "believe",
        /// Name an island.
        Name = "name",
        /// Generate an imagination.
        Imagine = "imagine",
        /// Analyse the effect of a conversation and give advice for the next answer.
        Analyse = "analyse",
        /// Write the character's answer.
        Reply = "reply",
    }
}

word_enum! {
    /// Why a model's answer could not be used.
    Cause "cause" {
        /// Not reachable.
        Unreachable = "unreachable",
        /// Timed out.
        TimedOut = "timed_out",
        /// Rate limited, or the circuit breaker is open.
        Limited = "limited",
        /// Server error.
        Failing = "failing",
        /// Request not accepted: wrong key, model name or format.
        Unaccepted = "unaccepted",
        /// The model refused to answer.
        Refused = "refused",
        /// Empty answer.
        Empty = "empty",
        /// The answer did not end.
        Endless = "endless",
        /// The answer was truncated.
        Cut = "cut",
        /// The answer could not be parsed, twice.
        Garbled = "garbled",
        /// The daily token limit is used up.
        Budget = "budget",
        /// The model file is missing or damaged.
        Damaged = "damaged",
    }
}

/// Record of who judged, for the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judge {
    /// Kind of request.
    pub thought: Thought,
    /// Id of the thinker that judged.
    pub by: String,
    /// Id of the thinker that was configured, if rules were used instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// Why rules were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Number of judgements.
    pub times: u64,
}

impl Judge {
    /// Adds this record to `judges`; equal records are counted, not repeated.
    pub fn join(self, judges: &mut Vec<Self>) {
        let same = |other: &&mut Self| {
            (other.thought, &other.by, &other.instead_of, other.cause) == (self.thought, &self.by, &self.instead_of, self.cause)
        };
        match judges.iter_mut().find(same) {
            Some(other) => other.times += self.times,
            None => judges.push(self),
        }
    }
}

/// Tokens a model used for one kind of request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Requests, including failed ones.
    pub requests: u64,
    /// Input tokens.
    pub read: u64,
    /// Output tokens.
    pub written: u64,
}

impl Spent {
    /// Returns the sum of input and output tokens.
    pub const fn tokens(&self) -> u64 {
        self.read.saturating_add(self.written)
    }

    /// Adds other usage.
    pub fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.read = self.read.saturating_add(other.read);
        self.written = self.written.saturating_add(other.written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_judgement_again_is_counted() {
        let judge = |cause| Judge { thought: Thought::Extract, by: "rules@1".into(), instead_of: Some("m".into()), cause, times: 1 };
        let mut judges = Vec::new();
        for cause in [Some(Cause::TimedOut), Some(Cause::TimedOut), Some(Cause::Limited), None] {
            judge(cause).join(&mut judges);
        }
        let told: Vec<(Option<Cause>, u64)> = judges.iter().map(|judge| (judge.cause, judge.times)).collect();
        assert_eq!(told, [(Some(Cause::TimedOut), 2), (Some(Cause::Limited), 1), (None, 1)]);
    }
}
