//! What a statement without a structured claim is: a promise, a boundary, a plan, an event.

use std::sync::LazyLock;

use saegim_core::{CandidateType, FactCategory};

use super::table::{Pattern, rows};

static KINDS: LazyLock<Vec<(CandidateType, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../rules/kinds.tsv"))
        .filter_map(|row| match row[..] {
            [kind, pattern, ..] => Some((CandidateType::parse(kind).ok()?, Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

static HARMLESS: Pattern = Pattern::new(
    r"(?:걱정|오해|신경|놀라|웃|울|부담|미안해|긴장|실망|포기|무리|잊|까먹|가|떠나)\S{0,4}지 ?(?:마|말)|\bdon't (?:worry|get me wrong|forget|be|cry|laugh|panic|judge|mind|hesitate|give up)\b",
);

/// What a sentence is; `None` for one that tells nothing the rules know.
pub(crate) fn of(text: &str) -> Option<CandidateType> {
    let kind = KINDS.iter().find(|(_, pattern)| pattern.fits(text)).map(|(kind, _)| *kind)?;
    (kind != CandidateType::Boundary || !HARMLESS.fits(text)).then_some(kind)
}

/// Whether a sentence says how the two stand to each other.
pub(crate) fn is_relationship(text: &str) -> bool {
    KINDS.iter().any(|(kind, pattern)| *kind == CandidateType::Relationship && pattern.fits(text))
}

/// What a claim of this category makes a finding.
pub(crate) fn of_claim(category: FactCategory, key: &str) -> CandidateType {
    match (category, key) {
        (_, "appointment") => CandidateType::Plan,
        (FactCategory::Preference, "dream") => CandidateType::Fact,
        (FactCategory::Preference, _) => CandidateType::Preference,
        (FactCategory::Behaviour, _) => CandidateType::Event,
        (FactCategory::Identity | FactCategory::Situation, _) => CandidateType::Fact,
    }
}

/// How much a finding of this type usually matters later, before the words are looked at.
pub(crate) const fn future_impact(kind: CandidateType) -> f32 {
    match kind {
        CandidateType::Boundary => 0.95,
        CandidateType::Promise | CandidateType::Fact => 0.9,
        CandidateType::Plan | CandidateType::Relationship | CandidateType::Preference => 0.8,
        CandidateType::Event => 0.55,
        CandidateType::Feeling => 0.5,
        CandidateType::SmallTalk => 0.0,
    }
}
