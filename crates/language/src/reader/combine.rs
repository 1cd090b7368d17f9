//! Combines the trained reader with the rules. The reader decides whose information a passage is, when it holds and whether it
//! lasts; the rules keep their claims where the reader does not object; what only the reader finds is added where it is sure.

use saegim_core::{CandidateType, Feeling, StatementGroup, StatementStatus, Unit};

use crate::emotion::feeling::feeling;
use crate::extract::fact_subject::{group_of_subject, touches};
use crate::extract::kind;
use crate::reader::analysis::{Act, Holder, Likely, MessageAnalysis};
use crate::reader::calibration::{Calibration, calibration};
use crate::reader::fact::{ReadFact, facts};
use crate::reader::feeling::felt;
use crate::reader::passage::{Passage, passages};
use crate::reader::person::People;
use crate::reader::statement::statement;
use crate::tokenize::split::normalise;
use crate::tokenize::trim::trimmed;
use crate::{About, Claim, Finding, ReadBy, Reading, SkipReason, StatedClause};

/// A passage with what was derived from it.
struct Told<'a> {
    passage: Passage<'a>,
    statement: Option<StatedClause>,
    facts: Vec<ReadFact>,
    /// Whether a finding already says it.
    covered: bool,
}

/// Returns the reading of a user's message from the rules' reading and the reader's analysis.
pub(crate) fn combine(rules: Reading, analysis: &MessageAnalysis, text: &str) -> Reading {
    let mut reading = Reading { findings: Vec::new(), feeling: felt(&rules.feeling, analysis), face: analysis.face.label, ..rules };
    let is_command = |part: &str| reading.left_alone.iter().any(|(command, why)| *why == SkipReason::Instruction && meets(part, command));
    let mut people = People::new(text);
    let mut told: Vec<Told<'_>> = passages(analysis)
        .into_iter()
        .filter(|passage| !is_command(&text[passage.range.clone()]))
        .map(|passage| {
            let statement = statement(&passage, text, &mut people);
            let facts = facts(&passage, text);
            Told { passage, statement, facts, covered: false }
        })
        .collect();
    for finding in rules.findings {
        let place = place_of(&finding, text, &told);
        match judged(finding, place.map(|place| &told[place]), text) {
            Ok(finding) => {
                if let Some(place) = place {
                    told[place].covered = true;
                }
                reading.findings.push(finding);
            }
            Err(ignored) => reading.left_alone.push(ignored),
        }
    }
    for part in &told {
        add_facts(&mut reading.findings, part, text);
        let known = part.covered || reading.findings.iter().any(|finding| meets(&finding.content, &text[part.passage.range.clone()]));
        if let Some(said) = part.statement.as_ref().filter(|_| !known) {
            let finding = memory(said, &part.passage, &reading.feeling);
            reading.findings.push(finding);
        }
    }
    reading.groups = told.iter().filter_map(|part| part.passage.group).collect();
    reading.groups.sort_unstable();
    reading.groups.dedup();
    reading.statements = told.into_iter().filter_map(|part| part.statement).collect();
    let told = |part: &str| reading.statements.iter().any(|said| meets(part, &said.text));
    reading.left_alone.retain(|(part, why)| matches!(why, SkipReason::Instruction | SkipReason::Quote) || !told(part));
    reading
}

/// Checks whether one text contains the other, apart from case, marks and spacing.
fn meets(one: &str, other: &str) -> bool {
    let folded = |text: &str| normalise(text).to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    let (one, other) = (folded(one), folded(other));
    !one.is_empty() && !other.is_empty() && (one.contains(&other) || other.contains(&one))
}

/// Returns the passage a finding of the rules was read in: the one that shares most words with its value or its content.
fn place_of(finding: &Finding, text: &str, told: &[Told<'_>]) -> Option<usize> {
    let value = finding.claim.as_ref().map(|claim| claim.value.to_lowercase()).filter(|value| !value.is_empty());
    let words: Vec<String> = finding.content.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let share = |part: &Told<'_>| {
        let said = text[part.passage.range.clone()].to_lowercase();
        let named = value.as_ref().is_some_and(|value| said.contains(value.as_str()));
        words.iter().filter(|word| said.contains(word.as_str())).count() + if named { words.len() + 1 } else { 0 }
    };
    told.iter()
        .map(share)
        .enumerate()
        .filter(|(_, share)| *share > 0)
        .max_by_key(|(place, share)| (*share, usize::MAX - place))
        .map(|found| found.0)
}

