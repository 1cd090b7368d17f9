//! What the core memories say about the self now, against what it believes: the changes that would have to be proposed.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::{Belief, BeliefChange, BeliefId, BeliefPolicy, MemoryId, Timestamp, Unit};

/// A belief as it was drawn from memories.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The statement.
    pub statement: String,
    /// How sure it is.
    pub confidence: Unit,
    /// What it rests on.
    pub supporting: Vec<MemoryId>,
    /// When the newest of them was born or rewritten.
    pub at: Timestamp,
}

/// A change of the self the owner said no to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejection {
    /// What it was about.
    pub subject: String,
    /// What spoke for it then.
    pub evidence: Vec<MemoryId>,
    /// How often the owner said no.
    pub times: u32,
    /// When they last did.
    pub at: Timestamp,
}

impl Rejection {
    /// Whether nothing speaks for `change` that did not when it was rejected.
    fn holds(&self, change: &BeliefChange) -> bool {
        self.subject == change.subject() && change.evidence().iter().all(|memory| self.evidence.contains(memory))
    }
}

/// What a reflection looks at.
#[derive(Clone, Copy)]
pub struct Reflection<'a> {
    /// What is believed now.
    pub current: &'a [Belief],
    /// What was drawn from the core memories.
    pub drawn: &'a [Drawn],
    /// The memories that can carry a belief.
    pub alive: &'a HashSet<MemoryId>,
    /// When memories were last rewritten by a hand.
    pub edited: &'a dyn Fn(MemoryId) -> Option<Timestamp>,
    /// What the owner said no to.
    pub rejected: &'a [Rejection],
}

