//! Facts about the user: marked values with the subject they fill.

use saegim_core::StatementStatus;

use crate::Claim;
use crate::compare::value::canonical_value;
use crate::extract::answer::relation_subject;
use crate::extract::fact_subject::fact_subject;
use crate::parse::korean::bare_name;
use crate::patterns::table::{WORDS, is_class};
use crate::reader::analysis::{Holder, MarkedValue};
use crate::reader::passage::Passage;
use crate::reader::person::without_owner;

/// A fact the reader found, with its score before calibration.
#[derive(Clone, Debug)]
pub(crate) struct ReadFact {
    pub(crate) claim: Claim,
    pub(crate) score: f32,
}

/// Returns the facts about the user that a passage states. What is denied, wished or planned is none.
pub(crate) fn facts(passage: &Passage<'_>, text: &str) -> Vec<ReadFact> {
    if !passage.tells() || passage.holder != Holder::User || !matches!(passage.status, StatementStatus::Now | StatementStatus::Ended) {
        return Vec::new();
    }
    let ends = passage.status == StatementStatus::Ended;
    let of = |value: &MarkedValue| {
        let (key, words) = subject_and_value(passage, value, text)?;
        let subject = fact_subject(key)?;
        let canonical = canonical_value(subject, &words).filter(|_| is_plausible(&words))?;
        // A height or weight is shown with its unit, so it is stored without.
        let words = if matches!(subject.form, "length" | "mass") { canonical.clone() } else { words };
        let claim =
            Claim { subject: subject.key.to_owned(), value: words, canonical, category: subject.category, single: subject.single, ends };
        Some(ReadFact { claim, score: value.probability * passage.lasting * passage.first.status.probability })
    };
    passage.values.iter().filter_map(|value| of(value)).collect()
}

/// The fact subject a marked value fills, and the value with the name that belongs to it.
fn subject_and_value(passage: &Passage<'_>, value: &MarkedValue, text: &str) -> Option<(&'static str, String)> {
    let words = |value: &MarkedValue| text[value.range.clone()].trim().to_owned();
    let beside = |subject: &str| passage.values.iter().find(|other| other.subject == subject).map(|other| words(other));
    let with_name = |kind: String, name: Option<String>| match name {
        Some(name) => format!("{kind} {}", bare_name(&name)),
        None => kind,
    };
    Some(match value.subject {
        "rel" => {
            let kind = without_owner(&words(value)).to_owned();
            (relation_subject(&kind)?, with_name(kind, beside("pname")))
        }
        "pet" => ("pet", with_name(without_owner(&words(value)).to_owned(), beside("petname"))),
        "petname" if beside("pet").is_none() => ("pet", bare_name(&words(value)).to_owned()),
        "status" => ("relationship_status", words(value)),
        "food" => ("favourite_food", words(value)),
        "drink" => ("favourite_drink", words(value)),
        // No fact subject: the statement alone says it.
        "pname" | "petname" | "possession" | "when" => return None,
        other => (other, words(value)),
    })
}

/// Whether words can be the value of a fact at all: question words, fillers and pronouns cannot.
fn is_plausible(value: &str) -> bool {
    let lower = value.to_lowercase();
    let letters = value.chars().filter(|letter| letter.is_alphanumeric()).count();
    letters > 0
        && letters <= 40
        && !is_class("absurd", &lower)
        && !["filler", "first", "second", "adverb"].iter().any(|list| WORDS.has(list, &lower))
}
