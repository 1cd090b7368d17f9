//! The model compared with what the training program computes, and texts of every kind.

use proptest::prelude::*;
use saegim_encoder::{Instructions, from_half};
use serde_json::Value;

use super::decode::{clauses, features, mean};
use super::heads::Head;
use super::*;
use crate::reader::analysis::SUBJECTS;

/// Largest difference of an output, which ranges from about -15 to 15.
const OUTPUT: f32 = 0.02;
/// Largest difference of a probability.
const PROBABILITY: f32 = 0.005;

fn analyse(text: &str) -> MessageAnalysis {
    Reader::built_in().analyse(&[Message { before: "", text }]).remove(0)
}

/// Numbers of the reference, in order.
struct Expected<'a>(&'a [[u8; 2]]);

impl Expected<'_> {
    /// Compares the outputs of `head` for `rows` with the next numbers.
    fn check(&mut self, head: &Head, rows: &[f32], what: &str) {
        let outputs = head.outputs(rows);
        let (expected, rest) = self.0.split_at(outputs.len());
        self.0 = rest;
        for (output, expected) in outputs.iter().map(|output| output * head.temperature).zip(expected.iter().map(|half| from_half(*half))) {
            assert!((output - expected).abs() < OUTPUT, "{what}: {output} instead of {expected}");
        }
    }
}

/// Written by `reader/train/export.py --reference`.
fn check_reference(instructions: Instructions) {
    let reader = Reader::of(Model::load(BUILT_IN, instructions), instructions).unwrap();
    let mut expected = Expected(include_bytes!("../../../tests/reader/reference.f16").as_chunks().0);
    let mut messages = 0;
    for line in include_str!("../../../tests/reader/reference.jsonl").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (before, text) = (line["before"].as_str().unwrap(), line["text"].as_str().unwrap());
        let message = Message { before, text };
        let windows = reader.model.windows(message);
        let [window] = &windows[..] else { panic!("{} windows: {text}", windows.len()) };
        let (input, heads) = (window.input(), &reader.model.heads);
        let ids: Vec<u64> = line["ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
        assert_eq!(input.pieces.iter().copied().map(u64::from).collect::<Vec<_>>(), ids, "{text}");
        assert_eq!(Some(input.first as u64), line["first"].as_u64(), "{text}");

        let (rows, width) = (reader.rows(&[input]).remove(0), reader.model.encoder.width);
        let (own, whole) = (&rows[..window.tokens.len() * width], mean(rows.chunks_exact(width), width));
        let ranges = clauses(text, window, &heads.starts.shares(own));
        let features = features(window, &ranges, own, &whole);
        for (head, rows, name) in [
            (&heads.tags, own, "tags"),
            (&heads.starts, own, "starts"),
            (&heads.emotions, &whole, "emotions"),
            (&heads.effects, &whole, "effects"),
            (&heads.face, &whole, "face"),
            (&heads.intensity, &whole, "intensity"),
            (&heads.group, &features, "group"),
            (&heads.act, &features, "act"),
            (&heads.holder, &features, "holder"),
            (&heads.status, &features, "status"),
            (&heads.keep, &features, "keep"),
        ] {
            expected.check(head, rows, &format!("{instructions:?}, {name} of {text:?}"));
        }

        let analysis = reader.analyse(&[message]).remove(0);
        let found: Vec<&str> = analysis.clauses.iter().map(|clause| &text[clause.range.clone()]).collect();
        assert_eq!(serde_json::json!(found), line["clauses"], "{text}");
        let values = line["values"].as_array().unwrap();
        assert_eq!(analysis.values.len(), values.len(), "{text}: {:?}", analysis.values);
        for (found, expected) in analysis.values.iter().zip(values) {
            assert_eq!(
                (&text[found.range.clone()], found.subject),
                (expected[0].as_str().unwrap(), expected[1].as_str().unwrap()),
                "{text}"
            );
            assert!((f64::from(found.probability) - expected[2].as_f64().unwrap()).abs() < PROBABILITY.into(), "{text}");
        }
        messages += 1;
    }
    assert!(messages > 35 && expected.0.is_empty(), "{messages} messages, {} numbers left", expected.0.len());
}

#[test]
fn the_outputs_are_those_of_the_training_program() {
    for instructions in Instructions::all() {
        check_reference(instructions);
    }
}

