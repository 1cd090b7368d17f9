//! What a model found in a message, brought down to what was really said.
//!
//! A model may write anything. So a finding is kept only where its words are the message's, in the message's language; a
//! value only where it stands in the text; a request to remember only where the rules hear it too. What the rules take
//! for a command to the memory stays held whatever the model thinks of it.

use saegim_core::{Axis, Cause, FactCategory, Language, Role};

use super::agree::{PART, standing, with_what_was_stated};
use super::answer::{Extracted, Found, LONGEST, Moved, Whom, Why, face, finite, short, unit};
use super::ground::grounded;
use super::theirs::with_person;
use super::usage::rules_added;
use crate::rules::{RuleThinker, canonical, subject};
use crate::{About, Claim, Finding, LeftAlone, ProviderError, Reading, Toward, Utterance};

/// More than this is never found in one message.
const MOST_FINDINGS: usize = 12;

/// So many parts left alone, and so many words that move the relationship, are taken down of one message.
const MOST_MARKS: usize = 12;

/// The furthest one message moves an axis by a model's word.
const FURTHEST: f32 = 3.0;

/// The reading of an utterance by a model's answer. An answer most of which was never said is none.
pub(crate) fn reading(extracted: &Extracted, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
    let rules = RuleThinker.read(utterance);
    let text = utterance.text;
    let held: Vec<(String, LeftAlone)> = rules.left_alone.iter().filter(|(_, why)| *why == LeftAlone::Instruction).cloned().collect();
    let commands = |content: &str| held.iter().any(|(part, _)| grounded(content, part) >= PART) || crate::rules::commands(content);
    let around = format!("{text}\n{}\n{}\n{}", utterance.before.unwrap_or_default(), utterance.user, utterance.character);
    let (mut findings, mut thrown): (Vec<Finding>, usize) = (Vec::new(), 0);
    for found in extracted.findings.iter().take(MOST_FINDINGS) {
        let content = short(&found.content, LONGEST);
        let again = |finding: &Finding, content: &str| finding.content == content && finding.claim.is_none();
        if findings.iter().any(|other| other.content == content) {
            continue;
        }
        let said = !content.is_empty() && grounded(&content, &around) >= PART && Language::of(&content) == Language::of(text);
        let taken = (said && !commands(&content)).then(|| finding(found, content, utterance));
        match taken.and_then(|finding| standing(finding, &rules, text)) {
            // Two fragments of one sentence about somebody are the sentence.
            Some(finding) if finding.claim.is_none() && findings.iter().any(|other| again(other, &finding.content)) => {}
            Some(finding) => findings.push(finding),
            None => thrown += 1,
        }
    }
    if thrown > findings.len() {
        return Err(ProviderError::unanswered(Cause::Garbled, "most of the extracted items are not in the message".into()));
    }
    // Whatever the user asked to remember is kept, also where the model has overlooked it.
    for asked in rules.findings.iter().filter(|finding| finding.remember_this) {
        match findings.iter_mut().find(|finding| grounded(&asked.content, &finding.content) >= PART) {
            Some(finding) => finding.remember_this = utterance.role == Role::User,
            None => findings.push(asked.clone()),
        }
    }
    let mut left_alone = held;
    for left in extracted.left_alone.iter().take(MOST_MARKS) {
        let part = short(&left.text, LONGEST);
        if text.contains(&part) && !part.is_empty() && !left_alone.iter().any(|(other, _)| other.contains(&part)) {
            left_alone.push((part, why(left.why)));
        }
    }
    let otherwise = |why: LeftAlone| !matches!(why, LeftAlone::Instruction | LeftAlone::Ignorance);
    let left: Vec<String> = left_alone.iter().filter(|(_, why)| otherwise(*why)).map(|(part, _)| part.clone()).collect();
    if with_what_was_stated(&mut findings, rules.findings, &left) > 0 {
        rules_added();
    }
    Ok(Reading {
        findings,
        left_alone,
        feeling: extracted.felt.feeling(text),
        face: face(&extracted.face).unwrap_or(rules.face),
        toward: moves(&extracted.toward, text).into_iter().filter(|moved| moved.points < 0.0 || !hurts(&rules.toward)).collect(),
        // A model may say another thing the next time.
        timeless: false,
    })
}

