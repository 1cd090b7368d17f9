//! The rule thinker: what is worth keeping of a message, judged without any model, in Korean and English.
//!
//! A message is normalised, quotations are lifted out, and it is cut into sentences and clauses. Each part is first
//! judged by how it is said (asked, supposed, quoted, joked, commanded), then read against the tables in `rules/`, and
//! what is found is put into canonical subjects and values. All vocabulary lives in those tables.

/// What many tellings are about.
mod about;
/// Answers to the question before.
mod answer;
/// The four questions of an appraisal.
mod appraise;
/// Feelings that name nothing else.
mod bare;
/// Beliefs drawn from core memories.
mod believe;
/// Clauses left open, closed.
mod closing;
/// Corrections.
mod correct;
/// Imagining without a model.
mod daydream;
/// Deeds in manners of speaking of their own.
mod deed;
/// Distilling without a model.
mod distil;
/// A light reading of English.
mod english;
/// From an utterance to a reading.
mod extract;
/// What a text feels like.
mod feeling;
/// The instruction guard.
mod guard;
/// What is laughed off.
mod jest;
/// Promises, boundaries, plans, events.
mod kind;
/// A light reading of Korean.
mod korean;
/// Names for islands.
mod landmark;
/// What a feeling in a message is about.
mod moved;
/// What a text must hold for a pattern to be found in it.
mod needle;
/// Numbers in words.
mod number;
/// The claim tables.
mod pattern;
/// Answers put into words.
mod phrase;
/// Requests to remember.
mod remember;
/// Words put back into their order.
mod reorder;
/// Brief answers in character.
mod reply;
/// Corrections, answers and confirmations put to their subjects.
mod settle;
/// How something is said.
mod stance;
/// Canonical subjects.
mod subject;
/// Data files and their pattern language.
mod table;
/// What is told beside claims.
mod tell;
/// Sentences and clauses.
mod text;
/// What a sentence is about.
mod topic;
/// What a message does to the relationship.
mod toward;
/// Openings, closings and fillers.
mod trim;
/// Canonical values.
mod value;
/// Whom a clause is about.
mod who;

use async_trait::async_trait;
use saegim_core::{Appraisal, Feeling};

pub use about::{Said, Sought, is_about, is_told_of, shared_subjects};
pub use appraise::appraise;
pub use distil::{distil, essence, essence_subject, recounted, told_of, told_often, uncounted};
pub use feeling::{feeling, is_felt};
pub use remember::for_ever;
pub use reply::subjects_asked;
pub use subject::{Subject, subject, subjects, touches};
pub use value::{canonical, ends, same_value};

pub(crate) use korean::{is_name, particle};
pub(crate) use table::Pattern;

use crate::{BelieveFrom, Conviction, Daydream, ImagineFrom, Landmark, ProviderError, Reading, ReplyTo, Thinker, Utterance};

/// Whether a text tries to command the memory or to tell the character who it is.
pub(crate) fn commands(text: &str) -> bool {
    guard::command(text).is_some()
}

/// The clauses of a text, one sentence after another.
pub(crate) fn clauses(text: &str) -> Vec<String> {
    text::sentences(&text::normalise(text)).iter().flat_map(|sentence| text::clauses(&sentence.text)).collect()
}

/// The sentences of a text as they were said.
pub(crate) fn said_sentences(text: &str) -> Vec<String> {
    text::sentences(text).into_iter().map(|sentence| sentence.text).collect()
}

/// Whom the words before something the user said point to.
pub(crate) fn person_before(words: &str) -> Option<crate::About> {
    who::before(words, who::Speaker::User, false)
}

/// Whom a clause of the user's opens with, and whether what follows is likely to go on about them.
pub(crate) fn person_opening(clause: &str) -> Option<(crate::About, bool)> {
    who::opening(clause, who::Speaker::User)
}

/// What the rules know about values, for settling facts.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleValues;

impl saegim_core::Values for RuleValues {
    fn same(&self, subject: &str, one: &str, other: &str) -> bool {
        same_value(subject, one, other)
    }

    fn ends(&self, over: (&str, &str), known: (&str, &str)) -> bool {
        ends(over, known)
    }
}

/// Judges text by rules alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleThinker;

impl RuleThinker {
    /// What may be worth keeping of an utterance. Never fails and never waits.
    pub fn read(&self, utterance: &Utterance<'_>) -> Reading {
        extract::read(utterance)
    }

    /// A brief answer in character. Nothing in it is made up: it comes from facts, remembered lines and templates.
    pub fn reply(&self, asked: &ReplyTo<'_>) -> String {
        reply::reply(asked)
    }
}

#[async_trait]
impl Thinker for RuleThinker {
    fn id(&self) -> &str {
        "rules@1"
    }

    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        Ok(self.read(utterance))
    }

    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError> {
        Ok(appraise(text))
    }

    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError> {
        Ok(feeling(text))
    }

    async fn reply(&self, asked: &ReplyTo<'_>) -> Result<String, ProviderError> {
        Ok(reply::reply(asked))
    }

    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError> {
        Ok(distil(texts))
    }

    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<Conviction>, ProviderError> {
        Ok(believe::believe(from))
    }

    async fn name_island(&self, texts: &[&str]) -> Result<Landmark, ProviderError> {
        Ok(landmark::landmark(texts))
    }

    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<Daydream, ProviderError> {
        Ok(daydream::daydream(from))
    }
}
