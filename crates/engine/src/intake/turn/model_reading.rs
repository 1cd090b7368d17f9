//! Readings of messages by models and rules.

use saegim_core::{AssertionId, Fact, FactCategory, Facts, Role, Thought, Turn, Values, restated};
use saegim_language::ValueComparison;
use saegim_language::{About, Claim, Finding, ReadBy, Reading, RuleThinker, Utterance};
use saegim_provider::Thinker;

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::fact_conflicts::Doubt;
use crate::intake::turn::stated_facts::{StatedClaim, assertion};

/// Share of the words of a statement that a finding of the model must contain to confirm it.
const SAME: f32 = 0.8;

/// The model's reading of a turn and, for comparison, the rule-based reading.
#[derive(Clone)]
pub(crate) struct ModelReading {
    pub(crate) reading: Reading,
    rules: Reading,
}

/// A reading without the claims that only a model found and that would undo known facts, and these claims as doubts.
pub(crate) struct CheckedReading {
    pub(crate) reading: Reading,
    pub(crate) doubts: Vec<Doubt>,
}

impl ModelReading {
    /// Removes the claims that would end or replace a known fact about the user if only the model found them; the owner must decide
    /// on those.
    pub(crate) fn checked(&self, facts: &Facts, turn: &Turn) -> CheckedReading {
        let (mut reading, mut doubts) = (self.reading.clone(), Vec::new());
        for finding in reading.findings.iter_mut().filter(|finding| finding.about == About::User) {
            let Some(claim) = finding.claim.as_ref().filter(|claim| !self.rules_found(claim)) else { continue };
            let undone: Vec<&Fact> =
                facts.current().filter(|fact| fact.category != FactCategory::Preference && undoes(claim, fact)).collect();
            if !undone.is_empty() {
                let instead = (!claim.ends).then(|| assertion(AssertionId::from_bytes([0; 16]), turn, StatedClaim { finding, claim }));
                doubts.extend(undone.iter().map(|fact| Doubt::by(fact.id, turn.id).for_the_sake_of(instead.clone())));
                finding.claim = None;
            }
        }
        self.confirm_statements(&mut reading);
        CheckedReading { reading, doubts }
    }

    /// Makes a statement that the reader is not sure of sure if the model found the same on its own.
    fn confirm_statements(&self, reading: &mut Reading) {
        let found: Vec<&Finding> = self.reading.findings.iter().filter(|finding| finding.read_by == ReadBy::Model).collect();
        for clause in reading.statements.iter_mut().filter(|clause| !clause.sure) {
            clause.sure = found.iter().any(|finding| finding.about == clause.about && restated(&clause.text, &finding.content) >= SAME);
        }
    }

    /// Checks whether the rules found the same claim.
    fn rules_found(&self, claim: &Claim) -> bool {
        let about_user = self.rules.findings.iter().filter(|finding| finding.about == About::User);
        let same = |other: &Claim| other.subject == claim.subject && ValueComparison.same(&claim.subject, &other.value, &claim.value);
        about_user.filter_map(|finding| finding.claim.as_ref()).any(|other| other.ends == claim.ends && same(other))
    }
}

/// Checks whether a claim would end or replace a fact.
fn undoes(claim: &Claim, fact: &Fact) -> bool {
    if claim.ends {
        return ValueComparison.ends((&claim.subject, &claim.value), (&fact.subject, &fact.value));
    }
    claim.single && fact.subject == claim.subject && !ValueComparison.same(&fact.subject, &fact.value, &claim.value)
}

/// Returns the last message of the other side before `turn` in the same session.
pub(crate) fn message_before<'a>(turns: impl DoubleEndedIterator<Item = &'a Turn>, turn: &Turn) -> Option<&'a str> {
    let mut of_other_side = turns.rev().filter(|other| other.role != turn.role && other.session == turn.session);
    of_other_side.next().map(|other| other.content.as_str())
}

impl Intake<'_> {
    fn utterance<'a>(&'a self, turn: &'a Turn, before: Option<&'a str>) -> Utterance<'a> {
        let (user, character) = (self.mind.key().user(), self.mind.key().character());
        Utterance { role: turn.role, text: &turn.content, at: turn.at, user, character, before }
    }

    /// Reads a turn with the thinker; falls back to rules if the model fails.
    pub(crate) async fn read(&self, turn: &Turn, before: Option<&str>) -> Result<Reading, EngineError> {
        if self.mind.thinker.is_none() {
            return Ok(Reading::default());
        }
        let utterance = self.utterance(turn, before);
        self.mind.models().think(Thought::Extract, |thinker| thinker.extract(&utterance)).await
    }

    /// Reads a stored turn with the model. The character's own messages are read by rules only.
    pub(crate) async fn read_with_model(&self, window: &[Turn], turn: &Turn) -> Result<ModelReading, EngineError> {
        if self.mind.thinker.is_none() {
            return Ok(ModelReading { reading: Reading::default(), rules: Reading::default() });
        }
        let before = message_before(window.iter().filter(|other| other.sequence < turn.sequence), turn);
        let utterance = self.utterance(turn, before);
        let rules = RuleThinker.read(&utterance);
        if turn.role == Role::Assistant {
            return Ok(ModelReading { reading: rules.clone(), rules });
        }
        let reading = self.mind.models().think(Thought::Extract, |thinker: &dyn Thinker| thinker.extract(&utterance)).await?;
        Ok(ModelReading { reading, rules })
    }
}
