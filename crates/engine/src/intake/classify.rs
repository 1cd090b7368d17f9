//! As what a finding is kept: the kind of memory and its category.

use saegim_core::{CandidateType, Category, FactCategory, Kind, tells_life_event};
use saegim_provider::{About, Claim, Finding};

/// The kind of memory a finding is. What turned a life happened at a time of its own.
pub(crate) fn kind_of(finding: &Finding) -> Kind {
    if finding.claim.is_none() && finding.candidate_type == CandidateType::Fact && tells_life_event(&finding.content) {
        return Kind::Episodic;
    }
    match finding.candidate_type {
        CandidateType::Fact | CandidateType::Preference | CandidateType::Boundary | CandidateType::Relationship => Kind::Semantic,
        CandidateType::Feeling => Kind::Emotional,
        CandidateType::Promise | CandidateType::Plan | CandidateType::Event | CandidateType::SmallTalk => Kind::Episodic,
    }
}

/// What kind of thing about the two of them a finding tells, if any.
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
        (None, CandidateType::Fact) if tells_life_event(&finding.content) => Some(Category::Situation),
        (None, _) => None,
    }
}
