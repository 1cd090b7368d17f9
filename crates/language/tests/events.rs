//! Pairs of Korean and English sentences about the same event or about different ones.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use saegim_core::Sentiment;
use saegim_language::{EventRelation, EventText, compare_events};

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("cases/events.tsv").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t');
        (columns.next().unwrap(), columns.next().unwrap(), columns.next().unwrap())
    })
}

fn said(text: &str) -> EventText<'_> {
    EventText { text, sentiment: Sentiment::clamped(0.0) }
}

#[test]
fn another_thing_is_never_taken_for_the_same() {
    let mut wrong = Vec::new();
    for (verdict, one, other) in rows() {
        let found = compare_events(said(one), said(other));
        let back = compare_events(said(other), said(one));
        let fits = match verdict {
            "other" => found == EventRelation::Different,
            "same" => found == EventRelation::Same,
            "more" => found == EventRelation::More,
            "less" => found == EventRelation::Less,
            _ => found != EventRelation::Different,
        };
        let mirrored = match found {
            EventRelation::More => EventRelation::Less,
            EventRelation::Less => EventRelation::More,
            same => same,
        };
        if !fits || back != mirrored {
            wrong.push(format!("{verdict}: {one} | {other} is {found:?}, and back {back:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn opposite_feelings_are_two_things_and_a_text_is_always_itself() {
    let felt = |text, value| EventText { text, sentiment: Sentiment::clamped(value) };
    assert_eq!(compare_events(felt("그 사람 얘기를 했어", -0.7), felt("그 사람 얘기를 또 했어", 0.6)), EventRelation::Different);
    for (_, one, other) in rows() {
        for text in [one, other] {
            assert_eq!(compare_events(said(text), said(text)), EventRelation::Same, "{text}");
        }
    }
}
