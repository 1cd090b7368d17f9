//! Words that cannot both be said of one thing: what went up did not go down.

use std::sync::LazyLock;

/// The two sides of a line.
type Sides = (Vec<&'static str>, Vec<&'static str>);

static LINES: LazyLock<Vec<Sides>> = LazyLock::new(|| {
    let lines = include_str!("../data/opposites.txt").lines().filter(|line| !line.starts_with('#'));
    let side = |words: &'static str| words.split_whitespace().collect();
    lines.filter_map(|line| line.split_once('|')).map(|(one, other)| (side(one), side(other))).collect()
});

/// Whether one text says the opposite of what the other says: each has a word of another side of a line, and neither has both. Of a
/// line with one side a word stands in both or in neither: who was passed over was not promoted.
pub(crate) fn opposed(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let (one, other) = (words(&one), words(&other));
    LINES.iter().any(|(this, that)| {
        if this.is_empty() {
            return has(&one, that) != has(&other, that);
        }
        let side = |words: &[&str]| (has(words, this), has(words, that));
        matches!((side(&one), side(&other)), ((true, false), (false, true)) | ((false, true), (true, false)))
    })
}

fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty()).collect()
}

fn has(words: &[&str], side: &[&str]) -> bool {
    words.iter().any(|word| side.iter().any(|known| if known.is_ascii() { word == known } else { word.starts_with(known) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_up_did_not_go_down() {
        for (one, other, are) in [
            ("my rent went up this year", "my rent went down this year", true),
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
