//! English words that are allowed in a description.

use std::collections::HashMap;
use std::sync::LazyLock;

use saegim_core::cut;

/// Classification of an English word by the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// May appear in a description.
    Word,
    /// An action verb; a description must not start with it.
    Deed,
    /// Denotes a person.
    Person,
    /// Never allowed.
    Never,
}

/// Words by spelling and by stem. `Never` takes precedence over other classes.
static TABLE: LazyLock<[HashMap<String, Known>; 2]> = LazyLock::new(|| {
    let mut table = [HashMap::new(), HashMap::new()];
    for (kind, words) in include_str!("../../../data/guard/describe_en.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
    {
        let known = match kind {
            "deed" => Known::Deed,
            "person" => Known::Person,
            "never" => Known::Never,
            _ => Known::Word,
        };
        for word in words.split_whitespace() {
            table[0].insert(word.to_owned(), known);
            let of_stem = table[1].entry(stem(word)).or_insert(known);
            if known == Known::Never {
                *of_stem = known;
            }
        }
    }
    table
});

/// Classifies a lower-case word, or returns `None` if it is not in the table.
pub(super) fn known(word: &str) -> Option<Known> {
    TABLE[0].get(word).or_else(|| TABLE[1].get(&stem(word))).copied()
}

/// Checks whether a word is a base-form action verb: "ask", not "asking".
pub(super) fn is_deed(word: &str) -> bool {
    TABLE[0].get(word) == Some(&Known::Deed)
}

fn stem(word: &str) -> String {
    cut(word).words.into_iter().next().unwrap_or_else(|| word.to_owned())
}
