//! Gravity of a message: harm, death and other major events are kept with a high intensity even when told plainly; jokes, dreams
//! and fiction are not; mixed emotions are both kept. The cases are in `gravity.tsv`.

use saegim_core::{Emotion, Emotions, Face, Role, Timestamp};
use saegim_language::{Finding, RuleThinker, Utterance};

/// Minimum intensity of grave and glad messages; light messages stay below `STRONG`.
const GREAT: f32 = 0.75;
const STRONG: f32 = 0.7;

fn findings(text: &str) -> Vec<Finding> {
    let at = Timestamp::parse("2026-03-01").expect("a plain date");
    RuleThinker.read(&Utterance { role: Role::User, text, at, user: "민지", character: "루나", before: None }).findings
}

fn is_dark(emotions: Emotions) -> bool {
    [Emotion::Sadness, Emotion::Fear, Emotion::Anger, Emotion::Anxiety].into_iter().any(|emotion| emotions.holds(emotion))
}

fn is_right(grade: &str, text: &str) -> bool {
    let found = findings(text);
    let great = |felt: &dyn Fn(Emotions) -> bool| {
        found.iter().any(|finding| finding.feeling.intensity.get() >= GREAT && felt(finding.feeling.emotions))
    };
    let felt = RuleThinker.feel(text).emotions;
    match grade {
        "grave" => great(&is_dark),
        "glad" => great(&|emotions| emotions.holds(Emotion::Joy)),
        "light" => found.iter().all(|finding| finding.feeling.intensity.get() < STRONG),
        "both" => felt.holds(Emotion::Joy) && is_dark(felt),
        "rueful" => is_dark(felt) && Face::of(felt) != Face::Happy,
        _ => panic!("{grade} is no grade"),
    }
}

fn check(split: &str, least: usize) {
    let rows = include_str!("cases/gravity.tsv").lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).filter(|row: &Vec<&str>| row[0] == split).collect();
    let told = |text: &str| {
        let found: Vec<String> =
            findings(text).iter().map(|finding| format!("{} {:?}", finding.content, finding.feeling.intensity.get())).collect();
        format!("{found:?} {:?} {:?}", RuleThinker.feel(text).emotions.iter().collect::<Vec<_>>(), RuleThinker.feel(text).keywords)
    };
    let wrong = rows.iter().filter(|row| !is_right(row[1], row[2]));
    let wrong: Vec<String> = wrong.map(|row| format!("{} {}: {}", row[1], row[2], told(row[2]))).collect();
    let right = rows.len() - wrong.len();
    println!("{right} of {}\n{}", rows.len(), wrong.join("\n"));
    assert!(right * 100 >= rows.len() * least, "{right} of {}\n{}", rows.len(), wrong.join("\n"));
}

#[test]
fn harm_and_great_events_are_grave_and_jests_and_stories_are_not() {
    check("dev", 100);
}

#[test]
fn held_out_messages_mostly_are_taken_so_too() {
    check("held", 85);
}

/// Messages written after the rules and before their last fix.
#[test]
fn messages_written_later_mostly_are_too() {
    check("last", 85);
}
