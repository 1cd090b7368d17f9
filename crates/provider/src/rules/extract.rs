//! From an utterance to a reading: sentence by sentence, clause by clause.

use saegim_core::{CandidateType, Face, Role, Timestamp, Unit};

use super::correct::{Correction, correction};
use super::feeling::feeling;
use super::pattern::{self, Match};
use super::subject::subject;
use super::table::Pattern;
use super::text::{self, Sentence, Unquoted};
use super::trim::{coming, opened, trimmed, without_asides};
use super::who::{self, Speaker};
use super::{english, guard, kind, remember, stance, toward, value};
use crate::{About, Claim, Finding, LeftAlone, Reading, Utterance};

/// What an assistant says of itself is worth little by itself.
const SELF_STATEMENT: f32 = 0.35;
/// What a user says of the character is a wish or a guess.
const OF_CHARACTER: f32 = 0.4;

static OF_OTHERS: Pattern =
    Pattern::new(r"(?:무서워하|싫어하|좋아하|힘들어하|셔|시거든|시는데|으시|대|더라|대요|더라고요)(?:거든요?|지|는데|고|니까|더라)?$");

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
        correcting: false,
        remember: false,
        findings: Vec::new(),
        left_alone: Vec::new(),
    };
    let mut toward = Vec::new();
    let command = guard::command(&normal);
    if command
        .is_some_and(|kind| guard::taints(kind) || text::sentences(&normal).iter().all(|sentence| guard::command(&sentence.text).is_none()))
    {
        reader.left_alone.push((normal.clone(), LeftAlone::Instruction));
    } else {
        if speaker == Speaker::User && command.is_none() {
            toward = toward::toward(&normal, &reader.unquoted.text, utterance.character);
        }
        reader.run();
    }
    Reading { findings: reader.findings, left_alone: reader.left_alone, feeling: felt, face, toward }
}

/// One message while it is read.
pub(crate) struct Reader {
    pub(crate) unquoted: Unquoted,
    pub(crate) speaker: Speaker,
    pub(crate) before: Option<String>,
    /// Whom the sentence before was about, when what follows likely goes on about them.
    carried: Option<(About, bool)>,
    /// The person last spoken of in this message.
    pub(crate) person: Option<String>,
    at: Timestamp,
    /// Whether the sentence before only said that something was wrong.
    pub(crate) correcting: bool,
    remember: bool,
    pub(crate) findings: Vec<Finding>,
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
        let mut plain = Vec::new();
        for sentence in sentences {
            let before = (self.findings.len(), self.left_alone.len());
            self.sentence(&sentence);
            if before == (self.findings.len(), self.left_alone.len()) && !remember::asked(&sentence.text) {
                plain.push(sentence.text);
            }
        }
        // "내일 3시에 치과 가야 돼. 기억해 줘": what the request means is what was said with it.
        if self.remember && self.findings.is_empty() && self.speaker == Speaker::User && !plain.is_empty() {
            let (content, about) = (plain.join(" "), self.speaker.first());
            let kind = kind::of(&content).unwrap_or(CandidateType::Fact);
            self.push(Draft { content: &content, kind, about, claim: None, confidence: 0.8 });
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
        if let Some(why) = why.filter(|why| {
            !asked && (!matches!(why, LeftAlone::Hypothetical | LeftAlone::Joke) || kind::of(text) != Some(CandidateType::Boundary))
        }) {
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
        if corrected.as_ref().is_some_and(|correction| correction.text.is_empty()) {
            self.correcting = true;
            return;
        }
        let corrected = if std::mem::take(&mut self.correcting) {
            corrected.or_else(|| Some(Correction { text: text.to_owned(), old: None }))
        } else {
            corrected
        };
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
        let core = &without_asides(core);
        let lower = core.to_lowercase();
        let second =
            ["you ", "you're ", "your ", "youre ", "u "].iter().any(|start| lower.starts_with(start)) && !lower.contains("call me");
        if second {
            if self.speaker == Speaker::User {
                let said =
                    core.replacen("you're", "I'm", 1).replacen("you are", "I'm", 1).replacen("your", "my", 1).replacen("you", "I", 1);
                for found in pattern::matches(&said, &said) {
                    self.claim(clause, &found, Attribution { about: About::Character, confidence: OF_CHARACTER });
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
        let held = |finding: &&mut Finding| {
            finding
                .claim
                .as_ref()
                .is_some_and(|claim| matches!(claim.subject.as_str(), "pet" | "child" | "family" | "best_friend" | "partner"))
        };
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

    /// A sentence without claims: a promise, a boundary, a plan, an event, a feeling.
    fn told(&mut self, text: &str, about: Option<&About>) {
        let about = about.cloned().unwrap_or_else(|| self.speaker.first());
        let kind = kind::of(text);
        if self.speaker == Speaker::Character {
            if kind == Some(CandidateType::Promise) {
                self.push(Draft {
                    content: text,
                    kind: CandidateType::Promise,
                    about: About::Character,
                    claim: None,
                    confidence: SELF_STATEMENT,
                });
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
            let kind =
                kind::of(&clause).filter(|kind| matches!(kind, CandidateType::Promise | CandidateType::Boundary | CandidateType::Plan));
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
            self.findings[first..]
                .iter_mut()
                .filter(|finding| !finding.content.contains(": "))
                .for_each(|finding| finding.content.clone_from(&whole));
        }
    }
}

/// Whose a claim is, and how sure that is.
pub(crate) struct Attribution {
    pub(crate) about: About,
    pub(crate) confidence: f32,
}

/// A finding before it is tidied and dated.
pub(crate) struct Draft<'a> {
    pub(crate) content: &'a str,
    pub(crate) kind: CandidateType,
    pub(crate) about: About,
    pub(crate) claim: Option<Claim>,
    pub(crate) confidence: f32,
}

/// Whether any of it is Korean.
pub(crate) fn has_hangul(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}
