//! Names and relations of people and pets: "강아지 모찌", "my sister Mia".

use crate::extract::fact_subject::fact_subject;
use crate::patterns::table::{PEOPLE, WORDS, is_class};

/// What a person or pet is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonName {
    /// Name, if there is one.
    pub name: Option<String>,
    /// Relation to the user or kind of pet, if there is one.
    pub relation: Option<String>,
}

impl PersonName {
    /// Splits what somebody is called into relation and name.
    pub fn split(called: &str) -> Self {
        let idle = |word: &str| {
            matches!(word.to_lowercase().as_str(), "" | "a" | "an" | "the" | "my" | "our" | "named" | "called" | "이름" | "우리" | "내")
        };
        let (kinds, names): (Vec<&str>, Vec<&str>) =
            called.split(' ').filter(|word| !idle(word)).partition(|word| is_kind(&word.to_lowercase()));
        let joined = |words: Vec<&str>| (!words.is_empty()).then(|| words.join(" "));
        Self { name: joined(names), relation: joined(kinds) }
    }

    /// Returns who a fact names; `None` if its subject does not name a person or pet. Without a relation, the subject is the relation.
    pub fn of_fact(subject: &str, value: &str) -> Option<Self> {
        let known = fact_subject(subject).filter(|subject| matches!(subject.form, "person" | "pet"))?;
        let called = Self::split(value);
        let of_subject = || (known.key != "family").then(|| known.key.replace('_', " "));
        Some(Self { relation: called.relation.or_else(of_subject), name: called.name })
    }
}

/// Whether a word is a relation or a kind of animal.
pub(crate) fn is_kind(word: &str) -> bool {
    is_class("animal", word) || WORDS.has("people", word) || PEOPLE.has("kin", word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_apart_from_the_relation() {
        for (called, name, relation) in [
            ("강아지 모찌", Some("모찌"), Some("강아지")),
            ("my sister Mia", Some("Mia"), Some("sister")),
            ("누나", None, Some("누나")),
            ("Biscuit", Some("Biscuit"), None),
        ] {
            let (name, relation) = (name.map(str::to_owned), relation.map(str::to_owned));
            assert_eq!(PersonName::split(called), PersonName { name, relation }, "{called}");
        }
        assert_eq!(PersonName::of_fact("best_friend", "지수").unwrap().relation.as_deref(), Some("best friend"));
        assert_eq!(PersonName::of_fact("residence", "부산"), None);
    }
}
