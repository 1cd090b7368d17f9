//! Brief replies of the rule thinker: from facts, from remembered lines, or an honest "I do not know".

use saegim_core::{Language, Role, SpeechStyle, Timestamp};
use saegim_language::{ReplyTo, RuleThinker, Utterance};

struct Known {
    facts: Vec<(String, String)>,
    memories: Vec<String>,
}

fn reply(text: &str, style: SpeechStyle, known: &Known) -> String {
    let language = Language::of(text);
    let character = if language == Language::Korean { "하루" } else { "Haru" };
    let at = Timestamp::parse("2026-03-01").expect("a plain date");
    let reading = RuleThinker.read(&Utterance { role: Role::User, text, at, user: "민지", character, before: None });
    RuleThinker.reply(&ReplyTo {
        text,
        character,
        user: "민지",
        language,
        style,
        facts: &known.facts,
        memories: &known.memories,
        feeling: &reading.feeling,
        reading: &reading,
        context: "",
        before: &[],
    })
}

fn known(facts: &str, memories: &str) -> Known {
    let parts = |text: &str| text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let fact = |text: &String| text.split_once('=').map(|(subject, value)| (subject.to_owned(), value.to_owned())).expect("subject=value");
    Known { facts: parts(facts).iter().map(fact).collect(), memories: parts(memories) }
}

fn holds(said: &str, expected: &str) -> bool {
    expected
        .split(" & ")
        .all(|all| all.split(" | ").any(|one| one.strip_prefix('!').map_or_else(|| said.contains(one), |never| !said.contains(never))))
}

fn cases() -> Vec<(SpeechStyle, &'static str, &'static str, Known)> {
    let lines = include_str!("cases/replies.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut columns = line.split('\t');
            let mut next = || columns.next().unwrap_or_default();
            let (style, expected, said) = (next(), next(), next());
            (SpeechStyle::parse(style).expect(line), expected, said, known(next(), next()))
        })
        .collect()
}

#[test]
fn a_message_is_answered_from_what_is_known() {
    let mut wrong = Vec::new();
    for (style, expected, said, known) in cases() {
        let answer = reply(said, style, &known);
        if !holds(&answer, expected) {
            wrong.push(format!("{said}: \"{answer}\" lacks {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Polite Korean (존댓말) ends in 요, 죠 or 니다; casual Korean (반말) never does.
#[test]
fn the_level_of_speech_is_kept() {
    for (_, _, said, known) in cases().into_iter().filter(|case| Language::of(case.2) == Language::Korean) {
        for style in [SpeechStyle::Formal, SpeechStyle::Casual, SpeechStyle::Intimate] {
            let answer = reply(said, style, &known);
            let last = answer.trim_end_matches(['.', '!', '?', '"']);
            let polite = ["요", "죠", "니다", "님"].iter().any(|ending| last.ends_with(ending));
            assert_eq!(polite, style == SpeechStyle::Formal, "{said} {style}: {answer}");
        }
    }
}

#[test]
fn an_answer_is_brief_in_the_language_asked_for_and_always_the_same() {
    for (style, _, said, known) in cases() {
        let answer = reply(said, style, &known);
        assert!(!answer.is_empty() && answer.chars().count() <= 200, "{said}: {answer}");
        assert_eq!(answer, reply(said, style, &known));
        assert!(!answer.contains(['{', '}']), "{answer}");
    }
}

/// An answer never contains a value that was not given.
#[test]
fn nothing_is_made_up() {
    let nothing = known("", "");
    for (style, _, said, _) in cases() {
        let answer = reply(said, style, &nothing);
        for value in ["모찌", "부산에 산", "간호사라고", "땅콩", "Mochi", "nurse", "peanuts", "June"] {
            assert!(said.contains(value) || !answer.contains(value), "{said}: {answer}");
        }
    }
}
