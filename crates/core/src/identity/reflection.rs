//! Derives changes of the self by comparing the core memories with the current beliefs.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::{Belief, BeliefChange, BeliefId, BeliefPolicy, MemoryId, Timestamp, Unit};

/// A belief derived from memories.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The statement.
    pub statement: String,
    /// Confidence.
    pub confidence: Unit,
    /// Supporting memories.
    pub supporting: Vec<MemoryId>,
    /// Creation or edit time of the newest supporting memory.
    pub at: Timestamp,
}

/// A change of the self that the owner rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejection {
    /// Key of the rejected change.
    pub subject: String,
    /// Evidence at that time.
    pub evidence: Vec<MemoryId>,
    /// Number of rejections.
    pub times: u32,
    /// Time of the last rejection.
    pub at: Timestamp,
}

impl Rejection {
    /// Whether `change` has no evidence beyond what was rejected.
    fn holds(&self, change: &BeliefChange) -> bool {
        self.subject == change.subject() && change.evidence().iter().all(|memory| self.evidence.contains(memory))
    }
}

/// Inputs of a reflection.
#[derive(Clone, Copy)]
pub struct Reflection<'a> {
    /// Current beliefs.
    pub current: &'a [Belief],
    /// Beliefs derived from the core memories.
    pub drawn: &'a [Drawn],
    /// Memories that can support a belief.
    pub alive: &'a HashSet<MemoryId>,
    /// Returns the time of a memory's last manual edit.
    pub edited: &'a dyn Fn(MemoryId) -> Option<Timestamp>,
    /// Rejected changes.
    pub rejected: &'a [Rejection],
}

/// Returns the changes the memories suggest. A belief without any remaining support is removed; one whose support was edited or
/// partly lost is reworded; one with more support gains confidence; a new one is added. Changes the owner rejected are skipped
/// unless there is new evidence.
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

    /// Compares the changes in short form: `+` added, `~` changed, `-` removed, with the statement.
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
        // It is formed.
        let formed = [drawn("나는 소중하다", 0.7, &[1])];
        check(&Case { drawn: &formed, alive: &[1], ..nothing }, &["+ 나는 소중하다 0.70"]);
        // A known belief is left unchanged.
        let known = [belief(1, "나는 소중하다")];
        check(&Case { current: &known, drawn: &formed, alive: &[1], ..nothing }, &[]);
        // With more support it gains confidence, once the increase is large enough to propose.
        check(&Case { current: &known, drawn: &[drawn("나는 소중하다", 0.75, &[1, 2])], alive: &[1, 2], ..nothing }, &[]);
        check(
            &Case { current: &known, drawn: &[drawn("나는 소중하다", 0.8, &[1, 2])], alive: &[1, 2], ..nothing },
            &["~ 나는 소중하다 0.80"],
        );
        // Different wording with the same support changes nothing until the support is edited.
        let other = [drawn("나는 사랑받는다", 0.7, &[1])];
        check(&Case { current: &known, drawn: &other, alive: &[1], ..nothing }, &[]);
        check(&Case { current: &known, drawn: &other, alive: &[1], edited: &[1], ..nothing }, &["~ 나는 사랑받는다 0.70"]);
        // Its support is gone.
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
        // A belief the owner keeps although its support is gone is not proposed for removal again.
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
