//! Durable jobs that wait for a model, and the notes they produce.

use serde::{Deserialize, Serialize};

use crate::primitives::word_enum::word_enum;
use crate::{Cause, Span, Spent, ThinkingPolicy, Thought, Timestamp, TurnId};

word_enum! {
    /// Kind of a job.
    JobKind "job" {
        /// Extract candidates from stored turns.
        Read = "read",
        /// Analyse the latest turns.
        Analyse = "analyse",
        /// Update the user profile and interpret memories.
        Reflect = "reflect",
        /// Reword essences that were worded by rules.
        Distil = "distil",
    }
}

/// One durable job. It refers to its input by id and contains no text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Kind of work.
    pub kind: JobKind,
    /// Turns to process; empty if the job always processes the latest ones.
    pub turns: Vec<TurnId>,
    /// Time it was queued.
    pub made_at: Timestamp,
    /// Time of the next attempt; `None` once it has failed permanently.
    pub due_at: Option<Timestamp>,
    /// Number of attempts.
    pub attempts: u32,
    /// Cause of the last failure.
    pub cause: Option<Cause>,
}

impl Job {
    /// Creates a job that is due immediately.
    pub fn new(kind: JobKind, turns: Vec<TurnId>, now: Timestamp) -> Self {
        Self { kind, turns, made_at: now, due_at: Some(now), attempts: 0, cause: None }
    }

    /// Returns the job after a failed attempt, rescheduled with exponential back-off. After `attempts` failures it is not retried
    /// but stays visible.
    pub fn failed(mut self, cause: Cause, now: Timestamp, policy: &ThinkingPolicy) -> Self {
        self.attempts += 1;
        self.cause = Some(cause);
        let wait = i64::from(policy.retry_seconds) << self.attempts.saturating_sub(1).min(10);
        self.due_at = (self.attempts < policy.attempts).then(|| now.plus(Span::seconds(wait)));
        self
    }
}

word_enum! {
    /// Purpose of a note.
    NoteKind "note" {
        /// Advice for the next answer.
        Director = "director",
        /// Profile of the user.
        Profile = "profile",
    }
}

/// A text a model wrote for the character. Not a memory or a fact, and always replaceable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Purpose.
    pub kind: NoteKind,
    /// The text.
    pub text: String,
    /// Model that wrote it.
    pub by: String,
    /// Time it was written.
    pub at: Timestamp,
    /// Turn counter at that time.
    pub turn: u64,
}

/// Tokens a model used for one kind of thought on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expense {
    /// Day in the host's time zone: `2026-11-16`.
    pub day: String,
    /// Kind of thought.
    pub thought: Thought,
    /// Model.
    pub model: String,
    /// Tokens used.
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
