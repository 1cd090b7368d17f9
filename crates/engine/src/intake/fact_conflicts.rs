//! Fact conflicts found by a model: two facts that contradict each other, or one that the user's later words made untrue.
//!
//! A conflict changes nothing itself. It becomes a question for the character to ask and a proposal to the owner that lists exactly
//! the facts that would end. Facts may change while the model or the owner decides, so they are checked again before the proposal
//! is written and before an approval is committed.

use saegim_core::{
    Assertion, AssertionId, Change, Commit, Fact, FactId, Facts, Filing, Language, Principal, Proposal, ProposalId, ProposalKind,
    ProposalStatus, Proposed, Role, Settled, ShownFact, Thing, Thought, Turn, TurnId, Wish, phrase,
};
use saegim_language::ValueComparison;
use saegim_provider::{Analysis, Conflict, Settlement};

use crate::EngineError;
use crate::identity::approvals::stale;
use crate::identity::proposals::Submission;
use crate::intake::Intake;

/// A doubted fact with the evidence against it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Doubt {
    over: FactId,
    /// The fact it contradicts.
    beside: Option<FactId>,
    /// The turn that contradicts it.
    turn: Option<TurnId>,
    /// The assertion that would replace it.
    instead: Option<Box<Assertion>>,
}

impl Doubt {
    /// Creates a doubt about a fact that a turn contradicts.
    pub(crate) const fn by(fact: FactId, turn: TurnId) -> Self {
        Self { over: fact, beside: None, turn: Some(turn), instead: None }
    }

    /// Adds the assertion that would replace the fact.
    pub(crate) fn for_the_sake_of(self, instead: Option<Assertion>) -> Self {
        Self { instead: instead.map(Box::new), ..self }
    }
}

