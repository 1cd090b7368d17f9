//! Pairs of Korean and English sentences about the same event or about different ones.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use saegim_core::{EventSentence, Sameness, Sentiment, sameness};

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("sameness.tsv").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t');
        (columns.next().unwrap(), columns.next().unwrap(), columns.next().unwrap())
    })
}

fn said(text: &str) -> EventSentence<'_> {
    EventSentence { text, sentiment: Sentiment::clamped(0.0) }
}

#[test]
fn another_thing_is_never_taken_for_the_same() {
    let mut wrong = Vec::new();
    for (verdict, one, other) in rows() {
        let found = sameness(said(one), said(other));
        let back = sameness(said(other), said(one));
        let fits = match verdict {
            "other" => found == Sameness::Other,
            "same" => found == Sameness::Same,
            "more" => found == Sameness::More,
            "less" => found == Sameness::Less,
            _ => found != Sameness::Other,
        };
        let mirrored = match found {
            Sameness::More => Sameness::Less,
            Sameness::Less => Sameness::More,
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
    let felt = |text, value| EventSentence { text, sentiment: Sentiment::clamped(value) };
    assert_eq!(sameness(felt("그 사람 얘기를 했어", -0.7), felt("그 사람 얘기를 또 했어", 0.6)), Sameness::Other);
    for (_, one, other) in rows() {
        for text in [one, other] {
            assert_eq!(sameness(said(text), said(text)), Sameness::Same, "{text}");
        }
    }
}
