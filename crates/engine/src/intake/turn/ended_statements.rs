//! Statements that a message ends in other words: "am back at my mum's" ends "renting in Leeds".

use saegim_core::{
    Assertion, AssertionId, Fact, MessageTopics, Role, Statement, StatementId, StatementStatus, Turn, Unit, affected_statements,
};
use saegim_language::{MessageReader, Reading, SkipReason};
use saegim_store::StatementPage;

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::turn::gather::Gathered;
use crate::intake::turn::model_results::ModelResults;

/// Number of open statements, the newest first, among which those that a message may end are looked for.
const SEARCHED: usize = 200;

/// Maximum number of statements that a message is compared with. A comparison costs as much as reading a message.
const COMPARED: usize = 4;

/// Maximum number of bytes of a message that are stored as the words that ended a statement.
const LONGEST: usize = 600;

/// A statement that a message ends.
#[derive(Clone, Debug)]
pub(crate) struct EndedStatement {
    pub(crate) statement: Statement,
    /// Probability that it is over.
    pub(crate) probability: Unit,
}

impl Intake<'_> {
    /// Compares new messages of the user with the open statements that they may end. This takes milliseconds, so it runs before the
    /// lock of the mind is taken. A message that contains a command to the memory ends nothing.
    pub(crate) async fn find_ended(&self, results: &mut ModelResults, turns: &[Turn], readings: &[Reading]) -> Result<(), EngineError> {
        if self.mind.thinker.is_none() {
            return Ok(());
        }
        let mut known: Option<Vec<Statement>> = None;
        for (turn, reading) in turns.iter().zip(readings) {
            let commands = reading.left_alone.iter().any(|(_, why)| *why == SkipReason::Instruction);
            if turn.role != Role::User || commands || results.ended_by(&turn.content).is_some() {
                continue;
            }
            if known.is_none() {
                let page = StatementPage { limit: SEARCHED, ..StatementPage::default() };
                known = Some(self.mind.store().statements(self.mind.id, page).await?);
            }
            let topics = MessageTopics { text: &turn.content, groups: &reading.groups };
            let compared = affected_statements(known.as_deref().unwrap_or_default(), topics, COMPARED);
            let texts: Vec<&str> = compared.iter().map(|statement| statement.text.as_str()).collect();
            let probabilities = if texts.is_empty() { Vec::new() } else { MessageReader.ended(&turn.content, &texts) };
            let ended = compared.into_iter().zip(probabilities);
            let ended = ended
                .filter_map(|(statement, probability)| Some(EndedStatement { statement: statement.clone(), probability: probability? }));
            results.set_ended(&turn.content, ended.collect());
        }
        Ok(())
    }

    /// Ends the statements that a message ends, and the facts that were derived from them. The message is stored as a statement that
    /// ends them, so retracting it restores them.
    pub(crate) async fn end_statements(&self, gathered: &mut Gathered, turn: &Turn, results: &ModelResults) -> Result<(), EngineError> {
        if turn.role != Role::User {
            return Ok(());
        }
        let mut buckets: Vec<Vec<&EndedStatement>> = Vec::new();
        for ended in results.ended_by(&turn.content).unwrap_or_default().iter().filter(|ended| ended.statement.turn != turn.id) {
            let place = |other: &Vec<&EndedStatement>| {
                other[0].statement.holder == ended.statement.holder && other[0].statement.group == ended.statement.group
            };
            match buckets.iter().position(place) {
                Some(at) => buckets[at].push(ended),
                None => buckets.push(vec![ended]),
            }
            if !results.read_by_model {
                self.end_derived_facts(gathered, turn, ended);
            }
        }
        for bucket in buckets {
            let end = self.end_of(turn, &bucket);
            self.add_statement(&mut gathered.statements, end).await?;
        }
        Ok(())
    }

    /// Returns the message as the end of statements of one holder and group.
    fn end_of(&self, turn: &Turn, ended: &[&EndedStatement]) -> Statement {
        let least = ended.iter().map(|ended| ended.probability.get()).fold(1.0, f32::min);
        let end = (0..=turn.content.len().min(LONGEST)).rev().find(|at| turn.content.is_char_boundary(*at)).unwrap_or(0);
        Statement {
            id: StatementId::new(turn.at, self.mind.inner.config.dice.chance()),
            turn: turn.id,
            at: turn.at,
            group: ended[0].statement.group,
            text: turn.content[..end].trim().to_owned(),
            values: Vec::new(),
            corrects: false,
            holder: ended[0].statement.holder.clone(),
            status: StatementStatus::Ended,
            probability: Unit::clamped(least),
            sure: true,
            valid_until: None,
            confirmed: None,
            withdrawn_at: None,
            repeated_by: None,
            ends: ended.iter().map(|ended| ended.statement.id).collect(),
            ended_by: None,
            ended_at: None,
        }
    }

    /// Ends the facts about the user that were derived from an ended statement and whose value the message names. What is stored with
    /// a message must come from it: a value from another message would survive the erasure of that one.
    fn end_derived_facts(&self, gathered: &mut Gathered, turn: &Turn, ended: &EndedStatement) {
        let derived: Vec<Fact> =
            gathered.facts.current().filter(|fact| ended.statement.states(fact) && names(turn, fact)).cloned().collect();
        for fact in derived {
            let id = AssertionId::new(turn.at, self.mind.inner.config.dice.chance());
            let assertion = Assertion { turn: Some(turn.id), confidence: ended.probability, ..fact.ending(id, turn.at) };
            self.settle_in_turn(gathered, assertion);
        }
    }
}

/// Whether a message contains the value of a fact.
fn names(turn: &Turn, fact: &Fact) -> bool {
    let folded = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
    folded(&turn.content).contains(&folded(&fact.value))
}
