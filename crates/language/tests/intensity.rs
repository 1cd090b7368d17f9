//! Intensity of emotions: trifles stay weak; strong words and major life events are strong. The cases are in `intensity.tsv`.

use saegim_core::Emotion;
use saegim_language::RuleThinker;

/// Intensity from which an emotion counts as strong; trifles stay below it.
const STRONG: f32 = 0.7;
/// Minimum intensity of strong cases, with a margin over `STRONG`.
const SURELY: f32 = 0.72;

struct Case {
    held: bool,
    trifle: bool,
    text: &'static str,
}

fn cases() -> Vec<Case> {
    let rows = include_str!("cases/intensity.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
        [split @ ("dev" | "held"), grade @ ("trifle" | "strong" | "great"), text] => {
            Case { held: split == "held", trifle: grade == "trifle", text }
        }
        _ => panic!("{line}"),
    })
    .collect()
}

fn check(held: bool, least: usize) {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.held == held).collect();
    let wrong: Vec<String> = cases
        .iter()
        .filter(|case| {
            let strength = RuleThinker.feel(case.text).intensity.get();
            if case.trifle { strength >= STRONG } else { strength < SURELY }
        })
        .map(|case| format!("{}: {:?}", case.text, RuleThinker.feel(case.text)))
        .collect();
    let right = cases.len() - wrong.len();
    println!("{right} of {}", cases.len());
    assert!(right * 100 >= cases.len() * least, "{right} of {}\n{}", cases.len(), wrong.join("\n"));
}

#[test]
fn trifles_are_weak_and_great_events_are_strong() {
    check(false, 100);
}

#[test]
fn held_out_messages_mostly_are_too() {
    check(true, 90);
}

#[test]
fn a_trifle_that_is_felt_is_neither_nothing_nor_much() {
    for text in ["짜증나 버스 놓침", "김치찌개 너무 좋아", "missed my train, so annoying", "I love pizza", "haha ok"] {
        let strength = RuleThinker.feel(text).intensity.get();
        assert!((0.2..0.69).contains(&strength), "{text}: {strength}");
    }
}

#[test]
fn a_death_shakes_more_than_a_parting() {
    for (more, less) in [("엄마가 돌아가셨어", "남자친구랑 헤어졌어"), ("my dad died", "we broke up")] {
        let [more, less] = [more, less].map(|text| RuleThinker.feel(text).intensity.get());
        assert!(more > 0.8 && less < more, "{more} {less}");
    }
}

#[test]
fn a_great_event_brings_the_emotion_that_fits() {
    for (text, emotion) in [
        ("집 샀어", Emotion::Joy),
        ("나 임신했어", Emotion::Joy),
        ("아빠 암이래", Emotion::Sadness),
        ("나 유산했어", Emotion::Sadness),
        ("we bought a house", Emotion::Joy),
        ("they let me go today", Emotion::Sadness),
        ("they assaulted him, he was stabbed", Emotion::Fear),
        ("I'm pregnant and terrified", Emotion::Fear),
    ] {
        assert!(RuleThinker.feel(text).emotions.holds(emotion), "{text}: {:?}", RuleThinker.feel(text));
    }
}

#[test]
fn machines_are_not_sad_and_a_friend_called_joy_is_no_joy() {
    for text in ["세탁기가 고장났어", "the car broke down on the way", "I had lunch with Joy", "Joy came over for tea"] {
        assert!(RuleThinker.feel(text).emotions.holds(Emotion::Neutral), "{text}: {:?}", RuleThinker.feel(text));
    }
    assert!(RuleThinker.feel("I broke down in tears").emotions.holds(Emotion::Sadness));
    assert!(RuleThinker.feel("that gave me so much joy").emotions.holds(Emotion::Joy));
}
