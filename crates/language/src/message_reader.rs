//! Reads messages with the trained reader and the rules together.

use saegim_core::Role;

use crate::reader::combine::combine;
use crate::reader::model::{Message, Reader};
use crate::{Reading, RuleThinker, Utterance};

/// Reads messages without a model of the user's: the trained reader decides whose information a clause is, when it holds and whether
/// it lasts; the rules add what they find and detect commands.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageReader;

impl MessageReader {
    /// Reads a message. It never fails.
    pub fn read(&self, utterance: &Utterance<'_>) -> Reading {
        self.read_all(std::slice::from_ref(utterance)).pop().unwrap_or_default()
    }

    /// Reads several messages, each for itself. Reading them together is faster.
    pub fn read_all(&self, utterances: &[Utterance<'_>]) -> Vec<Reading> {
        let of_user: Vec<Message<'_>> = utterances
            .iter()
            .filter(|utterance| utterance.role == Role::User)
            .map(|utterance| Message { before: utterance.before.unwrap_or_default(), text: utterance.text })
            .collect();
        let mut analyses = Reader::built_in().analyse(&of_user).into_iter();
        let read = |utterance: &Utterance<'_>| {
            let rules = RuleThinker.read(utterance);
            let analysis = (utterance.role == Role::User).then(|| analyses.next()).flatten();
            match analysis {
                Some(analysis) => combine(rules, &analysis, utterance.text),
                None => rules,
            }
        };
        utterances.iter().map(read).collect()
    }
}
