//! Reads messages with the trained reader and the rules together.

use saegim_core::{Role, Unit};

use crate::reader::calibration::calibration;
use crate::reader::combine::combine;
use crate::reader::model::{Message, Reader};
use crate::{Reading, RuleThinker, Utterance};

/// Reads messages without a model of the user's: the trained reader decides whose information a clause is, when it holds and whether
/// it lasts; the rules add what they find and detect commands.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageReader;

impl MessageReader {
    /// Reads a message. It never fails. Messages from the character are read by the rules alone.
    pub fn read(&self, utterance: &Utterance<'_>) -> Reading {
        let rules = RuleThinker.read(utterance);
        if utterance.role != Role::User {
            return rules;
        }
        let message = Message { before: utterance.before.unwrap_or_default(), text: utterance.text };
        match Reader::built_in().analyse(&[message]).pop() {
            Some(analysis) => combine(rules, &analysis, utterance.text),
            None => rules,
        }
    }
    /// Returns for each of these earlier statements the probability that a message of the user ends it ("am back at my mum's" ends
    /// "renting in Leeds"); `None` where that is not sure enough to act on.
    pub fn ended(&self, message: &str, statements: &[&str]) -> Vec<Option<Unit>> {
        let calibration = calibration("relation", "over");
        let sure = |over: f32| Some(calibration.probability(over)).filter(|probability| *probability >= calibration.sure_from);
        let relations = Reader::built_in().compare(message, statements);
        relations.iter().map(|relation| sure(relation.over).map(Unit::clamped)).collect()
    }
}
