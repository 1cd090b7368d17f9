//! From an utterance to a reading: sentence by sentence, clause by clause.

use std::sync::LazyLock;

use saegim_core::{CandidateType, Face, FactCategory, Role, Timestamp, Unit};

use super::answer;
use super::correct::{Correction, correction};
use super::feeling::feeling;
use super::pattern::{self, Match};
use super::subject::{Subject, subject};
use super::table::{Pattern, WORDS, rows};
use super::text::{self, Sentence, Unquoted};
use super::who::{self, Speaker};
use super::{english, guard, kind, korean, remember, stance, value};
use crate::{About, Claim, Finding, LeftAlone, Reading, Utterance};

/// What an assistant says of itself is worth little by itself.
const SELF_STATEMENT: f32 = 0.35;
/// What a user says of the character is a wish or a guess.
const OF_CHARACTER: f32 = 0.4;

static ASIDES: LazyLock<Vec<(bool, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../rules/asides.tsv"))
        .filter_map(|row| match row[..] {
            [place, pattern, ..] => Some((place == "front", Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

static OF_OTHERS: Pattern = Pattern::new(r"(?:무서워하|싫어하|좋아하|힘들어하|셔|시거든|시는데|으시|대|더라|대요|더라고요)(?:거든요?|지|는데|고|니까|더라)?$");

/// Reads one utterance.
pub(crate) fn read(utterance: &Utterance<'_>) -> Reading {
    let normal = text::normalise(utterance.text);
    let felt = feeling(&normal);
    let face = Face::of(felt.emotions);
    let speaker = match utterance.role {
        Role::User => Speaker::User,
        Role::Assistant | Role::Persona => Speaker::Character,
        Role::System | Role::Event => return Reading { feeling: felt, face, ..Reading::default() },
    };
    let mut reader = Reader {
        unquoted: Unquoted::new(&normal),
        speaker,
        before: utterance.before.map(text::normalise),
        carried: None,
        person: None,
        at: utterance.at,
        remember: false,
        findings: Vec::new(),
        left_alone: Vec::new(),
    };
    if guard::command(&normal).is_some_and(|kind| guard::taints(kind) || text::sentences(&normal).iter().all(|sentence| guard::command(&sentence.text).is_none())) {
        reader.left_alone.push((normal.clone(), LeftAlone::Instruction));
    } else {
        reader.run();
    }
    Reading { findings: reader.findings, left_alone: reader.left_alone, feeling: felt, face }
}

struct Reader {
    unquoted: Unquoted,
    speaker: Speaker,
    before: Option<String>,
    /// Whom the sentence before was about, when what follows likely goes on about them.
    carried: Option<(About, bool)>,
    /// The person last spoken of in this message.
    person: Option<String>,
    at: Timestamp,
    remember: bool,
    findings: Vec<Finding>,
    left_alone: Vec<(String, LeftAlone)>,
}

impl Reader {
    fn run(&mut self) {
        for quote in &self.unquoted.quotes {
            self.left_alone.push((quote.clone(), LeftAlone::Quote));
        }
        let sentences = text::sentences(&self.unquoted.text);
        if sentences.is_empty() {
            self.left_alone.push((self.unquoted.text.clone(), LeftAlone::SmallTalk));
        }
        for sentence in sentences {
            self.sentence(&sentence);
        }
        if self.remember {
            self.findings.iter_mut().for_each(|finding| finding.remember_this = true);
        }
    }

    fn leave(&mut self, text: &str, why: LeftAlone) {
        self.left_alone.push((self.unquoted.restore(text), why));
    }

    fn sentence(&mut self, sentence: &Sentence) {
        let text = sentence.text.as_str();
        if guard::command(text).is_some() {
            return self.leave(text, LeftAlone::Instruction);
        }
        if stance::is_only_joke(text) {
            for finding in std::mem::take(&mut self.findings) {
                self.left_alone.push((finding.content, LeftAlone::Joke));
            }
            return self.leave(text, LeftAlone::Joke);
        }
        let why = stance::of_sentence(sentence);
        if self.speaker == Speaker::User {
            self.confirm(text);
        }
        let asked = remember::asked(text) && !sentence.asks;
        if let Some(why) = why.filter(|why| !asked && (*why != LeftAlone::Hypothetical || kind::of(text) != Some(CandidateType::Boundary))) {
            return self.leave(text, why);
        }
        let request = remember::strip(text, sentence.asks);
        let remembered = request.is_some();
        let stripped = request.unwrap_or_else(|| text.to_owned());
        if remembered && stripped.is_empty() {
            self.remember = true;
            return;
        }
        let first = self.findings.len();
        self.statement(&stripped, sentence.asks);
        if remembered {
            if self.findings.len() == first {
                let kind = kind::of(&stripped).unwrap_or(CandidateType::Fact);
                self.push(Draft { content: &stripped, kind, about: self.speaker.first(), claim: None, confidence: 0.8 });
            }
            self.findings[first..].iter_mut().for_each(|finding| finding.remember_this = true);
        }
    }

    fn statement(&mut self, text: &str, asks: bool) {
        let first = self.findings.len();
        let asks = asks && !stance::tells(text);
        let corrected = correction(text, self.has_claims());
        let said = corrected.as_ref().map_or(text, |correction| correction.text.as_str());
        let said = without_asides(said);
        let clauses = text::clauses(&said);
        // Whoever was the topic stays it; whoever only acted stays it for what one says of others ("무서워하거든").
        let carried = self.carried.take().filter(|(_, topic)| *topic || OF_OTHERS.fits(text)).map(|(about, _)| about);
        let (mut about, mut sticky, mut quiet) = (carried, None, true);
        for (at, clause) in clauses.iter().enumerate() {
            let default = about.clone();
            if let Some((opened, topic)) = who::opening(clause, self.speaker) {
                sticky = matches!(opened, About::Other(_)).then(|| (opened.clone(), topic));
                if let About::Other(name) = &opened {
                    self.person = Some(name.clone());
                }
                about = Some(opened);
            }
            let last = at + 1 == clauses.len();
            match stance::of_clause(clause, last, asks) {
                Some(LeftAlone::Question) if kind::is_relationship(clause) && asks => {}
                Some(why) => {
                    self.leave(clause, why);
                    quiet = false;
                    if why == LeftAlone::Question {
                        self.before = Some(format!("{clause}?"));
                    }
                    continue;
                }
                None => self.clause(clause, default.as_ref()),
            }
        }
        self.carried = sticky;
        if let Some(correction) = &corrected {
            self.settle(correction, first);
        }
        if self.findings.len() == first && quiet {
            self.answer(&said);
        }
        if self.findings.len() == first && (quiet || kind::is_relationship(text)) {
            self.told(text, about.as_ref());
        } else if self.findings.len() > first {
            self.also_told(&clauses, text, first);
        }
        self.join_content(text, first);
    }

    /// Everything the tables find in one clause.
    fn clause(&mut self, clause: &str, default: Option<&About>) {
        let (skipped, core) = opened(clause);
        let lower = core.to_lowercase();
        let second = ["you ", "you're ", "your ", "youre ", "u "].iter().any(|start| lower.starts_with(start)) && !lower.contains("call me");
        if second {
            if self.speaker == Speaker::User {
                let said = core.replacen("you're", "I'm", 1).replacen("you are", "I'm", 1).replacen("your", "my", 1).replacen("you", "I", 1);
                for found in pattern::matches(&said, &said) {
                    self.claim(clause, &found, About::Character, OF_CHARACTER);
                }
            }
            return;
        }
        let retold = english::retell(core).filter(|_| !has_hangul(core));
        let theirs = retold.map(|retold| (pattern::matches(&retold.text, &retold.text), retold.who)).filter(|(found, _)| !found.is_empty());
        for found in pattern::matches(core, clause) {
            // "My sister is a lawyer" tells that there is a sister, and nothing else, of the speaker.
            if theirs.is_some() && !matches!(found.row.subject.form, "person" | "pet" | "love") && found.row.subject.key != "due_date" {
                continue;
            }
            let strict = found.row.subject.ground != Some("taste");
            let words = format!("{skipped} {}", found.lead);
            let strict = strict && !found.row.has("any");
            let own = who::before(&words, self.speaker, strict);
            if self.names_another(&found, own.is_some() || clause.to_lowercase().contains("my name")) {
                continue;
            }
            let pointed = own.or_else(|| default.cloned());
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
            self.claim(clause, &found, about, confidence);
        }
        if let Some((found, who)) = theirs.filter(|_| self.speaker == Speaker::User) {
            for found in found {
                self.claim(clause, &found, About::Other(who.clone()), found.row.confidence);
            }
        }
    }

    fn claim(&mut self, clause: &str, found: &Match, about: About, confidence: f32) {
        let row = found.row;
        let canonical = match found.canonical.strip_prefix("day ") {
            Some(day) if row.has("day") => coming(self.at, day),
            _ => found.canonical.clone(),
        };
        let claim = Claim {
            subject: row.subject.key.to_owned(),
            value: found.value.clone(),
            canonical,
            category: row.subject.category,
            single: row.subject.single,
            ends: row.ends,
        };
        self.push(Draft { content: clause, kind: kind::of_claim(row.subject.category, row.subject.key), about, claim: Some(claim), confidence });
    }

    /// "이름은 보리야" after "강아지 키워" names the dog. True when it did.
    fn names_another(&mut self, found: &Match, told_self: bool) -> bool {
        if found.row.subject.key != "name" || told_self {
            return false;
        }
        let held = |finding: &&mut Finding| finding.claim.as_ref().is_some_and(|claim| matches!(claim.subject.as_str(), "pet" | "child" | "family" | "best_friend" | "partner"));
        let Some(claim) = self.findings.iter_mut().rev().find(held).and_then(|finding| finding.claim.as_mut()) else {
            return matches!(self.carried_person(), Some(About::Other(_)));
        };
        claim.value = format!("{} {}", claim.value, found.value);
        claim.canonical = subject(&claim.subject).and_then(|subject| value::canonical(subject, &claim.value)).unwrap_or_default();
        true
    }

    fn carried_person(&self) -> Option<&About> {
        self.carried.as_ref().map(|(about, _)| about)
    }

    fn push(&mut self, draft: Draft<'_>) {
        let same = |finding: &Finding| {
            finding.about == draft.about
                && matches!((&finding.claim, &draft.claim), (Some(one), Some(other)) if one.subject == other.subject && one.canonical == other.canonical && one.ends == other.ends)
        };
        if self.findings.iter().any(same) {
            return;
        }
        let content = trimmed(&self.unquoted.restore(draft.content));
        self.findings.push(Finding {
            feeling: feeling(&content),
            content,
            candidate_type: draft.kind,
            about: draft.about,
            claim: draft.claim,
            confidence: Unit::clamped(draft.confidence),
            future_impact: Unit::clamped(kind::future_impact(draft.kind)),
            remember_this: false,
            corrects: false,
        });
    }

    fn has_claims(&self) -> bool {
        self.findings.iter().any(|finding| finding.claim.is_some())
    }

    /// Marks what a correction brought, takes back what it replaces, and gives a bare value the subject just spoken of.
    fn settle(&mut self, correction: &Correction, first: usize) {
        let mine = |finding: &Finding| finding.about == About::User || finding.about == About::Character;
        if !self.findings[first..].iter().any(|finding| finding.claim.is_some() && mine(finding)) {
            self.bare_value(correction, first);
        }
        let corrected: Vec<String> = self.findings[first..].iter().filter_map(|finding| finding.claim.as_ref()).filter(|claim| claim.single).map(|claim| claim.subject.clone()).collect();
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
        let asked = self.before.as_deref().and_then(answer::asked_for).map(|subject| subject.key.to_owned());
        let weekday = is_weekday(&caught).then(|| "appointment".to_owned());
        let named = (correction.old.is_some() && self.before.as_deref().is_some_and(|before| before.contains("이름") || before.contains("라고"))).then(|| "name".to_owned());
        let numbered = super::number::number(&caught).filter(|_| caught.contains('살')).map(|_| "age".to_owned());
        for key in [latest, weekday, asked, numbered, named].into_iter().flatten() {
            let Some(subject) = subject(&key) else { continue };
            let caught = if subject.form == "name" { korean::bare_name(&caught) } else { caught.as_str() };
            let Some(canonical) = value::canonical(subject, caught) else { continue };
            if let Some(old) = correction.old.as_deref().filter(|_| !subject.single) {
                self.push(Draft { content: &correction.text, kind: kind::of_claim(subject.category, subject.key), about: self.speaker.first(), claim: Some(claim_of(subject, old, true)), confidence: 0.8 });
            }
            let claim = Claim { canonical, ..claim_of(subject, caught, false) };
            self.push(Draft { content: &correction.text, kind: kind::of_claim(subject.category, subject.key), about: self.speaker.first(), claim: Some(claim), confidence: 0.8 });
            return;
        }
    }

    /// An answer that only makes sense with what was said before it.
    fn answer(&mut self, text: &str) {
        if self.speaker == Speaker::Character {
            return;
        }
        let before = self.before.clone().unwrap_or_default();
        let related = answer::relation(&before, text).or_else(|| answer::related(text, Some(self.person.as_deref()?)));
        if let Some((subject, value)) = related {
            return self.told_of(subject, &value, text, 0.75);
        }
        if answer::echoes_trade(&before, text) {
            return subject("job").map_or((), |job| self.told_of(job, text, text, 0.8));
        }
        if let Some(preferred) = text.strip_prefix("특히 ").or_else(|| text.strip_prefix("especially ")).filter(|rest| rest.split(' ').count() <= 3) {
            let taste = self.findings.last().and_then(|finding| finding.claim.as_ref()).filter(|claim| claim.category == FactCategory::Preference && !claim.ends).map(|claim| claim.subject.clone());
            if let Some(subject) = taste.and_then(|key| subject(&key)) {
                return self.told_of(subject, korean::particle(preferred).0, text, 0.75);
            }
        }
        let Some(subject) = answer::asked_for(&before) else { return };
        let Some(caught) = answer::bare_value(text) else { return };
        let (head, _) = korean::particle(&caught);
        let tidy = english::tidy(if subject.form == "name" { korean::bare_name(head) } else { head });
        let idle = tidy.is_empty() || ["first", "second", "filler", "adverb", "negative", "time"].iter().any(|list| WORDS.has(list, &tidy));
        let telling = kind::of(text).is_some_and(|kind| kind != CandidateType::Plan) || text.split(' ').count() > 4;
        let trade = subject.key != "job" || super::table::is_class("job", &tidy);
        if idle || telling || !trade || value::canonical(subject, &tidy).is_none() {
            return;
        }
        self.before = None;
        self.told_of(subject, &tidy, text, 0.8);
    }

    /// A claim read from an answer; its content names the subject, or nobody could read it weeks later.
    fn told_of(&mut self, subject: &'static Subject, value: &str, text: &str, confidence: f32) {
        let named = if has_hangul(text) || self.before.as_deref().is_some_and(has_hangul) { subject.korean.first() } else { subject.english.first() };
        let content = format!("{}: {text}", named.unwrap_or(&subject.key));
        self.push(Draft { content: &content, kind: kind::of_claim(subject.category, subject.key), about: About::User, claim: Some(claim_of(subject, value, false)), confidence });
    }

    /// A yes makes the question before it the speaker's own statement.
    fn confirm(&mut self, text: &str) {
        let Some(said) = self.before.as_deref().and_then(|before| answer::confirmed(before, text)) else { return };
        for found in pattern::matches(&said, &said) {
            if !found.row.ends && matches!(who::before(&found.lead, self.speaker.other(), true), None | Some(About::User)) {
                self.claim(&said, &found, About::User, found.row.confidence * 0.75);
            }
        }
    }

    /// A sentence without claims: a promise, a boundary, a plan, an event, a feeling.
    fn told(&mut self, text: &str, about: Option<&About>) {
        let about = about.cloned().unwrap_or_else(|| self.speaker.first());
        let kind = kind::of(text);
        if self.speaker == Speaker::Character {
            if kind == Some(CandidateType::Promise) {
                self.push(Draft { content: text, kind: CandidateType::Promise, about: About::Character, claim: None, confidence: SELF_STATEMENT });
            }
            return;
        }
        match kind {
            Some(kind @ (CandidateType::Promise | CandidateType::Relationship)) => {
                let about = if kind == CandidateType::Relationship { About::Both } else { About::User };
                self.push(Draft { content: text, kind, about, claim: None, confidence: 0.85 });
            }
            Some(kind) => {
                let confidence = if kind == CandidateType::Event { 0.7 } else { 0.8 };
                self.push(Draft { content: text, kind, about, claim: None, confidence });
            }
            None if feeling(text).intensity.get() >= 0.4 => {
                self.push(Draft { content: text, kind: CandidateType::Feeling, about, claim: None, confidence: 0.7 });
            }
            None => {}
        }
    }

    /// Beside claims, a promise, a boundary or a plan in the same sentence is kept too.
    fn also_told(&mut self, clauses: &[String], text: &str, first: usize) {
        if self.speaker == Speaker::Character {
            return;
        }
        let whole = if clauses.len() == 1 { vec![text.to_owned()] } else { clauses.to_vec() };
        for clause in whole {
            let kind = kind::of(&clause).filter(|kind| matches!(kind, CandidateType::Promise | CandidateType::Boundary | CandidateType::Plan));
            let known = self.findings[first..].iter().any(|finding| Some(finding.candidate_type) == kind);
            if let Some(kind) = kind.filter(|_| !known) {
                self.push(Draft { content: &clause, kind, about: About::User, claim: None, confidence: 0.7 });
            }
        }
    }

    /// A sentence that gave one thing is kept whole: it reads better weeks later than a clause of it.
    fn join_content(&mut self, text: &str, first: usize) {
        let one = self.findings[first..].iter().filter(|finding| finding.claim.as_ref().is_none_or(|claim| !claim.ends)).count() <= 1;
        if one && text.chars().count() <= 120 {
            let whole = trimmed(&self.unquoted.restore(text));
            self.findings[first..].iter_mut().filter(|finding| !finding.content.contains(": ")).for_each(|finding| finding.content.clone_from(&whole));
        }
    }
}

struct Draft<'a> {
    content: &'a str,
    kind: CandidateType,
    about: About,
    claim: Option<Claim>,
    confidence: f32,
}

fn claim_of(subject: &Subject, value: &str, ends: bool) -> Claim {
    let canonical = value::canonical(subject, value).unwrap_or_else(|| value.to_lowercase());
    Claim { subject: subject.key.to_owned(), value: value.to_owned(), canonical, category: subject.category, single: subject.single && subject.category != FactCategory::Behaviour, ends }
}

fn is_weekday(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.ends_with("요일") || ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].contains(&lower.as_str())
}

fn has_hangul(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

/// Month and day of the next such day of a month, from the date of the message.
fn coming(at: Timestamp, day: &str) -> String {
    let shown = at.to_string();
    let (month, today) = (shown.get(5..7).unwrap_or("01"), shown.get(8..10).unwrap_or("01"));
    let number = |text: &str| text.parse::<u32>().unwrap_or(1);
    let month = if number(day) < number(today) { number(month) % 12 + 1 } else { number(month) };
    format!("{month:02}-{:02}", number(day))
}

/// Openings like "did I tell you that" and closings like "거 알지" carry nothing themselves.
fn without_asides(text: &str) -> String {
    let mut said = text.to_owned();
    for _ in 0..2 {
        for (front, pattern) in ASIDES.iter() {
            let Some(found) = pattern.get().and_then(|regex| regex.find(&said)) else { continue };
            let cut = if *front && found.start() == 0 && said[found.end()..].starts_with(' ') {
                Some(said[found.end()..].trim().to_owned())
            } else if !*front && found.end() == said.len() && found.start() > 0 {
                Some(said[..found.start()].trim().to_owned())
            } else {
                None
            };
            if let Some(rest) = cut.filter(|rest| !rest.is_empty()) {
                said = rest;
            }
        }
    }
    said
}

/// The clause without the words it opens with that say nothing of their own, and those words.
fn opened(clause: &str) -> (&str, &str) {
    const KEPT: [&str; 16] =
        ["매일", "보통", "평소", "평소에", "나중에", "언젠가", "주말마다", "맨날", "항상", "아침마다", "아침", "새벽", "집에서", "하루에", "다음", "일주일에"];
    let mut core = clause;
    loop {
        let (word, rest) = core.split_once(' ').unwrap_or((core, ""));
        let bare = word.trim_end_matches(',');
        let next = rest.split(' ').next().unwrap_or_default();
        let owns = matches!(bare, "내" | "제" | "우리" | "울" | "나의" | "저의");
        let someone = matches!(korean::pointer(next), korean::Pointer::Person(_)) || super::table::is_class("animal", korean::particle(next).0) || next.starts_with('집');
        let idle = ["first", "filler", "time"].iter().any(|list| WORDS.has(list, bare)) && !KEPT.contains(&bare) && !(owns && someone);
        if rest.is_empty() || !idle {
            break;
        }
        core = rest;
    }
    for glued in ["나는", "저는", "내가", "제가"] {
        if let Some(rest) = core.strip_prefix(glued).filter(|rest| rest.starts_with(|letter: char| ('가'..='힣').contains(&letter))) {
            core = rest;
        }
    }
    let at = clause.len() - core.len();
    (clause[..at].trim(), core)
}

/// What is kept of a statement: without the fillers it opens with and the marks around it.
fn trimmed(text: &str) -> String {
    let mut rest = text.trim();
    while let Some((word, after)) = rest.split_once(' ') {
        let bare = word.trim_end_matches([',', '.']);
        if !(WORDS.has("filler", bare) || matches!(bare.to_lowercase().as_str(), "oh" | "um" | "uh" | "well" | "btw" | "hey" | "hmm" | "lol")) || after.trim().is_empty() {
            break;
        }
        rest = after.trim_start();
    }
    rest.trim_matches(|letter: char| matches!(letter, ' ' | ',' | '~' | '*')).to_owned()
}
