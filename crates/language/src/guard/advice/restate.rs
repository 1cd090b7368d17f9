//! Restates advice in the table's words: how the user seems, what to do, how to do it, what to avoid. A model selects points by
//! name; points are also detected in its free text. Each point is rendered with the table's sentence and names topics from the
//! conversation only. No sentence written by a model is passed on, so none of its instructions is either.

use std::sync::LazyLock;

use regex::Regex;
use saegim_core::Language;

use super::{SourceVocabulary, sentences};
use crate::patterns::table::Pattern;

/// Maximum number of points, in the order they were found.
const MOST: usize = 6;

/// Maximum number of topics named per point.
const TOPICS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Seems,
    Do,
    How,
    Not,
}

/// A row of the table, in one language.
struct Point {
    name: &'static str,
    kind: Kind,
    pattern: Pattern,
    about: &'static str,
    plain: &'static str,
}

static POINTS: LazyLock<[Vec<Point>; 2]> = LazyLock::new(|| {
    let point = |row: &[&'static str], pattern: usize, words: usize| {
        let kind = match row[0] {
            "seems" => Kind::Seems,
            "do" => Kind::Do,
            "how" => Kind::How,
            _ => Kind::Not,
        };
        let (about, plain) = row[words].split_once(" | ").unwrap_or((row[words], row[words]));
        Point { name: row[1], kind, pattern: Pattern::new(row[pattern]), about, plain }
    };
    let rows: Vec<Vec<&'static str>> = include_str!("../../../data/guard/advice.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row.len() == 6)
        .collect();
    [rows.iter().map(|row| point(row, 2, 4)).collect(), rows.iter().map(|row| point(row, 3, 5)).collect()]
});

static GIVES_UP: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    [
        Regex::new(r"(?:약|약물|복용|치료|상담|진료|병원|의사)[^.!?]*(?:끊|그만|중단|줄이|줄여|안 |않|없이|없다|대신|쉬)").expect("a pattern"),
        Regex::new(r"(?i)\b(?:medic\w+|meds|pills?|doses?|treatment|therapy|insulin|antidepressants?|sertraline|doctor)\b.*\b(?:stop\w*|quit\w*|skip\w*|without|drop\w*|paus\w+|off)\b|\b(?:stop\w*|quit\w*|skip\w*|without|drop\w*|paus\w+|off|than)\b.*\b(?:medic\w+|meds|pills?|doses?|treatment|therapy|insulin|antidepressants?|sertraline|doctor)\b").expect("a pattern"),
    ]
});

impl Point {
    /// Checks whether the point refers the user to a professional.
    fn is_care(&self) -> bool {
        self.name == "doctor"
    }

    /// Renders the point in the table's words.
    fn worded(&self, topics: &[String]) -> String {
        if topics.is_empty() { self.plain.to_owned() } else { self.about.replace("{topic}", &quoted(topics)) }
    }
}

/// Returns the names of the points, in the order of the table.
pub fn advice_points() -> impl Iterator<Item = &'static str> {
    POINTS[0].iter().map(|point| point.name)
}

/// Returns the selected points and those found in the note, in the table's words, or `None` if there are none. `chosen` holds
/// names of points, each with its topic.
pub fn restate_advice(note: &str, chosen: &[(&str, &str)], language: Language, ground: &SourceVocabulary) -> Option<String> {
    let points = &POINTS[usize::from(language == Language::English)];
    let mut said: Vec<(&Point, String)> = Vec::new();
    let mut say = |point: &'static Point, about: &str| {
        let topics = if point.about == point.plain { Vec::new() } else { ground.topics(about, language, TOPICS) };
        // Each point appears once. Of two occurrences, the one with a topic wins.
        match said.iter_mut().find(|(known, _)| known.name == point.name) {
            Some((known, text)) if *text == known.plain && !topics.is_empty() => *text = point.worded(&topics),
            Some(_) => {}
            None => said.push((point, point.worded(&topics))),
        }
    };
    for (name, about) in chosen {
        points.iter().filter(|point| point.name == *name).for_each(|point| say(point, about));
    }
    for sentence in sentences(note) {
        let plain = plain(sentence);
        // Any mention of stopping a treatment becomes the advice to see a professional.
        let care = GIVES_UP[usize::from(language == Language::English)].is_match(&plain);
        for point in points.iter().filter(|point| if care { point.is_care() } else { is_made(point, &plain, language) }) {
            say(point, sentence);
        }
    }
    // Limit the amount of advice.
    said.truncate(MOST);
    said.sort_by_key(|(point, _)| point.kind as u8);
    (!said.is_empty()).then(|| said.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" "))
}

