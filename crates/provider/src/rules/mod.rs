//! The rule-based thinker: decides without a model what is worth remembering, in Korean and English.
//!
//! A message is normalised, quotations are extracted, and it is split into sentences and clauses. Each part is first classified
//! by its stance (question, hypothetical, quote, joke, command), then matched with the tables in `rules/`, and the results are
//! mapped to canonical subjects and values. All vocabulary is in those tables.

/// Subjects of several sentences.
mod about;
/// Answers to the previous question.
mod answer;
/// Appraisal.
mod appraise;
/// Bare feelings.
mod bare;
/// Beliefs from core memories.
mod believe;
/// Completion of open clauses.
mod closing;
/// Corrections.
mod correct;
/// Imagination without a model.
mod daydream;
/// Events in unusual verb forms.
mod deed;
/// Distillation without a model.
mod distil;
/// Shallow parsing of English.
mod english;
/// Reading of an utterance.
mod extract;
/// Feeling of a text.
mod feeling;
/// The instruction guard.
mod guard;
/// Sarcasm and hyperbole.
mod jest;
/// Promises, boundaries, plans, events.
mod kind;
/// Shallow parsing of Korean.
mod korean;
/// Names of islands.
mod landmark;
/// Cause of a feeling.
mod moved;
/// Literal prefilter for patterns.
mod needle;
/// Number words.
mod number;
/// The claim tables.
mod pattern;
/// Wording of answers.
mod phrase;
/// Requests to remember.
mod remember;
/// Word order normalisation.
mod reorder;
/// Brief replies in character.
mod reply;
/// Resolution of corrections, answers and confirmations.
mod settle;
/// Stance of a statement.
mod stance;
/// Canonical subjects.
mod subject;
/// Data files and their pattern language.
mod table;
/// Statements without claims.
mod tell;
/// Splitting into sentences and clauses.
mod text;
/// Topic of a sentence.
mod topic;
/// Effects on the relationship.
mod toward;
/// Removal of openings, closings and fillers.
mod trim;
/// Canonical values.
mod value;
/// Person a clause is about.
mod who;

use async_trait::async_trait;
use saegim_core::{Appraisal, Feeling};

pub use about::{SubjectQuery, SubjectText, is_about, is_told_of, shared_subjects};
pub use appraise::appraise;
pub use distil::{distil, essence, essence_subject, recounted, told_of, told_often, uncounted};
pub use feeling::{feeling, is_felt};
pub use remember::asks_permanence;
pub use reply::subjects_asked;
pub use subject::{FactSubject, subject, subjects, touches};
pub use value::{canonical, ends, same_value};

pub(crate) use korean::{is_name, particle};
pub(crate) use table::Pattern;

use crate::{BelieveFrom, Conviction, Daydream, ImagineFrom, Landmark, ProviderError, Reading, ReplyTo, Thinker, Utterance};

/// Checks whether a text tries to command the memory or the character's identity.
pub(crate) fn commands(text: &str) -> bool {
    guard::command(text).is_some()
}

/// Splits a text into clauses.
pub(crate) fn clauses(text: &str) -> Vec<String> {
    text::sentences(&text::normalise(text)).iter().flat_map(|sentence| text::clauses(&sentence.text)).collect()
}

/// Splits a text into sentences.
pub(crate) fn said_sentences(text: &str) -> Vec<String> {
    text::sentences(text).into_iter().map(|sentence| sentence.text).collect()
}

/// Returns the person that the words before something refer to.
pub(crate) fn person_before(words: &str) -> Option<crate::About> {
    who::before(words, who::Speaker::User, false)
}

/// Returns the person at the start of a user's clause, and whether the next clause is likely to continue with them.
pub(crate) fn person_opening(clause: &str) -> Option<(crate::About, bool)> {
    who::opening(clause, who::Speaker::User)
}

/// Comparison of values, for folding facts.
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

/// The rule-based thinker.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleThinker;

impl RuleThinker {
    /// Reads an utterance. Never fails and never blocks.
    pub fn read(&self, utterance: &Utterance<'_>) -> Reading {
        extract::read(utterance)
    }

    /// Writes a brief reply in character from facts, memories and templates, without inventing anything.
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
