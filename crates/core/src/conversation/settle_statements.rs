//! What statements of one holder and group mean for each other: repetition confirms, a denial ends.
//!
//! A statement is stored as it was said. Its effect on others is recomputed from the statements that remain, so taking one back
//! restores what it had ended.

use crate::{Confirmation, StatedValue, Statement, StatementStatus};

/// How much of a known statement a new one says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The same.
    Same,
    /// The same and more.
    More,
    /// Only a part.
    Less,
}

/// Comparison of the texts of statements.
pub trait StatementTexts {
    /// Returns how `new` repeats `known`; `None` if it says something else.
    fn repetition(&self, new: &str, known: &str) -> Option<Repetition>;
    /// Whether `denial` says of the same thing as `known` that it does not hold. False for a fragment that names nothing.
    fn denies(&self, denial: &str, known: &str) -> bool;
    /// Whether the value `new` takes the place of `known`: both of one subject, which has one value at a time.
    fn replaces(&self, new: &StatedValue, known: &StatedValue) -> bool;
}

/// Recomputes the effects of all statements of one holder and group on each other. Sorts them by time.
pub fn settle_statements(statements: &mut [Statement], texts: &dyn StatementTexts) {
    statements.sort_by_key(|statement| (statement.at, statement.id));
    for statement in statements.iter_mut() {
        (statement.repeated_by, statement.ended_by, statement.ended_at) = (None, None, None);
        statement.confirmed = statement.confirmed.filter(|by| *by == Confirmation::Owner);
    }
    for place in 0..statements.len() {
        let (earlier, rest) = statements.split_at_mut(place);
        settle_statement(earlier, &mut rest[0], texts);
    }
}

/// Applies a new statement to earlier ones of the same holder and group. Statements of turns that were taken back have no effect.
pub fn settle_statement(earlier: &mut [Statement], new: &mut Statement, texts: &dyn StatementTexts) {
    // The latest come first: a statement is repeated by its newest wording.
    for known in earlier.iter_mut().rev().filter(|known| known.is_open()) {
        if known.status == new.status && new.is_open() {
            repeat(known, new, texts);
        }
    }
    if !new.counts() || new.withdrawn_at.is_some() {
        return;
    }
    for known in earlier.iter_mut().filter(|known| known.is_open()) {
        if new.ends.contains(&known.id) || is_denied(known, new, texts) || is_replaced(known, new, texts) {
            (known.ended_by, known.ended_at) = (Some(new.id), Some(new.at));
        }
    }
}

/// Joins two statements if one says all that the other says. What another turn says too is confirmed.
fn repeat(known: &mut Statement, new: &mut Statement, texts: &dyn StatementTexts) {
    let again = (known.turn != new.turn).then_some(Confirmation::Repeated);
    match texts.repetition(&new.text, &known.text) {
        Some(Repetition::Same) => {
            // A confirmation by the owner stays with the newest wording.
            let by_owner = known.confirmed.filter(|by| *by == Confirmation::Owner);
            new.confirmed = new.confirmed.or(by_owner).or(again);
            known.repeated_by = Some(new.id);
        }
        Some(Repetition::More) if new.counts() => known.repeated_by = Some(new.id),
        Some(Repetition::More) => known.confirmed = known.confirmed.or(again),
        Some(Repetition::Less) if known.counts() => new.repeated_by = Some(known.id),
        Some(Repetition::Less) => new.confirmed = new.confirmed.or(again),
        None => {}
    }
}

/// Whether a new statement ends a known one: of the two, one holds and the other denies the same thing.
fn is_denied(known: &Statement, new: &Statement, texts: &dyn StatementTexts) -> bool {
    use StatementStatus::{Ended, Not, Now, Planned, Wished};
    match (known.status, new.status) {
        (Now | Planned | Wished, Not | Ended) => texts.denies(&new.text, &known.text),
        (Not | Ended, Now) => texts.denies(&known.text, &new.text),
        _ => false,
    }
}

