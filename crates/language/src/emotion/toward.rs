//! Effects of a message on the relationship of character and user: thanks, trust, praise, insults, challenges.
//!
//! Only statements to the character count. Korean often omits the person who is thanked, missed or insulted, so each row of the
//! table states how explicit the address must be.

use std::sync::LazyLock;

use regex::Match;
use saegim_core::{Axis, RelationshipEffect};

use crate::SkipReason;
use crate::emotion::feeling;
use crate::parse::korean::{Pointer, pointer};
use crate::parse::stance;
use crate::patterns::table::{Pattern, WORDS, rows};
use crate::tokenize::split::{self, Sentence};

/// The most one message moves an axis, either way.
const MOST: f32 = 5.0;
/// An address reaches a cue over at most this many words.
const REACH: usize = 4;

struct Row {
    moves: Vec<(Axis, f32)>,
    when: Vec<&'static str>,
    pattern: Pattern,
}

impl Row {
    fn has(&self, flag: &str) -> bool {
        self.when.contains(&flag)
    }
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    rows(include_str!("../../data/emotion/toward.tsv"))
        .filter_map(|row| {
            let [moves, when, pattern, ..] = row[..] else { return None };
            let moves = moves.split(',').filter_map(|one| {
                let (axis, points) = one.trim().split_once(' ')?;
                Some((Axis::parse(axis).ok()?, points.parse::<f32>().ok()?.clamp(-MOST, MOST)))
            });
            Some(Row { moves: moves.collect(), when: when.split(',').collect(), pattern: Pattern::new(pattern) })
        })
        .collect()
});

static YOU: Pattern = Pattern::new(
    r"^(?:너|넌|널|네|니|너는|너를|네가|니가|너가|너도|너만|너의|너란|너라는|너(?:한테|에게|랑|하고|밖에|처럼|보다|때문|같|야말로|니까|라서|라면)\S*|당신\S*|그대\S*|자기(?:야|는|가|를|도|한테|랑)?|여보\S*|you|u|ya|you're|youre|you've|you'll|you'd|your|yours|ur|yourself)$",
);
static REPORTED: Pattern = Pattern::new(
    r"\b(?:he|she|they|everyone|everybody|people|someone|mom|dad|my [\w-]+|(?-i:[A-Z][a-z]+)) (?:\w+ )?(?:said|says|told|tells|thinks|thought|goes|was like|is like|were like|texted|wrote|asked)\b|\bi (?:told|texted|said to|wrote to|asked) (?:him|her|them|my|the)\b",
);
static TO_OTHERS: Pattern =
    Pattern::new(r"^,? (?:to (?:my|him|her|them|the|all|a|everyone|[a-z]+'s)|him|her|them|my|god|goodness|heavens|you card|you note)\b");
static RETOLD: Pattern = Pattern::new(r"^\S{0,4}?(?:다고|라고|자고|냐고|다는|라는)(?:요|도|는)?(?: |$)");
static HEARD: Pattern = Pattern::new(r"^(?:대|래|단다|란다)(?:요)?(?: |$)");
static WISHES_TO_SAY: Pattern = Pattern::new(r"(?:다|라)고 ?(?:꼭 ?)?(?:말하고|말해 ?주고|전하고|하고) ?싶");
static LAUGHS: Pattern = Pattern::new(r"ㅋㅋ|ㅎㅎ|\b(?:lol|lmao|haha+|hehe+|jk)\b|[😂🤣😆😜😝😉]");

/// Returns the effects of a user's message on the relationship. `unquoted` is the message without its quotations.
pub(crate) fn toward(whole: &str, unquoted: &str, character: &str) -> Vec<RelationshipEffect> {
    let laughs = LAUGHS.fits(whole);
    let mut moved: Vec<RelationshipEffect> = Vec::new();
    let mut told: Vec<usize> = Vec::new();
    for sentence in split::sentences(unquoted) {
        let why = stance::of_sentence(&sentence);
        if matches!(why, Some(SkipReason::Hypothetical | SkipReason::Quote | SkipReason::Joke)) {
            continue;
        }
        let asks = asks(&sentence);
        for (number, row) in ROWS.iter().enumerate() {
            let said = if asks { row.has("ask") || row.has("asked") } else { !row.has("asked") };
            if !said || told.contains(&number) || laughs && row.has("serious") {
                continue;
            }
            let found = row
                .pattern
                .on(&sentence.text)
                .and_then(|regex| regex.find_iter(&sentence.text).find(|cue| counts(row, &sentence.text, cue, character)));
            if let Some(cue) = found {
                told.push(number);
                moved.extend(row.moves.iter().map(|&(axis, points)| RelationshipEffect {
                    axis,
                    points,
                    cue: cue.as_str().trim().to_owned(),
                }));
            }
        }
    }
    limited(moved)
}

fn asks(sentence: &Sentence) -> bool {
    stance::of_clause(&sentence.text, true, sentence.asks) == Some(SkipReason::Question)
}

