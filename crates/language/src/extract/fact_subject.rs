//! Canonical subjects: one key for "거주지", "사는 곳" and "lives in".

use std::collections::HashMap;
use std::sync::LazyLock;

use saegim_core::{FactCategory, StatementGroup};

use crate::patterns::table::rows;

/// A subject of facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactSubject {
    /// Canonical key, e.g. `residence`.
    pub key: &'static str,
    /// Category of its facts.
    pub category: FactCategory,
    /// Whether it holds one value at a time.
    pub single: bool,
    /// Format of its values: `age`, `date`, `text`.
    pub form: &'static str,
    /// Group of related subjects: ending one value ends the same value in the others (no longer liking coffee ends a favourite
    /// coffee).
    pub ground: Option<&'static str>,
    /// Names in Korean; the first is displayed.
    pub korean: Vec<&'static str>,
    /// Names in English; the first is displayed.
    pub english: Vec<&'static str>,
}

static SUBJECTS: LazyLock<Vec<FactSubject>> = LazyLock::new(|| {
    rows(include_str!("../../data/extract/subjects.tsv"))
        .filter_map(|row| match row[..] {
            [key, category, count, form, ground, korean, english] => Some(FactSubject {
                key,
                category: FactCategory::parse(category).ok()?,
                single: count == "single",
                form,
                ground: (!ground.is_empty()).then_some(ground),
                korean: korean.split(',').collect(),
                english: english.split(',').collect(),
            }),
            _ => None,
        })
        .collect()
});

static NAMES: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for (at, subject) in SUBJECTS.iter().enumerate() {
        names.insert(folded(subject.key), at);
    }
    for (at, subject) in SUBJECTS.iter().enumerate() {
        for name in subject.korean.iter().chain(&subject.english) {
            names.entry(folded(name)).or_insert(at);
        }
    }
    names
});

/// Returns every subject in table order.
pub fn fact_subjects() -> &'static [FactSubject] {
    &SUBJECTS
}

/// Returns the subject with this name, in either language and any spelling.
pub fn fact_subject(name: &str) -> Option<&'static FactSubject> {
    let folded = folded(name);
    let at = NAMES.get(&folded).or_else(|| NAMES.get(folded.strip_suffix('s')?))?;
    SUBJECTS.get(*at)
}

/// Returns the group of statements in which the subject with this key is told, if there is one.
pub fn group_of_subject(key: &str) -> Option<StatementGroup> {
    use StatementGroup::{Dislike, Food, Goal, Health, Hobby, Like, Love, Name, People, Pet, Place, Plan, Thing, Trait, Work};
    Some(match key {
        "name" | "nickname" | "age" | "birthday" | "birth_year" | "nationality" | "height" => Name,
        "residence" | "hometown" | "home" | "living_with" => Place,
        "job" | "workplace" | "part_time_job" | "school" | "major" | "grade" | "certification" => Work,
        "family" | "child" | "best_friend" => People,
        "partner" | "relationship_status" | "anniversary" => Love,
        "pet" => Pet,
        "allergy" | "intolerance" | "illness" | "medication" | "smoking" | "drinking" => Health,
        "diet" | "favourite_food" | "favourite_drink" | "favourite_dessert" | "favourite_fruit" => Food,
        "dislikes" | "phobia" => Dislike,
        "hobby" | "exercise" | "instrument" | "club" | "collection" | "habit" => Hobby,
        "car" | "vehicle" | "phone" | "computer" => Thing,
        "mbti" | "personality" | "religion" | "language" | "skill" => Trait,
        "appointment" | "due_date" => Plan,
        "dream" => Goal,
        _ if key == "likes" || key.starts_with("favourite_") => Like,
        _ => return None,
    })
}

/// Checks whether ending or opposing a value of one subject affects the same value of the other.
pub(crate) fn touches(one: &str, other: &str) -> bool {
    let ground = |key: &str| fact_subject(key).and_then(|subject| subject.ground);
    one == other || ground(one).is_some_and(|shared| ground(other) == Some(shared))
}

/// Lower case, British spelling, and nothing between the words.
fn folded(name: &str) -> String {
    let letters: String = name.trim().to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect();
    letters.replace("favorite", "favourite").replace("color", "colour").replace("flavor", "flavour")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, key: Option<&str>) {
        assert_eq!(fact_subject(name).map(|subject| subject.key), key, "{name}");
    }

    #[test]
    fn a_subject_has_many_names() {
        for (name, key) in [
            ("거주지", "residence"),
            ("사는 곳", "residence"),
            ("lives_in", "residence"),
            ("Favorite Color", "favourite_colour"),
            ("좋아하는 색깔", "favourite_colour"),
            ("pets", "pet"),
            ("생년월일", "birthday"),
        ] {
            check(name, Some(key));
        }
        check("shoe polish", None);
    }

    #[test]
    fn the_table_is_whole() {
        assert!(fact_subjects().len() >= 60, "{} subjects", fact_subjects().len());
        assert_eq!(fact_subjects().len(), rows(include_str!("../../data/extract/subjects.tsv")).count(), "a row cannot be read");
        for subject in fact_subjects() {
            assert!(subject.korean.iter().chain(&subject.english).all(|name| !name.is_empty()), "{} lacks a name", subject.key);
        }
    }

    #[test]
    fn a_subject_has_the_group_it_is_told_in() {
        assert_eq!(group_of_subject("residence"), Some(StatementGroup::Place));
        assert_eq!(group_of_subject("favourite_food"), Some(StatementGroup::Food));
        assert_eq!(group_of_subject("favourite_colour"), Some(StatementGroup::Like));
        assert_eq!(group_of_subject("blood_type"), None);
    }

    #[test]
    fn subjects_of_one_ground_touch() {
        assert!(touches("likes", "favourite_drink") && touches("age", "age"));
        assert!(!touches("age", "height") && !touches("likes", "job"));
    }
}
