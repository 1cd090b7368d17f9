//! Statements besides or without claims: promises, boundaries, plans, events, feelings.

use saegim_core::{CandidateType, Unit};

use crate::About;
use crate::emotion::bare::is_bare;
use crate::emotion::feeling::feeling;
use crate::emotion::sarcasm::{felt, turns_a_life};
use crate::extract::draft::Draft;
use crate::extract::kind;
use crate::extract::reader::{Reader, SELF_STATEMENT};
use crate::parse::who::Speaker;
use crate::patterns::table::Pattern;
use crate::tokenize::trim::trimmed;

/// A feeling is told from this intensity on; below it is only shown.
const FELT: f32 = 0.24;

/// Where one is only a guest.
static CEREMONY: Pattern = Pattern::new(r"(?:결혼|장례|졸업|입학)식|\b(?:wedding|funeral|graduation)\b");

impl Reader {
    /// Reads a sentence without claims: a promise, a boundary, a plan, an event, a feeling.
    pub(crate) fn told(&mut self, text: &str, about: Option<&About>) {
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
        // What turns a life is more than something that happened once: it is so from then on.
        let happens = matches!(kind, None | Some(CandidateType::Event | CandidateType::Plan)) && !CEREMONY.fits(text);
        let turns_a_life = happens && turns_a_life(text, self.laughed_off);
        match if turns_a_life { Some(CandidateType::Fact) } else { kind } {
            Some(kind @ (CandidateType::Promise | CandidateType::Relationship)) => {
                let about = if kind == CandidateType::Relationship { About::Both } else { About::User };
                self.push(Draft { content: text, kind, about, claim: None, confidence: 0.85 });
            }
            // "좋았어" is no event, whatever its tense.
            Some(CandidateType::Event) if text.split_whitespace().count() < 4 && is_bare(text, &feeling(text).keywords) => {
                self.push(Draft { content: text, kind: CandidateType::Feeling, about, claim: None, confidence: 0.7 });
            }
            Some(kind) => {
                let confidence = if kind == CandidateType::Event { 0.7 } else { 0.8 };
                self.push(Draft { content: text, kind, about, claim: None, confidence });
            }
            None if felt(text, self.laughed_off).intensity.get() >= FELT => {
                self.push(Draft { content: text, kind: CandidateType::Feeling, about, claim: None, confidence: 0.7 });
            }
            None => {}
        }
    }

    /// Reads promises, boundaries and plans in a sentence that also has claims.
    pub(crate) fn also_told(&mut self, clauses: &[String], text: &str, first: usize) {
        if self.speaker == Speaker::Character {
            return;
        }
        // A taste told as what one does every week is more than a taste.
        if kind::of(text) == Some(CandidateType::Fact) {
            for finding in self.findings[first..].iter_mut().filter(|finding| finding.candidate_type == CandidateType::Preference) {
                finding.candidate_type = CandidateType::Fact;
                finding.future_impact = Unit::clamped(kind::future_impact(CandidateType::Fact));
            }
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

    /// Stores the whole sentence if it has a single finding, because it is easier to understand later than a clause.
    pub(crate) fn join_content(&mut self, text: &str, first: usize) {
        let one = self.findings[first..].iter().filter(|finding| finding.claim.as_ref().is_none_or(|claim| !claim.ends)).count() <= 1;
        if one && text.chars().count() <= 120 {
            let (whole, laughed_off) = (trimmed(&self.unquoted.restore(text)), self.laughed_off);
            self.findings[first..].iter_mut().filter(|finding| !finding.content.contains(": ")).for_each(|finding| {
                finding.content.clone_from(&whole);
                // How it felt may stand in the other half of the sentence.
                let felt = felt(&whole, laughed_off);
                if felt.intensity.get() > finding.feeling.intensity.get() {
                    finding.feeling = felt;
                }
            });
        }
    }
}
