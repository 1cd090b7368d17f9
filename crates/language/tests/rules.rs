//! Everyday sentences and what the rules must extract from each: the main table, a held-out table and a table in other voices.

use saegim_core::{Role, Timestamp};
use saegim_language::{About, Finding, Reading, RuleThinker, SkipReason, Utterance};

/// One line of a table.
struct Case {
    expected: Vec<String>,
    said: String,
    before: Option<String>,
}

fn cases(table: &str) -> Vec<Case> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            Case {
                expected: columns[0].split(" & ").map(|one| one.trim().to_owned()).collect(),
                said: columns[1].to_owned(),
                before: columns.get(2).filter(|before| !before.is_empty()).map(|before| (*before).to_owned()),
            }
        })
        .collect()
}

fn read(said: &str, before: Option<&str>) -> Reading {
    RuleThinker.read(&Utterance {
        role: Role::User,
        text: said,
        at: Timestamp::parse("2026-03-01").expect("a plain date"),
        user: "user",
        character: "character",
        before,
    })
}

fn has_value(finding: &Finding, values: &str) -> bool {
    values.split('|').any(|value| {
        finding.claim.as_ref().is_some_and(|claim| claim.canonical == value || claim.value.to_lowercase().contains(&value.to_lowercase()))
    })
}

/// Returns whether the reading satisfies one expectation: `subject=value`, `-subject=value` (ends), `~subject=value` (corrects),
/// `who>subject=value`, `#type`, `!left alone`, `remember`, `none`, `no subject`.
fn holds(reading: &Reading, expected: &str) -> bool {
    let claims = |about: &dyn Fn(&About) -> bool, text: &str, ends: bool| {
        let (subject, value) = text.split_once('=').unwrap_or((text, ""));
        reading.findings.iter().any(|finding| {
            about(&finding.about)
                && has_value(finding, value)
                && finding.claim.as_ref().is_some_and(|claim| claim.subject == subject && claim.ends == ends)
        })
    };
    let user = |about: &About| matches!(about, About::User | About::Both);
    if let Some((who, rest)) = expected.split_once('>') {
        let named = |about: &About| matches!(about, About::Other(name) if name.to_lowercase().contains(&who.to_lowercase()));
        return claims(&named, rest, false);
    }
    if let Some(subject) = expected.strip_prefix("no ") {
        return reading.findings.iter().all(|finding| finding.claim.as_ref().is_none_or(|claim| claim.subject != subject || claim.ends));
    }
    match expected.split_at(expected.char_indices().nth(1).map_or(expected.len(), |(at, _)| at)) {
        ("#", kind) => reading.findings.iter().any(|finding| finding.candidate_type.as_str() == kind),
        ("!", why) => reading.left_alone.iter().any(|(_, left)| word(*left) == why) && !of_user(reading),
        ("-", rest) => claims(&user, rest, true),
        ("~", rest) => claims(&user, rest, false) && reading.findings.iter().any(|finding| finding.corrects),
        _ if expected == "remember" => reading.findings.iter().any(|finding| finding.remember_this),
        _ if expected == "none" => !of_user(reading),
        _ => claims(&user, expected, false),
    }
}

/// Returns whether the reading claims anything about the user; a family relation alone does not count.
fn of_user(reading: &Reading) -> bool {
    reading.findings.iter().any(|finding| {
        finding.about == About::User
            && finding.claim.as_ref().is_some_and(|claim| {
                !matches!(claim.subject.as_str(), "family" | "child" | "relationship_status") || finding.confidence.get() > 0.75
            })
    })
}

fn word(left: SkipReason) -> &'static str {
    match left {
        SkipReason::SmallTalk => "small_talk",
        SkipReason::Question => "question",
        SkipReason::Hypothetical => "hypothetical",
        SkipReason::Quote => "quote",
        SkipReason::Joke => "joke",
        SkipReason::Ignorance => "ignorance",
        SkipReason::Instruction => "instruction",
    }
}

/// A single-valued claim about the user that the case does not expect.
fn unexpected(reading: &Reading, case: &Case) -> Option<String> {
    let listed = |subject: &str| case.expected.iter().any(|one| one.trim_start_matches(['-', '~']).starts_with(&format!("{subject}=")));
    reading.findings.iter().find_map(|finding| {
        let claim = finding.claim.as_ref().filter(|claim| finding.about == About::User && claim.single && !claim.ends)?;
        (!listed(&claim.subject) && finding.confidence.get() > 0.6).then(|| format!("{}={}", claim.subject, claim.value))
    })
}

/// Description of each case that is read wrongly.
fn mismatches(cases: &[Case]) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases {
        let reading = read(&case.said, case.before.as_deref());
        let lacks: Vec<&str> = case.expected.iter().filter(|one| !holds(&reading, one)).map(String::as_str).collect();
        let extra = unexpected(&reading, case);
        if lacks.is_empty() && extra.is_none() {
            continue;
        }
        let found: Vec<String> = reading
            .findings
            .iter()
            .map(|finding| match &finding.claim {
                Some(claim) => format!("{:?} {}{}={}", finding.about, if claim.ends { "-" } else { "" }, claim.subject, claim.value),
                None => format!("#{}", finding.candidate_type),
            })
            .collect();
        let left: Vec<&str> = reading.left_alone.iter().map(|(_, left)| word(*left)).collect();
        wrong.push(format!("{}\n    lacks {lacks:?} extra {extra:?} found {found:?} left {left:?}", case.said));
    }
    wrong
}

#[test]
fn every_sentence_of_the_table_is_read() {
    let cases = cases(include_str!("cases/rules_cases.tsv"));
    let wrong = mismatches(&cases);
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Sentences in other voices that the rules were not written for.
#[test]
fn most_sentences_of_strangers_are_read() {
    let cases = cases(include_str!("cases/rules_heldout.tsv"));
    let wrong = mismatches(&cases);
    let right = cases.len() - wrong.len();
    assert!(right * 100 >= cases.len() * 85, "{right} of {} right\n{}", cases.len(), wrong.join("\n"));
}

/// The same statement in many voices: each subject of the table in both languages, as different people would phrase it.
#[test]
fn one_thing_is_read_in_many_voices() {
    let cases = cases(include_str!("cases/rules_voices.tsv"));
    let wrong = mismatches(&cases);
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn a_title_a_generation_and_a_place_are_no_names_ages_and_pets() {
    let claims = |text: &str| -> Vec<(String, String)> {
        let read =
            RuleThinker.read(&Utterance { role: Role::User, text, at: Timestamp::from_millis(0), user: "u", character: "c", before: None });
        read.findings.into_iter().filter_map(|finding| finding.claim).map(|claim| (claim.subject, claim.value)).collect()
    };
    for (text, subject) in [
        ("My name is Earl is such a good show", "name"),
        ("My name is Bond was on TV last night", "name"),
        ("그래 나 재벌 3세야 ㅋㅋㅋ", "age"),
        ("나 재미교포 2세야", "age"),
    ] {
        assert!(!claims(text).iter().any(|(known, _)| known == subject), "{text}: {:?}", claims(text));
    }
    for (text, subject, value) in [
        ("우리 집엔 고양이 두 마리가 살아", "pet", "고양이"),
        ("우리 집에는 강아지 한 마리가 있어", "pet", "강아지"),
        ("My name is Earl, nice to meet you", "name", "Earl"),
        ("나 올해 35세야", "age", "35"),
    ] {
        assert!(claims(text).contains(&(subject.to_owned(), value.to_owned())), "{text}: {:?}", claims(text));
    }
}
