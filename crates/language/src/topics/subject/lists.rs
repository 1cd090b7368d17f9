//! Word lists for subjects.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use saegim_core::stem;

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
}

/// A list with the stems of its words.
fn stemmed(list: &'static str) -> HashSet<String> {
    words(list).flat_map(|word| [word.to_owned(), stem(word)]).collect()
}

static EMPTY: LazyLock<HashSet<String>> = LazyLock::new(|| stemmed(include_str!("../../../data/topics/commonplace.txt")));
static MANY: LazyLock<HashSet<String>> = LazyLock::new(|| stemmed(include_str!("../../../data/topics/many_meanings.txt")));
static COMMON: LazyLock<HashSet<String>> = LazyLock::new(|| stemmed(include_str!("../../../data/topics/common_words.txt")));
static EVERYDAY: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lists = [include_str!("../../../data/topics/everyday_things.txt"), include_str!("../../../data/topics/everyday_nouns.txt")];
    lists.into_iter().flat_map(words).flat_map(|word| [word.to_owned(), stem(word)]).collect()
});
static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| words(include_str!("../../../data/topics/given_names.txt")).collect());
static WORD_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| words(include_str!("../../../data/topics/word_names.txt")).collect());

/// Synonyms, by their line in the table.
static ONE: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/topics/one_subject.txt").lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.flat_map(|(number, line)| line.split_whitespace().map(move |word| (word, number))).collect()
});

/// Names of places, by their line in the table.
static PLACES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/topics/places.txt").lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.flat_map(|(number, line)| line.split_whitespace().map(move |word| (word, number))).collect()
});

/// Two-word nouns: the second word by the first.
static TWO: LazyLock<HashSet<(&str, &str)>> =
    LazyLock::new(|| words(include_str!("../../../data/topics/two_words.txt")).filter_map(|pair| pair.split_once('-')).collect());

/// Returns the key of a place for any of its names.
pub(super) fn place(word: &str) -> Option<String> {
    PLACES.get(word).map(|line| format!("#{line}"))
}

/// Whether two folded words form one noun.
pub(super) fn are_one(first: &str, second: &str) -> bool {
    TWO.contains(&(first, second))
}

/// How well a word identifies a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// Never a subject.
    Nothing,
    /// A subject if the sentences that share it are similar as well.
    Unclear,
    /// A subject if it is used as a noun.
    Noun,
    /// A subject.
    Clear,
}

/// Returns how well any form of a word identifies a subject. Everyday things are subjects even if they are common.
pub(super) fn worth(forms: &[&str]) -> Worth {
    let any = |list: &HashSet<String>| forms.iter().any(|form| list.contains(*form));
    if any(&EVERYDAY) {
        Worth::Noun
    } else if any(&EMPTY) {
        Worth::Nothing
    } else if any(&MANY) || any(&COMMON) {
        Worth::Unclear
    } else {
        Worth::Clear
    }
}

/// Whether a folded word is listed with several meanings.
pub(super) fn has_many_meanings(word: &str) -> bool {
    MANY.contains(word) && !EVERYDAY.contains(word)
}

/// Whether a folded word is listed with several meanings, including everyday things.
pub(super) fn may_mean_several(word: &str) -> bool {
    MANY.contains(word)
}

/// Whether a word is unspecific on its own.
pub(super) fn is_empty(word: &str) -> bool {
    EMPTY.contains(word) && !EVERYDAY.contains(word)
}

/// Whether a folded word is a first name and nothing else.
pub(super) fn is_given_name(word: &str) -> bool {
    NAMES.contains(word) && !WORD_NAMES.contains(word)
}

/// Whether a folded word is a first name as well as a word.
pub(super) fn is_word_name(word: &str) -> bool {
    WORD_NAMES.contains(word)
}

/// Returns the key of a noun that has synonyms.
pub(super) fn one(word: &str) -> Option<String> {
    ONE.get(word).map(|line| format!("={line}"))
}
