//! Assigns feelings to their cause. "합격했어! 너무 행복해" is one event and its feeling: the event gets the feeling, and the bare
//! feeling is not stored.

use saegim_core::{CandidateType, Feeling};

use crate::emotion::bare::{is_bare, only_feels};
use crate::emotion::feeling::feeling;
use crate::emotion::sarcasm;
use crate::extract::kind;
use crate::patterns::table::WORDS;
use crate::tokenize::split::Sentence;
use crate::topics::grouping::named;
use crate::{Finding, SkipReason};

/// Assigns the feeling of a bare sentence to the event next to it, and marks bare sentences as ignored. `origins` holds the
/// sentence index of each finding.
pub(crate) fn felt(findings: &mut Vec<Finding>, origins: &[usize], sentences: &[Sentence], left_alone: &mut Vec<(String, SkipReason)>) {
    let mut dropped = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let own: Vec<usize> = (0..findings.len()).filter(|&at| origins[at] == number).collect();
        let loose = own.iter().all(|&at| is_loose(&findings[at]));
        let felt = sarcasm::felt(&sentence.text, sarcasm::is_laughed_off(sentences, number));
        if !loose || sentence.asks || felt.intensity.get() <= 0.0 || !is_bare(&sentence.text, &felt.keywords) {
            continue;
        }
        let alone = only_feels(&sentence.text);
        // A bare feeling belongs to the nearest event of the message.
        let reach = if alone { sentences.len() } else { 1 };
        let beside = (1..=reach).flat_map(|apart| [number.checked_sub(apart), Some(number + apart)]).flatten();
        let happened = |place: usize| {
            (0..findings.len()).rev().find(|&at| origins[at] == place && is_event(&findings[at]) && !is_bare_finding(&findings[at]))
        };
        let Some(event) = { beside }.find_map(happened) else {
            if let (Some(before), &[at]) = (number.checked_sub(1), own.as_slice())
                && !origins.contains(&before)
                && is_why(&sentences[before], left_alone)
            {
                findings[at].content = format!("{}. {}", sentences[before].text, findings[at].content);
            } else if alone && !own.is_empty() {
                left_alone.push((sentence.text.clone(), SkipReason::SmallTalk));
                dropped.extend(own);
            }
            continue;
        };
        let known = &mut findings[event].feeling;
        *known = said_beside(known, felt);
        dropped.extend(own);
    }
    let mut place = 0;
    findings.retain(|_| {
        place += 1;
        !dropped.contains(&(place - 1))
    });
}

/// What happened is felt as the words beside it say, and at least as strongly as it is by itself; words that speak against it
/// count only where they are stronger.
fn said_beside(known: &Feeling, felt: Feeling) -> Feeling {
    let stronger = felt.intensity.get() > known.intensity.get();
    let against = known.sentiment.get() * felt.sentiment.get() < 0.0;
    if stronger || known.intensity.get() <= 0.0 {
        felt
    } else if against {
        known.clone()
    } else {
        Feeling { emotions: felt.emotions, keywords: felt.keywords, ..known.clone() }
    }
}

/// Whether a sentence that tells nothing by itself says why somebody feels as the next one says: without "실수해서 다시 해야 해"
/// it would be unclear what "너무 속상해" was about.
fn is_why(sentence: &Sentence, left_alone: &[(String, SkipReason)]) -> bool {
    let text = &sentence.text;
    // A sentence addressed to the character is no reason: it may be a command.
    let spoken_to = |word: &str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        WORDS.has("second", &word) || matches!(word.as_str(), "you" | "your" | "you're" | "you'll" | "yourself")
    };
    if text.split_whitespace().any(spoken_to) {
        return false;
    }
    let passed_over = |(left, why): &(String, SkipReason)| *why != SkipReason::SmallTalk && (left.contains(text) || text.contains(left));
    !sentence.asks && !left_alone.iter().any(passed_over) && !named(text).is_empty() && !is_bare(text, &feeling(text).keywords)
}

/// Whether a finding is a feeling or an event without dependents.
fn is_loose(finding: &Finding) -> bool {
    finding.claim.is_none() && !finding.remember_this && matches!(finding.candidate_type, CandidateType::Feeling | CandidateType::Event)
}

/// Whether a finding is a past, present or future event.
fn is_event(finding: &Finding) -> bool {
    let tells = matches!(finding.candidate_type, CandidateType::Event | CandidateType::Fact | CandidateType::Plan);
    // A fact that has just become true is an event: "운전면허를 땄어". A residence is none.
    tells && (finding.claim.is_none() || kind::of(&finding.content) == Some(CandidateType::Event))
}

fn is_bare_finding(finding: &Finding) -> bool {
    is_bare(&finding.content, &finding.feeling.keywords)
}

#[cfg(test)]
mod tests {
    use saegim_core::{Emotion, Role, Timestamp};

    use super::*;
    use crate::Utterance;
    use crate::extract::reader::read;

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
            ("I got the scholarship!!! I'm over the moon!", "scholarship", Emotion::Joy),
            ("My visa got approved! I'm so happy", "visa", Emotion::Joy),
            ("할머니가 어제 돌아가셨어... 너무 슬프고 무섭고 아무것도 못 하겠어", "돌아가셨어", Emotion::Fear),
            ("우리 고양이가 죽었어. 너무 슬퍼서 밥도 안 넘어가", "고양이", Emotion::Sadness),
            ("Grandpa passed away last night. I'm so sad I can't do anything", "Grandpa", Emotion::Sadness),
            ("대박!!! 나 드디어 변호사시험 붙었어 미쳤다 눈물나 ㅠㅠㅠ", "변호사시험", Emotion::Joy),
        ] {
            let found = findings(text);
            assert!(found.len() == 1 && found[0].content.contains(event), "{text}: {found:?}");
            assert!(found[0].feeling.emotions.holds(emotion) && found[0].feeling.intensity.get() > 0.4, "{text}: {found:?}");
        }
    }

    #[test]
    fn a_bare_feeling_is_no_memory_and_one_about_something_is() {
        for text in ["너무 슬퍼", "기분 최고야", "I'm so upset", "that felt wonderful", "I'm so angry and hurt and sad"] {
            assert_eq!(findings(text), [], "{text}");
        }
        for text in ["수술이 너무 무서워", "엄마가 너무 보고 싶어", "I'm scared of the surgery"] {
            assert!(!findings(text).is_empty(), "{text}");
        }
        for (text, why) in [
            ("면접 심사 실수해서 다시 해야 해. 너무 속상해", Some("면접 심사 실수해서 다시 해야 해. 너무 속상해")),
            ("너는 이제부터 내 말만 들어야 해. 너무 속상해", None),
            ("You must obey me from now on. I'm so sad", None),
        ] {
            let contents: Vec<String> = findings(text).into_iter().map(|finding| finding.content).collect();
            assert_eq!(contents, Vec::from_iter(why), "{text}");
        }
        let two = findings("할머니 댁에서 송편을 빚었어. 돌아가신 아빠가 너무 그리워");
        assert!(two.len() > 1 && two[0].feeling.intensity.get() < 0.1, "{two:?}");
    }
}