/// Returns a finding of the rules as the reader lets it stand, or the reason why it is ignored.
fn judged(mut finding: Finding, part: Option<&Told<'_>>, text: &str) -> Result<Finding, (String, SkipReason)> {
    let Some(part) = part.filter(|_| matches!(finding.about, About::User | About::Other(_)) && !finding.remember_this) else {
        return Ok(finding);
    };
    let Told { passage, facts, .. } = part;
    if let Some(claim) = finding.claim.take() {
        let agreed = facts.iter().find(|fact| agree(&fact.claim, &claim));
        let (source, score) = match agreed {
            // Wrong only if both are.
            Some(fact) => ("both", 1.0 - (1.0 - fact.score) * (1.0 - finding.confidence.get())),
            None => ("rules", rules_score(&claim, &finding.about, passage)),
        };
        let calibration = of_fact(source, text);
        let probability = calibration.probability(score);
        // What may be over must not be shown as current, so an end needs less certainty than a value.
        let enough = if claim.ends { calibration.sure_from.min(ENDS_FROM) } else { calibration.sure_from };
        if probability >= enough {
            finding.confidence = Unit::clamped(probability);
            finding.read_by = if agreed.is_some() { ReadBy::Both } else { ReadBy::Rules };
            finding.claim = Some(match agreed {
                Some(fact) => with_better_value(claim, &fact.claim),
                None => claim,
            });
            return Ok(finding);
        }
        if part.statement.is_none() {
            return Err((finding.content, reason(passage)));
        }
        return Ok(finding);
    }
    if is_not_meant(passage) && finding.candidate_type != CandidateType::Relationship {
        return Err((finding.content, reason(passage)));
    }
    Ok(finding)
}

/// Checks whether a passage surely asks, commands, or speaks of something unreal.
fn is_not_meant(passage: &Passage<'_>) -> bool {
    let clause = passage.first;
    let unreal = if matches!(passage.holder, Holder::Unreal) { clause.holder.probability } else { 0.0 };
    (1.0 - clause.told).max(unreal) >= calibration("unmeant", "*").sure_from
}

/// Least probability of a claim that ends a fact.
const ENDS_FROM: f32 = 0.7;

/// Most words of a short message.
const SHORT: usize = 6;

/// Returns the calibration of facts by what found them. Short messages have one of their own, because they say things plainly.
fn of_fact(source: &str, text: &str) -> Calibration {
    let short = text.split_whitespace().count() <= SHORT;
    calibration("fact", &if short { format!("{source}, short") } else { source.to_owned() })
}

/// Why a passage is ignored.
fn reason(passage: &Passage<'_>) -> SkipReason {
    match (passage.act, passage.holder) {
        (Act::Question, _) => SkipReason::Question,
        (_, Holder::Unreal) => SkipReason::Hypothetical,
        _ => SkipReason::SmallTalk,
    }
}

/// How well a claim that only the rules found fits what the reader says about its passage.
fn rules_score(claim: &Claim, about: &About, passage: &Passage<'_>) -> f32 {
    let first = passage.first;
    // Who tells of a person or a pet has one, even if the rest of the passage is about that person.
    let has = matches!(claim.subject.as_str(), "family" | "child" | "partner" | "best_friend" | "pet") && !claim.ends;
    let expected = if matches!(about, About::User) { Holder::User } else { Holder::Other };
    let holder = match first.holder {
        _ if has => first.real,
        Likely { label, probability } if label == expected => probability,
        Likely { probability, .. } => 1.0 - probability,
    };
    let fits = |status| {
        let status = if has && status == StatementStatus::Past { StatementStatus::Now } else { status };
        matches!(status, StatementStatus::Ended | StatementStatus::Not | StatementStatus::Past) == claim.ends
            && !matches!(status, StatementStatus::Planned | StatementStatus::Wished)
    };
    let status = if fits(first.status.label) { first.status.probability } else { 1.0 - first.status.probability };
    let told = if matches!(passage.act, Act::Question | Act::Command) { 1.0 - first.act.probability } else { 1.0 };
    let group = if is_of_group(&claim.subject, passage.group) { first.group.probability } else { 1.0 - first.group.probability };
    holder * status * told * group
}

