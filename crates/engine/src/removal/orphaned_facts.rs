//! Facts and statements whose only evidence is memories that the owner forgot: they are hidden while those memories are on the cliff
//! and deleted with them.

use std::collections::{HashMap, HashSet};

use saegim_core::{Assertion, AssertionId, Change, CliffReason, Fact, Facts, Memory, MemoryState, Statement, TurnId};
use saegim_language::ValueComparison;

use crate::EngineError;
use crate::intake::turn::statement_book::StatementBook;
use crate::intake::turn::turn_context::TurnContext;
use crate::removal::Removal;

/// Manually forgotten memories, indexed by the turns they came from.
pub(crate) struct LetGo {
    /// Lowercase contents of the memories, by turn.
    texts: HashMap<TurnId, Vec<String>>,
    /// Turns that have no living memory left.
    alone: HashSet<TurnId>,
}

impl LetGo {
    /// Checks whether a value learned from a turn disappears with the memories: either a forgotten memory of that turn contains
    /// the value, or the turn has no living memory left.
    fn takes(&self, turn: TurnId, value: &str) -> bool {
        let says = || {
            let value = value.to_lowercase();
            self.texts.get(&turn).is_some_and(|texts| texts.iter().any(|text| text.contains(&value)))
        };
        self.alone.contains(&turn) || says()
    }

    /// Checks whether a statement disappears with the memories: a forgotten memory of its turn and the clause contain each other,
    /// or the turn has no living memory left.
    pub(crate) fn takes_statement(&self, statement: &Statement) -> bool {
        let clause = statement.text.to_lowercase();
        let within = |text: &String| text.contains(&clause) || clause.contains(text.as_str());
        self.alone.contains(&statement.turn) || self.texts.get(&statement.turn).is_some_and(|texts| texts.iter().any(within))
    }
}

impl Removal<'_> {
    async fn orphaned_by(&self, memories: &[Memory]) -> Result<LetGo, EngineError> {
        let mut texts: HashMap<TurnId, Vec<String>> = HashMap::new();
        for memory in memories {
            for turn in &memory.turns {
                texts.entry(*turn).or_default().push(memory.content.to_lowercase());
            }
        }
        let mut alone = HashSet::new();
        for &turn in texts.keys() {
            let learned = self.mind.store().learned_from(self.mind.id, turn).await?;
            if !learned.iter().any(|memory| memory.standing == MemoryState::Alive) {
                alone.insert(turn);
            }
        }
        Ok(LetGo { texts, alone })
    }

    /// Returns the state without facts that rest only on memories the owner forgot and that are still on the cliff.
    pub(crate) async fn without_orphaned_facts(&self, present: TurnContext) -> Result<TurnContext, EngineError> {
        let Some(orphaned) = self.forgotten_by_hand().await? else { return Ok(present) };
        let told = |fact: &&Fact| fact.turns.is_empty() || fact.turns.iter().any(|turn| !orphaned.takes(*turn, &fact.value));
        Ok(TurnContext { facts: Facts::known(present.facts.all().iter().filter(told).cloned().collect()), ..present })
    }

    /// Returns the memories that the owner forgot and that are still on the cliff; `None` if there is none.
    pub(crate) async fn forgotten_by_hand(&self) -> Result<Option<LetGo>, EngineError> {
        if !self.mind.exists() || self.mind.store().pending(self.mind.id).await?.gone.is_none() {
            return Ok(None);
        }
        let cliff = self.mind.store().cliff(self.mind.id).await?.into_iter();
        let waiting: Vec<Memory> = cliff.filter(|fallen| fallen.entry.reason == CliffReason::Manual).map(|fallen| fallen.memory).collect();
        if waiting.is_empty() { Ok(None) } else { self.orphaned_by(&waiting).await.map(Some) }
    }

    /// Returns the changes that delete the statements of these memories.
    pub(crate) async fn end_orphaned_statements(&self, memories: &[Memory]) -> Result<Vec<Change>, EngineError> {
        let turns: Vec<TurnId> = memories.iter().flat_map(|memory| memory.turns.iter().copied()).collect();
        if turns.is_empty() {
            return Ok(Vec::new());
        }
        let orphaned = self.orphaned_by(memories).await?;
        let mut statements = self.mind.intake().statements_of(&turns).await?;
        statements.retain(|statement| orphaned.takes_statement(statement));
        let mut book = StatementBook::default();
        self.mind.intake().change_statements(&mut book, &statements, |_| None).await?;
        Ok(book.changes())
    }

    /// Returns the changes that delete facts known only from these memories. A fact that a deleted fact had superseded does not
    /// become current again: forgetting a move does not mean moving back.
    pub(crate) async fn end_orphaned_facts(&self, memories: &[Memory]) -> Result<Vec<Change>, EngineError> {
        if memories.iter().all(|memory| memory.turns.is_empty()) {
            return Ok(Vec::new());
        }
        let orphaned = self.orphaned_by(memories).await?;
        let takes = |assertion: &Assertion| assertion.turn.is_some_and(|turn| orphaned.takes(turn, &assertion.value));
        let (gone, mut rest): (Vec<Assertion>, Vec<Assertion>) =
            self.mind.store().assertions(self.mind.id).await?.into_iter().partition(takes);
        if gone.is_empty() {
            return Ok(Vec::new());
        }
        let before = Facts::known(self.mind.store().facts(self.mind.id).await?);
        let holds_again = |fact: &&Fact| before.get(fact.id).is_some_and(|known| !known.is_current());
        let after = Facts::from_assertions(&self.mind.intake().live_assertions(rest.clone()).await?, &ValueComparison);
        let over: Vec<Assertion> = after.current().filter(holds_again).map(|fact| self.still_supported(fact, &before)).collect();
        rest.extend(over.iter().cloned());
        rest.sort_by_key(|assertion| assertion.at);
        let after = Facts::from_assertions(&self.mind.intake().live_assertions(rest).await?, &ValueComparison);
        let (changed, lost) = after.differences(&before);
        let mut changes: Vec<Change> = gone.iter().map(|assertion| Change::AssertionGone(assertion.id)).collect();
        changes.extend(over.into_iter().map(|assertion| Change::Asserted(Box::new(assertion))));
        changes.extend(lost.into_iter().map(Change::FactGone));
        changes.extend(changed.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        Ok(changes)
    }

    fn still_supported(&self, fact: &Fact, before: &Facts) -> Assertion {
        let at = before.get(fact.id).and_then(|known| known.valid_to).unwrap_or(self.mind.now());
        fact.ending(AssertionId::new(self.mind.now(), self.mind.inner.config.dice.chance()), at)
    }
}
