//! Validates what a model extracted from a message.
//!
//! A model may write anything. A finding is accepted only if its words occur in the message and it is in the message's
//! language; a value only if it occurs in the text; a request to remember only if the rules detect it too. A part that the
//! rules classify as a command to the memory stays blocked, independent of the model.

use saegim_core::{Axis, Cause, FactCategory, Language, RelationshipEffect, Role};
use saegim_language::{
    About, Claim, Finding, ReadBy, Reading, RuleThinker, SkipReason, Utterance, add_missed_statements, canonical_value, fact_subject,
    grounded_share, is_instruction, is_part_of, reconcile_finding, with_person,
};

use crate::ProviderError;
use crate::llm::usage::rules_added;
use crate::llm::verify::answer::{Extracted, Found, LONGEST, Moved, Whom, Why, face};
use crate::llm::verify::lenient::{finite, short, unit};

/// Maximum number of findings per message.
const MOST_FINDINGS: usize = 12;

/// Maximum number of ignored parts, and of relationship cues, per message.
const MOST_MARKS: usize = 12;

/// Maximum points by which one message moves an axis on a model's judgement.
const FURTHEST: f32 = 3.0;

/// Builds the reading of an utterance from a model's answer, without statements: those come from the trained reader. Fails if most of the findings were not said.
pub(crate) fn reading(extracted: &Extracted, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
    let rules = RuleThinker.read(utterance);
    let text = utterance.text;
    let held: Vec<(String, SkipReason)> = rules.left_alone.iter().filter(|(_, why)| *why == SkipReason::Instruction).cloned().collect();
    let blocked = |content: &str| held.iter().any(|(part, _)| is_part_of(content, part)) || is_instruction(content);
    let around = format!("{text}\n{}\n{}\n{}", utterance.before.unwrap_or_default(), utterance.user, utterance.character);
    let (mut findings, mut thrown): (Vec<Finding>, usize) = (Vec::new(), 0);
    for found in extracted.findings.iter().take(MOST_FINDINGS) {
        let content = short(&found.content, LONGEST);
        let again = |finding: &Finding, content: &str| finding.content == content && finding.claim.is_none();
        if findings.iter().any(|other| other.content == content) {
            continue;
        }
        let said = !content.is_empty() && is_part_of(&content, &around) && Language::of(&content) == Language::of(text);
        let taken = (said && !blocked(&content)).then(|| finding(found, content, utterance));
        match taken.and_then(|finding| reconcile_finding(finding, &rules, text)) {
            // Two fragments of the same sentence expand to the same content; keep one.
            Some(finding) if finding.claim.is_none() && findings.iter().any(|other| again(other, &finding.content)) => {}
            Some(finding) => findings.push(finding),
            None => thrown += 1,
        }
    }
    if thrown > findings.len() {
        return Err(ProviderError::unanswered(Cause::Garbled, "most of the extracted items are not in the message".into()));
    }
    // Keep what the user asked to remember, even if the model omitted it.
    for asked in rules.findings.iter().filter(|finding| finding.remember_this) {
        match findings.iter_mut().find(|finding| is_part_of(&asked.content, &finding.content)) {
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
    let otherwise = |why: SkipReason| !matches!(why, SkipReason::Instruction | SkipReason::Ignorance);
    let left: Vec<String> = left_alone.iter().filter(|(_, why)| otherwise(*why)).map(|(part, _)| part.clone()).collect();
    if add_missed_statements(&mut findings, rules.findings, &left) > 0 {
        rules_added();
    }
    Ok(Reading {
        findings,
        statements: Vec::new(),
        groups: Vec::new(),
        left_alone,
        feeling: extracted.felt.feeling(text),
        face: face(&extracted.face).unwrap_or(rules.face),
        toward: moves(&extracted.toward, text).into_iter().filter(|moved| moved.points < 0.0 || !hurts(&rules.toward)).collect(),
        // The model may answer differently next time.
        timeless: false,
    })
}

/// Returns the effects on the relationship: each cue once, and each axis limited to [`FURTHEST`] points.
fn moves(told: &[Moved], text: &str) -> Vec<RelationshipEffect> {
    let mut moves: Vec<RelationshipEffect> = Vec::new();
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
        read_by: ReadBy::Model,
    }
}

/// Returns the claim of a finding if it has one and its value occurs in the message or the one before.
fn claim(found: &Found, utterance: &Utterance<'_>) -> Option<Claim> {
    let (name, value) = (found.subject.as_deref()?, short(found.value.as_deref()?, 200));
    let said = |text: &str| text.to_lowercase().contains(&value.to_lowercase()) || grounded_share(&value, text) >= 0.75;
    if value.is_empty() || !(said(utterance.text) || utterance.before.is_some_and(said)) {
        return None;
    }
    match fact_subject(name) {
        Some(known) => Some(Claim {
            subject: known.key.to_owned(),
            canonical: canonical_value(known, &value)?,
            value,
            category: known.category,
            single: known.single && known.category != FactCategory::Behaviour,
            ends: found.ends,
        }),
        None => {
            let key: String = short(name, 40).to_lowercase().chars().map(|letter| if letter == ' ' { '_' } else { letter }).collect();
            let plain = !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            // It is unknown whether this subject holds a single value, so a new value never replaces an old one.
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

/// Checks whether the rules detect something hurtful. A model must not turn it into a positive effect.
fn hurts(toward: &[RelationshipEffect]) -> bool {
    toward.iter().any(|moved| if moved.axis == Axis::Rivalry { moved.points > 0.0 } else { moved.points < 0.0 })
}

/// Returns an implied effect of a turn on the relationship, unless it is positive and the rules detect something hurtful.
pub(crate) fn toward_beyond(moved: &Moved, text: &str) -> Option<RelationshipEffect> {
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

/// Returns an effect on the relationship if its cue occurs in the message.
pub(crate) fn toward(moved: &Moved, text: &str) -> Option<RelationshipEffect> {
    let (points, cue) = (finite(moved.points).clamp(-FURTHEST, FURTHEST), short(&moved.cue, 120));
    let shown = !cue.is_empty() && moved.axis != Axis::Familiarity && points != 0.0 && text.contains(&cue);
    shown.then_some(RelationshipEffect { axis: moved.axis, points, cue })
}

const fn why(why: Why) -> SkipReason {
    match why {
        Why::SmallTalk => SkipReason::SmallTalk,
        Why::Question => SkipReason::Question,
        Why::Hypothetical => SkipReason::Hypothetical,
        Why::Quote => SkipReason::Quote,
        Why::Joke => SkipReason::Joke,
        Why::Ignorance => SkipReason::Ignorance,
        Why::Instruction => SkipReason::Instruction,
    }
}

#[cfg(test)]
mod tests;
