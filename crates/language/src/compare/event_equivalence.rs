//! Event equivalence: whether two sentences can describe the same event.
//!
//! Vectors cannot decide this: "아빠가 입원했어" and "엄마가 입원했어" are close in every embedding space, and so are "I borrowed it from Jiho"
//! and "Jiho borrowed it from me". So the words are compared. In doubt, sentences count as different: a duplicate is a nuisance,
//! but a wrong merge loses information.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use regex::Regex;
use saegim_core::Sentiment;
use unicode_normalization::UnicodeNormalization;

use crate::compare::opposites::opposed;
use crate::parse::sentence_parse::{Part, Telling, Word};

/// A sentence and its sentiment.
#[derive(Clone, Copy, Debug)]
pub struct EventText<'a> {
    /// The text.
    pub text: &'a str,
    /// Its sentiment.
    pub sentiment: Sentiment,
}

/// Relation of one sentence to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventRelation {
    /// Both say the same.
    Same,
    /// It says what the other says, and more.
    More,
    /// It says less than the other.
    Less,
    /// The wording differs too much to compare words; vector similarity must decide.
    Unclear,
    /// They describe different events.
    Different,
}

static NOT: LazyLock<Regex> = LazyLock::new(|| {
    let cues = [
        r"(?:^|[\s,.!?])(?:안|못)\s[가-힣]",
        r"않|없|아니[야에지고었라]|아닌|싫|끊었|그만|말고",
        r"(?i)(?-u:\b)(?:not|never|no longer|without|stopped|quit|hates?|dislikes?|isn't|don't|doesn't|didn't|can't|won't|wasn't|aren't)(?-u:\b)",
    ];
    Regex::new(&cues.join("|")).expect("the cues are fixed")
});

/// A word that begins with 안 or 못 and no space after it.
static CLOSE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:^|[\s,.!?])(?:안|못)[가-힣]+").expect("the words are fixed"));

/// Korean words that begin with 안 or 못 without being a negation: "안과", "안경", "안아 줬어".
const WHOLE: &str = "안과 안경 안방 안주 안부 안개 안녕 안심 안전 안내 안정 안쪽 안무 안마 안락 안건 안도 안팎 안대 안색 안타 안동 안산 안양 안성 \
                     안티 안테나 안장 안감 안목 안뜰 안채 안약 안치 안식 안달 안간힘 안아 안았 안고 안겨 안긴 안기 안을 안은 안으 안에 안이 \
                     못난 못생 못질 못자 못된 못내 못지";

/// Whether a text contains a negation.
pub(crate) fn is_negated(text: &str) -> bool {
    let close = |found: regex::Match<'_>| {
        let word = found.as_str().trim_start_matches(|letter: char| letter.is_whitespace() || ",.!?".contains(letter));
        !WHOLE.split_whitespace().any(|whole| word.starts_with(whole))
    };
    NOT.is_match(text) || CLOSE.find_iter(text).any(close)
}

/// Marks of wishes, intentions and the future. Hangul is decomposed into letters, so that "갈 거야" and "할래" show their ㄹ.
static TO_COME: LazyLock<Regex> = LazyLock::new(|| {
    let korean: String = "싶|려고|예정|계획|으면 좋겠|겠다|겠어".nfd().collect();
    let closing: String = r"(?:거|게요?|래요?|까 ?해|까 ?봐|건데|생각)".nfd().collect();
    let english = r"(?i)(?-u:\b)(?:wants?|wanna|going to|gonna|will|i'll|we'll|plan(?:s|ning)?|hop(?:e|es|ing)|wish(?:es)?|might|maybe|would|if)(?-u:\b)";
    Regex::new(&format!("{korean}|\u{11AF} ?{closing}|{english}")).expect("the cues are fixed")
});

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+").expect("the pattern is fixed"));