/// Whether a new statement gives a new value to what a known one states. A correction replaces every other value of its subject.
fn is_replaced(known: &Statement, new: &Statement, texts: &dyn StatementTexts) -> bool {
    use StatementStatus::{Now, Planned};
    if new.status != Now || !matches!(known.status, Now | Planned) || known.turn == new.turn {
        return false;
    }
    let differs = |one: &StatedValue, other: &StatedValue| one.subject == other.subject && one.value != other.value;
    let said_again = |value: &StatedValue| new.values.contains(value);
    let replaced = |value: &StatedValue| {
        let replaces = |newer: &&StatedValue| texts.replaces(newer, value) || new.corrects && differs(newer, value);
        !said_again(value) && new.values.iter().any(|newer| replaces(&newer))
    };
    known.values.iter().any(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StatementGroup, StatementId, Timestamp, TurnId, Unit};

    struct Plain;

    impl StatementTexts for Plain {
        fn repetition(&self, new: &str, known: &str) -> Option<Repetition> {
            match () {
                () if new == known => Some(Repetition::Same),
                () if new.contains(known) => Some(Repetition::More),
                () if known.contains(new) => Some(Repetition::Less),
                () => None,
            }
        }

        fn denies(&self, denial: &str, known: &str) -> bool {
            denial.strip_prefix("no ").is_some_and(|thing| known.contains(thing))
        }

        fn replaces(&self, new: &StatedValue, known: &StatedValue) -> bool {
            new.subject == "city" && known.subject == "city" && new.value != known.value
        }
    }

    fn said(at: i64, text: &str, sure: bool) -> Statement {
        let mut chance = [0; 10];
        chance[0] = at as u8;
        let status = if text.starts_with("no ") { StatementStatus::Ended } else { StatementStatus::Now };
        Statement {
            id: StatementId::new(Timestamp::from_millis(at), chance),
            turn: TurnId::new(Timestamp::from_millis(at), chance),
            at: Timestamp::from_millis(at),
            group: StatementGroup::Food,
            text: text.into(),
            values: Vec::new(),
            corrects: false,
            holder: None,
            status,
            probability: Unit::clamped(0.5),
            sure,
            valid_until: None,
            confirmed: None,
            withdrawn_at: None,
            repeated_by: None,
            ends: Vec::new(),
            ended_by: None,
            ended_at: None,
        }
    }

    /// Settles statements with their certainty; returns the texts that are current and those that wait for confirmation.
    fn check(story: &[(&str, bool)], current: &[&str], unconfirmed: &[&str]) {
        let mut all: Vec<Statement> = story.iter().enumerate().map(|(at, (text, sure))| said(at as i64 + 1, text, *sure)).collect();
        let mut alone: Vec<Statement> = Vec::new();
        for mut new in all.clone() {
            settle_statement(&mut alone, &mut new, &Plain);
            alone.push(new);
        }
        all.reverse();
        settle_statements(&mut all, &Plain);
        assert_eq!(all, alone, "one by one or all at once: {story:?}");
        let open = |counts: bool| -> Vec<&str> {
            let wanted = |said: &&Statement| said.is_open() && said.status == StatementStatus::Now && said.counts() == counts;
            all.iter().filter(wanted).map(|said| said.text.as_str()).collect()
        };
        assert_eq!((open(true), open(false)), (current.to_vec(), unconfirmed.to_vec()), "{story:?}");
    }

    #[test]
    fn a_repetition_refreshes_and_confirms_what_both_say() {
        check(&[("tea", true), ("tea", true)], &["tea"], &[]);
        check(&[("tea", false)], &[], &["tea"]);
        check(&[("tea", false), ("tea", false)], &["tea"], &[]);
        check(&[("tea", true), ("green tea", true)], &["green tea"], &[]);
        check(&[("tea", true), ("green tea", false)], &["tea"], &["green tea"]);
        check(&[("tea", false), ("green tea", false)], &["tea"], &["green tea"]);
        check(&[("green tea", false), ("tea", false)], &["tea"], &["green tea"]);
        check(&[("green tea", true), ("tea", true)], &["green tea"], &[]);
    }

    #[test]
    fn only_what_counts_ends_something() {
        check(&[("tea", true), ("no tea", true)], &[], &[]);
        check(&[("tea", true), ("no tea", false)], &["tea"], &[]);
        check(&[("tea", true), ("no tea", false), ("no tea", false)], &[], &[]);
        check(&[("no tea", true), ("tea", true)], &["tea"], &[]);
        check(&[("tea", true), ("no milk", true)], &["tea"], &[]);
        check(&[("tea", true), ("no tea", true), ("tea", true)], &["tea"], &[]);
    }

    /// A statement with the value `city=Busan`.
    fn valued(at: i64, value: &str, sure: bool) -> Statement {
        let (subject, city) = value.split_once('=').unwrap();
        Statement { values: vec![StatedValue { subject: subject.into(), value: city.into() }], ..said(at, value, sure) }
    }

    #[test]
    fn a_new_value_of_a_subject_with_one_value_ends_the_old_one() {
        let open = |mut all: Vec<Statement>| {
            settle_statements(&mut all, &Plain);
            all.iter().filter(|said| said.is_open()).map(|said| said.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(open(vec![valued(1, "city=Seoul", true), valued(2, "city=Busan", true)]), ["city=Busan"]);
        assert_eq!(open(vec![valued(1, "city=Seoul", true), valued(2, "city=Busan", false)]), ["city=Seoul", "city=Busan"]);
        assert_eq!(open(vec![valued(1, "likes=tea", true), valued(2, "likes=milk", true)]), ["likes=tea", "likes=milk"]);
        let correction = Statement { corrects: true, ..valued(2, "likes=milk", true) };
        assert_eq!(open(vec![valued(1, "likes=tea", true), correction]), ["likes=milk"]);
        let planned = Statement { status: StatementStatus::Planned, ..valued(2, "city=Busan", true) };
        assert_eq!(open(vec![valued(1, "city=Seoul", true), planned]).len(), 2);
    }

    #[test]
    fn the_same_turn_does_not_confirm_itself() {
        let mut twice = [said(1, "tea", false), said(2, "tea", false)];
        twice[1].turn = twice[0].turn;
        settle_statements(&mut twice, &Plain);
        assert!(!twice[1].counts() && twice[0].repeated_by == Some(twice[1].id));
    }

    #[test]
    fn a_statement_ends_those_that_it_names() {
        let known = said(1, "rents in Leeds", true);
        let end = Statement { ends: vec![known.id], status: StatementStatus::Ended, ..said(2, "am back at my mum's", true) };
        let mut all = [known, end];
        settle_statements(&mut all, &Plain);
        assert_eq!(all[0].ended_by, Some(all[1].id));
        all[1].withdrawn_at = Some(Timestamp::from_millis(3));
        settle_statements(&mut all, &Plain);
        assert!(all[0].is_open());
    }

    #[test]
    fn taking_a_statement_back_restores_what_it_ended() {
        let mut all = [said(1, "tea", true), said(2, "no tea", true)];
        settle_statements(&mut all, &Plain);
        assert_eq!(all[0].ended_by, Some(all[1].id));
        all[1].withdrawn_at = Some(Timestamp::from_millis(3));
        settle_statements(&mut all, &Plain);
        assert!(all[0].is_open() && !all[1].is_open());
    }

    #[test]
    fn a_confirmation_by_the_owner_outlives_recomputation() {
        let mut kept = [Statement { confirmed: Some(Confirmation::Owner), ..said(1, "tea", false) }, said(2, "tea", false)];
        settle_statements(&mut kept, &Plain);
        settle_statements(&mut kept, &Plain);
        assert_eq!(kept[1].confirmed, Some(Confirmation::Owner));
    }
}
