//! English words a description may be made of.

use std::collections::HashMap;
use std::sync::LazyLock;

use saegim_core::cut;

/// What an English word is by the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It may stand in a description.
    Word,
    /// It is something to do: it begins no description.
    Deed,
    /// It is somebody.
    Person,
    /// It stands nowhere.
    Never,
}

/// Words as they are written and by their stem; what is forbidden counts before what is known.
static TABLE: LazyLock<[HashMap<String, Known>; 2]> = LazyLock::new(|| {
    let mut table = [HashMap::new(), HashMap::new()];
    for (kind, words) in include_str!("../../../../rules/describe_en.tsv")
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

/// What a word in small letters is; none where the table does not know it.
pub(super) fn known(word: &str) -> Option<Known> {
    TABLE[0].get(word).or_else(|| TABLE[1].get(&stem(word))).copied()
}

/// Whether a word is a deed just as it stands: "ask", not "asking".
pub(super) fn is_deed(word: &str) -> bool {
    TABLE[0].get(word) == Some(&Known::Deed)
}

fn stem(word: &str) -> String {
    cut(word).words.into_iter().next().unwrap_or_else(|| word.to_owned())
}
