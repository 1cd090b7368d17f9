//! Removes openings and fillers from a statement before it is read and stored.

use std::sync::LazyLock;

use saegim_core::Timestamp;

use crate::parse::korean;
use crate::patterns::table::{Pattern, WORDS, rows};

static ASIDES: LazyLock<Vec<(bool, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../data/tokenize/asides.tsv"))
        .filter_map(|row| match row[..] {
            [place, pattern, ..] => Some((place == "front", Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

/// Returns month and day of the next such day of a month, counted from the message, or of the following month if `next_month`.
pub(crate) fn coming(at: Timestamp, day: &str, next_month: bool) -> String {
    let shown = at.to_string();
    let (month, today) = (shown.get(5..7).unwrap_or("01"), shown.get(8..10).unwrap_or("01"));
    let number = |text: &str| text.parse::<u32>().unwrap_or(1);
    let month = if next_month || number(day) < number(today) { number(month) % 12 + 1 } else { number(month) };
    format!("{month:02}-{:02}", number(day))
}

/// Removes asides like "did I tell you that" and "거 알지".
pub(crate) fn without_asides(text: &str) -> String {
    let mut said = text.to_owned();
    for _ in 0..2 {
        for (front, pattern) in ASIDES.iter() {
            let Some(found) = pattern.on(&said).and_then(|regex| regex.find(&said)) else { continue };
            let cut = if *front && found.start() == 0 && said[found.end()..].starts_with(' ') {
                Some(said[found.end()..].trim().to_owned())
            } else if !*front && found.end() == said.len() && found.start() > 0 {
                Some(said[..found.start()].trim().to_owned())
            } else {
                None
            };
            if let Some(rest) = cut.filter(|rest| !rest.is_empty()) {
                said = rest;
            }
        }
    }
    said
}

/// Splits the meaningless opening words off a clause. Returns the rest and those words.
pub(crate) fn opened(clause: &str) -> (&str, &str) {
    const KEPT: [&str; 16] = [
        "매일",
        "보통",
        "평소",
        "평소에",
        "나중에",
        "언젠가",
        "주말마다",
        "맨날",
        "항상",
        "아침마다",
        "아침",
        "새벽",
        "집에서",
        "하루에",
        "다음",
        "일주일에",
    ];
    let mut core = clause;
    loop {
        let (word, rest) = core.split_once(' ').unwrap_or((core, ""));
        let bare = word.trim_end_matches(',');
        let next = rest.split(' ').next().unwrap_or_default();
        let owns = matches!(bare, "내" | "제" | "우리" | "울" | "나의" | "저의");
        let someone = matches!(korean::pointer(next), korean::Pointer::Person(_))
            || crate::patterns::table::is_class("animal", korean::particle(next).0)
            || next.starts_with('집');
        let idle = ["first", "filler", "time"].iter().any(|list| WORDS.has(list, bare)) && !KEPT.contains(&bare) && !(owns && someone);
        if rest.is_empty() || !idle {
            break;
        }
        core = rest;
    }
    for glued in ["나는", "저는", "내가", "제가"] {
        if let Some(rest) = core.strip_prefix(glued).filter(|rest| rest.starts_with(|letter: char| ('가'..='힣').contains(&letter))) {
            core = rest;
        }
    }
    let at = clause.len() - core.len();
    (clause[..at].trim(), core)
}

/// Returns the text to store: without opening fillers and surrounding punctuation.
pub(crate) fn trimmed(text: &str) -> String {
    let mut rest = text.trim();
    while let Some((word, after)) = rest.split_once(' ') {
        let bare = word.trim_end_matches([',', '.']);
        if !(WORDS.has("filler", bare)
            || matches!(bare.to_lowercase().as_str(), "oh" | "um" | "uh" | "well" | "btw" | "hey" | "hmm" | "lol"))
            || after.trim().is_empty()
        {
            break;
        }
        rest = after.trim_start();
    }
    rest.trim_matches(|letter: char| matches!(letter, ' ' | ',' | '~' | '*')).to_owned()
}