/// The changes the memories ask for. A belief that lost everything it rested on would go; one whose ground was rewritten
/// or partly lost would be reworded; one with more to rest on would be surer; and what is new would be added, unless the
/// owner said no and nothing more speaks for it.
pub fn reflected(look: &Reflection<'_>, policy: &BeliefPolicy, id: impl Fn(&str) -> BeliefId) -> Vec<BeliefChange> {
    let mut used: HashSet<usize> = HashSet::new();
    let mut changes = Vec::new();
    for belief in look.current {
        let fits = |drawn: &Drawn| drawn.statement == belief.statement;
        let shares = |drawn: &Drawn| drawn.supporting.iter().any(|memory| belief.supporting.contains(memory));
        let place = look
            .drawn
            .iter()
            .position(fits)
            .or_else(|| look.drawn.iter().enumerate().position(|(at, drawn)| !used.contains(&at) && shares(drawn)));
        used.extend(place);
        if belief.supporting.iter().all(|memory| !look.alive.contains(memory)) {
            changes.push(BeliefChange::Dropped { belief: belief.clone() });
            continue;
        }
        let Some(drawn) = place.map(|place| &look.drawn[place]) else { continue };
        let rewritten = |memory: &MemoryId| (look.edited)(*memory).is_some_and(|at| at > belief.formed_at);
        let moved = belief.supporting.iter().any(|memory| !look.alive.contains(memory) || rewritten(memory));
        let surer =
            drawn.confidence.get() - belief.confidence.get() >= policy.surer_by - 1e-4 && drawn.supporting.len() > belief.supporting.len();
        let reworded = moved && drawn.statement != belief.statement;
        if reworded || (surer && drawn.statement == belief.statement) {
            let after = Belief {
                statement: drawn.statement.clone(),
                confidence: drawn.confidence,
                supporting: drawn.supporting.clone(),
                island: belief.island,
                formed_at: drawn.at,
                id: belief.id,
            };
            changes.push(BeliefChange::Changed { before: belief.clone(), after });
        }
    }
    for (_, drawn) in look.drawn.iter().enumerate().filter(|(at, _)| !used.contains(at)) {
        let Drawn { statement, confidence, supporting, at } = drawn.clone();
        let mut belief = Belief { id: id(&statement), statement, confidence, supporting, island: None, formed_at: at };
        let subject = BeliefChange::Added { belief: belief.clone() }.subject();
        let times = look.rejected.iter().find(|rejection| rejection.subject == subject).map_or(0, |rejection| rejection.times);
        let lowered = belief.confidence.get() - policy.rejection_costs * times as f32;
        belief.confidence = Unit::clamped((lowered * 100.0).round() / 100.0);
        if belief.confidence.get() >= policy.least_confidence {
            changes.push(BeliefChange::Added { belief });
        }
    }
    changes.retain(|change| !look.rejected.iter().any(|rejection| rejection.holds(change)));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;
    use crate::identity::belief::tests::{AT, belief};

    fn memory(number: u8) -> MemoryId {
        MemoryId::new(AT, [number; 10])
    }

    fn drawn(statement: &str, confidence: f32, supporting: &[u8]) -> Drawn {
        Drawn {
            statement: statement.into(),
            confidence: Unit::clamped(confidence),
            supporting: supporting.iter().copied().map(memory).collect(),
            at: AT,
        }
    }

    struct Case<'a> {
        current: &'a [Belief],
        drawn: &'a [Drawn],
        alive: &'a [u8],
        edited: &'a [u8],
        rejected: &'a [Rejection],
    }

    /// The changes in a word each: `+` new, `~` changed, `-` gone, with the statement.
    fn check(case: &Case<'_>, expected: &[&str]) {
        let alive: HashSet<MemoryId> = case.alive.iter().copied().map(memory).collect();
        let later = AT.plus(Span::days(1));
        let edited = |id: MemoryId| case.edited.iter().any(|number| memory(*number) == id).then_some(later);
        let look = Reflection { current: case.current, drawn: case.drawn, alive: &alive, edited: &edited, rejected: case.rejected };
        let id = |statement: &str| BeliefId::new(AT, [statement.len() as u8; 10]);
        let changes = reflected(&look, &BeliefPolicy::default(), id);
        let words: Vec<String> = changes
            .iter()
            .map(|change| match change {
                BeliefChange::Added { belief } => format!("+ {} {:.2}", belief.statement, belief.confidence.get()),
                BeliefChange::Changed { after, .. } => format!("~ {} {:.2}", after.statement, after.confidence.get()),
                BeliefChange::Dropped { belief } => format!("- {}", belief.statement),
            })
            .collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn the_steps_of_a_belief() {
        let nothing = Case { current: &[], drawn: &[], alive: &[], edited: &[], rejected: &[] };
        check(&nothing, &[]);
        // It forms.
        let formed = [drawn("나는 소중하다", 0.7, &[1])];
        check(&Case { drawn: &formed, alive: &[1], ..nothing }, &["+ 나는 소중하다 0.70"]);
        // Known, it is left alone.
        let known = [belief(1, "나는 소중하다")];
        check(&Case { current: &known, drawn: &formed, alive: &[1], ..nothing }, &[]);
        // More speaks for it: it is surer, once that is worth telling.
        check(&Case { current: &known, drawn: &[drawn("나는 소중하다", 0.75, &[1, 2])], alive: &[1, 2], ..nothing }, &[]);
        check(
            &Case { current: &known, drawn: &[drawn("나는 소중하다", 0.8, &[1, 2])], alive: &[1, 2], ..nothing },
            &["~ 나는 소중하다 0.80"],
        );
        // Other words for the same ground change nothing until the ground is rewritten.
        let other = [drawn("나는 사랑받는다", 0.7, &[1])];
        check(&Case { current: &known, drawn: &other, alive: &[1], ..nothing }, &[]);
        check(&Case { current: &known, drawn: &other, alive: &[1], edited: &[1], ..nothing }, &["~ 나는 사랑받는다 0.70"]);
        // What it rested on is gone.
        check(&Case { current: &known, alive: &[], ..nothing }, &["- 나는 소중하다"]);
    }

    #[test]
    fn a_no_is_remembered_until_more_speaks_for_it() {
        let nothing = Case { current: &[], drawn: &[], alive: &[], edited: &[], rejected: &[] };
        let subject = BeliefChange::Added { belief: belief(1, "나는 겁이 많다") }.subject();
        let no = [Rejection { subject, evidence: vec![memory(1)], times: 1, at: AT }];
        check(&Case { drawn: &[drawn("나는 겁이 많다", 0.7, &[1])], alive: &[1], rejected: &no, ..nothing }, &[]);
        check(
            &Case { drawn: &[drawn("나는 겁이 많다", 0.8, &[1, 2])], alive: &[1, 2], rejected: &no, ..nothing },
            &["+ 나는 겁이 많다 0.60"],
        );
        let thrice = [Rejection { times: 3, ..no[0].clone() }];
        check(&Case { drawn: &[drawn("나는 겁이 많다", 0.8, &[1, 2])], alive: &[1, 2], rejected: &thrice, ..nothing }, &[]);
        // A belief the owner wants to keep although its ground is gone is not asked about again.
        let known = [belief(1, "나는 소중하다")];
        let keep = [Rejection {
            subject: BeliefChange::Dropped { belief: known[0].clone() }.subject(),
            evidence: vec![memory(1)],
            times: 1,
            at: AT,
        }];
        check(&Case { current: &known, rejected: &keep, ..nothing }, &[]);
    }
}
