//! The rule-based thinker: decides without a model what is worth remembering, in Korean and English.
//!
//! A message is normalised, quotations are extracted, and it is split into sentences and clauses. Each part is first classified
//! by its stance (question, hypothetical, quote, joke, command), then matched with the tables in `data/`, and the results are
//! mapped to canonical subjects and values. All vocabulary is in those tables.

use saegim_core::{Appraisal, Feeling};

use crate::emotion::{appraise, feeling};
use crate::extract::reader;
use crate::reply::brief;
use crate::summarize::{believe, distil, imagine, island};
use crate::{BelieveFrom, DerivedBelief, ImagineFrom, ImaginedScenario, IslandLabel, Reading, ReplyTo, Utterance};

/// The rule-based thinker. It never fails and never blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleThinker;

impl RuleThinker {
    /// Id of the rules, for the ledger.
    pub const ID: &str = "rules@1";

    /// Reads a message.
    pub fn read(&self, utterance: &Utterance<'_>) -> Reading {
        reader::read(utterance)
    }

    /// Appraises a text: factual, emotional, actionable, explicit.
    pub fn appraise(&self, text: &str) -> Appraisal {
        appraise::appraise(text)
    }

    /// Returns the feeling of a text.
    pub fn feel(&self, text: &str) -> Feeling {
        feeling::feeling(text)
    }

    /// Writes a brief reply in character from facts, memories and templates, without inventing anything.
    pub fn reply(&self, asked: &ReplyTo<'_>) -> String {
        brief::reply(asked)
    }

    /// Distils texts to one sentence, in the language of most of them.
    pub fn distil(&self, texts: &[&str]) -> String {
        distil::distil(texts)
    }

    /// Derives the character's beliefs about itself from its core memories.
    pub fn believe(&self, from: &BelieveFrom<'_>) -> Vec<DerivedBelief> {
        believe::believe(from)
    }

    /// Names and describes the island founded on memories of one theme.
    pub fn name_island(&self, texts: &[&str]) -> IslandLabel {
        island::landmark(texts)
    }

    /// Imagines something from these memories.
    pub fn imagine(&self, from: &ImagineFrom<'_>) -> ImaginedScenario {
        imagine::daydream(from)
    }
}