impl Intake<'_> {
    /// Returns the doubts an analysis raises about the given facts. Ignores references to facts or turns that do not exist.
    pub(crate) async fn doubts(&self, facts: &[&Fact], turns: &[Turn], analysis: &Analysis) -> Result<Vec<Doubt>, EngineError> {
        let mut doubts: Vec<Doubt> = Vec::new();
        for (fact, turn) in &analysis.outdated {
            let (Some(fact), Some(turn)) = (facts.get(*fact), turns.get(*turn)) else { continue };
            // A turn from before the fact was learned, or one that taught it, does not contradict it.
            if turn.role == Role::User && turn.at >= fact.valid_from && !fact.turns.contains(&turn.id) {
                doubts.push(Doubt::by(fact.id, turn.id));
            }
        }
        for (one, other) in &analysis.conflicts {
            let (Some(one), Some(other)) = (facts.get(*one), facts.get(*other)) else { continue };
            let (older, newer) = if one.valid_from <= other.valid_from { (one, other) } else { (other, one) };
            if self.replaces(older, newer).await? {
                doubts.push(Doubt { over: older.id, beside: Some(newer.id), turn: newer.turns.last().copied(), instead: None });
            }
        }
        let mut asked: Vec<FactId> = Vec::new();
        doubts.retain(|doubt| {
            !asked.contains(&doubt.over) && {
                asked.push(doubt.over);
                true
            }
        });
        Ok(doubts)
    }

    /// Checks whether the newer of two facts replaces the older. Asks a model if one is configured for settling conflicts.
    async fn replaces(&self, older: &Fact, newer: &Fact) -> Result<bool, EngineError> {
        if older.subject != newer.subject || !self.mind.models().asks(Thought::Settle) {
            return Ok(true);
        }
        let conflict = Conflict { subject: &older.subject, older: &older.value, newer: &newer.value };
        Ok(self.mind.models().think(Thought::Settle, |thinker| thinker.settle(&conflict)).await? == Settlement::Replaced)
    }

    /// Adds proposals for the doubts to the commit, if they still apply and the proposal limits allow it.
    pub(crate) async fn put_doubts(&self, commit: &mut Commit, facts: &Facts, doubts: &[Doubt]) -> Result<(), EngineError> {
        if doubts.is_empty() {
            return Ok(());
        }
        let mut proposals = self.mind.self_model().recently_decided().await?;
        for doubt in doubts {
            let Some(wish) = self.doubt_wish(doubt, facts).await? else { continue };
            // A different new value is a different question.
            let about = |proposal: &&Proposal| {
                let Proposed::FactEnd { over, instead, .. } = &proposal.change else { return false };
                let new = |stated: &Option<Box<Assertion>>| stated.as_ref().map(|stated| stated.canonical.clone());
                over.first().is_some_and(|fact| fact.fact == doubt.over) && (doubt.instead.is_none() || new(instead) == new(&doubt.instead))
            };
            if proposals.iter().filter(about).any(|proposal| proposal.status == ProposalStatus::Pending) {
                continue;
            }
            if let Filing::Filed(proposal) =
                self.mind.self_model().filing(wish, Submission { known: &proposals, principal: Principal::Worker, now: self.mind.now() })
            {
                commit.things.push(Thing::Proposal(proposal.id));
                commit.changes.push(Change::ProposalSet(proposal.clone()));
                proposals.push(*proposal);
            }
        }
        Ok(())
    }

    /// Converts a doubt to a wish that lists every fact that would end. Returns `None` if the doubt no longer applies.
    async fn doubt_wish(&self, doubt: &Doubt, facts: &Facts) -> Result<Option<Wish>, EngineError> {
        let holds = |id: FactId| facts.get(id).filter(|fact| fact.is_current());
        let (Some(fact), beside) = (holds(doubt.over), doubt.beside.map(holds)) else { return Ok(None) };
        let beside = match beside {
            Some(None) => return Ok(None),
            Some(beside) => beside,
            None => None,
        };
        if let Some(turn) = doubt.turn {
            let said = self.mind.store().turns_by_id(self.mind.id, &[turn]).await?.pop();
            if !said.is_some_and(|turn| turn.is_live()) {
                return Ok(None);
            }
        }
        let mut ends = match &doubt.instead {
            None => facts.would_end(&fact.ending(AssertionId::from_bytes([0; 16]), self.mind.now()), &ValueComparison),
            Some(stated) => replaced(&mut facts.clone(), stated),
        };
        // If the change would also end the other fact, it does not answer which of the two is true.
        if !ends.contains(&fact.id) || beside.is_some_and(|beside| ends.contains(&beside.id)) {
            return Ok(None);
        }
        ends.sort_by_key(|id| *id != fact.id);
        let over: Vec<&Fact> = ends.iter().filter_map(|id| facts.get(*id)).collect();
        let mut turns: Vec<TurnId> = doubt.turn.into_iter().collect();
        turns.extend(over.iter().copied().chain(beside).flat_map(|fact| fact.turns.iter().copied()));
        let mut seen = Vec::new();
        turns.retain(|turn| {
            !seen.contains(turn) && {
                seen.push(*turn);
                true
            }
        });
        let reason = match (&doubt.instead, beside) {
            (Some(stated), _) => {
                let (old, new) = (&fact.value, &stated.value);
                phrase!("engine.fact_conflicts.changed", old, new)
            }
            (None, Some(_)) => phrase!("engine.fact_conflicts.contradiction"),
            (None, None) => {
                phrase!("engine.fact_conflicts.made_untrue")
            }
        };
        let against = doubt.beside.map_or_else(|| doubt.turn.map(|turn| turn.to_string()), |beside| Some(beside.to_string()));
        Ok(Some(Wish {
            kind: ProposalKind::FactEnd,
            subject: format!("fact:{}:{}", fact.id, against.unwrap_or_default()),
            change: Proposed::FactEnd {
                over: over.into_iter().map(ShownFact::of).collect(),
                beside: beside.map(ShownFact::of),
                turns,
                instead: doubt.instead.clone(),
            },
            reasons: vec![reason.into()],
            evidence: Vec::new(),
            recalls: 0,
        }))
    }

    /// Ends the facts of an approved proposal, if they are still what was shown and no other fact would end with them.
    pub(crate) fn end_facts(&self, commit: &mut Commit, facts: &Facts, proposal: &Proposal) -> Result<(), EngineError> {
        let (id, change) = (proposal.id, &proposal.change);
        let Proposed::FactEnd { over, beside, instead, .. } = change else { return Err(stale()) };
        let doubted = over.first().and_then(|first| facts.get(first.fact)).ok_or_else(stale)?;
        if !over.iter().chain(beside).all(|fact| fact.holds(facts)) {
            return Err(stale());
        }
        let mut after = facts.clone();
        let (assertion, ended) = match instead {
            Some(stated) => {
                let assertion = Assertion { id: of(id), ..(**stated).clone() };
                let ended = replaced(&mut after, &assertion);
                (assertion, ended)
            }
            None => {
                let ending = doubted.ending(of(id), self.mind.now());
                let Settled::Ended(ended) = after.state(&ending, &ValueComparison) else { return Err(stale()) };
                (ending, ended)
            }
        };
        if ended.len() != over.len() || !over.iter().all(|fact| ended.contains(&fact.fact)) {
            return Err(stale());
        }
        commit.changes.push(Change::Asserted(Box::new(assertion)));
        commit.changes.extend(after.differences(facts).0.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        Ok(())
    }

    /// Undoes such an approval: removes its assertion and derives the facts from the remaining assertions.
    pub(crate) async fn unend_facts(&self, commit: &mut Commit, id: ProposalId) -> Result<(), EngineError> {
        let mut assertions = self.mind.store().assertions(self.mind.id).await?;
        let before = assertions.len();
        assertions.retain(|assertion| assertion.id != of(id));
        if assertions.len() == before {
            return Err(stale());
        }
        let known = Facts::known(self.mind.store().facts(self.mind.id).await?);
        let facts = Facts::from_assertions(&self.live_assertions(assertions).await?, &ValueComparison);
        let (changed, gone) = facts.differences(&known);
        commit.changes.push(Change::AssertionGone(of(id)));
        commit.changes.extend(gone.into_iter().map(Change::FactGone));
        commit.changes.extend(changed.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        Ok(())
    }
}

/// States `assertion` and returns the facts it supersedes.
fn replaced(facts: &mut Facts, assertion: &Assertion) -> Vec<FactId> {
    match facts.state(assertion, &ValueComparison) {
        Settled::Superseded { old, .. } => old,
        _ => Vec::new(),
    }
}

/// Returns the id of the assertion that approving a proposal creates. Each proposal has exactly one.
fn of(proposal: ProposalId) -> AssertionId {
    AssertionId::from_bytes(*proposal.bytes())
}

/// Formats a doubt as a question for the character to ask.
pub(crate) fn to_ask(doubt: &Doubt, facts: &[&Fact], language: Language) -> Option<String> {
    let find = |id: FactId| facts.iter().find(|fact| fact.id == id);
    let over = find(doubt.over)?;
    let (subject, value) = (&over.subject, &over.value);
    Some(match (doubt.beside.and_then(find), language) {
        (Some(beside), Language::Korean) => format!("{subject}: {value} / {} 중 어느 쪽이 맞는지 물어볼 것.", beside.value),
        (Some(beside), Language::English) => format!("{subject}: ask whether {value} or {} is right.", beside.value),
        (None, Language::Korean) => format!("{subject}: 아직도 {value}인지 물어볼 것."),
        (None, Language::English) => format!("{subject}: ask whether {value} is still right."),
    })
}
