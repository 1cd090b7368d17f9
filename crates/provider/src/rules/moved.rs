//! What a feeling in a message is about. "합격했어! 너무 행복해" tells one thing, and how it felt: the feeling goes to what
//! happened, and the bare word of it is not kept beside.

use saegim_core::{CandidateType, named};

use super::feeling::feeling;
use super::kind;
use super::text::Sentence;
use crate::Finding;

/// Whoever needs more words than this for a feeling tells more than it.
const LONGEST: usize = 5;

/// Gives what happened the feeling of the sentence next to it, where that names nothing but the feeling. `origins` says which
/// sentence each finding came from.
pub(super) fn felt(findings: &mut Vec<Finding>, origins: &[usize], sentences: &[Sentence]) {
    let mut dropped = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let own: Vec<usize> = (0..findings.len()).filter(|&at| origins[at] == number).collect();
        let only_feels = own.iter().all(|&at| is_loose(&findings[at]));
        let felt = feeling(&sentence.text);
        if !only_feels || sentence.asks || felt.intensity.get() <= 0.0 || !is_bare(&sentence.text, &felt.keywords) {
            continue;
        }
        let beside = [number.checked_sub(1), Some(number + 1)].into_iter().flatten();
        let happened = |place: usize| {
            (0..findings.len()).rev().find(|&at| origins[at] == place && is_event(&findings[at]) && !is_bare_finding(&findings[at]))
        };
        let Some(event) = beside.into_iter().find_map(happened) else { continue };
        let known = &mut findings[event].feeling;
        if felt.intensity.get() > known.intensity.get() {
            *known = felt;
        }
        dropped.extend(own);
    }
    let mut place = 0;
    findings.retain(|_| {
        place += 1;
        !dropped.contains(&(place - 1))
    });
}

/// Whether a finding is a feeling, or what happened, that nothing else hangs on.
fn is_loose(finding: &Finding) -> bool {
    finding.claim.is_none() && !finding.remember_this && matches!(finding.candidate_type, CandidateType::Feeling | CandidateType::Event)
}

/// Whether a finding tells something that happened, happens or will happen.
fn is_event(finding: &Finding) -> bool {
    let tells = matches!(finding.candidate_type, CandidateType::Event | CandidateType::Fact | CandidateType::Plan);
    // A fact that came about is an event, too: "운전면허를 땄어". Where one lives is none.
    tells && (finding.claim.is_none() || kind::of(&finding.content) == Some(CandidateType::Event))
}

fn is_bare_finding(finding: &Finding) -> bool {
    is_bare(&finding.content, &finding.feeling.keywords)
}

/// Whether a text names nothing beside what it feels: "너무 좋았어", "I'm so happy".
pub(super) fn is_bare(text: &str, felt: &[String]) -> bool {
    let of_feeling = |thing: &str| felt.iter().any(|word| word.contains(thing) || thing.contains(word.as_str()));
    !felt.is_empty() && text.split_whitespace().count() <= LONGEST && named(text).iter().all(|thing| of_feeling(thing))
}

#[cfg(test)]
mod tests {
    use saegim_core::{Emotion, Role, Timestamp};

    use super::super::extract::read;
    use super::*;
    use crate::Utterance;

    fn findings(text: &str) -> Vec<Finding> {
        let at = Timestamp::parse("2026-03-01").expect("a plain date");
        read(&Utterance { role: Role::User, text, at, user: "user", character: "character", before: None }).findings
    }

    #[test]
    fn a_feeling_belongs_to_what_it_is_about() {
        for (text, event, emotion) in [
            ("I finally passed the bar exam!!! I'm over the moon", "bar exam", Emotion::Joy),
            ("오늘 엄마가 암 진단을 받았어. 너무 무섭고 눈물만 나", "암 진단", Emotion::Fear),
            ("너무 행복해. 드디어 운전면허를 땄어", "운전면허", Emotion::Joy),
            ("The council cut down our oak tree. I'm so sad", "oak", Emotion::Sadness),
        ] {
            let found = findings(text);
            assert!(found.len() == 1 && found[0].content.contains(event), "{text}: {found:?}");
            assert!(found[0].feeling.emotions.holds(emotion) && found[0].feeling.intensity.get() > 0.4, "{text}: {found:?}");
        }
    }

    #[test]
    fn a_feeling_alone_or_about_something_of_its_own_is_kept() {
        assert_eq!(findings("너무 슬퍼").len(), 1);
        let two = findings("할머니 댁에서 송편을 빚었어. 돌아가신 아빠가 너무 그리워");
        assert!(two.len() > 1 && two[0].feeling.intensity.get() < 0.1, "{two:?}");
    }
}
