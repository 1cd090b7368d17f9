//! Claims that depend on the previous message: corrections, answers, confirmations.

use saegim_core::{CandidateType, FactCategory};

use crate::compare::value;
use crate::extract::correct::Correction;
use crate::extract::draft::{Attribution, Draft};
use crate::extract::fact_subject::{FactSubject, fact_subject};
use crate::extract::reader::Reader;
use crate::extract::{answer, claim_pattern, kind};
use crate::parse::who::{self, Speaker};
use crate::parse::{english, korean};
use crate::patterns::table::{WORDS, is_class};
use crate::tokenize::number;
use crate::tokenize::trim::opened;
use crate::{About, Claim, Finding};

/// An answer is surer than a guess and less sure than a statement.
const ANSWERED: f32 = 0.78;

impl Reader {
    /// Applies a correction: marks its findings, removes what it replaces, and assigns a bare value to the last subject.
    pub(crate) fn settle(&mut self, correction: &Correction, first: usize) {
        let mine = |finding: &Finding| finding.about == About::User || finding.about == About::Character;
        if !self.findings[first..].iter().any(|finding| finding.claim.is_some() && mine(finding)) {
            self.bare_value(correction, first);
            self.correcting = self.findings.len() == first;
        }
        let corrected: Vec<String> = self.findings[first..]
            .iter()
            .filter_map(|finding| finding.claim.as_ref())
            .filter(|claim| claim.single)
            .map(|claim| claim.subject.clone())
            .collect();
        self.findings[first..].iter_mut().filter(|finding| finding.claim.is_some()).for_each(|finding| finding.corrects = true);
        let mut at = 0;
        self.findings.retain(|finding| {
            at += 1;
            at > first || !finding.claim.as_ref().is_some_and(|claim| corrected.contains(&claim.subject))
        });
    }

    fn bare_value(&mut self, correction: &Correction, first: usize) {
        if self.speaker == Speaker::Character {
            return;
        }
        let Some(caught) = answer::bare_value(&correction.text) else { return };
        let latest = self.findings[..first].iter().rev().find_map(|finding| finding.claim.as_ref().map(|claim| claim.subject.clone()));
        let asked = self.before.as_deref().and_then(|before| answer::asked_for(before, &caught)).map(|subject| subject.key.to_owned());
        let weekday = is_weekday(&caught).then(|| "appointment".to_owned());
        let named = (correction.old.is_some()
            && self.before.as_deref().is_some_and(|before| before.contains("이름") || before.contains("라고")))
        .then(|| "name".to_owned());
        let numbered = number::number(&caught).filter(|_| caught.contains('살')).map(|_| "age".to_owned());
        for key in [latest, weekday, asked, numbered, named].into_iter().flatten() {
            let Some(subject) = fact_subject(&key) else { continue };
            let caught = if subject.form == "name" { korean::bare_name(&caught) } else { caught.as_str() };
            let Some(canonical) = value::canonical_value(subject, caught) else { continue };
            if let Some(old) = correction.old.as_deref().filter(|_| !subject.single) {
                self.push(Draft {
                    content: &correction.text,
                    kind: kind::of_claim(subject.category, subject.key),
                    about: self.speaker.first(),
                    claim: Some(claim_of(subject, old, true)),
                    confidence: 0.8,
                });
            }
            let claim = Claim { canonical, ..claim_of(subject, caught, false) };
            self.push(Draft {
                content: &correction.text,
                kind: kind::of_claim(subject.category, subject.key),
                about: self.speaker.first(),
                claim: Some(claim),
                confidence: 0.8,
            });
            return;
        }
    }