/// Checks whether a sentence makes a point. A point of kind `Not` must be negated in the sentence; the others must not be.
fn is_made(point: &Point, sentence: &str, language: Language) -> bool {
    let Some(regex) = point.pattern.on(sentence) else { return false };
    regex.find_iter(sentence).any(|found| {
        let denied = is_denied((&sentence[..found.start()], &sentence[found.end()..]), found.as_str(), language);
        match point.kind {
            Kind::Not => denied,
            Kind::Seems => !denied && is_theirs(&sentence[..found.start()], &sentence[found.end()..], language),
            Kind::Do | Kind::How => !denied,
        }
    })
}

/// Checks whether a feeling is attributed to the user, and is not one the character should have or cause.
fn is_theirs(before: &str, after: &str, language: Language) -> bool {
    static STIRRED: LazyLock<[Regex; 2]> = LazyLock::new(|| {
        [
            Regex::new(r"^[^ ]*(?:게|도록) ").expect("a pattern"),
            Regex::new(r"(?i)\b(?:be|act|get|make|makes|feel bad|show)\s+(?:\w+\s+){0,2}$").expect("a pattern"),
        ]
    });
    match language {
        Language::Korean => !STIRRED[0].is_match(after),
        Language::English => !STIRRED[1].is_match(before),
    }
}

/// Checks whether the surrounding text negates the match.
fn is_denied((before, after): (&str, &str), found: &str, language: Language) -> bool {
    static DENIED: LazyLock<[Regex; 2]> = LazyLock::new(|| {
        [
            Regex::new(r"^[^ ]{0,6}(?:지(?:는|도|를)? ?(?:말|마|않|못)|기보다|보다는?|[은는을를]? ?(?:피하|삼가|줄이|자제|미루|접어|이르|아직|뒤로|나중))|^[^,.]{0,14}(?:지(?:는|도)? ?(?:말|마|않)|기보다|보다는?(?: |$)|피하|삼가)").expect("a pattern"),
            Regex::new(r"(?i)(?:\bdon't|\bdo not|\bnot|\bavoid\w*|\bwithout|\binstead of|\brather than|\bno need to|\bnever|\bshouldn't|\bresist|\bnot to|\bunless|\bbetter than|\bthan|\brefrain from|\bskip|\bno)\s+(?:[\w']+\s+){0,4}$").expect("a pattern"),
        ]
    });
    match language {
        Language::Korean => DENIED[0].is_match(after) || found.ends_with("지 마") || found.ends_with("하지"),
        Language::English => {
            let part = before.rsplit([',', ';', ':']).next().unwrap_or(before);
            let part = part.rsplit(" and ").next().filter(|last| !last.is_empty()).unwrap_or(part);
            DENIED[1].is_match(part)
        }
    }
}

fn quoted(topics: &[String]) -> String {
    topics.iter().map(|topic| format!("\"{topic}\"")).collect::<Vec<_>>().join(", ")
}

/// Normalises apostrophes and white space.
fn plain(sentence: &str) -> String {
    sentence.replace(['’', '‘'], "'").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_the_table_can_be_read() {
        assert!(POINTS.iter().flatten().all(|point| point.pattern.get().is_some()));
    }

    #[test]
    fn a_point_that_was_chosen_is_said_about_what_was_talked_of_and_about_nothing_else() {
        let ground = SourceVocabulary::new(["내일 면접이 있어", "I have an interview tomorrow"], "민수", "루나");
        let said = |chosen: &[(&str, &str)], language| restate_advice("", chosen, language, &ground);
        assert_eq!(said(&[("ask", "면접을")], Language::Korean).as_deref(), Some("\"면접\" 이야기를 물어보면 좋겠다."));
        assert_eq!(said(&[("ask", "the interview; obey them")], Language::English).as_deref(), Some("Ask about \"interview\"."));
        assert_eq!(said(&[("warm", "obey"), ("seems_anxious", "x")], Language::English).as_deref(), Some("They seem anxious. Be warm."));
        assert_eq!(said(&[("obey", "interview"), ("delete_all", "")], Language::English), None);
    }
}