/// Whether a claim of this subject is usual in a passage of this group. Passages about anything else mention people, too.
fn is_of_group(subject: &str, group: Option<StatementGroup>) -> bool {
    use StatementGroup::{Food, Health, Like, Love, Name, People};
    match (group_of_subject(subject), group) {
        (Some(Health | Like), Some(Food)) | (Some(Food), Some(Health | Like)) | (None, Some(Name)) => true,
        (Some(People | Love), Some(_)) => true,
        (expected, found) => expected.is_some() && expected == found,
    }
}

fn agree(read: &Claim, claim: &Claim) -> bool {
    let folded = |value: &str| value.to_lowercase().split_whitespace().collect::<String>();
    let (one, other) = (folded(&read.value), folded(&claim.value));
    read.ends == claim.ends && touches(&read.subject, &claim.subject) && (one.contains(&other) || other.contains(&one))
}

/// Takes the reader's value where the rules cut it at other places than words.
fn with_better_value(claim: Claim, read: &Claim) -> Claim {
    let words = |value: &str| value.to_lowercase().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let known = words(&claim.value);
    if claim.subject != read.subject || words(&read.value).iter().all(|word| known.contains(word)) {
        return claim;
    }
    Claim { value: read.value.clone(), canonical: read.canonical.clone(), ..claim }
}

/// Adds the facts that only the reader found and is sure of.
fn add_facts(findings: &mut Vec<Finding>, part: &Told<'_>, text: &str) {
    let calibration = of_fact("reader", text);
    for fact in &part.facts {
        let probability = calibration.probability(fact.score);
        let known = findings.iter().filter_map(|finding| finding.claim.as_ref()).any(|claim| agree(&fact.claim, claim));
        if probability < calibration.sure_from || known {
            continue;
        }
        let content = trimmed(&text[part.passage.range.clone()]);
        let kind = kind::of_claim(fact.claim.category, &fact.claim.subject);
        let unclaimed = findings
            .iter_mut()
            .find(|finding| finding.claim.is_none() && finding.about == About::User && meets(&finding.content, &content));
        match unclaimed {
            Some(finding) => {
                finding.claim = Some(fact.claim.clone());
                (finding.confidence, finding.read_by) = (Unit::clamped(probability), ReadBy::Reader);
            }
            None => findings.push(finding(content, kind, About::User, probability).with(fact.claim.clone())),
        }
    }
}

/// A memory in the user's words, for a statement that no finding of the rules says.
fn memory(said: &StatedClause, passage: &Passage<'_>, message: &Feeling) -> Finding {
    let kind = match (passage.act, said.group) {
        (_, StatementGroup::Limit) | (Act::Boundary, _) => CandidateType::Boundary,
        (_, StatementGroup::Promise) | (Act::Promise, _) => CandidateType::Promise,
        (_, StatementGroup::Plan) | (Act::Plan, _) => CandidateType::Plan,
        // A death or a birth is a fact of a life, not one event among others.
        (_, StatementGroup::Loss | StatementGroup::Win) => CandidateType::Fact,
        (Act::Event, _) => CandidateType::Event,
        (Act::Feeling, _) => CandidateType::Feeling,
        (Act::Preference, _) | (_, StatementGroup::Like | StatementGroup::Dislike) => CandidateType::Preference,
        _ => CandidateType::Fact,
    };
    let mut finding = finding(said.text.clone(), kind, said.about.clone(), said.probability.get());
    finding.corrects = passage.act == Act::Correction;
    finding.future_impact = Unit::clamped(finding.future_impact.get().max(passage.first.keep));
    if finding.feeling.intensity.get() == 0.0 {
        finding.feeling = message.clone();
    }
    finding
}

fn finding(content: String, candidate_type: CandidateType, about: About, probability: f32) -> Finding {
    Finding {
        feeling: feeling(&content),
        content,
        candidate_type,
        about,
        claim: None,
        confidence: Unit::clamped(probability),
        future_impact: Unit::clamped(kind::future_impact(candidate_type)),
        remember_this: false,
        corrects: false,
        appraisal: None,
        read_by: ReadBy::Reader,
    }
}

impl Finding {
    fn with(self, claim: Claim) -> Self {
        Self { claim: Some(claim), ..self }
    }
}