/// Compares `one` with `other` by their words.
///
/// They differ if one negates the other, contains other numbers, has the opposite sentiment or is about the future; if roles are
/// swapped; if they say the same about different people; and if they share at least half of the shorter one's words while each
/// has a word the other lacks (a substitution).
pub fn compare_events(one: EventText<'_>, other: EventText<'_>) -> EventRelation {
    if folded(one.text) == folded(other.text) {
        return EventRelation::Same;
    }
    let (a, b) = (Telling::of(one.text), Telling::of(other.text));
    if a.words.is_empty() || b.words.is_empty() {
        return if contradict(one, other) { EventRelation::Different } else { EventRelation::Unclear };
    }
    let pairs = pairs(&a.words, &b.words);
    if contradict(one, other) || other_parts(&a, &b, &pairs) || other_people(&a, &b, &pairs) {
        return EventRelation::Different;
    }
    let matched: (HashSet<usize>, HashSet<usize>) = pairs.iter().copied().unzip();
    let rest = |words: &[Word], matched: &HashSet<usize>| -> Vec<Word> {
        words.iter().enumerate().filter(|(place, _)| !matched.contains(place)).map(|(_, word)| word.clone()).collect()
    };
    let (more, less) = (rest(&a.words, &matched.0), rest(&b.words, &matched.1));
    let adds = |words: &[Word]| words.iter().any(|word| !word.when);
    let about_another = |words: &[Word]| words.iter().any(|word| word.part == Part::Doer || word.person && word.part == Part::Topic);
    match (more.is_empty(), less.is_empty()) {
        (true, true) => EventRelation::Same,
        (false, false) => {
            let frame = pairs.len() * 2 >= a.words.len().min(b.words.len());
            let look_alike = more.iter().any(|word| less.iter().any(|other| one_frame(&word.raw, &other.raw)));
            if frame || look_alike { EventRelation::Different } else { EventRelation::Unclear }
        }
        // An omitted subject is the speaker, or another person.
        _ if about_another(&more) || about_another(&less) => EventRelation::Different,
        (false, true) => {
            if adds(&more) {
                EventRelation::More
            } else {
                EventRelation::Same
            }
        }
        (true, false) => {
            if adds(&less) {
                EventRelation::Less
            } else {
                EventRelation::Same
            }
        }
    }
}

/// Returns the text in lower case without punctuation and spaces.
fn folded(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric()).collect()
}

/// Whether one text negates the other.
pub fn negates(one: &str, other: &str) -> bool {
    is_negated(one) != is_negated(other)
}

fn contradict(one: EventText<'_>, other: EventText<'_>) -> bool {
    let numbers = |text: &str| NUMBER.find_iter(text).map(|number| number.as_str().to_owned()).collect::<BTreeSet<_>>();
    let to_come = |text: &str| TO_COME.is_match(&text.nfd().collect::<String>());
    let (a, b) = (one.sentiment.get(), other.sentiment.get());
    let opposite = a * b < 0.0 && (a - b).abs() >= 0.5;
    opposite
        || opposed(one.text, other.text)
        || negates(one.text, other.text)
        || numbers(one.text) != numbers(other.text)
        || to_come(one.text) != to_come(other.text)
}

/// Pairs the words of both that mean the same, each once.
fn pairs(a: &[Word], b: &[Word]) -> Vec<(usize, usize)> {
    let mut taken = HashSet::new();
    let mut pairs = Vec::new();
    for (place, word) in a.iter().enumerate() {
        if let Some(other) = (0..b.len()).find(|other| !taken.contains(other) && word.meets(&b[*other])) {
            taken.insert(other);
            pairs.push((place, other));
        }
    }
    pairs
}

