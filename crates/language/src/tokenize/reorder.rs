//! Normalises word order for the tables.

use crate::patterns::table::{Pattern, WORDS};

static CHANGED: Pattern = Pattern::new(r"(?P<old>\S+)에서 (?P<new>\S+?)(?:으로|로) ?(?:바뀌|바뀜|바뀐|바꼈|변했|변함)");

/// Reduces a change to its result: "ISFJ에서 INFJ로 바뀌었어" gives the new value.
pub(crate) fn changed(core: &str) -> String {
    let found = CHANGED.on(core).and_then(|regex| regex.captures(core));
    match found.and_then(|found| Some((found.get(0)?.start(), found.name("new")?.start()))) {
        Some((start, new)) => format!("{}{}", &core[..start], &core[new..]),
        None => core.to_owned(),
    }
}

/// Moves a trailing subject to the front: "무서워해 난".
pub(crate) fn inverted(core: &str) -> String {
    match core.rsplit_once(' ') {
        Some((front, last @ ("나는" | "난" | "저는"))) => format!("{last} {front}"),
        _ => core.to_owned(),
    }
}

/// Returns the last two words, which contain the verb.
pub(crate) fn last_words(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split(' ').filter(|word| !WORDS.has("first", word)).collect();
    words[words.len().saturating_sub(2)..].join(" ")
}
