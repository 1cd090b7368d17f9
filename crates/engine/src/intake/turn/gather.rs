//! Looks up what the decision about an exchange needs to know of each message: its effect on the facts, what it ignores and
//! restates, and its findings.

use saegim_core::{
    Assertion, AssertionId, CandidateVerdict, Change, Facts, IgnoredPart, Memory, Phrase, ReadTurn, Role, SettleRules, SettledFact, Turn,
    content, phrase, restated, settle_assertion,
};
use saegim_language::ValueComparison;
use saegim_language::{Finding, Reading, SkipReason};

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::observe::FactNews;
use crate::intake::turn::finding_lookup::{EarlierFinding, FindingLookup};
use crate::intake::turn::model_results::ModelResults;
use crate::intake::turn::stated_facts::{StatedClaim, assertion, may_be_fact};
use crate::intake::turn::statement_book::StatementBook;

/// Turns with their readings, before anything was looked up.
pub(crate) struct Unread<'a> {
    pub(crate) turns: &'a [Turn],
    pub(crate) readings: &'a [Reading],
    /// Memories that were in the prompts of the answers.
    pub(crate) injected: &'a [Memory],
    /// Recent turns before these.
    pub(crate) window: &'a [Turn],
    /// Facts before these turns.
    pub(crate) facts: Facts,
    /// Statements that were already changed in the same commit.
    pub(crate) statements: StatementBook,
}

/// Turns with everything that the decision needs.
pub(crate) struct Gathered {
    pub(crate) turns: Vec<ReadTurn>,
    /// Facts after these turns.
    pub(crate) facts: Facts,
    /// Changes of assertions and facts, by turn.
    pub(crate) fact_changes: Vec<Vec<Change>>,
    /// Statements after these turns.
    pub(crate) statements: StatementBook,
    pub(crate) news: Vec<FactNews>,
}

impl Intake<'_> {
    /// Looks up everything that the decision about these turns needs.
    pub(crate) async fn gather_turns(&self, unread: Unread<'_>, results: &ModelResults) -> Result<Gathered, EngineError> {
        let Unread { turns, readings, injected, window, facts, statements } = unread;
        let mut gathered = Gathered { turns: Vec::new(), facts, fact_changes: Vec::new(), statements, news: Vec::new() };
        let mut earlier: Vec<EarlierFinding> = Vec::new();
        for (place, (turn, reading)) in turns.iter().zip(readings).enumerate() {
            let mut inputs = Vec::new();
            self.state_clauses(&mut gathered.statements, turn, reading).await?;
            gathered.fact_changes.push(Vec::new());
            self.end_statements(&mut gathered, turn, results).await?;
            for finding in self.findings_of(turn, reading).await? {
                let fact = self.settle(&mut gathered, turn, &finding);
                let lookup = FindingLookup { turn, finding: &finding, facts: &gathered.facts, injected, earlier: &earlier, results };
                inputs.push(self.look_up(lookup, fact).await?);
                earlier
                    .push(EarlierFinding { content: content(&finding.content).unwrap_or_default(), sentiment: finding.feeling.sentiment });
            }
            let restated = self.restated_by(turn, injected);
            let ids: Vec<_> = restated.iter().map(|memory| memory.id).collect();
            let began = window.iter().chain(&turns[..place]).find(|other| other.session == turn.session).map_or(turn.at, |first| first.at);
            gathered.turns.push(ReadTurn {
                turn: turn.clone(),
                session_began: began,
                moves_mood: (turn.role == Role::User).then(|| reading.feeling.clone()),
                effects: reading.toward.clone(),
                ignored: ignored_parts(turn, reading),
                findings: inputs,
                restated_essences: self.mind.lifecycle().essences_above(&ids).await?,
                restated,
            });
        }
        Ok(gathered)
    }

    /// Returns the findings of a turn. A message without findings can still mention a topic.
    async fn findings_of(&self, turn: &Turn, reading: &Reading) -> Result<Vec<Finding>, EngineError> {
        let mut findings = reading.findings.clone();
        // Only the user can ask to remember something. A character that says "I remember" does not ask for it.
        findings.iter_mut().for_each(|finding| finding.remember_this &= turn.role == Role::User);
        findings.extend(self.implied_finding(turn, reading).await?);
        Ok(findings)
    }

    /// Applies the claim of a finding to the facts, if it is about the user.
    fn settle(&self, gathered: &mut Gathered, turn: &Turn, finding: &Finding) -> SettledFact {
        let Some(claim) = finding.claim.as_ref().filter(|_| may_be_fact(turn, finding)) else { return SettledFact::default() };
        let assertion = assertion(AssertionId::new(turn.at, self.mind.inner.config.dice.chance()), turn, StatedClaim { finding, claim });
        self.settle_in_turn(gathered, assertion)
    }

    /// Applies an assertion of the turn that is being gathered to the facts.
    pub(crate) fn settle_in_turn(&self, gathered: &mut Gathered, assertion: Assertion) -> SettledFact {
        let rules = SettleRules { values: &ValueComparison, policy: &self.mind.policy().candidate };
        let Some(settled) = settle_assertion(&mut gathered.facts, &assertion, rules) else { return SettledFact::default() };
        gathered.news.extend(FactNews::of(&settled.effect, &gathered.facts, &assertion));
        let of_turn = gathered.fact_changes.last_mut().expect("every turn has a list of changes");
        of_turn.extend(settled.changes(assertion, &gathered.facts));
        settled
    }

    /// Returns the memories from the prompt that an answer restates. Being in the prompt alone is not a recall.
    fn restated_by(&self, turn: &Turn, injected: &[Memory]) -> Vec<Memory> {
        let mut found: Vec<Memory> = Vec::new();
        if !matches!(turn.role, Role::Assistant | Role::Persona) {
            return found;
        }
        for memory in injected.iter().filter(|memory| turn.injected.contains(&memory.id)) {
            let restates = restated(&memory.content, &turn.content) >= self.mind.policy().admission.echo_share;
            if restates && found.iter().all(|known| known.id != memory.id) {
                found.push(memory.clone());
            }
        }
        found
    }
}

/// Returns the parts of a message that the reading skipped. What the character says is only checked for instructions.
fn ignored_parts(turn: &Turn, reading: &Reading) -> Vec<IgnoredPart> {
    let of_turn = reading.left_alone.iter().filter(|(_, why)| turn.role == Role::User || *why == SkipReason::Instruction);
    let part = |(text, why): &(String, SkipReason)| {
        let (verdict, reason) = verdict_on(*why);
        IgnoredPart { content: text.clone(), verdict, reason }
    };
    of_turn.map(part).collect()
}

fn verdict_on(why: SkipReason) -> (CandidateVerdict, Phrase) {
    match why {
        SkipReason::SmallTalk => (CandidateVerdict::Skipped, phrase!("engine.gather.small_talk")),
        SkipReason::Question => (CandidateVerdict::Skipped, phrase!("engine.gather.question")),
        SkipReason::Hypothetical => (CandidateVerdict::Skipped, phrase!("engine.gather.hypothetical")),
        SkipReason::Quote => (CandidateVerdict::Skipped, phrase!("engine.gather.quoted")),
        SkipReason::Joke => (CandidateVerdict::Skipped, phrase!("engine.gather.joke")),
        SkipReason::Ignorance => (CandidateVerdict::Rejected, phrase!("engine.gather.not_known")),
        SkipReason::Instruction => (CandidateVerdict::Held, phrase!("engine.gather.injection")),
    }
}
