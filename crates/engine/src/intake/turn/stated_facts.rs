//! Assertions about the user in a finding.

use saegim_core::{Assertion, AssertionId, FactCategory, Role, Turn, Unit};
use saegim_language::{About, Claim, Finding};

/// Checks whether a finding may become a fact: only what the user says about themselves does.
pub(crate) fn may_be_fact(turn: &Turn, finding: &Finding) -> bool {
    turn.role == Role::User && finding.about == About::User
}

/// A finding and its claim.
#[derive(Clone, Copy)]
pub(crate) struct StatedClaim<'a> {
    pub(crate) finding: &'a Finding,
    pub(crate) claim: &'a Claim,
}

/// Builds the assertion of a claim, made in a turn.
pub(crate) fn assertion(id: AssertionId, turn: &Turn, stated: StatedClaim<'_>) -> Assertion {
    let StatedClaim { finding, claim } = stated;
    Assertion {
        id,
        turn: Some(turn.id),
        at: turn.at,
        subject: claim.subject.clone(),
        value: claim.value.clone(),
        canonical: claim.canonical.clone(),
        category: claim.category,
        single: claim.single,
        ends: claim.ends,
        emotions: finding.feeling.emotions,
        intensity: finding.feeling.intensity,
        importance: Unit::clamped(if finding.remember_this { 0.9 } else { fact_importance(claim.category) }),
        confidence: finding.confidence,
    }
}

fn fact_importance(category: FactCategory) -> f32 {
    match category {
        FactCategory::Identity => 0.8,
        FactCategory::Preference | FactCategory::Situation => 0.5,
        FactCategory::Behaviour => 0.4,
    }
}
