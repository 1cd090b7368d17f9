//! Applies what a finding states about the user to the facts.

use crate::intake::finding::SettledFact;
use crate::{CandidatePolicy, Change, FactCategory, Facts, Settled, Statement, Values};

/// Applies a statement to the facts and returns its effect. Returns `None` for behaviour and for statements with low confidence,
/// which do not count as statements.
pub fn settle_statement(facts: &mut Facts, statement: &Statement, rules: SettleRules<'_>) -> Option<SettledFact> {
    if statement.category == FactCategory::Behaviour || statement.confidence.get() < rules.policy.fact_confidence {
        return None;
    }
    let effect = facts.state(statement, rules.values);
    let known = match &effect {
        Settled::Mentioned(fact) => facts.get(*fact),
        _ => None,
    };
    let (mentions, turns) = known.map_or((1, Vec::new()), |fact| (fact.mentions, fact.turns.clone()));
    Some(SettledFact { effect, mentions, turns, memory: None })
}

/// How statements are compared and which of them count.
#[derive(Clone, Copy)]
pub struct SettleRules<'a> {
    /// Compares values.
    pub values: &'a dyn Values,
    /// Minimum confidence.
    pub policy: &'a CandidatePolicy,
}

impl SettledFact {
    /// Returns the changes that store the statement and the facts it touched.
    pub fn changes(&self, statement: Statement, facts: &Facts) -> Vec<Change> {
        let touched = self.effect.touched();
        let touched = touched.into_iter().filter_map(|id| facts.get(id)).map(|fact| Change::FactSet(Box::new(fact.clone())));
        [Change::Stated(Box::new(statement))].into_iter().chain(touched).collect()
    }
}
