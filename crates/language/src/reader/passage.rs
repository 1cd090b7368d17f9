//! Passages: neighbouring clauses that say the same kind of thing about the same person.

use std::ops::Range;

use saegim_core::{StatementGroup, StatementStatus};

use crate::Factor;
use crate::reader::analysis::{Act, ClauseAnalysis, Holder, MarkedValue, MessageAnalysis};
use crate::reader::calibration::combined;

/// Neighbouring clauses with equal group, holder and status, with the values marked in them.
#[derive(Clone, Debug)]
pub(crate) struct Passage<'a> {
    /// Bytes of the message.
    pub(crate) range: Range<usize>,
    pub(crate) group: Option<StatementGroup>,
    pub(crate) holder: Holder,
    pub(crate) status: StatementStatus,
    pub(crate) act: Act,
    /// Score of saying something lasting about its holder: [`combined`] from the factors.
    pub(crate) lasting: f32,
    pub(crate) factors: Vec<Factor>,
    pub(crate) first: &'a ClauseAnalysis,
    pub(crate) values: Vec<&'a MarkedValue>,
}

impl<'a> Passage<'a> {
    fn of(clause: &'a ClauseAnalysis, values: &'a [MarkedValue]) -> Self {
        Self {
            range: clause.range.clone(),
            group: clause.group.label,
            holder: clause.holder.label,
            status: clause.status.label,
            act: clause.act.label,
            lasting: combined(&factors(clause)),
            factors: factors(clause),
            first: clause,
            values: values.iter().filter(|value| clause.range.start <= value.range.start && value.range.start < clause.range.end).collect(),
        }
    }

    /// Whether `clause` continues this passage.
    fn continues(&self, clause: &ClauseAnalysis) -> bool {
        self.group.is_some()
            && self.group == clause.group.label
            && self.holder == clause.holder.label
            && self.status == clause.status.label
            && self.act == clause.act.label
    }

    /// Whether it can say something about the user or a person of theirs. A bare yes or no says nothing without its question.
    pub(crate) fn tells(&self) -> bool {
        self.group.is_some()
            && matches!(self.holder, Holder::User | Holder::Other)
            && !matches!(self.act, Act::Question | Act::Command | Act::Answer)
    }
}

/// Returns what decides whether a clause says something lasting about its holder.
fn factors(clause: &ClauseAnalysis) -> Vec<Factor> {
    let factor = |name, probability| Factor { name, probability };
    vec![
        factor("life", clause.life),
        factor("keep", clause.keep),
        factor("holder", clause.holder.probability),
        factor("real", clause.real),
        factor("told", clause.told),
        factor("status", clause.status.probability),
        factor("group", clause.group.probability),
        factor("borders", clause.borders),
    ]
}

/// Returns the passages of a message in the order of the text.
pub(crate) fn passages(analysis: &MessageAnalysis) -> Vec<Passage<'_>> {
    let mut found: Vec<Passage<'_>> = Vec::new();
    for clause in &analysis.clauses {
        let next = Passage::of(clause, &analysis.values);
        match found.last_mut().filter(|passage| passage.continues(clause)) {
            Some(passage) => {
                passage.range.end = next.range.end;
                if next.lasting > passage.lasting {
                    (passage.lasting, passage.factors) = (next.lasting, next.factors);
                }
                passage.values.extend(next.values);
            }
            None => found.push(next),
        }
    }
    found
}
