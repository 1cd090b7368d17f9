//! Classifies a finding: the kind and category of its memory.

use saegim_core::{CandidateType, Category, FactCategory, Kind};
use saegim_language::{About, Claim, Finding, is_life_event};

/// Returns the kind of memory for a finding. A life event is episodic even if it is classified as a fact.
pub(crate) fn kind_of(finding: &Finding) -> Kind {
    if finding.claim.is_none() && finding.candidate_type == CandidateType::Fact && is_life_event(&finding.content) {
        return Kind::Episodic;
    }
    match finding.candidate_type {
        CandidateType::Fact | CandidateType::Preference | CandidateType::Boundary | CandidateType::Relationship => Kind::Semantic,
        CandidateType::Feeling => Kind::Emotional,
        CandidateType::Promise | CandidateType::Plan | CandidateType::Event | CandidateType::SmallTalk => Kind::Episodic,
    }
}

/// Returns the category of a finding, if it has one.
pub(crate) fn category_of(finding: &Finding) -> Option<Category> {
    if let About::Other(_) = finding.about {
        return Some(Category::People);
    }
    let careful = |claim: &Claim| matches!(claim.subject.as_str(), "allergy" | "phobia" | "medication" | "illness" | "boundary");
    match (&finding.claim, finding.candidate_type) {
        (Some(claim), _) if careful(claim) => Some(Category::Caution),
        (_, CandidateType::Boundary) => Some(Category::Caution),
        (_, CandidateType::Promise) => Some(Category::Requests),
        (Some(claim), _) => Some(match claim.category {
            FactCategory::Identity => Category::Identity,
            FactCategory::Preference => Category::Preferences,
            FactCategory::Situation => Category::Situation,
            FactCategory::Behaviour => Category::SharedEvents,
        }),
        (None, CandidateType::Relationship | CandidateType::Event) => Some(Category::SharedEvents),
        (None, CandidateType::Preference) => Some(Category::Preferences),
        (None, CandidateType::Plan | CandidateType::Feeling) => Some(Category::Situation),
        (None, CandidateType::Fact) if finding.remember_this => Some(Category::Requests),
        (None, CandidateType::Fact) if is_life_event(&finding.content) => Some(Category::Situation),
        (None, _) => None,
    }
}
