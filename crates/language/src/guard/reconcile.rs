//! Reconciles the findings of a model with what the rules read in the same message. A model understands more than the rules do,
//! but it cannot overrule what the rules clearly read, and a statement found by the rules is never lost because the model
//! omitted it.

use saegim_core::FactCategory;

use crate::compare::event_equivalence::negates;
use crate::compare::value::same_value;
use crate::extract::fact_subject::touches;
use crate::guard::attribution::{is_denied_in_japanese, of_somebody_else, was_once, with_person};
use crate::guard::grounding::{PART, grounded_share, is_part_of, opposes};
use crate::patterns::table::Pattern;
use crate::tokenize::clauses::all_clauses;
use crate::{About, Claim, Finding, Reading, SkipReason};

/// Reconciles a model's finding with the rules. Returns `None` if the rules clearly read something else.
pub fn reconcile_finding(mut finding: Finding, rules: &Reading, text: &str) -> Option<Finding> {
    if is_only_supposed(&finding.content, rules, text) {
        return None;
    }
    let own = matches!(finding.about, About::User | About::Both);
    if let Some(theirs) = of_another(&finding, rules).filter(|_| own) {
        finding.about = theirs.about.clone();
        finding.claim.clone_from(&theirs.claim);
        if let About::Other(who) = &finding.about {
            finding.content = with_person(finding.content, who, text);
        }
        return Some(finding);
    }
    if let Some(claim) = finding.claim.as_ref().filter(|_| own) {
        let read =
            || rules.findings.iter().filter(|read| matches!(read.about, About::User | About::Both)).filter_map(|read| read.claim.as_ref());
        let agreed = read().any(|read| same(read, claim));
        let renamed =
            |read: &Claim| claim.single && !touches(&read.subject, &claim.subject) && same_value(&read.subject, &read.value, &claim.value);
        let differs = |read: &Claim| read.single && read.subject == claim.subject && !alike(read, claim);
        let contradicts = |read: &Claim| opposes(read, claim) || differs(read) || renamed(read);
        let denied = drops_a_denial(&finding.content, claim, text) || is_denied_in_japanese(&finding.content, claim, text);
        if !agreed && (read().any(contradicts) || denied) {
            return None;
        }
        if let Some(who) = of_somebody_else(claim, text).filter(|_| !agreed) {
            finding.content = with_person(finding.content, &who, text);
            (finding.about, finding.claim) = (About::Other(who), None);
            return Some(finding);
        }
        if !agreed && (is_small_talk(&finding.content, rules) || is_wished(claim, text) || was_once(claim, text) && !claim.ends) {
            finding.claim = None;
        }
    }
    Some(finding)
}

/// Adds to the findings of a model each statement that the rules read and no finding covers, and returns how many were added.
/// Skips parts that the model explicitly classified as a joke, a quote or small talk.
pub fn add_missed_statements(findings: &mut Vec<Finding>, rules: Vec<Finding>, left: &[String]) -> usize {
    let mut added = 0;
    for read in rules {
        let Some(claim) = read.claim.as_ref().filter(|claim| claim.category != FactCategory::Behaviour) else { continue };
        let own = matches!(read.about, About::User | About::Both);
        if findings.iter().filter_map(|finding| finding.claim.as_ref()).any(|known| same(claim, known)) {
            continue;
        }
        let says_it = |finding: &Finding| is_part_of(&read.content, &finding.content);
        if left.iter().any(|part| is_part_of(&read.content, part)) && !findings.iter().any(says_it) {
            continue;
        }
        if !own && findings.iter().any(says_it) {
            continue;
        }
        // A model's finding about another person does not become one about the user.
        let whose = |finding: &Finding| !own || !matches!(finding.about, About::Other(_));
        match findings.iter_mut().find(|finding| finding.claim.is_none() && whose(finding) && says_it(finding)) {
            Some(finding) => {
                finding.about = read.about.clone();
                finding.confidence = finding.confidence.max(read.confidence);
                finding.claim = read.claim;
            }
            None => findings.push(read),
        }
        added += 1;
    }
    added
}

/// Checks whether two claims say the same, or one is part of the other.
fn same(one: &Claim, other: &Claim) -> bool {
    one.ends == other.ends
        && touches(&one.subject, &other.subject)
        && (one.subject == "dislikes") == (other.subject == "dislikes")
        && alike(one, other)
}

