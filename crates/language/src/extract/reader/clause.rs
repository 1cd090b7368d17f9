//! Claims of one clause: whose they are, and which are no claims.

use saegim_core::{FactCategory, Unit};

use super::{Reader, SELF_STATEMENT};
use crate::compare::value;
use crate::emotion::feeling::feeling;
use crate::emotion::sarcasm;
use crate::extract::claim_pattern::{self, Match};
use crate::extract::draft::{Attribution, Draft};
use crate::extract::fact_subject::fact_subject;
use crate::extract::{answer, kind};
use crate::parse::who::{self, Speaker};
use crate::parse::{english, korean};
use crate::patterns::table::{Pattern, WORDS};
use crate::tokenize::reorder::{changed, inverted};
use crate::tokenize::trim::{coming, opened, trimmed, without_asides};
use crate::{About, Claim, Finding, ReadBy};

static POINTS: Pattern = Pattern::new(
    r"\b(?:like|likes|love|hate|enjoy|dislike|adore|can't stand) (?:\S+ ){1,3}(?:like (?:this|that|these|those)|(?:to|with|at) (?:you|u))\b|(?:너|당신)(?:랑|와|이랑|하고|한테) \S+(?:기|는 ?거|는 ?게)(?:가|이|를|을)? ?(?:\S+ )?(?:좋|싫)",
);
static NAMES_SOMEONE: Pattern = Pattern::new(r"(?:^| )이름(?:은|이|도)? |(?:^| )name(?:'s| is) ");
/// Youngest age a writer of messages may claim.
const SMALL: u32 = 10;
/// What a user says of the character is a wish or a guess.
const OF_CHARACTER: f32 = 0.4;

impl Reader {
    /// Everything the tables find in one clause.
    pub(super) fn clause(&mut self, clause: &str, default: Option<&About>) {
        let (skipped, core) = opened(clause);
        let core = &without_asides(core);
        let lower = core.to_lowercase();
        let second =
            ["you ", "you're ", "your ", "youre ", "u "].iter().any(|start| lower.starts_with(start)) && !lower.contains("call me");
        if second {
            if self.speaker == Speaker::User {
                let said =
                    core.replacen("you're", "I'm", 1).replacen("you are", "I'm", 1).replacen("your", "my", 1).replacen("you", "I", 1);
                for found in claim_pattern::matches(&said, &said) {
                    self.claim(clause, &found, Attribution { about: About::Character, confidence: OF_CHARACTER });
                }
            }
            return;
        }
        let latin = !korean::has_hangul(core);
        let full = english::completed(core).filter(|_| latin && !matches!(default, Some(About::Other(_)))).unwrap_or_else(|| core.clone());
        let pronoun =
            ["it", "that", "this", "he", "she", "what", "who", "here"].iter().any(|word| lower.starts_with(&format!("{word}'s ")));
        let core = &match (latin, pronoun) {
            (false, _) => changed(&inverted(&full)),
            (true, false) => full.replace("'s my ", " is my "),
            (true, true) => full,
        };
        let retold = english::retell(core).filter(|_| latin);
        let theirs =
            retold.map(|retold| (claim_pattern::matches(&retold.text, &retold.text), retold.who)).filter(|(found, _)| !found.is_empty());
        for found in claim_pattern::matches(core, clause) {
            // "I hate days like this", "I like talking to you": what it points at is no taste; "I'm over the moon" has none.
            let taste = matches!(found.row.subject.key, "likes" | "dislikes");
            let idiom = |word: &String| word.contains(' ') && word.contains(&found.value.to_lowercase());
            if taste && (POINTS.fits(core) || feeling(core).keywords.iter().any(idiom)) {
                continue;
            }
            // "남자친구 나이는 서른이야" tells his age, and does not call him so.
            if found.row.subject.form == "person" && WORDS.has("attribute", &found.value) {
                continue;
            }
            // "My sister is a lawyer" tells that there is a sister, and nothing else, of the speaker.
            if theirs.is_some() && !matches!(found.row.subject.form, "person" | "pet" | "love") && found.row.subject.key != "due_date" {
                continue;
            }
            let strict = found.row.subject.ground != Some("taste");
            let words = format!("{skipped} {}", found.lead);
            let strict = strict && !found.row.has("any");
            let own = who::before(&words, self.speaker, strict).or_else(|| who::owned(core, &found.lead));
            // "삼색이고 이름은 인절미야" names the person the message is about, not its writer.
            let possessive = own.is_some() || [" 내 ", " 제 ", "my "].iter().any(|mine| format!(" {clause}").contains(mine));
            let own_name = possessive || !NAMES_SOMEONE.fits(clause);
            let asked_name =
                self.before.as_deref().is_none_or(|before| answer::asked_for(before, clause).is_some_and(|asked| asked.key == "name"));
            if found.row.subject.key == "name" && !own_name && (!asked_name || self.clauses > 1 && !self.has_claims()) {
                if !self.names_another(&found, false) {
                    if let Some((subject, value)) = answer::last_relation(&self.heard, &found.value) {
                        self.add_claim(subject, &value, clause);
                    }
                    self.named = Some(About::Other(found.value.clone()));
                }
                continue;
            }
            if self.names_another(&found, own.is_some() || clause.to_lowercase().contains("my name")) {
                continue;
            }
            let asked = || self.before.as_deref().and_then(|before| answer::asked_for(before, clause));
            if found.row.has("others") || found.row.has("asked") && asked().is_none_or(|asked| asked.key != found.row.subject.key) {
                continue;
            }
            let loose = self.loose.clone().filter(|_| strict && found.row.subject.category == FactCategory::Identity);
            let pointed = own.or_else(|| default.cloned()).or_else(|| self.named.clone()).or(loose);
            // A small child does not write, so an age like that is somebody else's unless it is claimed.
            let small = found.row.subject.key == "age" && found.canonical.parse::<u32>().is_ok_and(|age| age < SMALL);
            if small && pointed.as_ref() != Some(&self.speaker.first()) {
                continue;
            }
            if found.row.has("first") && !matches!(&pointed, Some(about) if *about == self.speaker.first()) {
                continue;
            }
            let about = if found.row.has("both") { About::Both } else { pointed.unwrap_or_else(|| self.speaker.first()) };
            let mut confidence = found.row.confidence;
            match (&about, self.speaker) {
                (About::User | About::Other(_), Speaker::Character) => continue,
                (About::Character, Speaker::Character) => confidence *= SELF_STATEMENT,
                (About::Character, Speaker::User) => confidence *= OF_CHARACTER,
                _ => {}
            }
            self.claim(clause, &found, Attribution { about, confidence });
        }
        if let Some((found, who)) = theirs.filter(|_| self.speaker == Speaker::User) {
            for found in found {
                self.claim(clause, &found, Attribution { about: About::Other(who.clone()), confidence: found.row.confidence });
            }
        }
    }

