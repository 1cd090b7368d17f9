//! What a text says about itself at a glance: whether it gives an order for good, tells a taste, names a time.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

/// Marks of a text, each seen or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// An order for good: "always ...", "앞으로는 ...".
    pub standing: bool,
    /// A taste: "my favourite ...", "... 좋아해".
    pub preference: bool,
    /// It names a time.
    pub time: bool,
    /// It names a number.
    pub number: bool,
    /// It ends in a question.
    pub asks: bool,
}

/// A pattern that knows words of Latin letters only at their borders: a border any script could have would make every
/// search in Korean text crawl.
pub(crate) fn pattern(text: &str) -> Regex {
    regex::RegexBuilder::new(&latin(text)).case_insensitive(true).build().expect("a pattern of ours is sound")
}

/// Several such patterns, looked for all at once.
pub(crate) fn patterns<'a>(texts: impl Iterator<Item = &'a str>) -> RegexSet {
    regex::RegexSetBuilder::new(texts.map(latin)).case_insensitive(true).build().expect("patterns of ours are sound")
}

fn latin(text: &str) -> String {
    text.replace(r"\b", r"(?-u:\b)").replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]")
}

static STANDING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[^0-9A-Za-z_가-힣]*(please\s+)?(always|never)\s+\w+|\bfrom now on\b|\bwhen(ever)? I (ask|mention|say|talk)\b|\b(please|make sure (to|you)) always\b|(앞으로(는)?|항상|절대로?)\s[^.!?]*(해\s?줘|해주세요|하지\s?마|말아|불러|답해|대답해)",
    )
});
static PREFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bI('d| would| do| really)? (rather|prefer)|\b(I|we)('ve| have)?( really| always| also)? (love|like|enjoy|hate|dislike|prefer)\b|\bmy favou?rite\b|\bI'm (really )?(into|a fan of|interested in)\b|\bprefer(s|red|ence)?\b|좋아하|좋아해|선호|싫어|취향",
    )
});
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(yesterday|today|tonight|tomorrow|ago|last (night|week|month|year|weekend|summer|winter|spring|fall|mon|tue|wed|thu|fri|sat|sun)\w*|this (morning|week|month|year|weekend)|next (week|month|year|weekend)|(mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|\d{1,2}(st|nd|rd|th)|(19|20)\d\d|recently|just)\b|어제|그저께|오늘|내일|지난|다음\s?(주|달|해)|작년|올해|내년|\d+월|\d+일|\d+시|[월화수목금토일]요일|오전|오후|새벽|아침|저녁|매일|매주|매달|주말",
    )
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|several|twice|once|first|second|third|fourth)\b|하나|둘|셋|(?:^|\s)[한두세네] ",
    )
});

impl Marks {
    /// The marks of a text.
    pub fn of(text: &str) -> Self {
        Self {
            standing: STANDING.is_match(text),
            preference: PREFERENCE.is_match(text),
            time: TIME.is_match(text),
            number: NUMBER.is_match(text),
            asks: said(text).ends_with(['?', '？']),
        }
    }
}

/// What was said, without a note in brackets behind it: "Isn't she lovely? [photo: a cat]" asks.
pub fn said(text: &str) -> &str {
    let text = text.trim_end();
    let note = text.strip_suffix(']').and_then(|text| text.rfind('['));
    note.map_or(text, |start| text[..start].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, marks: Marks) {
        assert_eq!(Marks::of(text), marks, "{text}");
    }

    #[test]
    fn marks_are_seen_in_both_languages() {
        let none = Marks::default();
        check("Always answer in Korean.", Marks { standing: true, ..none });
        check("앞으로는 존댓말로 해줘", Marks { standing: true, ..none });
        check("매운 음식을 좋아해", Marks { preference: true, ..none });
        check("My favourite colour is blue", Marks { preference: true, ..none });
        check("어제 뭐 했어?", Marks { time: true, asks: true, ..none });
        check("it cost 30 dollars", Marks { number: true, ..none });
        check("고양이", none);
        check("Isn't she lovely? [photo: a cat]", Marks { asks: true, ..none });
        check("항상 늦게 자", none);
        check("I have never been there", none);
        check("항상 반말로 대답해", Marks { standing: true, ..none });
    }
}
