//! Explicit requests to remember something, in all their wordings, and what they refer to.
//!
//! A request precedes, follows or surrounds its content, or is a separate sentence next to it. Statements about remembering
//! itself ("기억나?", "I can't remember") are not requests.

/// English requests.
mod english;
/// Korean requests.
mod korean;

use crate::SkipReason;
use crate::parse::closing::{Manner, closed};
use crate::parse::stance;
use crate::patterns::table::{Pattern, rows};
use crate::tokenize::split::{self, Sentence};

static PERMANENT: Pattern = Pattern::new(
    r"(?:평생|영원히|영영|언제까지나|죽을 ?때까지|두고두고|세상이 ?끝나도)[^.!?]*(?:기억|잊지|간직|새겨)|(?:기억|간직|잊지)[^.!?]*(?:평생|영원히|언제까지나)|\b(?:remember|keep|cherish)\b[^.!?]*\b(?:forever|for ever|always|for the rest of)\b|\b(?:forever|for ever|always) (?:remember|keep)\b|\b(?:don't|do not) ever forget\b|\bnever,? ever forget\b",
);
static POLITE: Pattern =
    Pattern::new(r"(?:^| )(?:저|제|저는|전|제가|저희|저희는|저도|제게)(?: |$)|세요|십시오|시겠|실래|실 ?수|드려|드립|(?:요|니다)(?: |,|$)");
/// A request that speaks of what comes next, and one that speaks of more than one thing.
static AHEAD: Pattern = Pattern::new(r"이거|이건|이걸|이것|다음|하나만|가지만|\b(?:this|the following|something|one thing|these)\b");
static SEVERAL: Pattern = Pattern::new(r"둘 ?다|셋 ?다|모두|전부|다 ?기억|\b(?:both|all of|these|everything)\b");
static ADDS: Pattern = Pattern::new(r"^(?:그리고|또|그리구|and|also|plus)\b");

/// The lists and patterns of the table that go by a name.
fn named(name: &'static str) -> impl Iterator<Item = &'static str> {
    rows(include_str!("../../data/extract/remember.tsv")).filter_map(move |row| match row[..] {
        [kind, words, ..] if kind == name => Some(words),
        _ => None,
    })
}

/// Request status of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Not requested.
    No,
    /// Contains a request for this content.
    Part(String),
    /// Only refers to a neighbouring sentence.
    Points,
    /// Requested by a neighbouring sentence.
    Whole,
}

/// Checks whether something should be remembered forever.
pub fn asks_to_keep_forever(text: &str) -> bool {
    PERMANENT.fits(text)
}

/// Checks whether a message contains a request to remember.
pub(crate) fn asked(text: &str) -> bool {
    split::sentences(text).iter().any(|sentence| request(sentence).is_some())
}

/// Returns the request status of each sentence.
pub(crate) fn wanted(sentences: &[Sentence]) -> Vec<Wanted> {
    let mut wanted: Vec<Wanted> = sentences
        .iter()
        .map(|sentence| match request(sentence) {
            None => Wanted::No,
            Some(rest) if rest.is_empty() => Wanted::Points,
            Some(rest) => Wanted::Part(rest),
        })
        .collect();
    for at in 0..sentences.len() {
        if wanted[at] == Wanted::Points {
            for beside in meant(sentences, &wanted, at) {
                wanted[beside] = Wanted::Whole;
            }
        }
    }
    wanted
}

/// The sentences a request that stands alone is about: what was said before it, or what comes after where nothing was or
/// where it says so.
fn meant(sentences: &[Sentence], wanted: &[Wanted], at: usize) -> Vec<usize> {
    let tells = |place: usize| {
        matches!(wanted[place], Wanted::No | Wanted::Whole)
            && (!sentences[place].asks || stance::tells(&sentences[place].text))
            && stance::of_sentence(&sentences[place]) != Some(SkipReason::SmallTalk)
    };
    let asking = sentences[at].text.as_str();
    let before = (0..at).rev().find(|place| tells(*place));
    let after = (at + 1 < sentences.len()).then_some(at + 1).filter(|place| tells(*place));
    let mut meant: Vec<usize> = Vec::new();
    if before.is_none() || AHEAD.fits(asking) {
        meant.extend(after);
    }
    if let Some(mut place) = before {
        meant.push(place);
        while place > 0 && tells(place - 1) && (SEVERAL.fits(asking) || ADDS.fits(&sentences[place].text)) {
            place -= 1;
            meant.push(place);
        }
    }
    meant
}

/// Returns the content that a sentence asks to remember, in the speaker's words; empty if it only refers to another sentence,
/// `None` if it is not a request.
pub(crate) fn request(sentence: &Sentence) -> Option<String> {
    let once = |sentence: &Sentence| korean::without(sentence).or_else(|| english::without(sentence));
    // "잊지 말고 기억해 줘" asks twice.
    let mut rest = Sentence { text: once(sentence)?, asks: false, laughs: false };
    while let Some(less) = once(&rest).filter(|less| less.len() < rest.text.len()) {
        rest.text = less;
    }
    Some(closed(&rest.text, if POLITE.fits(&sentence.text) { Manner::Polite } else { Manner::Plain }))
}

/// Without the marks and spaces a request leaves at the edges.
fn tidy(text: &str) -> &str {
    text.trim_matches(|letter: char| matches!(letter, ' ' | ',' | ':' | ';' | '.' | '!' | '?' | '-' | '—' | '–' | '~' | '"' | '>' | '='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, rest: Option<&str>) {
        let sentence = Sentence { text: text.to_owned(), asks: false, laughs: false };
        assert_eq!(request(&sentence).as_deref(), rest, "{text}");
    }

    #[test]
    fn keeping_forever_is_more_than_a_request() {
        for (text, expected) in [
            ("우리 결혼했어! 평생 기억해 줘", true),
            ("이건 영원히 잊지 마", true),
            ("꼭 기억해 줘", false),
            ("평생 서울에 살았어", false),
            ("Please remember this forever, we got married", true),
            ("Don't ever forget this", true),
            ("remember this", false),
        ] {
            assert_eq!(asks_to_keep_forever(text), expected, "{text}");
        }
    }

    #[test]
    fn a_request_to_remember_is_taken_off() {
        check("기억해 줘, 내 생일은 3월 15일이야", Some("내 생일은 3월 15일이야"));
        check("내 이름은 하준이야 까먹지 마", Some("내 이름은 하준이야"));
        check("Remember this: I'm allergic to bees", Some("I'm allergic to bees"));
        check("don't forget, my birthday is July 1st", Some("my birthday is July 1st"));
        check("Please remember that I need quiet", Some("I need quiet"));
        check("엄마 생신은 5월 8일이야, 잊지 말고 기억해 줘", Some("엄마 생신은 5월 8일이야"));
        check("잊지 말고 꼭 기억해 줘", Some(""));
        check("Remember that the key is under the pot, don't forget", Some("the key is under the pot"));
        check("do you remember my name", None);
        check("그날 기억나", None);
    }

    #[test]
    fn a_request_of_its_own_means_the_sentence_beside_it() {
        let of = |text: &str| wanted(&split::sentences(text));
        assert_eq!(of("나 점심 먹었어. 우산은 차에 있어. 기억해 줘"), [Wanted::No, Wanted::Whole, Wanted::Points]);
        assert_eq!(of("이거 기억해 줘. 우산은 차에 있어. 오늘 덥다"), [Wanted::Points, Wanted::Whole, Wanted::No]);
        assert_eq!(of("I moved to York. And my desk is 4B. Remember both."), [Wanted::Whole, Wanted::Whole, Wanted::Points]);
    }
}