/// Checks what holds for the analysis of any text.
fn check_analysis(text: &str, analysis: &MessageAnalysis) {
    let mut end = 0;
    for clause in &analysis.clauses {
        let clause_text = text.get(clause.range.clone()).expect("a clause lies on character borders");
        assert!(clause.range.start >= end && clause_text == clause_text.trim() && !clause_text.is_empty(), "{text:?}: {clause_text:?}");
        assert!(text[end..clause.range.start].trim().is_empty(), "{text:?}: a gap before {clause_text:?}");
        end = clause.range.end;
        let shares = [clause.group.probability, clause.act.probability, clause.holder.probability, clause.status.probability];
        let probabilities = shares.iter().chain([&clause.life, &clause.real, &clause.keep]);
        assert!(probabilities.copied().all(|share| (0.0..=1.0).contains(&share)), "{text:?}: {clause:?}");
    }
    let unseen = analysis.clauses.is_empty() && Reader::built_in().model.windows(Message { before: "", text }).is_empty();
    assert!(unseen || text.len() > 10_000 || text[end..].trim().is_empty(), "{text:?}: nothing covers {:?}", &text[end..]);
    let mut end = 0;
    for value in &analysis.values {
        assert!(value.range.start >= end && text.get(value.range.clone()).is_some_and(|value| !value.is_empty()), "{text:?}: {value:?}");
        assert!(SUBJECTS.contains(&value.subject) && (0.0..=1.0).contains(&value.probability), "{value:?}");
        end = value.range.end;
    }
    assert!(analysis.emotions.iter().all(|share| (0.0..=1.0).contains(share)), "{:?}", analysis.emotions);
    assert!(analysis.effects.iter().all(|effect| (-1.0..=1.0).contains(effect)), "{:?}", analysis.effects);
    assert!((0.0..=3.0).contains(&analysis.intensity) && (0.0..=1.0).contains(&analysis.face.probability));
}

#[test]
fn a_blank_message_says_nothing() {
    for text in ["", " ", "\n\t ", "\u{3000}", "\u{200B}", "▁"] {
        let analysis = analyse(text);
        check_analysis(text, &analysis);
        assert!(analysis.clauses.is_empty() && analysis.values.is_empty() && analysis.intensity == 0.0, "{text:?}");
    }
}

#[test]
fn a_message_does_not_depend_on_its_batch() {
    let messages = ["나 부산 살아", "My cat is called Momo.", "", "ㅋㅋ", "저는 의사예요. 근데 요즘 너무 바빠요"]
        .map(|text| Message { before: "이름이 뭐야?", text });
    let together = Reader::built_in().analyse(&messages);
    for (message, analysis) in messages.iter().zip(together) {
        assert_eq!(Reader::built_in().analyse(&[*message]), [analysis], "{}", message.text);
    }
}

#[test]
fn every_sentence_of_a_long_message_is_read() {
    let text = "I went to the market today and bought some apples. ".repeat(30) + "I live in Leeds.";
    let analysis = analyse(&text);
    check_analysis(&text, &analysis);
    let windows = Reader::built_in().model.windows(Message { before: "", text: &text });
    assert!(windows.len() > 2 && windows.iter().all(|window| window.input().pieces.len() <= 128));
    for window in &windows[1..] {
        assert!(text[..window.range.start].ends_with(". "), "a window starts inside a sentence at {}", window.range.start);
    }
}

#[test]
fn a_word_without_end_is_cut_on_character_borders() {
    for word in ["가", "a1", "😂", "ᄒ", "é\u{301}"] {
        let text = word.repeat(700);
        check_analysis(&text, &analyse(&text));
    }
}

#[test]
fn what_follows_the_last_window_has_no_clauses() {
    let text = "나는 오늘 커피를 마셨어. ".repeat(4_000);
    let analysis = analyse(&text);
    check_analysis(&text, &analysis);
    let end = analysis.clauses.last().unwrap().range.end;
    assert!(end > 15_000 && end < text.len(), "read up to {end}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_gives_clauses_and_values_on_character_borders(text in "\\PC{0,60}", before in "\\PC{0,30}") {
        check_analysis(&text, &Reader::built_in().analyse(&[Message { before: &before, text: &text }])[0]);
    }

    #[test]
    fn mixed_words_give_clauses_that_cover_the_text(
        words in prop::collection::vec(prop::sample::select(vec!["나는", "부산", "coffee", "…", "½", "한", "ㅋㅋ", "\u{200B}", "▁", "\n", "“job”", "e\u{301}", "👩‍👩‍👧", "．"]), 0..40),
        space in prop::sample::select(vec![" ", "  ", "\u{A0}", "", "\u{2028}"]),
    ) {
        let text = words.join(space);
        check_analysis(&text, &analyse(&text));
    }
}
