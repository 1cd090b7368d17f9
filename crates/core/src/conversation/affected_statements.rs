//! Chooses the statements that a message may say something about, so that only few need a close comparison.

use std::collections::{HashMap, HashSet};

use crate::{Statement, StatementGroup, StatementStatus, terms};

/// Least score of a statement that is compared.
const LEAST: f32 = 0.15;

/// What a message is about.
#[derive(Clone, Copy, Debug)]
pub struct MessageTopics<'a> {
    /// Text of the message.
    pub text: &'a str,
    /// Groups of its clauses.
    pub groups: &'a [StatementGroup],
}

/// Returns the statements that a message may change, the likeliest first, at most `most`. The score of a statement is 1 for a group
/// of the message, plus the share of its words that occur in the message (a word counts more if fewer statements have it), plus or
/// minus 0.5 for a person whom the message names or does not name. Of equal ones, the newest comes first.
pub fn affected_statements<'a>(known: &'a [Statement], message: MessageTopics<'_>, most: usize) -> Vec<&'a Statement> {
    let said: HashSet<String> = terms(message.text).into_iter().collect();
    let lower = message.text.to_lowercase();
    let open: Vec<(&Statement, HashSet<String>)> =
        known.iter().filter(|known| holds(known)).map(|known| (known, terms(&known.text).into_iter().collect())).collect();
    let weights = Weights::of(&open);
    let score = |statement: &Statement, words: &HashSet<String>| {
        let group = if message.groups.contains(&statement.group) { 1.0 } else { 0.0 };
        let person = match &statement.holder {
            Some(name) if lower.contains(&name.to_lowercase()) => 0.5,
            Some(_) => -0.5,
            None => 0.0,
        };
        group + person + weights.share(words, &said)
    };
    let mut scored: Vec<(f32, &Statement)> = open.iter().map(|(statement, words)| (score(statement, words), *statement)).collect();
    scored.retain(|(score, _)| *score >= LEAST);
    scored.sort_by(|(one, first), (other, second)| other.total_cmp(one).then((second.at, second.id).cmp(&(first.at, first.id))));
    scored.truncate(most);
    scored.into_iter().map(|(_, statement)| statement).collect()
}

/// Whether a statement counts and says that something is, is not, or will be.
fn holds(statement: &Statement) -> bool {
    use StatementStatus::{Not, Now, Planned, Wished};
    statement.is_open() && statement.counts() && matches!(statement.status, Now | Planned | Wished | Not)
}

/// How many statements have a word.
struct Weights<'a> {
    statements: usize,
    having: HashMap<&'a str, usize>,
}

impl<'a> Weights<'a> {
    fn of(open: &'a [(&Statement, HashSet<String>)]) -> Self {
        let mut having = HashMap::new();
        for word in open.iter().flat_map(|(_, words)| words) {
            *having.entry(word.as_str()).or_default() += 1;
        }
        Self { statements: open.len(), having }
    }

    /// Share of the weight of a statement's words that were said, 0..=1.
    fn share(&self, words: &HashSet<String>, said: &HashSet<String>) -> f32 {
        let weight = |word: &&String| {
            let having = self.having.get(word.as_str()).copied().unwrap_or_default();
            ((self.statements as f32 + 1.0) / (having as f32 + 0.5)).ln()
        };
        let all: f32 = words.iter().map(|word| weight(&word)).sum();
        let shared: f32 = words.iter().filter(|word| said.contains(*word)).map(|word| weight(&word)).sum();
        if all > 0.0 { shared / all } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StatementId, Timestamp, TurnId, Unit};

    fn known(at: i64, group: StatementGroup, text: &str, holder: Option<&str>) -> Statement {
        let at = Timestamp::from_millis(at);
        Statement {
            id: StatementId::new(at, [0; 10]),
            turn: TurnId::new(at, [0; 10]),
            at,
            group,
            text: text.into(),
            values: Vec::new(),
            corrects: false,
            holder: holder.map(str::to_owned),
            status: StatementStatus::Now,
            probability: Unit::ONE,
            sure: true,
            valid_until: None,
            confirmed: None,
            withdrawn_at: None,
            repeated_by: None,
            ends: Vec::new(),
            ended_by: None,
            ended_at: None,
        }
    }

    fn check(message: &str, groups: &[StatementGroup], expected: &[&str]) {
        let all = [
            known(1, StatementGroup::Place, "renting in Leeds", None),
            known(2, StatementGroup::Pet, "our corgi Biscuit sleeps on the sofa", None),
            known(3, StatementGroup::Work, "works nights at the hospital", Some("Mia")),
            Statement { sure: false, ..known(4, StatementGroup::Place, "grew up in Leeds", None) },
            Statement {
                ended_at: Some(Timestamp::from_millis(9)),
                ..known(5, StatementGroup::Place, "lives with flatmates in Leeds", None)
            },
        ];
        let found = affected_statements(&all, MessageTopics { text: message, groups }, 3);
        assert_eq!(found.iter().map(|statement| statement.text.as_str()).collect::<Vec<_>>(), expected, "{message}");
    }

    #[test]
    fn statements_of_the_same_group_or_with_the_same_words_are_chosen() {
        check("am back at my mum's", &[StatementGroup::Place], &["renting in Leeds"]);
        check("Biscuit died last night", &[], &["our corgi Biscuit sleeps on the sofa"]);
        check("Mia quit", &[StatementGroup::Work], &["works nights at the hospital"]);
        check("Biscuit hates the rain in Leeds", &[StatementGroup::Pet], &["our corgi Biscuit sleeps on the sofa", "renting in Leeds"]);
        check("what a day", &[], &[]);
    }
}