fn alike(one: &Claim, other: &Claim) -> bool {
    let folded = |value: &str| value.to_lowercase().split_whitespace().collect::<String>();
    let (left, right) = (folded(&one.value), folded(&other.value));
    same_value(&one.subject, &one.value, &other.value)
        || (!left.is_empty() && !right.is_empty() && (left.contains(&right) || right.contains(&left)))
}

/// Checks whether the message only asks, supposes, quotes or jokes about the content of the finding.
fn is_only_supposed(content: &str, rules: &Reading, text: &str) -> bool {
    let supposed = |why: SkipReason| matches!(why, SkipReason::Question | SkipReason::Hypothetical | SkipReason::Quote | SkipReason::Joke);
    let parts = || rules.left_alone.iter().filter(|(_, why)| supposed(*why)).map(|(part, _)| part.as_str());
    let best = parts().map(|part| grounded_share(content, part)).fold(0.0, f32::max);
    if best < PART {
        return false;
    }
    let rest = parts().fold(text.to_owned(), |rest, part| rest.replace(part, " "));
    let told =
        rules.findings.iter().filter(|read| read.claim.is_some()).map(|read| grounded_share(content, &read.content)).fold(0.0, f32::max);
    let elsewhere = if rest == text { 0.0 } else { grounded_share(content, &rest) };
    told.max(elsewhere) < best
}

fn is_small_talk(content: &str, rules: &Reading) -> bool {
    rules.left_alone.iter().any(|(part, why)| *why == SkipReason::SmallTalk && is_part_of(content, part))
}

/// Checks whether the message only wishes or intends what the claim states as a fact.
fn is_wished(claim: &Claim, text: &str) -> bool {
    static WISH: Pattern = Pattern::new(
        r"싶|고 ?파|(?:으면|면) ?좋겠|바라|꿈|목표|(?:으려|려)고|ㄹ까|할까|볼까|갈까|살까|예정|계획|\b(?:want|wanna|would like|'d like|'d love|would love|hope|wish|dream|plan|planning|thinking (?:of|about)|going to|gonna|might|could|considering|maybe|someday|one day)\b|たい(?:な|です|と|で|。|！|!|$)|ほしい|欲しい|つもり|予定|もし",
    );
    let (value, clauses) = (claim.value.to_lowercase(), all_clauses(text));
    // A wish may be in the next clause: "제주도에 살고 싶다".
    let with_next = |place: usize| clauses[place..].iter().take(2).cloned().collect::<Vec<_>>().join(" ");
    (0..clauses.len()).any(|place| clauses[place].to_lowercase().contains(&value) && WISH.fits(&with_next(place)))
}

/// Returns the rules' finding about another person that the model attributes to the user.
fn of_another<'a>(finding: &Finding, rules: &'a Reading) -> Option<&'a Finding> {
    let weight = |read: &Finding| grounded_share(&finding.content, &read.content);
    let best = rules.findings.iter().map(weight).fold(0.0, f32::max);
    let theirs = |read: &&Finding| matches!(read.about, About::Other(_));
    let names = |read: &&Finding| match (&read.claim, &finding.claim) {
        (Some(read), Some(claim)) => alike(read, claim),
        _ => finding.claim.is_some(),
    };
    // Trust the model on clauses that also state the claim about the user.
    let own = rules.findings.iter().any(|read| {
        matches!(read.about, About::User)
            && weight(read) >= best
            && matches!((&read.claim, &finding.claim), (Some(read), Some(claim)) if same(read, claim))
    });
    rules.findings.iter().filter(theirs).filter(names).find(|read| best >= PART && weight(read) >= best && !own)
}

/// Checks whether a finding states what its clause of the message negates.
fn drops_a_denial(content: &str, claim: &Claim, text: &str) -> bool {
    let value = claim.value.to_lowercase();
    let clause = all_clauses(text)
        .into_iter()
        .filter(|clause| clause.to_lowercase().contains(&value))
        .max_by(|a, b| grounded_share(content, a).total_cmp(&grounded_share(content, b)));
    let denied = |text: &str| negates(text, "");
    clause.is_some_and(|clause| denied(&clause) && !denied(content)) && !claim.ends && claim.subject != "dislikes"
}
