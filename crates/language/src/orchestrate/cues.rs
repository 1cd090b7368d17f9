//! Finds the cues of rhythm, urgency and risk in a prompt, and of claims and evidence in an answer.

use std::sync::LazyLock;

use saegim_core::{AnswerSigns, BqiCues, RhythmPhase, restated};

use crate::emotion::feeling::feeling;
use crate::patterns::table::{Pattern, rows};

/// Share of the words of a claim from which another text states it, too.
const REPEATED: f32 = 0.7;

/// Share of the words of a past example from which an answer takes it up.
const TAKEN_UP: f32 = 0.4;

/// Kind, weight and pattern of every cue.
static CUES: LazyLock<Vec<(&'static str, f32, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../data/orchestrate/cues.tsv"))
        .filter_map(|row| match row[..] {
            [kind, weight, pattern, ..] => Some((kind, weight.parse().ok()?, Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

/// Returns the weights of the cues of a kind in a text.
fn found<'a>(kind: &'a str, text: &'a str) -> impl Iterator<Item = f32> + 'a {
    CUES.iter().filter(move |(known, _, pattern)| *known == kind && pattern.fits(text)).map(|(_, weight, _)| *weight)
}

/// Whether a text has a cue of a kind.
pub(super) fn has(kind: &str, text: &str) -> bool {
    found(kind, &text.to_lowercase()).next().is_some()
}

/// Finds the cues in a prompt and its answer. The answer may be empty.
pub fn bqi_cues(prompt: &str, answer: &str) -> BqiCues {
    let (asked, said) = (prompt.to_lowercase(), answer.to_lowercase());
    let phases = |text: &str| RhythmPhase::ALL.iter().copied().filter(|phase| found(phase.as_str(), text).next().is_some()).collect();
    let (felt, answered) = (feeling(prompt), feeling(answer));
    let mut emotion_keywords = felt.keywords;
    for word in answered.keywords {
        if !emotion_keywords.contains(&word) {
            emotion_keywords.push(word);
        }
    }
    BqiCues {
        prompt_phases: phases(&asked),
        answer_phases: phases(&said),
        urgent: found("urgent", &asked).count(),
        risk: found("risk", &asked).sum(),
        emotion_keywords,
        intensity: felt.intensity,
    }
}

/// An answer with everything it could repeat or take up.
#[derive(Clone, Copy, Debug)]
pub struct AnswerInContext<'a> {
    /// The answer.
    pub answer: &'a str,
    /// Earlier answers of the run.
    pub earlier: &'a [&'a str],
    /// Past examples in its prompt.
    pub examples: &'a [&'a str],
}

/// Counts claims, sources, repetitions, explanations and examples of an answer.
pub fn answer_signs(said: &AnswerInContext<'_>) -> AnswerSigns {
    let mut signs = AnswerSigns::default();
    for sentence in statements(said.answer) {
        let lower = sentence.to_lowercase();
        signs.explained += usize::from(has("explain", &lower));
        signs.examples += usize::from(has("example", &lower));
        if !is_claim(&lower) {
            continue;
        }
        signs.claims += 1;
        signs.sources += usize::from(has("source", &lower));
        let bare = without_brackets(&sentence);
        let mut known = said.earlier.iter().chain(said.examples);
        signs.repeated += usize::from(known.any(|text| restated(&bare, text) >= REPEATED));
    }
    signs.examples += said.examples.iter().filter(|example| restated(example, said.answer) >= TAKEN_UP).count();
    signs
}

/// Splits an answer into its sentences, without list marks.
pub(super) fn statements(answer: &str) -> Vec<String> {
    let bare = |line: &str| {
        let line = line.trim().trim_start_matches(['-', '*', '•', '#', '>']).trim_start();
        let digits = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let rest = if digits.len() < line.len() { digits.strip_prefix(['.', ')']).unwrap_or(line) } else { line };
        rest.trim().to_owned()
    };
    let lines = answer.lines().map(bare).filter(|line| !line.is_empty());
    lines
        .flat_map(|line| saegim_core::sentences(&line).into_iter().map(|sentence| sentence.trim().to_owned()).collect::<Vec<_>>())
        .collect()
}

/// Returns a sentence without what stands in brackets, such as a source.
fn without_brackets(sentence: &str) -> String {
    let mut depth = 0usize;
    let outside = |letter: &char| {
        let before = depth;
        depth = match letter {
            '(' | '[' => depth + 1,
            ')' | ']' => depth.saturating_sub(1),
            _ => depth,
        };
        before == 0 && depth == 0
    };
    sentence.chars().filter(outside).collect()
}

/// Whether a sentence states something as certain: no question, no proposal, no heading, nothing unsure.
pub(super) fn is_claim(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let lower = lower.trim();
    let letters = lower.chars().filter(|letter| letter.is_alphabetic()).count();
    letters >= 4 && !lower.ends_with('?') && !["unsure", "proposal", "heading"].iter().any(|kind| has(kind, lower))
}

/// Whether a remembered text speaks against something: trouble, pain, a negation.
pub(super) fn is_against(text: &str) -> bool {
    has("against", text) || feeling(text).sentiment.get() < -0.2
}

#[cfg(test)]
mod tests {
    use super::*;
    use RhythmPhase::*;

    #[test]
    fn every_cue_compiles() {
        assert!(CUES.len() > 30 && CUES.iter().all(|(_, _, pattern)| pattern.get().is_some()));
    }

    #[test]
    fn phases_are_found_in_both_languages() {
        for (text, phases) in [
            ("지금까지 나온 의견을 종합해 줘", vec![Integration]),
            ("Please combine both proposals", vec![Integration]),
            ("지난달을 돌아보자", vec![Reflection]),
            ("What lessons learned should we keep?", vec![Reflection]),
            ("여행 계획을 세우자", vec![Planning]),
            ("How should we start the garden?", vec![Planning]),
            ("새로운 아이디어가 있을까?", vec![Exploration]),
            ("What if we lived by the sea?", vec![Exploration]),
            ("Let's plan how to merge the teams", vec![Integration, Planning]),
            ("점심은 국수였다", vec![]),
            ("It rained in Busan", vec![]),
        ] {
            assert_eq!(bqi_cues(text, "").prompt_phases, phases, "{text}");
        }
    }

    #[test]
    fn urgency_and_risk_are_weighed_in_both_languages() {
        for (text, urgent, risk) in [
            ("위험이 크고 돌이킬 수 없는 결정", 0, 1.4),
            ("This is a high-risk decision", 0, 1.4),
            ("실패하면 손해가 있을까?", 0, 0.8),
            ("Could it fail?", 0, 0.4),
            ("급해, 당장 정해야 해", 1, 0.0),
            ("We need an answer ASAP, the deadline is near", 2, 0.0),
            ("산책하기 좋은 날", 0, 0.0),
            ("A nice day for a walk", 0, 0.0),
        ] {
            let cues = bqi_cues(text, "");
            assert!(cues.urgent == urgent && (cues.risk - risk).abs() < 1e-6, "{text}: {} {}", cues.urgent, cues.risk);
        }
    }

    #[test]
    fn emotion_keywords_come_from_the_prompt_and_the_answer() {
        let cues = bqi_cues("너무 불안해", "I am happy to help");
        assert!(cues.emotion_keywords.len() >= 2, "{:?}", cues.emotion_keywords);
    }

    fn check(answer: &str, [claims, sources, repeated, explained, examples]: [usize; 5]) {
        let earlier = ["The garden gets four hours of sun"];
        let known = ["토마토는 햇빛이 많이 필요하다"];
        let found = answer_signs(&AnswerInContext { answer, earlier: &earlier, examples: &known });
        assert_eq!(found, AnswerSigns { claims, sources, repeated, explained, examples }, "{answer}");
    }

    #[test]
    fn an_answer_is_counted() {
        check("", [0; 5]);
        check("Is it sunny? Perhaps.", [0; 5]);
        check("According to the seed packet, tomatoes need sun. The garden is small.", [2, 1, 0, 0, 0]);
        check("The garden gets four hours of sun.", [1, 0, 1, 0, 0]);
        check("1. 토마토는 햇빛이 많이 필요하다 (출처: 2026-03-01 기억).\n따라서 남쪽에 심자고 제안합니다.", [1, 1, 1, 1, 1]);
        check("The north side is dark, because the wall is high. For example, the mint died there.", [2, 0, 0, 1, 1]);
        check("결론:\n물이 부족하다. 확인이 필요합니다.", [1, 0, 0, 0, 0]);
    }
}
