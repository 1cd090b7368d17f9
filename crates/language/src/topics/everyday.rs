//! Everyday themes: words people use for the same topic without sharing a word.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use saegim_core::{Language, stem};

use crate::parse::sentence_parse::{bare, verb_key};

/// So many of a theme's names in each language stand for it: "coffee" is one of them and "barista" is not.
const HEADS: usize = 2;

/// A theme mentioned by a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    /// Number of the theme.
    pub theme: usize,
    /// The word in lower case, without its particle.
    pub said: String,
    /// Whether the word is a name of the theme.
    pub names: bool,
    /// Whether the word represents the whole theme.
    pub heads: bool,
}

/// Themes by their words: each line's number, and whether the theme is called by the word.
fn theme_words() -> impl Iterator<Item = (usize, &'static str, bool)> {
    let lines = include_str!("../../data/topics/themes.txt").lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.flat_map(|(number, line)| {
        let (names, others) = line.split_once('|').unwrap_or((line, ""));
        let words = |words: &'static str, name: bool| words.split_whitespace().map(move |word| (number, word, name));
        words(names, true).chain(words(others, false))
    })
}

/// Themes by every form of the words people speak of them with.
static THEMES: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut themes: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, word, _) in theme_words() {
        for form in forms(word) {
            let numbers = themes.entry(form).or_default();
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
    }
    themes
});

/// The words themes are called by.
static NAMES: LazyLock<HashSet<(usize, &str)>> =
    LazyLock::new(|| theme_words().filter(|(_, _, name)| *name).map(|(number, word, _)| (number, word)).collect());

/// The words that stand for a theme, the best first.
static HEADING: LazyLock<HashMap<usize, Vec<&str>>> = LazyLock::new(|| {
    let mut heading: HashMap<usize, Vec<&str>> = HashMap::new();
    for (number, word, _) in theme_words().filter(|(_, _, name)| *name) {
        let known = heading.entry(number).or_default();
        // "cafe" and "café" are one word.
        let folded = known.iter().filter(|other| other.is_ascii() == word.is_ascii() || word == "café").count();
        if folded < HEADS || word == "coffee" {
            known.push(word);
        }
    }
    heading
});

/// What a folded word of the list can be looked up by: itself, without its particle, its stem.
fn forms(word: &str) -> Vec<String> {
    if word.is_ascii() {
        return vec![word.to_owned(), stem(word)];
    }
    let mut forms = vec![word.to_owned(), bare(word).0.to_owned()];
    forms.extend(verb_key(word));
    forms
}

/// Whether an English word has the ending of a deed. It is of a theme only where the list says so: who rents a bike pays no rent.
fn is_deed(word: &str) -> bool {
    word.is_ascii() && (word.ends_with("ed") || word.ends_with("ing"))
}

/// The forms a word is looked up by: a deed only by itself.
fn telling(forms: &[String]) -> &[String] {
    let exact = forms.first().is_some_and(|word| is_deed(word));
    &forms[..if exact { 1 } else { forms.len() }]
}

/// The themes a word touches, by its forms: the word itself first, then what it may be looked up by as well.
pub(crate) fn touched(forms: &[String]) -> BTreeSet<usize> {
    telling(forms).iter().filter_map(|form| THEMES.get(form)).flatten().copied().collect()
}

/// The same with how each theme is spoken of.
pub(crate) fn touches(forms: &[String]) -> Vec<Touch> {
    let touch = |theme: usize| {
        let one = forms.first().and_then(|word| word.strip_suffix('s'));
        let name = telling(forms).iter().rev().map(String::as_str).chain(one).find(|form| NAMES.contains(&(theme, form)));
        let said = name.or(forms.get(1).map(String::as_str)).unwrap_or_default().to_owned();
        let heads = name.is_some_and(|name| HEADING.get(&theme).is_some_and(|heading| heading.contains(&name)));
        Touch { theme, said, names: name.is_some(), heads }
    };
    touched(forms).into_iter().map(touch).collect()
}

/// Returns the name of a theme in a language. The word list joins two words by an underscore.
pub(crate) fn theme_head(theme: usize, language: Language) -> Option<String> {
    HEADING.get(&theme)?.iter().find(|word| Language::of(word) == language).map(|word| word.replace('_', " "))
}

/// Returns the theme with this name of two or more words: "job search".
pub(crate) fn theme_called(name: &str) -> Option<usize> {
    let joined = name.to_lowercase().replace(' ', "_");
    HEADING.iter().find(|(_, heading)| joined.contains('_') && heading.contains(&joined.as_str())).map(|(theme, _)| *theme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_touches_its_themes_and_a_deed_only_those_it_is_listed_for() {
        let of = |word: &str| touches(&[word.to_owned(), stem(word)]).into_iter().map(|touch| (touch.names, touch.heads)).next();
        for (word, expected) in [
            ("coffee", Some((true, true))),
            ("barista", Some((true, false))),
            ("jogged", Some((false, false))),
            ("hikes", Some((true, true))),
            ("rented", None),
            ("booked", None),
            ("kettle", None),
        ] {
            assert_eq!(of(word), expected, "{word}");
        }
        let jog = *touched(&["jog".to_owned()]).iter().next().unwrap();
        assert_eq!(
            (theme_head(jog, Language::Korean), theme_head(jog, Language::English)),
            (Some("달리기".to_owned()), Some("running".to_owned()))
        );
    }
}