    pub(crate) fn claim(&mut self, clause: &str, found: &Match, whose: Attribution) {
        let Attribution { about, confidence } = whose;
        let row = found.row;
        let (mut canonical, mut value) = (found.canonical.clone(), found.value.clone());
        if let Some((which, day)) = found.canonical.split_once(' ').filter(|_| row.has("day")) {
            self.dated = true;
            canonical = coming(self.at, day, which == "next");
            // "다음달 12일" would mean another day a month later.
            if let Some((month, day)) = canonical.split_once('-').filter(|_| value.contains('달')) {
                value = format!("{}월 {}일", month.trim_start_matches('0'), day.trim_start_matches('0'));
            }
        }
        let claim = Claim {
            subject: row.subject.key.to_owned(),
            value,
            canonical,
            category: row.subject.category,
            single: row.subject.single,
            ends: row.ends,
        };
        self.push(Draft {
            content: clause,
            kind: kind::of_claim(row.subject.category, row.subject.key),
            about,
            claim: Some(claim),
            confidence,
        });
    }

    /// "이름은 보리야" after "강아지 키워" names the dog. True when it did.
    fn names_another(&mut self, found: &Match, told_self: bool) -> bool {
        if found.row.subject.key != "name" || told_self {
            return false;
        }
        // Who has a name already is not who is named now.
        let nameless = |claim: &Claim| match claim.subject.as_str() {
            "pet" | "child" | "family" => true,
            "best_friend" | "partner" => !korean::is_name(&claim.value),
            _ => false,
        };
        let held = |finding: &&mut Finding| finding.claim.as_ref().is_some_and(nameless);
        let Some(claim) = self.findings.iter_mut().rev().find(held).and_then(|finding| finding.claim.as_mut()) else {
            return matches!(self.carried_person(), Some(About::Other(_)));
        };
        claim.value = format!("{} {}", claim.value, found.value);
        claim.canonical =
            fact_subject(&claim.subject).and_then(|subject| value::canonical_value(subject, &claim.value)).unwrap_or_default();
        true
    }

    fn carried_person(&self) -> Option<&About> {
        self.carried.as_ref().map(|(about, _)| about)
    }

    pub(crate) fn push(&mut self, draft: Draft<'_>) {
        let same = |finding: &Finding| {
            finding.about == draft.about
                && matches!((&finding.claim, &draft.claim), (Some(one), Some(other)) if one.subject == other.subject && one.canonical == other.canonical && one.ends == other.ends)
        };
        if self.findings.iter().any(same) {
            return;
        }
        let content = trimmed(&self.unquoted.restore(draft.content));
        self.findings.push(Finding {
            feeling: sarcasm::felt(&content, self.laughed_off),
            content,
            candidate_type: draft.kind,
            about: draft.about,
            claim: draft.claim,
            confidence: Unit::clamped(draft.confidence),
            future_impact: Unit::clamped(kind::future_impact(draft.kind)),
            remember_this: false,
            corrects: false,
            appraisal: None,
            read_by: ReadBy::Rules,
        });
    }

    pub(super) fn has_claims(&self) -> bool {
        self.findings.iter().any(|finding| finding.claim.is_some())
    }
}