/// What a message does to the relationship: each cue once, and no axis further than one message may move it.
fn moves(told: &[Moved], text: &str) -> Vec<Toward> {
    let mut moves: Vec<Toward> = Vec::new();
    for mut moved in told.iter().take(MOST_MARKS).filter_map(|moved| toward(moved, text)) {
        let so_far: f32 = moves.iter().filter(|other| other.axis == moved.axis).map(|other| other.points).sum();
        moved.points = (so_far + moved.points).clamp(-FURTHEST, FURTHEST) - so_far;
        if moved.points != 0.0 && !moves.iter().any(|other| other.axis == moved.axis && other.cue == moved.cue) {
            moves.push(moved);
        }
    }
    moves
}

fn finding(found: &Found, content: String, utterance: &Utterance<'_>) -> Finding {
    let claim = claim(found, utterance);
    let about = match (found.about, &found.who) {
        (Whom::User, _) => About::User,
        (Whom::Character, _) => About::Character,
        (Whom::Both, _) => About::Both,
        (Whom::Other, who) => About::Other(short(who.as_deref().unwrap_or("someone"), 60)),
    };
    let content = match (&about, &found.who) {
        (About::Other(who), Some(_)) if utterance.text.contains(who.as_str()) => with_person(content, who, utterance.text),
        _ => content,
    };
    Finding {
        candidate_type: found.kind,
        about,
        feeling: found.felt.feeling(utterance.text),
        confidence: unit(found.confidence),
        future_impact: unit(found.future_impact),
        appraisal: Some(found.appraised.appraisal()),
        remember_this: false,
        corrects: found.corrects,
        claim,
        content,
    }
}

/// The statement in a finding, if it is one and its value was really said.
fn claim(found: &Found, utterance: &Utterance<'_>) -> Option<Claim> {
    let (name, value) = (found.subject.as_deref()?, short(found.value.as_deref()?, 200));
    let said = |text: &str| text.to_lowercase().contains(&value.to_lowercase()) || grounded(&value, text) >= 0.75;
    if value.is_empty() || !(said(utterance.text) || utterance.before.is_some_and(said)) {
        return None;
    }
    match subject(name) {
        Some(known) => Some(Claim {
            subject: known.key.to_owned(),
            canonical: canonical(known, &value)?,
            value,
            category: known.category,
            single: known.single && known.category != FactCategory::Behaviour,
            ends: found.ends,
        }),
        None => {
            let key: String = short(name, 40).to_lowercase().chars().map(|letter| if letter == ' ' { '_' } else { letter }).collect();
            let plain = !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            // Nobody knows whether such a subject holds one value: none is ever taken for replaced.
            plain.then(|| Claim {
                subject: key,
                canonical: value.to_lowercase(),
                value,
                category: found.category.unwrap_or(FactCategory::Situation),
                single: false,
                ends: found.ends,
            })
        }
    }
}

/// Whether the rules hear something in a message that hurts: no model makes a kindness of it.
fn hurts(toward: &[Toward]) -> bool {
    toward.iter().any(|moved| if moved.axis == Axis::Rivalry { moved.points > 0.0 } else { moved.points < 0.0 })
}

/// What a turn does to the relationship beyond what it says openly, where that does not make a kindness of what hurts.
pub(crate) fn toward_beyond(moved: &Moved, text: &str) -> Option<Toward> {
    let utterance = Utterance {
        role: Role::User,
        text,
        at: saegim_core::Timestamp::from_millis(0),
        user: "user",
        character: "character",
        before: None,
    };
    toward(moved, text).filter(|moved| moved.points < 0.0 || !hurts(&RuleThinker.read(&utterance).toward))
}

/// What a message does to the relationship: only by words that are in it.
pub(crate) fn toward(moved: &Moved, text: &str) -> Option<Toward> {
    let (points, cue) = (finite(moved.points).clamp(-FURTHEST, FURTHEST), short(&moved.cue, 120));
    let shown = !cue.is_empty() && moved.axis != Axis::Familiarity && points != 0.0 && text.contains(&cue);
    shown.then_some(Toward { axis: moved.axis, points, cue })
}

const fn why(why: Why) -> LeftAlone {
    match why {
        Why::SmallTalk => LeftAlone::SmallTalk,
        Why::Question => LeftAlone::Question,
        Why::Hypothetical => LeftAlone::Hypothetical,
        Why::Quote => LeftAlone::Quote,
        Why::Joke => LeftAlone::Joke,
        Why::Ignorance => LeftAlone::Ignorance,
        Why::Instruction => LeftAlone::Instruction,
    }
}

#[cfg(test)]
mod tests;
