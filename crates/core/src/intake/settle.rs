//! Applies what a finding states about the user to the facts.

use crate::intake::finding::SettledFact;
use crate::{Assertion, CandidatePolicy, Change, FactCategory, Facts, Settled, Values};

/// Applies an assertion to the facts and returns its effect. Returns `None` for behaviour and for assertions with low confidence,
/// which do not count as assertions.
pub fn settle_assertion(facts: &mut Facts, assertion: &Assertion, rules: SettleRules<'_>) -> Option<SettledFact> {
    if assertion.category == FactCategory::Behaviour || assertion.confidence.get() < rules.policy.fact_confidence {
        return None;
    }
    let effect = facts.state(assertion, rules.values);
    let known = match &effect {
        Settled::Mentioned(fact) => facts.get(*fact),
        _ => None,
    };
    let (mentions, turns) = known.map_or((1, Vec::new()), |fact| (fact.mentions, fact.turns.clone()));
    Some(SettledFact { effect, mentions, turns, memory: None })
}

/// How assertions are compared and which of them count.
#[derive(Clone, Copy)]
pub struct SettleRules<'a> {
    /// Compares values.
    pub values: &'a dyn Values,
    /// Minimum confidence.
    pub policy: &'a CandidatePolicy,
}

impl SettledFact {
    /// Returns the changes that store the assertion and the facts it touched.
    pub fn changes(&self, assertion: Assertion, facts: &Facts) -> Vec<Change> {
        let touched = self.effect.touched();
        let touched = touched.into_iter().filter_map(|id| facts.get(id)).map(|fact| Change::FactSet(Box::new(fact.clone())));
        [Change::Asserted(Box::new(assertion))].into_iter().chain(touched).collect()
    }
}
