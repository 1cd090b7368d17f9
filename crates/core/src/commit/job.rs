//! Durable pieces of work that wait for a model, and the notes that come of them.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Cause, Span, Spent, ThinkingPolicy, Thought, Timestamp, TurnId};

word_enum! {
    /// What waits to be done.
    JobKind "job" {
        /// Turns that were kept and not judged yet.
        Read = "read",
        /// The last turns, to be thought over.
        Analyse = "analyse",
        /// The user, to be described anew; memories, to be interpreted.
        Reflect = "reflect",
        /// Essences that rules had to word, to be worded by a model.
        Distil = "distil",
    }
}

/// One durable piece of work. It names what it is about and holds nothing of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// What is to be done.
    pub kind: JobKind,
    /// The turns it is about; none where it is always about the latest.
    pub turns: Vec<TurnId>,
    /// When it was put there.
    pub made_at: Timestamp,
    /// When it may be tried next; never again once it was given up.
    pub due_at: Option<Timestamp>,
    /// How often it was tried.
    pub attempts: u32,
    /// Why it did not work the last time.
    pub cause: Option<Cause>,
}

impl Job {
    /// Work to be done from now on.
    pub fn new(kind: JobKind, turns: Vec<TurnId>, now: Timestamp) -> Self {
        Self { kind, turns, made_at: now, due_at: Some(now), attempts: 0, cause: None }
    }

    /// The same after it failed: later again, each time twice as late, until it is given up and stays to be seen.
    pub fn failed(mut self, cause: Cause, now: Timestamp, policy: &ThinkingPolicy) -> Self {
        self.attempts += 1;
        self.cause = Some(cause);
        let wait = i64::from(policy.retry_seconds) << self.attempts.saturating_sub(1).min(10);
        self.due_at = (self.attempts < policy.attempts).then(|| now.plus(Span::seconds(wait)));
        self
    }
}

word_enum! {
    /// What a note is for.
    NoteKind "note" {
        /// Advice for the next answer.
        Director = "director",
        /// What the user is like.
        Profile = "profile",
    }
}

/// Something a model wrote for the character to mind: never a memory, never a fact, always replaceable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// What it is for.
    pub kind: NoteKind,
    /// What it says.
    pub text: String,
    /// Who wrote it.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// After how many turns.
    pub turn: u64,
}

/// What a model used for one kind of thought on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expense {
    /// The day, as the mind's host counts it: `2026-11-16`.
    pub day: String,
    /// What it was asked.
    pub thought: Thought,
    /// Which model.
    pub model: String,
    /// How much.
    #[serde(flatten)]
    pub spent: Spent,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_is_tried_later_and_later_and_then_given_up() {
        let policy = ThinkingPolicy { attempts: 4, retry_seconds: 60, ..ThinkingPolicy::default() };
        let now = Timestamp::from_millis(0);
        let mut job = Job::new(JobKind::Analyse, Vec::new(), now);
        let mut waits = Vec::new();
        while job.due_at.is_some() {
            job = job.failed(Cause::TimedOut, now, &policy);
            waits.push(job.due_at.map(|due| due.since(now).as_millis() / 1000));
        }
        assert_eq!(waits, [Some(60), Some(120), Some(240), None]);
        assert_eq!((job.attempts, job.cause), (4, Some(Cause::TimedOut)));
    }
}
