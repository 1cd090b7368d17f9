//! Messages in both languages with their expected face and emotion tags: those the lexicon was written for, and held-out ones.

use saegim_core::{Emotion, Emotions, Face};
use saegim_language::RuleThinker;

struct Case {
    held: bool,
    face: Face,
    tags: Emotions,
    text: &'static str,
}

fn cases() -> Vec<Case> {
    let table = include_str!("cases/feelings.tsv").lines().filter(|line| !line.starts_with('#'));
    table
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [split, face, tags, text] = columns[..] else { panic!("{line}: four columns") };
            Case {
                held: split == "held",
                face: Face::parse(face).expect(line),
                tags: Emotions::mix(tags.split(',').map(|tag| Emotion::parse(tag).expect(line))),
                text,
            }
        })
        .collect()
}

/// Checks that at least `least` percent of the cases show their face and at least one of their tags.
fn check(held: bool, least: usize) {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.held == held).collect();
    let mut wrong = Vec::new();
    for case in &cases {
        let felt = RuleThinker.feel(case.text);
        let tagged = case.tags.iter().any(|tag| felt.emotions.holds(tag));
        if Face::of(felt.emotions) != case.face || !tagged {
            wrong.push(format!("{} is {:?} {:?}", case.text, felt.emotions.iter().collect::<Vec<_>>(), felt.keywords));
        }
    }
    let right = cases.len() - wrong.len();
    assert!(right * 100 >= cases.len() * least, "{right} of {}\n{}", cases.len(), wrong.join("\n"));
}

#[test]
fn messages_show_the_face_they_carry() {
    check(false, 95);
}

#[test]
fn held_out_messages_mostly_do_too() {
    check(true, 90);
}

/// Plain statements have a low intensity, regardless of their layout.
#[test]
fn a_neutral_message_has_no_strength() {
    for case in cases().iter().filter(|case| !case.held && case.face == Face::Neutral && case.tags.holds(Emotion::Neutral)) {
        let felt = RuleThinker.feel(case.text);
        assert!(felt.intensity.get() < 0.4, "{}: {felt:?}", case.text);
    }
}

#[test]
fn any_text_has_a_feeling_within_bounds() {
    for text in ["", " ", "\u{0}", "?", "안", "ㅠ", "not", "’’’", "\u{1112}\u{1161}\u{11ab}", &"아 ".repeat(5000), "👨‍👩‍👧‍👦"]
    {
        let felt = RuleThinker.feel(text);
        assert!(!felt.emotions.is_empty(), "{text:?}");
    }
}

#[test]
fn what_is_only_a_little_so_is_felt_less() {
    for (little, plain) in
        [("무릎이 좀 아파", "무릎이 아파"), ("약간 우울해", "우울해"), ("쫌 짜증나", "짜증나"), ("I'm mildly annoyed", "I'm annoyed")]
    {
        assert!(RuleThinker.feel(little).intensity < RuleThinker.feel(plain).intensity, "{little}");
    }
    assert!(RuleThinker.feel("무릎이 좀 아파").intensity.get() < 0.7);
}