    /// Reads an answer that only makes sense with the previous message.
    pub(crate) fn answer(&mut self, text: &str) {
        if self.speaker == Speaker::Character {
            return;
        }
        let before = self.before.clone().unwrap_or_default();
        let related = answer::named_relation(&before, text)
            .or_else(|| answer::relation(&before, text))
            .or_else(|| answer::related(text, Some(self.person.as_deref()?)));
        if let Some((subject, value)) = related {
            return self.add_claim(subject, &value, text);
        }
        let first = text.split(',').next().unwrap_or(text).trim();
        if answer::echoes_trade(&before, first) {
            return fact_subject("job").map_or((), |job| self.add_claim(job, first, text));
        }
        if let Some(preferred) =
            text.strip_prefix("특히 ").or_else(|| text.strip_prefix("especially ")).filter(|rest| rest.split(' ').count() <= 3)
        {
            let taste = self
                .findings
                .last()
                .and_then(|finding| finding.claim.as_ref())
                .filter(|claim| claim.category == FactCategory::Preference && !claim.ends)
                .map(|claim| claim.subject.clone());
            if let Some(subject) = taste.and_then(|key| fact_subject(&key)) {
                return self.add_claim(subject, korean::particle(preferred).0, text);
            }
        }
        let Some(subject) = answer::asked_for(&before, text) else { return };
        let first = opened(first).1;
        let text = if answer::bare_value(first).is_some() && !answer::is_yes(first) { first } else { text };
        let Some(caught) = answer::bare_value(text) else { return };
        let caught = if subject.form == "name" { named(&caught) } else { caught };
        let (head, _) = korean::particle(&caught);
        let tidy = english::tidy(if subject.form == "name" { korean::bare_name(head) } else { head });
        let idle = tidy.is_empty() || ["first", "second", "filler", "adverb", "negative", "time"].iter().any(|list| WORDS.has(list, &tidy));
        let telling = kind::of(text).is_some_and(|kind| kind != CandidateType::Plan) || text.split(' ').count() > 4;
        let trade = subject.key != "job" || is_class("job", &tidy);
        let several = subject.form == "name" && korean::has_hangul(&tidy) && tidy.contains(' ');
        if idle || telling || !trade || several || value::canonical_value(subject, &tidy).is_none() {
            return;
        }
        self.before = None;
        self.add_claim(subject, &tidy, text);
    }

    /// Adds a claim from an answer. Its content names the subject, so that it can be understood later.
    pub(crate) fn add_claim(&mut self, subject: &'static FactSubject, value: &str, text: &str) {
        let named = if korean::has_hangul(text) || self.before.as_deref().is_some_and(korean::has_hangul) {
            subject.korean.first()
        } else {
            subject.english.first()
        };
        let content = format!("{}: {text}", named.unwrap_or(&subject.key));
        self.push(Draft {
            content: &content,
            kind: kind::of_claim(subject.category, subject.key),
            about: About::User,
            claim: Some(claim_of(subject, value, false)),
            confidence: ANSWERED,
        });
    }

    /// Turns the question before a yes into a statement of the speaker.
    pub(crate) fn confirm(&mut self, text: &str) {
        let Some(said) = self.before.as_deref().and_then(|before| answer::confirmed(before, text)) else { return };
        for mut found in claim_pattern::matches(&said, &said) {
            // "So you're Larsen?" "Yep, Theo Larsen" tells the whole name.
            if found.row.subject.key == "name" {
                let full: Vec<&str> =
                    text.split([' ', ',']).filter(|word| word.starts_with(|letter: char| letter.is_ascii_uppercase())).collect();
                if full.len() > 1 && full.contains(&found.value.as_str()) {
                    found.value = full.into_iter().filter(|word| !answer::is_yes(word)).collect::<Vec<_>>().join(" ");
                    found.canonical = found.value.to_lowercase();
                }
            }
            if !found.row.ends && matches!(who::before(&found.lead, self.speaker.other(), true), None | Some(About::User)) {
                self.claim(&said, &found, Attribution { about: About::User, confidence: found.row.confidence * 0.75 });
            }
        }
    }
}

/// Of an answer like "윤서야 최윤서" the fullest name.
fn named(answer: &str) -> String {
    let bare = |word: &'_ str| {
        let front = ["이에요", "이라고", "예요", "라고", "이요", "이야", "야", "요"].iter().find_map(|end| word.strip_suffix(end));
        front.filter(|front| korean::is_name(front)).unwrap_or(word).to_owned()
    };
    let names: Vec<String> = answer.split([' ', ',']).map(bare).filter(|word| korean::is_name(word)).collect();
    match names.iter().max_by_key(|name| name.chars().count()) {
        Some(name) if answer.split(' ').count() > 1 => name.clone(),
        _ => answer.to_owned(),
    }
}

fn claim_of(subject: &FactSubject, value: &str, ends: bool) -> Claim {
    let canonical = value::canonical_value(subject, value).unwrap_or_else(|| value.to_lowercase());
    Claim {
        subject: subject.key.to_owned(),
        value: value.to_owned(),
        canonical,
        category: subject.category,
        single: subject.single && subject.category != FactCategory::Behaviour,
        ends,
    }
}

fn is_weekday(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.ends_with("요일") || ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].contains(&lower.as_str())
}