/// Whether a shared word has different roles in the two.
fn other_parts(a: &Telling, b: &Telling, pairs: &[(usize, usize)]) -> bool {
    let shared: Vec<(&Word, &Word)> = pairs.iter().map(|&(x, y)| (&a.words[x], &b.words[y])).collect();
    // "떡볶이가 좋아" and "떡볶이를 좋아해" are one thing: what is felt for can be told either way.
    let felt = |word: &Word| {
        ["좋", "싫", "무서", "무섭", "그립", "그리", "부럽", "필요", "밉", "미워"].iter().any(|stem| word.raw.starts_with(stem))
    };
    let felt = shared.iter().any(|(word, _)| felt(word));
    let swaps = |one: Part, other: Part| match (one, other) {
        (Part::Than, other) => other != Part::Than,
        (Part::From, Part::To) => true,
        (Part::Other, Part::Doer | Part::Topic | Part::Open | Part::Object) => true,
        (Part::Doer, Part::Object) => !felt,
        _ => false,
    };
    // A Latin word has a part only by its preposition: "from Jiho" against "Jiho" is somebody else's deed.
    let torn = |one: &Word, other: &Word| {
        let latin = one.raw.is_ascii() && other.raw.is_ascii();
        latin && (one.named || other.named) && matches!((one.part, other.part), (Part::From | Part::To, Part::Open))
    };
    let away = |one: Part, other: Part| swaps(one, other) || matches!((one, other), (Part::From | Part::To, Part::Open));
    let speaker = matches!((a.speaker, b.speaker), (Some(one), Some(other)) if away(one, other) || away(other, one));
    let turns = |(one, other): &(&Word, &Word)| matches!((one.part, other.part), (Part::Topic | Part::Doer, Part::Object));
    let turns_back = |(one, other): &(&Word, &Word)| matches!((one.part, other.part), (Part::Object, Part::Topic | Part::Doer));
    let swapped = shared.iter().any(turns) && shared.iter().any(turns_back);
    let turned = |one: &Word, other: &Word| one.gives != other.gives || one.suffers != other.suffers;
    speaker
        || swapped
        || shared.iter().any(|(one, other)| {
            swaps(one.part, other.part) || swaps(other.part, one.part) || torn(one, other) || torn(other, one) || turned(one, other)
        })
}

/// Whether they are about different people, about people of different owners, or swap the positions of people.
fn other_people(a: &Telling, b: &Telling, pairs: &[(usize, usize)]) -> bool {
    // A capital letter at the beginning is no proof of a name.
    let certain = |telling: &Telling, who: &String| telling.cast.contains(who) && telling.opening.as_ref() != Some(who);
    let is_name = |who: &String| certain(a, who) || certain(b, who);
    let within = |telling: &Telling, others: &Telling| -> Vec<String> {
        telling.cast.iter().filter(|who| is_name(who) && others.cast.contains(who)).cloned().collect()
    };
    let someone_else =
        |telling: &Telling, others: &Telling| telling.cast.iter().any(|who| who != "me" && is_name(who) && !others.cast.contains(who));
    let owned = pairs.iter().any(|&(x, y)| a.words[x].whose != b.words[y].whose);
    let speaks = |telling: &Telling| telling.first.clone().unwrap_or_else(|| "me".to_owned());
    let named = |who: &str| who != "me";
    let first = (speaks(a), speaks(b));
    owned
        || within(a, b) != within(b, a)
        || someone_else(a, b) && someone_else(b, a)
        || first.0 != first.1 && (named(&first.0) && !b.cast.contains(&first.0) || named(&first.1) && !a.cast.contains(&first.1))
}

/// Whether two long words differ only in the middle: sentences written without spaces.
fn one_frame(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let shorter = a.len().min(b.len());
    let before = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let after = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count().min(shorter - before);
    shorter >= 5 && !one.is_ascii() && (before + after) * 2 >= shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_only_begins_like_a_denial_denies_nothing() {
        for (text, denial) in [
            ("안과에 다녀왔어", false),
            ("새 안경을 맞췄어", false),
            ("아이를 꼭 안아 줬어", false),
            ("안방에 커튼을 달았어", false),
            ("못질을 하다가 손을 찧었어", false),
            ("오늘은 카페 안 갔어", true),
            ("카페 안갔어", true),
            ("숙제를 못했어", true),
            ("밥을 못 먹었어", true),
            ("I didn't go", true),
            ("I noted it down", false),
        ] {
            assert_eq!(is_negated(text), denial, "{text}");
        }
    }
}
