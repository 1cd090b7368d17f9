//! The data files of the rules: tab-separated tables, word lists, and their pattern language.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use crate::patterns::literal_prefilter::{holds_one, needles};

/// Returns the rows of a table without comments and blank lines.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# ")).map(|line| line.split('\t').map(str::trim).collect())
}

/// Word lists by name.
pub(crate) struct Lists(HashMap<&'static str, HashSet<&'static str>>);

impl Lists {
    pub(crate) fn read(table: &'static str) -> Self {
        let mut lists: HashMap<_, HashSet<_>> = HashMap::new();
        for row in rows(table) {
            if let [name, words, ..] = row[..] {
                lists.entry(name).or_default().extend(words.split(',').map(str::trim));
            }
        }
        Self(lists)
    }

    /// Checks whether a list contains a word.
    pub(crate) fn has(&self, name: &str, word: &str) -> bool {
        self.0.get(name).is_some_and(|words| words.contains(word))
    }

    /// Returns the words of a list.
    pub(crate) fn words(&self, name: &str) -> impl Iterator<Item = &'static str> {
        self.0.get(name).into_iter().flatten().copied()
    }
}

/// Korean words by their function in a sentence.
pub(crate) static WORDS: LazyLock<Lists> = LazyLock::new(|| Lists::read(include_str!("../../data/patterns/words.tsv")));

/// English words for people, and third-person verbs with their first-person forms.
pub(crate) static PEOPLE: LazyLock<Lists> = LazyLock::new(|| Lists::read(include_str!("../../data/patterns/people_en.tsv")));

/// Classes of values: jobs, places, animals.
static CLASSES: LazyLock<HashMap<&'static str, HashSet<String>>> = LazyLock::new(|| {
    let mut classes: HashMap<_, HashSet<_>> = HashMap::new();
    for row in rows(include_str!("../../data/patterns/classes.tsv")) {
        if let [name, words, ..] = row[..] {
            classes.entry(name).or_default().extend(words.split(',').map(|word| word.trim().to_lowercase()));
        }
    }
    classes
});

/// Checks whether a value belongs to a class: it ends with a word of the class (in English as a separate word). A class written
/// with `=` contains whole values only.
pub(crate) fn is_class(class: &str, value: &str) -> bool {
    let value = value.to_lowercase();
    let single = value.strip_suffix('s').unwrap_or(&value);
    if let Some(words) = CLASSES.get(format!("={class}").as_str()) {
        let last = value.rsplit(' ').next().unwrap_or_default();
        return words.contains(&value) || words.contains(single) || value.is_ascii() && words.contains(last);
    }
    CLASSES.get(class).is_some_and(|words| ends(words, &value) || ends(words, single))
}

/// Tries every ending of the value, so that a class may be large.
fn ends(words: &HashSet<String>, value: &str) -> bool {
    let mut before: Option<char> = None;
    for (at, letter) in value.char_indices() {
        let whole = before.is_none_or(|before| !before.is_ascii_alphanumeric()) || !letter.is_ascii_alphanumeric();
        if whole && words.contains(&value[at..]) {
            return true;
        }
        before = Some(letter);
    }
    // A syllable written with `~` ends a word of at least three.
    let last = value.rsplit(' ').next().unwrap_or_default();
    last.chars().count() > 2 && last.chars().next_back().is_some_and(|syllable| words.contains(&format!("~{syllable}")))
}

/// Macros by name, expanded in order.
static MACROS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let mut macros: Vec<(String, String)> = Vec::new();
    for row in rows(include_str!("../../data/patterns/macros.tsv")) {
        if let [name, body, ..] = row[..] {
            macros.push((format!("{{{name}}}"), expanded(body, &macros)));
        }
    }
    macros
});

fn expanded(pattern: &str, macros: &[(String, String)]) -> String {
    macros.iter().fold(pattern.to_owned(), |text, (name, body)| if text.contains(name) { text.replace(name, body) } else { text })
}

/// A pattern of a data file, compiled on first use.
pub(crate) struct Pattern {
    source: &'static str,
    /// What a text must hold one of, or nothing to go by.
    needles: OnceLock<Option<Vec<String>>>,
    made: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// Creates a pattern from its source in a data file.
    pub(crate) const fn new(source: &'static str) -> Self {
        Self { source, needles: OnceLock::new(), made: OnceLock::new() }
    }

    /// Returns the compiled pattern; `None` if it is invalid, which a test prevents.
    pub(crate) fn get(&self) -> Option<&Regex> {
        self.made.get_or_init(|| Regex::new(&self.plain()).ok()).as_ref()
    }

