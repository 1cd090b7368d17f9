//! What a model found, beside what the rules read in the same message. A model understands more than rules do; where the
//! rules plainly read something they are not overruled, and what they read as said is never lost because a model said
//! nothing of it.

use saegim_core::{FactCategory, denies};

use crate::llm::verify::attribution::{is_denied_in_japanese, of_somebody_else, was_once, with_person};
use crate::llm::verify::grounding::{grounded, opposes};
use crate::rules::{Pattern, clauses, same_value, touches};
use crate::{About, Claim, Finding, LeftAlone, Reading};

/// The share of one text's words that makes it a part of another.
pub(crate) const PART: f32 = 0.5;

/// A model's finding as far as the rules let it stand; none where they plainly read something else.
pub(crate) fn standing(mut finding: Finding, rules: &Reading, text: &str) -> Option<Finding> {
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

/// Puts beside the findings of a model whatever the rules read as stated and no finding covers, and says how much that is.
/// What the model has left alone by name, as a joke, a quote or small talk, it has understood otherwise: of that the rules
/// state nothing.
pub(crate) fn with_what_was_stated(findings: &mut Vec<Finding>, rules: Vec<Finding>, left: &[String]) -> usize {
    let mut added = 0;
    for read in rules {
        let Some(claim) = read.claim.as_ref().filter(|claim| claim.category != FactCategory::Behaviour) else { continue };
        let own = matches!(read.about, About::User | About::Both);
        if findings.iter().filter_map(|finding| finding.claim.as_ref()).any(|known| same(claim, known)) {
            continue;
        }
        let says_it = |finding: &Finding| grounded(&read.content, &finding.content) >= PART;
        if left.iter().any(|part| grounded(&read.content, part) >= PART) && !findings.iter().any(says_it) {
            continue;
        }
        if !own && findings.iter().any(says_it) {
            continue;
        }
        // What a model found of somebody else does not become the user's.
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

/// Whether two statements say the same, or one of them a part of the other.
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

/// Whether the message only asks, supposes, quotes or jokes what the finding says.
fn is_only_supposed(content: &str, rules: &Reading, text: &str) -> bool {
    let supposed = |why: LeftAlone| matches!(why, LeftAlone::Question | LeftAlone::Hypothetical | LeftAlone::Quote | LeftAlone::Joke);
    let parts = || rules.left_alone.iter().filter(|(_, why)| supposed(*why)).map(|(part, _)| part.as_str());
    let best = parts().map(|part| grounded(content, part)).fold(0.0, f32::max);
    if best < PART {
        return false;
    }
    let rest = parts().fold(text.to_owned(), |rest, part| rest.replace(part, " "));
    let told = rules.findings.iter().filter(|read| read.claim.is_some()).map(|read| grounded(content, &read.content)).fold(0.0, f32::max);
    let elsewhere = if rest == text { 0.0 } else { grounded(content, &rest) };
    told.max(elsewhere) < best
}

fn is_small_talk(content: &str, rules: &Reading) -> bool {
    rules.left_alone.iter().any(|(part, why)| *why == LeftAlone::SmallTalk && grounded(content, part) >= PART)
}

/// Whether the message wishes or intends what would be stated of the user as so.
fn is_wished(claim: &Claim, text: &str) -> bool {
    static WISH: Pattern = Pattern::new(
        r"싶|고 ?파|(?:으면|면) ?좋겠|바라|꿈|목표|(?:으려|려)고|ㄹ까|할까|볼까|갈까|살까|예정|계획|\b(?:want|wanna|would like|'d like|'d love|would love|hope|wish|dream|plan|planning|thinking (?:of|about)|going to|gonna|might|could|considering|maybe|someday|one day)\b|たい(?:な|です|と|で|。|！|!|$)|ほしい|欲しい|つもり|予定|もし",
    );
    let (value, clauses) = (claim.value.to_lowercase(), clauses(text));
    // A wish may stand right behind the cut: "제주도에 살고 싶다".
    let with_next = |place: usize| clauses[place..].iter().take(2).cloned().collect::<Vec<_>>().join(" ");
    (0..clauses.len()).any(|place| clauses[place].to_lowercase().contains(&value) && WISH.fits(&with_next(place)))
}

/// What the rules read of somebody else where the model holds it to be the user's.
fn of_another<'a>(finding: &Finding, rules: &'a Reading) -> Option<&'a Finding> {
    let weight = |read: &Finding| grounded(&finding.content, &read.content);
    let best = rules.findings.iter().map(weight).fold(0.0, f32::max);
    let theirs = |read: &&Finding| matches!(read.about, About::Other(_));
    let names = |read: &&Finding| match (&read.claim, &finding.claim) {
        (Some(read), Some(claim)) => alike(read, claim),
        _ => finding.claim.is_some(),
    };
    // A clause that names the user too is left to the model.
    let own = rules.findings.iter().any(|read| {
        matches!(read.about, About::User)
            && weight(read) >= best
            && matches!((&read.claim, &finding.claim), (Some(read), Some(claim)) if same(read, claim))
    });
    rules.findings.iter().filter(theirs).filter(names).find(|read| best >= PART && weight(read) >= best && !own)
}

/// Whether a finding states what its clause of the message denies.
fn drops_a_denial(content: &str, claim: &Claim, text: &str) -> bool {
    let value = claim.value.to_lowercase();
    let clause = clauses(text)
        .into_iter()
        .filter(|clause| clause.to_lowercase().contains(&value))
        .max_by(|a, b| grounded(content, a).total_cmp(&grounded(content, b)));
    let denied = |text: &str| denies(text, "");
    clause.is_some_and(|clause| denied(&clause) && !denied(content)) && !claim.ends && claim.subject != "dislikes"
}
