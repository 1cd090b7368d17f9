//! A generated person: attributes, and changes during the life.

use std::collections::HashMap;

use super::bank::{Bank, Filling};
use super::chance::Chance;

/// Attributes with one value.
const ONE: [&str; 11] = ["me", "city", "job", "company", "partner", "sibling", "pet", "petname", "hobby", "allergy", "dislike"];

/// Attributes with several values.
const FEW: [(&str, usize); 4] = [("friend", 4), ("cafe", 2), ("drink", 2), ("boss", 3)];

/// A generated person.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    own: HashMap<String, Vec<String>>,
    /// Month and day of their birthday.
    pub(crate) birthday: (i8, i8),
    /// Month and day of their mother's birthday.
    pub(crate) mothers_birthday: (i8, i8),
}

impl Person {
    /// Generates a random person.
    pub(crate) fn born(bank: &Bank, chance: &mut Chance) -> Self {
        let mut own = HashMap::new();
        for (gap, count) in ONE.iter().map(|gap| (*gap, 1)).chain(FEW) {
            let mut values = bank.gap(gap).to_vec();
            while values.len() > count {
                values.swap_remove(chance.below(values.len()));
            }
            values.sort();
            own.insert(gap.to_owned(), values);
        }
        let cities: Vec<String> = bank.gap("city").iter().filter(|city| !own["city"].contains(city)).cloned().collect();
        own.insert("city2".to_owned(), chance.one_of(&cities).cloned().into_iter().collect());
        let mut person = Self { own, birthday: (1, 1), mothers_birthday: (1, 1) };
        let dates = bank.gap("date");
        let date = |chance: &mut Chance| {
            let day = chance.one_of(dates).and_then(|date| date.parse().ok()).unwrap_or(15);
            (1 + chance.below(12) as i8, day)
        };
        (person.birthday, person.mothers_birthday) = (date(chance), date(chance));
        let (month, day) = person.birthday;
        person.own.insert("bmonth".to_owned(), bank.gap("month").get(month as usize - 1).cloned().into_iter().collect());
        person.own.insert("bdate".to_owned(), vec![day.to_string()]);
        person
    }

    /// Replaces the value of an attribute.
    pub(crate) fn change(&mut self, gap: &str, bank: &Bank, chance: &mut Chance) {
        let had = self.own.get(gap).cloned().unwrap_or_default();
        let others: Vec<String> = bank.gap(gap).iter().filter(|value| !had.contains(value)).cloned().collect();
        if let Some(other) = chance.one_of(&others) {
            self.own.insert(gap.to_owned(), vec![other.clone()]);
        }
    }

    /// Returns one value of each attribute, for the gaps of an exchange.
    pub(crate) fn filling(&self, chance: &mut Chance) -> Filling {
        let mut filling = Filling::default();
        // Sorted, so that the random choices are reproducible.
        let mut gaps: Vec<&String> = self.own.keys().collect();
        gaps.sort();
        for gap in gaps {
            if let Some(value) = chance.one_of(&self.own[gap]) {
                filling.put(gap, value.clone());
            }
        }
        filling
    }
}
