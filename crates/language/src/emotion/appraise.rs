//! Rule-based appraisal of a message.

use saegim_core::{Appraisal, CandidateType, Unit};

use crate::emotion::feeling::feeling;
use crate::extract::{claim_pattern, kind, remember};
use crate::tokenize::clauses::clauses;
use crate::tokenize::split;

/// Appraises a message: does it contain a fact, a feeling, an action, a mark of importance?
pub(crate) fn appraise(message: &str) -> Appraisal {
    let normal = split::normalise(message);
    let claims: usize = split::sentences(&normal)
        .iter()
        .flat_map(|sentence| clauses(&sentence.text))
        .map(|clause| claim_pattern::matches(&clause, &clause).len())
        .sum();
    let figures = normal.chars().filter(char::is_ascii_digit).count().min(4) as f32 * 0.05;
    let factual = if claims > 0 { 0.7 + 0.1 * (claims as f32 - 1.0) } else { 0.0 } + figures;
    let kinds: Vec<CandidateType> = split::sentences(&normal).iter().filter_map(|sentence| kind::of(&sentence.text)).collect();
    let actionable = kinds
        .iter()
        .map(|kind| match kind {
            CandidateType::Promise | CandidateType::Boundary => 1.0,
            CandidateType::Plan => 0.8,
            _ => 0.0,
        })
        .fold(0.0, f32::max);
    let marked = remember::asked(&normal)
        || ["중요", "꼭", "반드시", "important", "crucial", "must ", "never forget"]
            .iter()
            .any(|word| normal.to_lowercase().contains(word));
    Appraisal {
        factual: Unit::clamped(factual),
        emotional: feeling(message).intensity,
        actionable: Unit::clamped(actionable),
        explicit: Unit::clamped(if marked { 1.0 } else { 0.0 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_questions_are_answered() {
        assert!(appraise("내 생일은 3월 15일이야").factual.get() > 0.7);
        assert!(appraise("너무 행복해!!").emotional.get() > 0.6);
        assert!(appraise("내일 면접 보러 갈 거야").actionable.get() > 0.7);
        assert_eq!(appraise("이건 꼭 기억해줘").explicit, Unit::ONE);
        assert_eq!(appraise("그렇구나"), Appraisal::default());
    }
}