    /// Returns the compiled pattern unless the literal prefilter rules out a match in the text.
    pub(crate) fn on(&self, text: &str) -> Option<&Regex> {
        let needles = self.needles.get_or_init(|| needles(&expanded(self.source, &MACROS)));
        if needles.as_ref().is_some_and(|needles| !holds_one(text, needles)) { None } else { self.get() }
    }

    /// Checks whether the pattern matches anywhere in the text.
    pub(crate) fn fits(&self, text: &str) -> bool {
        self.on(text).is_some_and(|regex| regex.is_match(text))
    }

    /// Returns the text without its first match.
    pub(crate) fn without(&self, text: &str) -> Option<String> {
        let found = self.on(text)?.find(text)?;
        Some(format!("{} {}", &text[..found.start()], &text[found.end()..]).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Macros expanded, and the wide classes narrowed to the letters the rules read: one space, digits, Latin and Hangul.
    fn plain(&self) -> String {
        let source = expanded(self.source, &MACROS);
        let mut plain = String::from("(?i)");
        let (mut letters, mut inside) = (source.chars(), false);
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => match (letters.next(), inside) {
                    (Some('w'), true) => plain.push_str("0-9A-Za-z_é가-힣"),
                    (Some('w'), false) => plain.push_str("[0-9A-Za-z_é가-힣]"),
                    (Some('d'), true) => plain.push_str("0-9"),
                    (Some('d'), false) => plain.push_str("[0-9]"),
                    (Some('s'), _) => plain.push(' '),
                    (Some('S'), _) => plain.push_str("[^ ]"),
                    (Some('b'), _) => plain.push_str("(?-u:\\b)"),
                    (Some(other), _) => plain.extend(['\\', other]),
                    (None, _) => plain.push('\\'),
                },
                _ => {
                    inside = (inside || letter == '[') && letter != ']';
                    plain.push(letter);
                }
            }
        }
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_every_table_can_be_read() {
        let mut broken = Vec::new();
        for (table, column) in [
            (include_str!("../../data/extract/patterns_ko.tsv"), 2),
            (include_str!("../../data/extract/patterns_en.tsv"), 2),
            (include_str!("../../data/extract/kinds.tsv"), 1),
            (include_str!("../../data/guard/guard.tsv"), 1),
            (include_str!("../../data/extract/asks.tsv"), 1),
            (include_str!("../../data/parse/stances.tsv"), 2),
            (include_str!("../../data/tokenize/asides.tsv"), 1),
            (include_str!("../../data/emotion/toward.tsv"), 2),
            (include_str!("../../data/reply/wants.tsv"), 1),
        ] {
            for row in rows(table) {
                let Some(source) = row.get(column) else {
                    broken.push(format!("{row:?}: too short"));
                    continue;
                };
                if let Err(error) = Regex::new(&Pattern::new(source).plain()) {
                    broken.push(format!("{source}: {error}"));
                }
            }
        }
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }

    /// Every sentence of the tests against every pattern: what an automaton finds, the look at the letters lets through.
    #[test]
    fn the_look_at_the_letters_never_hides_a_match() {
        let sentences: Vec<&str> = [
            include_str!("../../tests/cases/rules_cases.tsv"),
            include_str!("../../tests/cases/rules_voices.tsv"),
            include_str!("../../tests/cases/feelings.tsv"),
            include_str!("../../tests/cases/toward.tsv"),
            include_str!("../../tests/cases/injections.tsv"),
        ]
        .into_iter()
        .flat_map(str::lines)
        .step_by(3)
        .collect();
        for (table, column) in [
            (include_str!("../../data/extract/patterns_ko.tsv"), 2),
            (include_str!("../../data/extract/patterns_en.tsv"), 2),
            (include_str!("../../data/extract/kinds.tsv"), 1),
            (include_str!("../../data/guard/guard.tsv"), 1),
            (include_str!("../../data/parse/stances.tsv"), 2),
            (include_str!("../../data/emotion/toward.tsv"), 2),
            (include_str!("../../data/emotion/lexicon.tsv"), 2),
            (include_str!("../../data/emotion/lexicon_en.tsv"), 2),
        ] {
            for source in rows(table).filter_map(|row| row.get(column).copied()) {
                let pattern = Pattern::new(source);
                let regex = pattern.get().expect("every pattern can be read");
                for text in &sentences {
                    assert!(pattern.on(text).is_some() || !regex.is_match(text), "{source} hides {text}");
                }
            }
        }
    }

    #[test]
    fn a_value_belongs_to_a_class_by_its_last_word() {
        for (class, value, belongs) in [
            ("job", "초등학교 교사", true),
            ("job", "Software Engineer", true),
            ("job", "loner", false),
            ("season", "fall", true),
            ("animal", "two cats", true),
        ] {
            assert_eq!(is_class(class, value), belongs, "{class} {value}");
        }
    }
}
