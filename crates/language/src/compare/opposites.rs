//! Pairs of words that contradict each other, such as up and down.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Lines of the table of which a text contains a word, one bit each, by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sides {
    one: u128,
    other: u128,
}

/// The table, prepared for lookup.
struct Table {
    /// English words, matched whole.
    whole: HashMap<&'static str, Sides>,
    /// Korean prefixes, by their first letter.
    begin: HashMap<char, Vec<(&'static str, Sides)>>,
    /// Lines with one side alone.
    lone: u128,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { whole: HashMap::new(), begin: HashMap::new(), lone: 0 };
    let lines = include_str!("../../data/compare/opposites.txt").lines().filter(|line| !line.starts_with('#'));
    let lines: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('|')).collect();
    assert!(lines.len() <= 128, "a line has one bit");
    for (number, (one, other)) in lines.into_iter().enumerate() {
        let bit = 1u128 << number;
        if one.trim().is_empty() {
            table.lone |= bit;
        }
        let sides = [(one, Sides { one: bit, other: 0 }), (other, Sides { one: 0, other: bit })];
        for (word, side) in sides.iter().flat_map(|(words, side)| words.split_whitespace().map(move |word| (word, side))) {
            match word.chars().next().filter(|_| !word.is_ascii()) {
                Some(first) => table.begin.entry(first).or_default().push((word, *side)),
                None => table.whole.entry(word).or_default().take(*side),
            }
        }
    }
    table
});

impl Sides {
    fn take(&mut self, more: Self) {
        self.one |= more.one;
        self.other |= more.other;
    }

    fn of(text: &str) -> Self {
        let mut sides = Self::default();
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty()) {
            if word.is_ascii() {
                let known = if word.bytes().any(|letter| letter.is_ascii_uppercase()) {
                    TABLE.whole.get(word.to_ascii_lowercase().as_str())
                } else {
                    TABLE.whole.get(word)
                };
                known.into_iter().for_each(|known| sides.take(*known));
            } else if let Some(begin) = word.chars().next().and_then(|first| TABLE.begin.get(&first)) {
                begin.iter().filter(|(known, _)| word.starts_with(known)).for_each(|(_, known)| sides.take(*known));
            }
        }
        sides
    }
}

/// Whether two texts contradict each other: each has a word from a different side of a pair, and neither has both. A word from a
/// one-sided line must be in both texts or in neither: someone who was passed over was not promoted.
pub(crate) fn opposed(one: &str, other: &str) -> bool {
    let (a, b) = (Sides::of(one), Sides::of(other));
    let apart = |a: Sides, b: Sides| a.one & !a.other & b.other & !b.one;
    (apart(a, b) | apart(b, a) | (a.other ^ b.other) & TABLE.lone) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_up_did_not_go_down() {
        for (one, other, are) in [
            ("my rent went up this year", "My rent went DOWN this year", true),
            ("the plumber came before lunch", "the plumber came after lunch", true),
            ("my brother is in hospital", "my brother is out of hospital", true),
            ("Priya passed her driving test", "Priya failed her driving test", true),
            ("팀장님이 승진했어", "팀장님이 승진에서 떨어졌어", true),
            ("형이 진급했어", "형이 진급에서 누락됐어", true),
            ("할머니가 입원하셨어", "할머니가 퇴원하셨어", true),
            ("전세값이 또 올랐어", "전세값이 좀 내렸어", true),
            ("my rent went up this year", "my rent went up again", false),
            ("went in and out of the shop all day", "went out of the shop", false),
            ("민수가 노트북을 빌려갔어", "민수가 노트북 빌려감", false),
        ] {
            assert_eq!((opposed(one, other), opposed(other, one)), (are, are), "{one} | {other}");
        }
    }
}
