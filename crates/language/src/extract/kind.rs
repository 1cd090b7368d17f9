//! Classifies statements without a structured claim: promise, boundary, habit (a fact), plan, event.

use std::sync::LazyLock;

use saegim_core::{CandidateType, FactCategory};

use crate::extract::deed::tells_deed;
use crate::patterns::table::{Pattern, rows};

static KINDS: LazyLock<Vec<(CandidateType, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../data/extract/kinds.tsv"))
        .filter_map(|row| match row[..] {
            [kind, pattern, ..] => Some((CandidateType::parse(kind).ok()?, Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

static HARMLESS: Pattern = Pattern::new(
    r"(?:걱정|오해|신경|놀라|웃|울|부담|미안해|긴장|실망|포기|무리|잊|까먹|가|떠나)\S{0,4}지 ?(?:마|말)|\bdon't (?:worry|get me wrong|forget|be|cry|laugh|panic|judge|mind|hesitate|give up)\b",
);

/// What recurs without being anyone's habit: weather, moods, tiredness, and what the other one does.
static PASSING: Pattern = Pattern::new(
    r"^(?:너|넌|너는|네가|니가|당신은|왜) |날씨|(?:^| )(?:비|눈|바람)(?:가|이|만|도)? ?(?:와|오|내|불|온)|더워|추워|더운|추운|힘들|피곤|졸려|배고|아파|아프|바빠|심심|외로|싫|짜증|슬퍼|우울|행복|보고 ?싶|생각나|귀찮|지겨|지루|늦어|똑같|\b(?:weather|rain|rains|snow|tired|bored|hungry|sad|lonely|busy|you)\b",
);

/// Classifies a sentence; `None` if no rule applies.
pub(crate) fn of(text: &str) -> Option<CandidateType> {
    let mut kinds = KINDS.iter().filter(|(kind, pattern)| pattern.fits(text) && !(*kind == CandidateType::Fact && PASSING.fits(text)));
    let deed = || tells_deed(text).then_some(CandidateType::Event);
    let kind = kinds.next().map(|(kind, _)| *kind).or_else(deed)?;
    (kind != CandidateType::Boundary || !HARMLESS.fits(text)).then_some(kind)
}

/// Checks whether a sentence is about the relationship of user and character.
pub(crate) fn is_relationship(text: &str) -> bool {
    KINDS.iter().any(|(kind, pattern)| *kind == CandidateType::Relationship && pattern.fits(text))
}

/// Returns the candidate type for a claim of this category.
pub(crate) fn of_claim(category: FactCategory, key: &str) -> CandidateType {
    match (category, key) {
        (_, "appointment") => CandidateType::Plan,
        (FactCategory::Preference, "dream") => CandidateType::Fact,
        (FactCategory::Preference, _) => CandidateType::Preference,
        (FactCategory::Behaviour, _) => CandidateType::Event,
        (FactCategory::Identity | FactCategory::Situation, _) => CandidateType::Fact,
    }
}

/// Returns the default future impact of a candidate type.
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
