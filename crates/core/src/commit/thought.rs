//! What a thinker is asked, what can go wrong with its answer, and who judged in the end.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;

word_enum! {
    /// What a thinker is asked to do.
    Thought "thought" {
        /// What of a message may be worth keeping.
        Extract = "extract",
        /// The four questions of an appraisal.
        Appraise = "appraise",
        /// What a text feels like.
        Feel = "feel",
        /// What an event means to the character.
        Interpret = "interpret",
        /// The common essence of memories.
        Distil = "distil",
        /// Whether two values of one subject can both be so.
        Settle = "settle",
        /// What the user is like, from everything known.
        Reflect = "reflect",
        /// What the character may believe of itself.
        Believe = "believe",
        /// A name for a side of the personality.
        Name = "name",
        /// Something the character thinks of by itself.
        Imagine = "imagine",
        /// What a conversation did, and what to mind next.
        Analyse = "analyse",
        /// The character's answer.
        Reply = "reply",
    }
}

word_enum! {
    /// Why a model's answer could not be used.
    Cause "cause" {
        /// It cannot be reached.
        Unreachable = "unreachable",
        /// It took too long.
        TimedOut = "timed_out",
        /// It asked to be left alone for a while, or is being left alone.
        Limited = "limited",
        /// It failed by itself.
        Failing = "failing",
        /// It does not accept the request: a wrong key, name or shape.
        Unaccepted = "unaccepted",
        /// It would not answer.
        Refused = "refused",
        /// It answered nothing.
        Empty = "empty",
        /// It did not come to an end.
        Endless = "endless",
        /// It broke off in the middle.
        Cut = "cut",
        /// It answered what cannot be read, twice.
        Garbled = "garbled",
        /// The day's tokens are used up.
        Budget = "budget",
        /// Its file is missing or damaged.
        Damaged = "damaged",
    }
}

/// Who judged something for the ledger: a thinker's id, and whom it stood in for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judge {
    /// What was judged.
    pub thought: Thought,
    /// Whose judgement it is.
    pub by: String,
    /// Whose it should have been, where rules stood in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// Why they had to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// How many times.
    pub times: u64,
}

impl Judge {
    /// Adds this judgement to others: the same once more is counted, not repeated.
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

/// Tokens a model used for one thought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Requests made, failed ones included.
    pub requests: u64,
    /// Tokens it was given.
    pub read: u64,
    /// Tokens it wrote.
    pub written: u64,
}

impl Spent {
    /// Both together.
    pub const fn tokens(&self) -> u64 {
        self.read.saturating_add(self.written)
    }

    /// Adds what was used elsewhere.
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