/// Keeps the sum on each axis within bounds: what comes later counts less once the bound is reached.
fn limited(moved: Vec<RelationshipEffect>) -> Vec<RelationshipEffect> {
    let mut sums = [0.0f32; 5];
    let mut kept = Vec::new();
    for mut one in moved {
        let sum = &mut sums[one.axis as usize];
        let reached = (*sum + one.points).clamp(-MOST, MOST);
        one.points = reached - *sum;
        *sum = reached;
        if one.points != 0.0 {
            kept.push(one);
        }
    }
    kept
}

/// Whether a cue is said to the character, and said so: not denied, not retold, not meant for somebody else.
fn counts(row: &Row, text: &str, cue: &Match<'_>, character: &str) -> bool {
    let (before, after) = (&text[..cue.start()], &text[cue.end()..]);
    if feeling::denies(text, &cue.range()) || REPORTED.fits(before) || TO_OTHERS.fits(after) || HEARD.fits(after) {
        return false;
    }
    let rest = &text[cue.start() + cue.as_str().char_indices().next_back().map_or(0, |(at, _)| at)..];
    if RETOLD.fits(rest) && !WISHES_TO_SAY.fits(rest) {
        return false;
    }
    let front: Vec<&str> = before.split_whitespace().collect();
    let addressed = addressed(&front, cue.as_str(), after, character);
    if addressed {
        return true;
    }
    match () {
        () if row.has("you") => false,
        () if row.has("bare") => alone(&front) && alone(&after.split_whitespace().collect::<Vec<_>>()),
        () if row.has("apart") => front.iter().all(|word| !is_first(word) && !is_other(word) && !is_given_to(word)),
        () => front.iter().all(|word| !is_given_to(word)),
    }
}

/// Whether the character is named anywhere, or addressed in the cue or shortly before it with no other person in between.
fn addressed(front: &[&str], cue: &str, after: &str, character: &str) -> bool {
    let name = character.trim().to_lowercase();
    let named = |text: &str| name.chars().count() > 1 && text.to_lowercase().contains(&name);
    if named(after) || front.iter().any(|word| named(word)) {
        return true;
    }
    if cue.split_whitespace().any(|word| YOU.fits(word.trim_matches(','))) || cue.starts_with(['너', '네', '니']) {
        return true;
    }
    for word in front.iter().rev().take(REACH) {
        if YOU.fits(word.trim_matches(',')) {
            return true;
        }
        if is_first(word) || is_other(word) || is_given_to(word) || word.ends_with(['을', '를']) {
            return false;
        }
    }
    let next: Vec<&str> = after.split_whitespace().take(2).collect();
    next.iter().any(|word| YOU.fits(word.trim_matches(',')))
}

/// Whether words add nothing of their own to a cue.
fn alone(words: &[&str]) -> bool {
    const IDLE: [&str; 36] = [
        "i", "so", "really", "very", "much", "oh", "aw", "aww", "awww", "just", "too", "also", "and", "but", "that's", "thats", "is",
        "wow", "omg", "man", "honestly", "always", "a", "lot", "well", "yeah", "yes", "again", "now", "you", "다들", "매일", "하루",
        "종일", "내내", "많이",
    ];
    words.iter().all(|word| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        bare.is_empty()
            || IDLE.contains(&bare.as_str())
            || ["first", "second", "filler", "time", "adverb"].iter().any(|list| WORDS.has(list, &bare))
    })
}

fn is_first(word: &str) -> bool {
    pointer(word) == Pointer::First && !matches!(word, "우리" | "내" | "제" | "나한테" | "저한테" | "나를" | "날" | "내게")
        || matches!(word.to_lowercase().as_str(), "i" | "i'm" | "im" | "i've")
}

fn is_other(word: &str) -> bool {
    matches!(pointer(word), Pointer::Person(_))
        || matches!(word.to_lowercase().as_str(), "he" | "she" | "they" | "he's" | "she's" | "they're")
}

/// Whether something goes to somebody else: "엄마한테", "팀장님께".
fn is_given_to(word: &str) -> bool {
    let given = ["한테도", "에게도", "한테", "에게", "께도", "께", "한테는"].iter().find_map(|particle| word.strip_suffix(particle));
    given.is_some_and(|whom| {
        !whom.is_empty() && !matches!(whom, "나" | "내" | "저" | "제" | "너" | "네" | "니" | "당신" | "함") && !whom.ends_with("함")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_moves_an_axis_by_few_points() {
        for row in ROWS.iter() {
            assert!(!row.moves.is_empty() && row.pattern.get().is_some());
            assert!(row.moves.iter().all(|(axis, points)| *axis != Axis::Familiarity && (1.0..=MOST).contains(&points.abs())));
            assert!(row.when.iter().all(|flag| ["any", "apart", "you", "bare", "ask", "asked", "serious"].contains(flag)));
        }
    }

    #[test]
    fn an_axis_moves_five_points_at_most() {
        let sum: f32 =
            toward("너 사랑해. 너밖에 없어. 너 정말 좋아해. 보고 싶었어.", "너 사랑해. 너밖에 없어. 너 정말 좋아해. 보고 싶었어.", "하루")
                .iter()
                .filter(|one| one.axis == Axis::Affection)
                .map(|one| one.points)
                .sum();
        assert_eq!(sum, MOST);
    }
}
